#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "run/run.h"

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
	struct span rest = buf_get(&end->verdict), line;

	if (end->exec_error) {
		say("%s: %s", o->words[0], strerror(end->exec_error));
		return end->exec_error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	}
	while (span_line(&rest, &line))
		say("%.*s", (int)line.len, line.data);
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

int cmd_run(const struct options *o)
{
	struct run_order order = { .arguments = (char *const *)o->words,
				   .directory = o->dir,
				   .kb = o->kb,
				   .leave = o->leave,
				   .survive = o->survive };
	struct run_end end = { 0 };
	int status, r;

	if (o->report && o->word_count > 0)
		return say_usage("run", "--report shows a journal and runs nothing");
	if (o->report)
		return report(o);
	if (o->word_count == 0) {
		say_usage("run", "which command? rocsteady run -- python train.py");
		return EXIT_NOT_RUN;
	}
	r = run_job(&order, &end);
	if (r < 0)
		say("the job was not started: %s", strerror(-r));
	status = r < 0 ? EXIT_NOT_RUN : say_end(o, &end);
	buf_done(&end.verdict);
	return status;
}
