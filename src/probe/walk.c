/*
 * The walk: as many probers at once as there are processors, until all is asked.
 */

#include "probe/probe.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/job.h"
#include "probe/process-tree.h"

#define AT_ONCE_MAX  64
#define TELL_MS      1000 /* who is waited for is named again */
#define CANCEL_MS    50   /* a Ctrl-C between a look and poll() is seen this much later */
#define SWEEP_MS     20   /* between two looks for those who were left behind */
#define FAREWELL_MS  500  /* for them to die in, at the end of a walk */
#define CANCELLED_MS 40

struct probe_walk {
	const struct probe_options *options;
	struct plan plan;
	struct job_maker maker;
	struct job *jobs;
	size_t running;      /* processes */
	bool left_processes; /* somebody was left behind */
	uint64_t swept, told;
	pid_t *before; /* children we had before; not ours to end */
	size_t before_count;
	pid_t stuck[DEVICES_MAX + 1];
	size_t stuck_count;
	struct pollfd *fds;
	size_t fd_room;
};

static bool is_cancelled(const struct probe_walk *w)
{
	return w->options->cancelled && *w->options->cancelled;
}

static void tell(struct probe_walk *w, const struct task *t)
{
	struct probe_progress p = { t->question->name, plan_subject(&w->plan, t), w->plan.done,
				    w->plan.planned };

	w->told = clock_ms();
	if (w->options->progress)
		w->options->progress(w->options->ctx, &p);
}

/* ---- those whom probers leave behind ---- */

static bool has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static bool is_in(const pid_t *pids, size_t count, pid_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

static bool is_spared(void *ctx, pid_t pid, pid_t session)
{
	const struct probe_walk *w = ctx;

	if (is_in(w->before, w->before_count, pid) || is_in(w->stuck, w->stuck_count, pid))
		return true;
	for (const struct job *j = w->jobs; j; j = j->next)
		for (size_t i = 0; i < j->count; i++)
			if (child_pid(j->ranks[i]) == pid || child_pid(j->ranks[i]) == session)
				return true;
	return false;
}

/* ---- the probers ---- */

static size_t count_processors(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) < 0 ? AT_ONCE_MAX : CPU_COUNT(&set);

	return n < 1 ? 1 : n > AT_ONCE_MAX ? AT_ONCE_MAX : (size_t)n;
}

static void start_all(struct probe_walk *w, size_t most)
{
	struct task *t;

	while (!is_cancelled(w) && (t = plan_next(&w->plan, w->running, most))) {
		struct job *j = job_new(&w->maker, t);

		tell(w, t);
		if (!j)
			continue;
		j->next = w->jobs;
		w->jobs = j;
		w->running += j->count;
	}
}

static void wait_for_any(struct probe_walk *w)
{
	size_t room = w->running * CHILD_FDS, count = 0;
	uint64_t now_ms = clock_ms();
	int most = CANCEL_MS;

	if (room > w->fd_room) {
		w->fds = reallocarray(w->fds, room, sizeof(*w->fds));
		w->fd_room = room;
		if (!w->fds)
			memory_out();
	}
	for (const struct job *j = w->jobs; j; j = j->next)
		for (size_t i = 0; i < j->count; i++, count += CHILD_FDS) {
			int ms = child_wait(j->ranks[i], now_ms, w->fds + count);

			most = ms < most ? ms : most;
		}
	(void)poll(w->fds, count, most);
}

static void step_all(struct probe_walk *w)
{
	uint64_t now_ms = clock_ms();

	for (struct job **at = &w->jobs; *at;) {
		struct job *j = *at;

		if (!job_step(j, now_ms, &w->left_processes)) {
			at = &j->next;
			continue;
		}
		*at = j->next;
		w->running -= j->count;
		for (size_t i = 0; i < j->count; i++)
			if (child_answer(j->ranks[i])->ending == ANSWER_STUCK &&
			    w->stuck_count < sizeof(w->stuck) / sizeof(w->stuck[0]))
				w->stuck[w->stuck_count++] = child_pid(j->ranks[i]);
		job_end(&w->maker, j);
		tell(w, j->task);
		job_free(j);
	}
	if (w->left_processes && now_ms >= w->swept + SWEEP_MS) {
		w->left_processes = tree_sweep(is_spared, w) > 0;
		w->swept = clock_ms();
	}
}

static int walk_through(struct probe_walk *w)
{
	size_t most = count_processors();
	uint64_t until;
	struct job *j;

	start_all(w, most);
	while (w->jobs && !is_cancelled(w)) {
		wait_for_any(w);
		step_all(w);
		start_all(w, most);
		for (j = w->jobs; j && j->next;) /* the last has been running longest */
			j = j->next;
		if (j && clock_ms() >= w->told + TELL_MS)
			tell(w, j->task);
	}
	while ((j = w->jobs)) {
		w->jobs = j->next;
		job_free(j);
	}
	/* A process that does not die by then sleeps in the driver; init takes it over from us. */
	until = clock_ms() + (is_cancelled(w) ? CANCELLED_MS : FAREWELL_MS);
	while (has_children() && tree_sweep(is_spared, w) > 0 && clock_ms() < until)
		(void)poll(NULL, 0, 2);
	if (is_cancelled(w))
		return -ECANCELED;
	return w->maker.any ? 0 : w->maker.error;
}

/* ---- before and after ---- */

/* Probers work in a directory of their own. */
static char *absolute(const char *program)
{
	struct buf path = { 0 };
	char *here = program[0] == '/' ? NULL : get_current_dir_name();

	if (here)
		buf_addf(&path, "%s/", here);
	buf_text(&path, program);
	free(here);
	return path.data;
}

/*
 * A process below us that loses its parent becomes our child, not init's, so that
 * it can be found; and only we reap children, even if we were started with SIGCHLD
 * ignored. Both are the process's, and given back as they were.
 */
static int walk_as_reaper(struct probe_walk *w)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, before;
	int was = 0, r;

	sigaction(SIGCHLD, &usual, &before);
	if (has_children())
		w->before_count = tree_children(&w->plan.arena, &w->before);
	prctl(PR_GET_CHILD_SUBREAPER, &was, 0, 0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	r = walk_through(w);
	prctl(PR_SET_CHILD_SUBREAPER, was, 0, 0, 0);
	sigaction(SIGCHLD, &before, NULL);
	return r;
}

int probe_walk(const struct probe_options *options, struct buf *text)
{
	struct probe_walk w = { .options = options };
	char *program = absolute(options->program);
	struct sysinfo host;
	int r = plan_init(&w.plan, options);

	w.maker = (struct job_maker){ .plan = &w.plan, .program = program };
	if (sysinfo(&host) == 0)
		w.maker.memory = (uint64_t)host.totalram * host.mem_unit;
	if (r == 0)
		r = scratch_dir_init(&w.maker.scratch);
	if (r == 0)
		r = walk_as_reaper(&w);
	if (r == 0) {
		buf_addf(text, "walk %d %lld ", options->level, (long long)options->now);
		text_word(text, span_of(options->like ? options->like : "system"));
		buf_char(text, '\n');
		plan_write(&w.plan, text);
	}
	job_maker_done(&w.maker);
	plan_done(&w.plan);
	free(w.fds);
	free(program);
	return r;
}
