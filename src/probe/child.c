#include "probe/child.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/memory.h"
#include "probe/process-tree.h"

#define TAIL_MAX     4096
#define ANSWERS_MAX  ((size_t)1 << 20) /* of descriptor 3; the rest is drained unread */
#define TURN_BYTES   ((size_t)1 << 18) /* in one step: a flood does not keep us from the others */
#define NO_PIDFD_MS  2                 /* then we look whether it has ended */
#define LOOK_MS      500               /* between two looks at a compiler */
#define LOOK_TICKS   2                 /* of 1/100 s, in LOOK_MS: it works, on a busy host too */
#define STUCK_MS     2000              /* after SIGKILL, asleep in the kernel */
#define STARVED_MOST 4                 /* times its deadline, for who gets no processor */
#define DYING_MS     10000 /* after SIGKILL, whatever it does: much memory goes slowly */

struct child {
	struct spawned process;
	struct answer answer;
	uint64_t started, deadline, last; /* last: the long deadline */
	struct child_times times;
	uint64_t at_work; /* when it was last seen compiling past its deadline; 0: not */
	uint64_t killed;  /* when; 0: not */
	uint64_t ticks;   /* at the last look */
	bool looked, overtime, starved, over, left_processes;
	size_t answers_read, noise_read;
	size_t line_len; /* ANSWER_LINE_MAX: too long, dropped up to its end */
	char line[ANSWER_LINE_MAX];
	char tail[TAIL_MAX]; /* a ring; noise_read is its place */
};

pid_t child_pid(const struct child *c)
{
	return c->process.pid;
}

struct answer *child_answer(struct child *c)
{
	return &c->answer;
}

bool child_left_processes(const struct child *c)
{
	return c->left_processes;
}

bool child_was_killed(const struct child *c)
{
	return c->killed != 0 || c->answer.ending == ANSWER_CRASHED;
}

struct child *child_new(const struct spawn_order *order, const struct child_times *times,
			int *ret_error)
{
	unsigned int deadline_ms = times->deadline_ms, long_ms = times->long_ms;
	struct child *c = memory_new(1, sizeof(*c));
	int r;

	assert(order->arguments && order->arguments[1] && order->directory[0] == '/');
	c->started = clock_ms();
	c->times = *times;
	c->deadline = c->started + deadline_ms;
	c->last = c->started + (long_ms > deadline_ms ? long_ms : deadline_ms);
	r = spawn(order, &c->process);
	DEBUG(DEBUG_PROBE, 0, "%s: process %d, uid %d, within %u ms%s%s", order->arguments[1],
	      r < 0 ? 0 : (int)c->process.pid, (int)order->uid, deadline_ms,
	      r < 0 ? ": not started: " : "", r < 0 ? strerror(-r) : "");
	if (r < 0) {
		free(c);
		*ret_error = r;
		return NULL;
	}
	return c;
}

/* ---- what it writes ---- */

static void take_answers(struct child *c, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n && c->answers_read + i < ANSWERS_MAX; i++) {
		if (bytes[i] != '\n') {
			if (c->line_len < ANSWER_LINE_MAX)
				c->line[c->line_len++] = bytes[i];
			continue;
		}
		if (c->line_len < ANSWER_LINE_MAX)
			answer_line(&c->answer, (struct span){ c->line, c->line_len });
		c->line_len = 0;
	}
	c->answers_read += n;
}

static void take_noise(struct child *c, const char *bytes, size_t n)
{
	size_t skip = n > TAIL_MAX ? n - TAIL_MAX : 0;

	for (size_t i = skip; i < n; i++)
		c->tail[(c->noise_read + i) % TAIL_MAX] = bytes[i];
	c->noise_read += n;
}

/* Up to what is in the pipe. At its end the descriptor is closed. */
static void drain(struct child *c, int *fd, void (*take)(struct child *c, const char *, size_t))
{
	char bytes[16384];
	ssize_t n = 1;

	for (size_t done = 0; *fd >= 0 && n > 0 && done < TURN_BYTES; done += (size_t)n) {
		n = read(*fd, bytes, sizeof(bytes));
		if (n > 0)
			take(c, bytes, (size_t)n);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
			close(*fd);
			*fd = -1;
		}
		if (n <= 0)
			break;
	}
}

/* ---- how it ends ---- */

/*
 * The leader alone too: between fork and setsid there is no group yet. While it is
 * not reaped nobody else can have its number.
 */
static void kill_group(const struct child *c)
{
	kill(-c->process.pid, SIGKILL);
	kill(c->process.pid, SIGKILL);
}

static void let_go(struct child *c)
{
	int *fds[] = { &c->process.pidfd, &c->process.answers, &c->process.noise };

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

static void finish(struct child *c, uint64_t now_ms)
{
	size_t from = c->noise_read > TAIL_MAX ? c->noise_read - TAIL_MAX : 0;
	char tail[TAIL_MAX];

	c->answer.ms = now_ms - c->started;
	c->left_processes = c->process.answers >= 0 || c->process.noise >= 0;
	DEBUG(DEBUG_PROBE, 0,
	      "process %d: %s %d after %llu ms, %zu bytes of answers, %zu of output%s",
	      (int)c->process.pid, answer_word(c->answer.ending), c->answer.number,
	      (unsigned long long)c->answer.ms, c->answers_read, c->noise_read,
	      c->left_processes ? ", and it left processes behind" : "");
	for (size_t i = from; i < c->noise_read; i++)
		tail[i - from] = c->tail[i % TAIL_MAX];
	answer_say_tail(&c->answer, (struct span){ tail, c->noise_read - from }, from == 0);
	let_go(c);
	c->over = true;
}

/*
 * Its group goes first: as long as the leader is a zombie, its number is its own.
 * If somebody else has reaped it, what it said is all that is known.
 */
static bool has_ended(struct child *c, int *ret_status)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)c->process.pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0) {
		*ret_status = 0;
		return errno == ECHILD;
	}
	if (info.si_pid == 0)
		return false;
	kill_group(c);
	return waitpid(c->process.pid, ret_status, WNOHANG) == c->process.pid;
}

