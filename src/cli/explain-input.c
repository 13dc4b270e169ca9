#include "cli/explain-input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli/explain-follow.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "kb/words.h"

#define FACTS_MAX ((size_t)1 << 20)

/* What has no lines that anybody wrote: nothing found in it would be a lie. */
static const struct no_log {
	const char *magic, *says, *then;
} no_logs[] = {
	{ "\x1f\x8b", "is packed; try: zcat", " | rocsteady explain" },
	{ "BZh", "is packed; try: bzcat", " | rocsteady explain" },
	{ "\xfd"
	  "7zXZ",
	  "is packed; try: xzcat", " | rocsteady explain" },
	{ "\x28\xb5\x2f\xfd", "is packed; try: zstdcat", " | rocsteady explain" },
	{ "PK\x03\x04", "is packed; try: unzip -p", " | rocsteady explain" },
	{ "\x7f"
	  "ELF",
	  "is a program and no log; try: rocsteady targets", "" },
};

static const struct no_log *no_log(const char *bytes, size_t n)
{
	for (size_t i = 0; i < sizeof(no_logs) / sizeof(no_logs[0]); i++)
		if (n >= strlen(no_logs[i].magic) &&
		    memcmp(bytes, no_logs[i].magic, strlen(no_logs[i].magic)) == 0)
			return &no_logs[i];
	return NULL;
}

static void show_progress(struct progress *p, uint64_t bytes)
{
	char text[64];

	snprintf(text, sizeof(text), "%llu MB read", (unsigned long long)(bytes / 1000000));
	progress_say(p, text);
}

static int read_into(struct scan *scan, int fd, const struct no_log **ret_other)
{
	struct progress progress;
	uint64_t bytes = 0;
	int r = 0;

	progress_start(&progress);
	while (r == 0) {
		size_t room;
		char *to = scan_room(scan, &room);
		ssize_t n = read(fd, to, room);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			break;
		r = n < 0 ? -errno : 0;
		*ret_other = bytes == 0 && n > 0 ? no_log(to, (size_t)n) : NULL;
		if (*ret_other)
			r = -EILSEQ;
		if (r == 0)
			scan_added(scan, (size_t)n);
		bytes += r == 0 ? (uint64_t)n : 0;
		if (fd != STDIN_FILENO || !isatty(fd))
			show_progress(&progress, bytes);
	}
	progress_end(&progress);
	scan_end(scan);
	return r;
}

static int read_path(struct scan *scan, const char *path, const struct no_log **ret_other)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : read_into(scan, fd, ret_other);

	if (fd > STDIN_FILENO)
		close(fd);
	return r;
}

/* Whoever types it without a file waits for us, and we for them. */
static void say_paste(const char *path)
{
	if (strcmp(path, "-") == 0 && isatty(STDIN_FILENO))
		say("paste the error message here, then press Enter and Ctrl-D; "
		    "or name a file: rocsteady explain train.log");
}

static void say_empty(const char *path)
{
	if (strcmp(path, "-") == 0)
		say("nothing came in; errors go to standard error, so: "
		    "python train.py 2>&1 | rocsteady explain");
	else
		say("%s is empty", path);
}

static int say_unread(const char *path, int error, const struct no_log *other)
{
	if (error == -EILSEQ && other)
		say("%s %s %s%s", path, other->says, path, other->then);
	else if (error == -EISDIR)
		say("%s is a directory; name the log in it", path);
	else if (error == -EACCES)
		say("%s: %s; try: sudo cat %s | rocsteady explain", path, strerror(-error), path);
	else
		say("%s: %s", path, strerror(-error));
	return EXIT_USAGE;
}

static int read_log(struct explain_input *in, const char *path, const struct no_log **ret_other)
{
	bool input = strcmp(path, "-") == 0;
	struct scan *scan = scan_new(in->signatures->list, in->signatures->count);
	int r = !scan                 ? -ENOMEM
		: in->options->follow ? explain_follow(scan, in->signatures, path)
				      : read_path(scan, path, ret_other);

	if (r < 0) {
		scan_free(scan);
		return r;
	}
	in->scans[in->count] = scan;
	in->names[in->count++] = input ? "input" : path;
	in->lines += scan_lines(scan);
	if (scan_lines(scan) == 0 && !in->options->follow)
		say_empty(path);
	return 0;
}

int explain_input_read(struct explain_input *in)
{
	static const char *const input[] = { "-" };
	const char *const *paths = in->options->word_count ? in->options->words : input;
	int count = in->options->word_count ? in->options->word_count : 1;

	if (in->options->follow && count > 1)
		return say_usage("explain", "-f follows one file");
	for (int i = 0; i < count && i < EXPLAIN_LOGS_MAX; i++) {
		const struct no_log *other = NULL;
		int r;

		say_paste(paths[i]);
		r = read_log(in, paths[i], &other);
		if (r < 0)
			return say_unread(paths[i], r, other);
	}
	return 0;
}

void explain_input_done(struct explain_input *in)
{
	for (size_t i = 0; i < in->count; i++)
		scan_free(in->scans[i]);
	in->count = 0;
}

/* ---- statements ---- */

static int read_facts(const char *path, struct state *state)
{
	struct buf text BUF_SCOPED = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : fd_head(fd, FACTS_MAX, &text);
	struct json_node *top;

	if (r < 0) {
		say("%s: %s", path, strerror(-r));
		return EXIT_USAGE;
	}
	if (json_tree_parse(buf_get(&text), &state->arena, &top, NULL) < 0 ||
	    top->kind != JSON_MAP) {
		say("%s: no JSON object; as {\"gfx\": \"gfx1100\", \"rocm\": \"6.2.0\"}", path);
		return EXIT_USAGE;
	}
	state_json(state, top, path);
	return 0;
}

static int say_one(struct state *state, const char *word)
{
	const char *equals = strchr(word, '=');
	char name[64];

	if (!equals || equals == word || (size_t)(equals - word) >= sizeof(name))
		return say_usage("explain", "--set takes NAME=VALUE, as gfx=gfx1100");
	memcpy(name, word, (size_t)(equals - word));
	name[equals - word] = '\0';
	if (!words_has(words_stated, name) && strncmp(name, "env:", 4) != 0)
		return say_usage("explain",
				 "--set %s: not a thing that can be stated; gfx, gpu, rocm, "
				 "framework, version, os, kernel, env:NAME, ...",
				 name);
	state_say(state, &(struct said){ name, span_of(equals + 1), "--set", "stated" });
	return 0;
}

static int say_stated(const struct options *o, struct state *state)
{
	int status = o->facts ? read_facts(o->facts, state) : 0;

	for (int i = 0; status == 0 && i < o->set_count; i++)
		status = say_one(state, o->set[i]);
	return status;
}

int explain_input_tell(struct explain_input *in, struct facts *facts, bool machine)
{
	struct state state = { .facts = facts, .has_gpu = machine };
	int status = say_stated(in->options, &state);

	for (size_t i = 0; status == 0 && i < in->count; i++)
		log_events(&state, in->signatures, in->scans[i], in->names[i]);
	state_settle(&state);
	state_done(&state);
	return status;
}
