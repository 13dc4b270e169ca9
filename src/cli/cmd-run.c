#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/attempts.h"
#include "cli/commands.h"
#include "cli/run-report.h"
#include "cli/say.h"
#include "run/run.h"

#define ATTEMPTS_MAX   99
#define HANG_AFTER_MAX 604800 /* a week */

enum { EXIT_NOT_RUN = 125, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

/* Our parent learns what the job's would have: also which signal. The core is the job's. */
static int end_like(int status)
{
	struct rlimit none = { 0 };
	sigset_t its;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	signal(WTERMSIG(status), SIG_DFL);
	sigemptyset(&its); /* another that waits would come first, and tell a lie */
	sigaddset(&its, WTERMSIG(status));
	sigprocmask(SIG_UNBLOCK, &its, NULL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

static int say_end(const struct options *o, const struct attempts *a)
{
	const struct run_end *end = &a->end;

	if (a->directory && !end->exec_error)
		run_report_leave(a->directory);
	if (end->exec_error) {
		say("%s: %s", o->words[0], strerror(end->exec_error));
		return end->exec_error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	}
	return end_like(end->status);
}

static int check_words(const char *resume)
{
	struct arena a = { 0 };
	size_t count;
	char **words;
	bool whole = ladder_words(span_of(resume ? resume : ""), &a, &words, &count);

	arena_done(&a);
	return whole ? 0 : say_usage("run", "--resume has a quote that is not closed");
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

static int check_hangs(const struct options *o, struct attempts *ret)
{
	static const char *const names[] = { [RUN_HANG_NOTIFY] = "notify",
					     [RUN_HANG_DUMP] = "dump",
					     [RUN_HANG_END] = "end",
					     [RUN_HANG_RETRY] = "retry" };
	unsigned long seconds = 0;
	size_t i = 0;

	while (o->on_hang && i < 4 && strcmp(o->on_hang, names[i]) != 0)
		i++;
	if (i == 4)
		return say_usage("run", "--on-hang is notify, dump, end or retry");
	if (i == RUN_HANG_RETRY && (!o->heal || ret->most < 2))
		return say_usage("run", "--on-hang retry goes with --heal and --attempts");
	if (o->hang_after && !read_number(o->hang_after, HANG_AFTER_MAX, &seconds))
		return say_usage("run", "--hang-after is a number of seconds, at most a week");
	ret->on_hang = (enum run_hang)i;
	ret->hang_after_ms = 1000ull * seconds;
	return 0;
}

/* The options as numbers, and what does not go together. */
static int check(const struct options *o, struct attempts *ret)
{
	unsigned long n = 1;
	int status;

	if (o->report && o->word_count > 0)
		return say_usage("run", "--report shows a journal and runs nothing");
	if (!o->report && (o->json || o->format || o->output || o->verbose || o->no_scrub))
		return say_usage(
			"run",
			"--json, --format, --output, --verbose and --no-scrub go with --report");
	if (o->json + (o->format != NULL) + o->verbose > 1)
		return say_usage("run", "--json, --format and --verbose exclude each other");
	if (o->attempts && !read_number(o->attempts, ATTEMPTS_MAX, &n))
		return say_usage("run", "--attempts is a number from 1 to %d", ATTEMPTS_MAX);
	if ((n > 1 || o->allow_cpu) && !o->heal)
		return say_usage("run", "--attempts and --allow-cpu go with --heal");
	if (o->no_preflight && (o->strict || o->heal))
		return say_usage("run", "--strict and --heal rest on the preflight");
	ret->most = (unsigned int)n;
	status = check_hangs(o, ret);
	return status ? status : check_words(o->resume);
}

int cmd_run(const struct options *o)
{
	struct attempts a = { .options = o };
	int status = check(o, &a);

	if (status != 0)
		return status;
	if (o->report)
		return run_report_show(o);
	if (o->word_count == 0) {
		say_usage("run", "which command? rocsteady run -- python train.py");
		return EXIT_NOT_RUN;
	}
	status = EXIT_NOT_RUN;
	if (preflight_make(o, &a.preflight) == 0) {
		if (a.preflight.refused)
			say("not started, because of --strict");
		else if (attempts_run(&a) == 0)
			status = say_end(o, &a);
	}
	attempts_done(&a);
	return status;
}
