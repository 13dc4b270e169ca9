#include "run/no-memory.h"

#include <errno.h>
#include <unistd.h>

#include "base/exit-status.h"
#include "base/memory.h"
#include "context/machine.h"
#include "run/run.h"

static pid_t ours;
static struct launch first;
static int last;

static void start_bare(void *job)
{
	static const char says[] = "rocsteady: the job runs without rocsteady, which has no memory "
				   "left: nothing is checked, watched or recorded\n";
	int r;

	if (getpid() != ours)
		return;
	machine_end_recording();
	(void)!write(STDERR_FILENO, says, sizeof(says) - 1);
	r = launch_bare(job);
	_exit(r == -ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

static void end_like(void *status)
{
	static const char says[] = "rocsteady: no memory left to tell how the job ended\n";

	if (getpid() != ours)
		return;
	(void)!write(STDERR_FILENO, says, sizeof(says) - 1);
	_exit(run_end_like(*(const int *)status));
}

void no_memory_start_as(const struct launch *job)
{
	ours = getpid();
	memory_instead(start_bare, (void *)job);
}

void no_memory_start(char *const *arguments)
{
	first = (struct launch){ .arguments = arguments };
	launch_note(&first);
	no_memory_start_as(&first);
}

void no_memory_runs(void)
{
	memory_instead(NULL, NULL);
}

void no_memory_end_like(int status)
{
	ours = getpid();
	last = status;
	memory_instead(end_like, &last);
}
