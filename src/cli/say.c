#include "cli/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/program.h"
#include "door/output-file.h"
#include "facts/select.h"

/* A runner of GitHub Actions obeys lines of its steps: those of a log must not be among them. */
static bool is_obeyed(void)
{
	const char *runner = getenv("GITHUB_ACTIONS");

	return runner && runner[0];
}

/* Text of other programs is escaped. errno is the caller's: a closed stderr must not replace it. */
static void write_stderr(const char *before, struct span text, bool keep_lines, const char *behind)
{
	struct buf clean BUF_SCOPED = { 0 }, safe BUF_SCOPED = { 0 };
	const struct buf *shown = &clean;
	int error = errno;

	text_clean(&clean, text, keep_lines);
	if (is_obeyed()) {
		text_defuse(&safe, buf_get(&clean));
		shown = &safe;
	}
	fprintf(stderr, "%s%s%s", before, shown->data ? shown->data : "", behind);
	errno = error;
}

static void say_line(const char *format, va_list args)
{
	struct buf raw BUF_SCOPED = { 0 };
	char before[32];

	buf_addv(&raw, format, args);
	snprintf(before, sizeof(before), "%s: ", program.word);
	write_stderr(before, buf_get(&raw), false, "\n");
}

void say_bare(struct span lines)
{
	write_stderr("", lines, true, "");
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line(format, args);
	va_end(args);
}

void say_lines(const struct buf *text)
{
	struct span rest = buf_get(text), line;

	while (span_line(&rest, &line))
		say("%.*s", (int)line.len, line.data);
}

int say_where(const char *command)
{
	say("help: %s %s%s--help", program.word, command, command[0] ? " " : "");
	return EXIT_USAGE;
}

int say_usage(const char *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line(format, args);
	va_end(args);
	return say_where(command);
}

int say_unread_tables(void)
{
	if (!select_error())
		return 0;
	say("the facts or the knowledge base could not be read completely: %s", select_failure());
	return EXIT_OWN_FAULT;
}

/* The name may be in a row that could not be read: then "unknown" would be false. */
int say_no(const char *command, const char *what, const struct did_you_mean *n,
	   const char *otherwise)
{
	if (say_unread_tables() != 0)
		return EXIT_OWN_FAULT;
	if (n->best[0])
		return say_usage(command, "unknown %s %.*s; did you mean %s?", what,
				 (int)n->word.len, n->word.data, n->best);
	return say_usage(command, "unknown %s %.*s%s%s", what, (int)n->word.len, n->word.data,
			 otherwise[0] ? "; " : "", otherwise);
}

static int write_stdout(struct span text)
{
	if (fwrite(text.data, 1, text.len, stdout) == text.len && fflush(stdout) == 0)
		return 0;
	if (errno != EPIPE) /* a pager that was closed is no fault */
		say("could not write the answer: %s", strerror(errno));
	return errno == EPIPE ? 0 : EXIT_OWN_FAULT;
}

int say_unwritten(const char *output, int error, const struct buf *why)
{
	if (why->len > 0)
		say("could not write %s: %s; name the real path, in a directory of yours", output,
		    why->data);
	else
		say("could not write %s: %s%s", output, strerror(-error),
		    error == -ENOENT ? "; its directory does not exist: create it first" : "");
	return error == -ENOENT ? EXIT_USAGE : EXIT_OWN_FAULT;
}

bool say_is_output(const char *output, const char *path)
{
	struct stat out, in;

	if (!output || !path || stat(output, &out) < 0 || !S_ISREG(out.st_mode) ||
	    stat(path, &in) < 0 || in.st_dev != out.st_dev)
		return false;
	return in.st_ino == out.st_ino &&
	       (in.st_ino != 0 || strcmp(output, path) == 0); /* Windows numbers no files */
}

int say_overwritten(const char *command, const char *output)
{
	return say_usage(command, "-o %s would overwrite the input; name another file", output);
}

static bool is_stdout(const char *output)
{
	return !output || strcmp(output, "-") == 0;
}

static int write_bytes(const char *output, struct span bytes)
{
	struct buf why BUF_SCOPED = { 0 };
	struct output_file file = { .why = &why };
	int r;

	if (is_stdout(output))
		return write_stdout(bytes);
	r = output_file_write(&file, output, bytes);
	return r < 0 ? say_unwritten(output, r, &why) : 0;
}

int say_commands(const char *output, struct span text)
{
	struct buf shown BUF_SCOPED = { 0 };

	if (say_unread_tables() != 0)
		return EXIT_OWN_FAULT;
	if (text_is_clean(text, true))
		return write_bytes(output, text);
	text_screen(&shown, text, true);
	return write_bytes(output, buf_get(&shown));
}

int say_answer(const char *output, struct span text)
{
	struct buf safe BUF_SCOPED = { 0 };

	if (!is_stdout(output) || !is_obeyed())
		return say_commands(output, text);
	text_defuse(&safe, text);
	return say_commands(output, buf_get(&safe));
}

int say_bytes(const char *output, struct span bytes)
{
	return say_unread_tables() != 0 ? EXIT_OWN_FAULT : write_bytes(output, bytes);
}

size_t say_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < 20)
		return 80;
	return size.ws_col;
}