static void note_stuck(struct child *c, uint64_t now_ms)
{
	struct buf words BUF_SCOPED = { 0 };
	bool sleeps = tree_waits(c->process.pid, &words);

	if (!sleeps && now_ms < c->killed + DYING_MS)
		return;
	c->answer.ending = ANSWER_STUCK;
	answer_sayf(&c->answer, "process %d was killed and is still there: %s", (int)c->process.pid,
		    sleeps ? words.data : "not asleep");
	finish(c, now_ms);
}

/* A library that waits for the GPU may spin: only where it can compile does that count as work. */
static bool may_compile(const struct child *c)
{
	return !c->times.compiles_in || span_is(buf_get(&c->answer.call), c->times.compiles_in);
}

/*
 * At work is who has a compiler below, or who computes in a question that is
 * known to compile within the process. The latter takes two looks.
 */
static bool is_at_work(struct child *c)
{
	struct tree_work work;
	bool first = !c->looked;
	uint64_t before = c->ticks;

	tree_work(c->process.pid, &work);
	c->looked = true;
	c->ticks = work.ticks;
	return work.compiles || first || work.ticks >= before + LOOK_TICKS;
}

/*
 * Time in which a busy host gave it no processor does not count against its deadline: a
 * call that hangs sleeps or computes, and neither waits for a processor on an idle host.
 */
static bool is_starved(struct child *c, uint64_t now_ms)
{
	uint64_t most = c->started + (uint64_t)STARVED_MOST * c->times.deadline_ms;
	uint64_t waited = tree_starved_ms(c->process.pid);
	uint64_t due = c->started + c->times.deadline_ms + waited;

	c->starved = waited >= c->times.deadline_ms / 4 && now_ms < due;
	if (!c->starved || now_ms >= most)
		return false;
	due = due > now_ms + LOOK_MS ? due : now_ms + LOOK_MS;
	c->deadline = due < most ? due : most;
	return true;
}

void child_end(struct child *c, uint64_t now_ms)
{
	if (c->over || c->killed)
		return;
	DEBUG(DEBUG_PROBE, 0, "process %d: killed after %llu ms", (int)c->process.pid,
	      (unsigned long long)(now_ms - c->started));
	kill_group(c);
	c->killed = now_ms;
}

/* Past its deadline: it goes on, or is ended. */
static void judge_deadline(struct child *c, uint64_t now_ms)
{
	if (is_starved(c, now_ms))
		return;
	if (now_ms < c->last && may_compile(c) && is_at_work(c)) {
		c->at_work = now_ms;
		c->deadline = now_ms + LOOK_MS < c->last ? now_ms + LOOK_MS : c->last;
		return;
	}
	if (!may_compile(c) && c->at_work && now_ms < c->at_work + c->times.deadline_ms) {
		c->deadline = c->at_work + c->times.deadline_ms; /* what follows has its own time */
		return;
	}
	c->overtime = now_ms >= c->last && c->looked;
	if (c->starved)
		answer_sayf(&c->answer, "in %llu s it waited %llu s for a processor",
			    (unsigned long long)(now_ms - c->started) / 1000,
			    (unsigned long long)tree_starved_ms(c->process.pid) / 1000);
	child_end(c, now_ms);
}

int child_wait(const struct child *c, uint64_t now_ms, struct pollfd ret_fds[static CHILD_FDS])
{
	uint64_t until = c->killed ? c->killed + STUCK_MS : c->deadline;
	int most = until > now_ms ? (int)(until - now_ms) : LOOK_MS / 10;

	ret_fds[0] = (struct pollfd){ .fd = c->process.pidfd, .events = POLLIN };
	ret_fds[1] = (struct pollfd){ .fd = c->process.answers, .events = POLLIN };
	ret_fds[2] = (struct pollfd){ .fd = c->process.noise, .events = POLLIN };
	return c->process.pidfd < 0 && most > NO_PIDFD_MS ? NO_PIDFD_MS : most;
}

bool child_step(struct child *c, uint64_t now_ms)
{
	int status;

	if (c->over)
		return true;
	drain(c, &c->process.answers, take_answers);
	drain(c, &c->process.noise, take_noise);
	if (has_ended(c, &status)) {
		drain(c, &c->process.answers, take_answers); /* what came in between */
		drain(c, &c->process.noise, take_noise);
		if (c->killed)
			c->answer.ending = c->overtime || c->starved ? ANSWER_SLOW : ANSWER_TIMEOUT;
		else
			answer_end(&c->answer, status);
		finish(c, now_ms);
	} else if (c->killed && now_ms >= c->killed + STUCK_MS) {
		note_stuck(c, now_ms);
	} else if (!c->killed && now_ms >= c->deadline) {
		judge_deadline(c, now_ms);
	}
	return c->over;
}

struct child *child_free(struct child *c)
{
	int status;

	if (!c)
		return NULL;
	if (!c->over) {
		kill_group(c);
		(void)has_ended(c, &status);
	}
	let_go(c);
	answer_done(&c->answer);
	free(c);
	return NULL;
}
