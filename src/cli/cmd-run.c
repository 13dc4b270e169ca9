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
#include "cli/say.h"
#include "run/run.h"

#define ATTEMPTS_MAX 99

enum { EXIT_NOT_RUN = 125, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

/* Our parent learns what the job's would have: also which signal. The core is the job's. */
static int end_like(int status)
{
	struct rlimit none = { 0 };
	sigset_t all;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	signal(WTERMSIG(status), SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

static int say_end(const struct options *o, struct run_end *end)
{
	if (end->exec_error) {
		say("%s: %s", o->words[0], strerror(end->exec_error));
		return end->exec_error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	}
	return end_like(end->status);
}

static int report(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	int r = run_report(o->report, &text);

	if (r == 0)
		return say_answer(o->output, buf_get(&text));
	say("%s/journal: %s", o->report,
	    r == -EBADMSG ? "this is no journal of rocsteady run" : strerror(-r));
	return EXIT_USAGE;
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

/* The options as numbers, and what does not go together. */
static int check(const struct options *o, unsigned int *ret_attempts)
{
	char *end = NULL;
	unsigned long n = o->attempts ? strtoul(o->attempts, &end, 10) : 1;

	if (o->report && o->word_count > 0)
		return say_usage("run", "--report shows a journal and runs nothing");
	if (o->attempts && (end == o->attempts || *end || n < 1 || n > ATTEMPTS_MAX))
		return say_usage("run", "--attempts is a number from 1 to %d", ATTEMPTS_MAX);
	if ((n > 1 || o->allow_cpu) && !o->heal)
		return say_usage("run", "--attempts and --allow-cpu go with --heal");
	if (o->no_preflight && (o->strict || o->heal))
		return say_usage("run", "--strict and --heal rest on the preflight");
	*ret_attempts = (unsigned int)n;
	return check_words(o->resume);
}

int cmd_run(const struct options *o)
{
	struct attempts a = { .options = o };
	int status = check(o, &a.most);

	if (status != 0)
		return status;
	if (o->report)
		return report(o);
	if (o->word_count == 0) {
		say_usage("run", "which command? rocsteady run -- python train.py");
		return EXIT_NOT_RUN;
	}
	status = EXIT_NOT_RUN;
	if (preflight_make(o, &a.preflight) == 0) {
		if (a.preflight.refused)
			say("not started, because of --strict");
		else if (attempts_run(&a) == 0)
			status = say_end(o, &a.end);
	}
	attempts_done(&a);
	return status;
}
