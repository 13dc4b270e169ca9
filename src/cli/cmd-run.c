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

/* The options as numbers, and what does not go together. */
static int check(const struct options *o, unsigned int *ret_attempts)
{
	char *end = NULL;
	unsigned long n = o->attempts ? strtoul(o->attempts, &end, 10) : 1;

	if (o->report && o->word_count > 0)
		return say_usage("run", "--report shows a journal and runs nothing");
	if (!o->report && (o->json || o->format || o->output || o->verbose || o->no_scrub))
		return say_usage(
			"run",
			"--json, --format, --output, --verbose and --no-scrub go with --report");
	if (o->json + (o->format != NULL) + o->verbose > 1)
		return say_usage("run", "--json, --format and --verbose exclude each other");
	if (o->attempts && (end == o->attempts || *end || n < 1 || n > ATTEMPTS_MAX))
		return say_usage("run", "--attempts is a number from 1 to %d", ATTEMPTS_MAX);
	if ((n > 1 || o->allow_cpu) && !o->heal)
		return say_usage("run", "--attempts and --allow-cpu go with --heal");
	if (o->no_preflight && (o->strict || o->heal))
		return say_usage("run", "--strict and --heal rest on the preflight");
	*ret_attempts = (unsigned int)n;
	return 0;
}

int cmd_run(const struct options *o)
{
	struct attempts a = { .options = o };
	int status = check(o, &a.most);

	if (status != 0)
		return status;
	if (o->report)
		return run_report_show(o);
	if (o->word_count == 0) {
		say_usage("run", "which command? rocsteady run -- python train.py");
		return EXIT_NOT_RUN;
	}
	status = preflight_make(o, &a.preflight);
	if (status == 0 && a.preflight.refused) {
		say("not started, because of --strict");
		status = EXIT_NOT_RUN;
	} else if (status == 0) {
		status = attempts_run(&a);
		if (status == 0 && a.directory && !a.end.exec_error)
			run_report_leave(a.directory);
		status = status < 0 ? EXIT_NOT_RUN : say_end(o, &a.end);
	}
	attempts_done(&a);
	return status;
}
