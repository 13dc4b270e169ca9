#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/open.h"
#include "cli/progress-line.h"
#include "cli/run-report.h"
#include "cli/say.h"
#include "run/attempts.h"
#include "run/no-memory.h"

#define ATTEMPTS_MAX   99
#define HANG_AFTER_MAX 604800 /* a week */

static int say_end(const struct attempts *a)
{
	const struct run_end *end = &a->end;

	if (end->status != 0 && !end->exec_error)
		say_lines(&a->preflight.at_failure);
	if (a->directory && !end->exec_error)
		run_report_leave(a->directory);
	if (end->exec_error) {
		say("%s: %s", a->options->words[0],
		    end->exec_error == ENOENT ? "command not found" : strerror(end->exec_error));
		return end->exec_error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	}
	return run_end_like(end->status);
}

static int check_words(const char *resume)
{
	struct arena a = { 0 };
	size_t count;
	char **words;
	bool whole = retry_words(span_of(resume ? resume : ""), &a, &words, &count);

	arena_done(&a);
	return whole ? 0 : say_usage("run", "--resume has an unclosed quote");
}

static bool read_number(const char *text, unsigned long most, unsigned long *ret)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end || n < 1 || n > most)
		return false;
	*ret = n;
	return true;
}

static int check_hangs(const struct options *o, struct run_options *ret)
{
	static const char *const names[] = { [RUN_HANG_NOTIFY] = "notify",
					     [RUN_HANG_DUMP] = "dump",
					     [RUN_HANG_END] = "end",
					     [RUN_HANG_RETRY] = "retry" };
	unsigned long seconds = 0;
	size_t i = 0;

	while (o->on_hang && strcmp(o->on_hang, names[i]) != 0) /* it is one of them */
		i++;
	if (i == RUN_HANG_RETRY && (!o->heal || ret->attempts < 2))
		return say_usage("run", "--on-hang retry needs --heal and --attempts");
	if (o->hang_after && !read_number(o->hang_after, HANG_AFTER_MAX, &seconds))
		return say_usage("run", "--hang-after is a number of seconds, at most a week");
	ret->on_hang = (enum run_hang)i;
	ret->hang_after_ms = 1000ull * seconds;
	return 0;
}

/* The options as numbers, and what does not go together. */
static int check(const struct options *o, struct run_options *ret)
{
	unsigned long n = 1;

	if (o->report && o->word_count > 0)
		return say_usage("run", "--report shows a past run; leave out the command");
	if (!o->report && (o->format || o->output || o->verbose || o->no_scrub))
		return say_usage(
			"run",
			"--format, --json, --output, --verbose and --no-scrub need --report");
	if (o->dir && !o->dir[0])
		return say_usage("run", "--dir needs the name of a directory");
	if (o->format && o->verbose)
		return say_usage("run", "use only one of --format, --json and --verbose");
	if (o->attempts && !read_number(o->attempts, ATTEMPTS_MAX, &n))
		return say_usage("run", "--attempts is a number from 1 to %d", ATTEMPTS_MAX);
	if ((n > 1 || o->allow_cpu) && !o->heal)
		return say_usage("run", "--attempts and --allow-cpu need --heal");
	if (o->no_preflight && (o->strict || o->heal))
		return say_usage(
			"run", "--strict and --heal need the preflight: leave out --no-preflight");
	ret->attempts = (unsigned int)n;
	return check_hangs(o, ret);
}

static void say_one(const char *line)
{
	say("%s", line);
}

static int run(const struct run_options *o, struct progress_line *progress)
{
	struct attempts a = { .options = o, .say = say_one };
	struct buf said BUF_SCOPED = { 0 };
	int looked = run_dir_choose(o->directory, &a.dir, &said);
	int status = EXIT_NOT_RUN;

	if (looked == 0)
		looked = preflight_make(o, &a.preflight, &said);

	progress_line_end(progress);
	say_lines(&said);
	if (looked == 0 && a.preflight.refused) {
		say("not started, because of --strict");
	} else if (looked == 0) {
		attempts_run(&a);
		status = say_end(&a);
	}
	attempts_done(&a);
	return status;
}

int cmd_run(const struct options *o)
{
	struct progress_line progress;
	struct run_options words = { .context = open_options(o, &progress),
				     .words = o->words,
				     .word_count = (size_t)o->word_count,
				     .directory = o->dir,
				     .no_preflight = o->no_preflight,
				     .strict = o->strict,
				     .heal = o->heal,
				     .allow_cpu = o->allow_cpu,
				     .resume = o->resume,
				     .leave = o->leave,
				     .survive = o->survive };
	int status = check(o, &words);

	if (status == 0 && o->report)
		return run_report_show(o) == 0 ? EXIT_FINE : EXIT_NOT_RUN;
	if (status == 0 && o->word_count == 0)
		status = say_usage("run", "run needs a command: rocsteady run -- python train.py");
	if (status != 0)
		return EXIT_NOT_RUN;
	no_memory_start((char *const *)words.words); /* from here on whatever fails is ours */
	return check_words(o->resume) == 0 ? run(&words, &progress) : EXIT_NOT_RUN;
}
