#include "run/keeper.h"

#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/exit-status.h"
#include "run/no-memory.h"

#define TICK_MS    20
#define VERDICT_MS 5000 /* for the watcher, at the end; 3.3 of it for memory that stays */
#define LATE_CPU_S 20   /* of CPU time for a watcher that has not told by then */
#define FRONT_MS   250  /* a shell that brings us to the front may tell nobody */

static void type(struct keeper *k, const struct pollfd *keys, const struct pollfd *master)
{
	struct terminal_keys typed = { 0 };

	if (keys->revents && !terminal_read(&k->terminal))
		k->keyboard = false;
	if (!k->job)
		typed.ends = terminal_drop(&k->terminal, k->shared);
	else if (master->revents & POLLOUT && k->terminal.typed_count > 0)
		terminal_write(&k->terminal, k->job, &typed);
	if (typed.ends)
		keeper_ask_for_end(k);
	if (typed.stops)
		keeper_stop_job(k);
}

static bool waits_for_front(const struct keeper *k)
{
	return k->job && k->terminal.types && !k->keyboard;
}

static void step(struct keeper *k)
{
	bool typed = k->terminal.typed_count > 0;
	struct pollfd fds[] = {
		{ .fd = k->signals, .events = POLLIN },
		{ .fd = k->over[0], .events = POLLIN },
		{ .fd = k->keyboard && !typed ? k->terminal.ours : -1, .events = POLLIN },
		{ .fd = typed && k->job ? k->terminal.master : -1, .events = POLLOUT },
	};
	int wait_ms = waits_for_front(k) ? FRONT_MS : -1;
	char byte;

	if (k->stage != STAGE_RUNS || k->hung_until)
		wait_ms = TICK_MS;
	poll(fds, 4, wait_ms);
	while (read(k->over[0], &byte, 1) == 1)
		;
	status_line_look(&k->status_line);
	keeper_take_signals(k);
	type(k, &fds[2], &fds[3]);
	if (waits_for_front(k))
		k->keyboard = terminal_take(&k->terminal, k->shared);
	keeper_advance(k);
}

/* Nobody waits for a watcher that is late: it may end its journal, and the kernel kills it if it does not. */
static void limit_watcher(pid_t watcher)
{
	struct timespec used;
	struct rlimit limit;
	clockid_t clock;

	if (clock_getcpuclockid(watcher, &clock) != 0 || clock_gettime(clock, &used) < 0)
		return;
	limit.rlim_cur = limit.rlim_max = (rlim_t)used.tv_sec + LATE_CPU_S;
	(void)prlimit(watcher, RLIMIT_CPU, &limit, NULL);
}

static void finish(struct keeper *k, int exec_error, struct run_end *ret)
{
	uint64_t until;
	uint32_t n;

	terminal_give_back(k->terminal.ours, k->shared);
	if (k->job) /* stuck in the kernel: it will die of this when it leaves it */
		k->status = SIGKILL;
	if (k->stage == STAGE_DONE)
		no_memory_end_like(k->status);
	k->shared->status = k->status;
	k->shared->exec_error = exec_error;
	k->hurry = 0;
	atomic_store(&k->shared->asleep, true);
	atomic_store(&k->shared->over, true);
	shared_wake_watcher(k->shared);
	until = clock_ms() + VERDICT_MS;
	while (k->watcher && !atomic_load(&k->shared->told) && clock_ms() < until &&
	       k->hurry == 0) {
		poll(&(struct pollfd){ .fd = k->signals, .events = POLLIN }, 1, 100);
		keeper_take_signals(k);
	}
	if (k->watcher && !atomic_load(&k->shared->told))
		limit_watcher(k->watcher);
	*ret = (struct run_end){ .status = k->status,
				 .exec_error = exec_error,
				 .hung = atomic_load(&k->shared->hung),
				 .late = k->watcher && !atomic_load(&k->shared->told),
				 .stopped = atomic_load(&k->shared->asked) };
	n = atomic_load(&k->shared->verdict_len);
	buf_add(&ret->verdict, k->shared->verdict, n < SHARED_VERDICT_MAX ? n : 0);
	/* Before the verdict, which is told before the journal is on the disk. */
	n = n > 0 || atomic_load(&k->shared->told) ? k->shared->plan_len : 0;
	buf_add(&ret->plan, k->shared->plan, n < SHARED_PLAN_MAX ? n : 0);
}

/* The reader of our standard error may have stopped reading: the job must not wait for it. */
static bool takes_a_line(void)
{
	struct pollfd fd = { .fd = 2, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && fd.revents == POLLOUT;
}

/* The job cannot be watched: end the watcher, then exec the job in this process. */
static void run_bare(struct keeper *k, int error, struct run_end *ret)
{
	if (k->watcher) {
		kill(k->watcher, SIGKILL);
		waitpid(k->watcher, NULL, 0);
	}
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	k->order->bare(k->order->bare_ctx, error);
	buf_done(&ret->verdict);
	buf_done(&ret->plan);
	*ret = (struct run_end){ .exec_error = -launch_bare(&k->launch) };
}

void run_job(const struct run_order *order, struct run_end *ret)
{
	static struct keeper k;          /* 16 KiB of it are for the lists of children */
	struct launch launch = k.launch; /* of the attempt before: the signals as they were */
	bool first = !launch.arguments;
	int exec_error = 0;
	int r;

	debug_never_wait(takes_a_line);
	launch.arguments = order->arguments;
	launch.survives = order->survive;
	k = (struct keeper){ .order = order,
			     .relays = { RELAY_NONE, RELAY_NONE },
			     .launch = launch };
	if (first)
		launch_set_aside(&k.launch);
	no_memory_start_as(&k.launch);
	r = keeper_open(&k, first);
	if (r < 0) {
		run_bare(&k, r, ret);
		return;
	}
	keeper_note_children(&k);
	malloc_trim(0); /* what the check before the start has used */
	no_memory_runs();
	r = keeper_start(&k, &exec_error);
	DEBUG(DEBUG_RUN, 0, "keeper: attempt %u, job %d, watcher %d, relays%s%s%s", order->attempt,
	      (int)k.job, (int)k.watcher, k.relays[0].started ? " output" : "",
	      k.relays[1].started ? " error" : "", k.terminal.master >= 0 ? ", terminal" : "");
	if (r == 0)
		while (k.stage != STAGE_DONE)
			step(&k);
	else
		no_memory_start_as(&k.launch);
	finish(&k, r < 0 ? -r : exec_error, ret);
	if (r < 0) {
		run_bare(&k, r, ret);
		return;
	}
	DEBUG(DEBUG_RUN, 0, "keeper: over, wait status %d%s%s", ret->status,
	      ret->hung ? ", hung" : "", ret->stopped ? ", somebody asked for the end" : "");
	ret->held = !keeper_close(&k);
}

int run_exit_status(int status)
{
	return WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_end_like(int status)
{
	struct rlimit none = { 0 };
	sigset_t its;

	if (!WIFSIGNALED(status))
		return run_exit_status(status);
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	signal(WTERMSIG(status), SIG_DFL);
	sigemptyset(&its); /* another that waits would come first, and tell a lie */
	sigaddset(&its, WTERMSIG(status));
	sigprocmask(SIG_UNBLOCK, &its, NULL);
	raise(WTERMSIG(status));
	return run_exit_status(status);
}
