/*
 * The recording child and the parent that does not wait for it.
 */

#include "base/exit-status.h"
#include "root/root.h"

#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/debug.h"
#include "base/fd.h"
#include "door/standing.h"
#include "parse/proc-stat.h"
#include "root/root-internal.h"
#include "survey/asks.h"

#define PATIENCE_MS       800 /* a first silence: a busy host may take this long */
#define PATIENCE_AFTER_MS 250 /* a further one: the machine is known to be ill */
#define TOTAL_MS          15000
#define LOOK_MS           20 /* between two looks at the child */
#define RESUMED_MAX       8
#define GIVE_UP_LOOKS     50 /* a millisecond each: one that a driver holds stays */

enum ending {
	ENDED,  /* everything was asked */
	STUCK,  /* one question got no answer */
	DIED,   /* the child crashed in a question */
	LOST,   /* it ended, or ran out of time, between two: another would do the same */
	UNBORN, /* there was no child */
};

static pid_t recorder; /* the child at work, or 0 */

/* ---- patience ---- */

/* The time of the child at one question, by its state meanwhile. */
struct patience {
	uint64_t since;     /* the question: when it was asked */
	uint64_t looked_ms; /* at the child, last */
	uint64_t asleep_ms; /* it was seen to sleep */
	uint64_t ticks;     /* of CPU time that it had used before */
};

static bool read_stat(pid_t child, struct proc_stat *ret)
{
	char path[32], text[1024];
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)child);
	n = fd_text(open(path, O_RDONLY | O_CLOEXEC), text, sizeof(text));
	return n > 0 && proc_stat_parse((struct span){ text, n }, ret);
}

/*
 * A child that could run and was not scheduled is not silent: the host is busy,
 * not the device. What counts is the time in which it slept, of which a look
 * proves no more than the time until the next one should be, or the CPU time
 * that it spent in a driver that turns in circles. Without /proc the clock
 * alone counts.
 */
static uint64_t silent_ms(struct patience *p, pid_t child, uint64_t since)
{
	uint64_t now = beacon_now_ms(), gone = now - p->looked_ms;
	struct proc_stat stat;
	uint64_t busy_ms;

	if (since == 0)
		return 0;
	if (!read_stat(child, &stat))
		return now > since ? now - since : 0;
	if (p->since != since)
		*p = (struct patience){ .since = since, .ticks = stat.ticks };
	else if (stat.state != 'R')
		p->asleep_ms += gone < 2 * LOOK_MS ? gone : 2 * LOOK_MS;
	p->looked_ms = now;
	busy_ms = (stat.ticks - p->ticks) * 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
	return p->asleep_ms > busy_ms ? p->asleep_ms : busy_ms;
}

/* ---- the child ---- */

/*
 * A child that waits inside the driver survives SIGKILL until the driver lets
 * go. Reaping it would hang us too; init reaps it once we are gone.
 */
static enum ending await_child(const struct root *root, pid_t child, int pipe_end, struct beacon *b,
			       int patience_ms, uint64_t until)
{
	struct pollfd end = { .fd = pipe_end, .events = POLLIN };
	struct patience patience = { 0 };
	int status = 0;

	while (poll(&end, 1, LOOK_MS) <= 0) {
		uint64_t silent = silent_ms(&patience, child, atomic_load(&b->since_ms));
		bool late = silent > (uint64_t)patience_ms;

		if (root->waiting) {
			char path[sizeof(b->step)];

			/* The child writes there meanwhile: what is torn ends at our own zero. */
			memcpy(path, b->step[0] ? b->step : b->path, sizeof(path));
			path[sizeof(path) - 1] = '\0';
			root->waiting(root->waiting_ctx, path);
		}
		if (!late && beacon_now_ms() < until)
			continue;
		kill(child, SIGKILL);
		if (poll(&end, 1, 20) > 0)
			waitpid(child, NULL, 0);
		return late ? STUCK : LOST; /* who had no time is not called silent */
	}
	waitpid(child, &status, 0); /* its end of the pipe is closed: it is past every wait */
	return WIFSIGNALED(status) ? DIED : ENDED;
}

/*
 * The question that was being asked gets its answer from us. False if there
 * was none: the last one has been answered then, and stays so.
 */
static bool note_end(struct root *root, struct beacon *b, int error)
{
	struct buf record BUF_SCOPED = { 0 };
	struct span device;
	int kind = atomic_load(&b->kind);

	b->path[sizeof(b->path) - 1] = '\0';
	b->step[sizeof(b->step) - 1] = '\0';
	if (atomic_load(&b->since_ms) == 0 || kind < 0 || kind >= RECORD_KINDS ||
	    b->path[0] == '\0')
		return false;
	DEBUG(DEBUG_DOOR, 0, "no answer to %s, at %s: %s", b->path, b->step,
	      standing_error_name(error));
	record_write_error(&record, (enum record_kind)kind, span_of(b->path), error);
	store_load(&root->store, arena_span(&root->arena, buf_get(&record)));
	device = root_device(root, b->step);
	if (device.len == 0)
		device = root_device(root, b->path);
	if (device.len == 0)
		device = span_of(b->step);
	root->stuck[root->stuck_count++] = arena_span(&root->arena, device);
	return true;
}

/* A long search goes on without what got no answer; a second child asks it again. */
static bool note_stuck(struct root *root, struct beacon *b)
{
	if (atomic_load(&b->since_ms) != 0 && atomic_load(&b->kind) == RECORD_ASK &&
	    b->step[0] == '/' && asks_resumes(b->path) && root->resumed++ < RESUMED_MAX) {
		struct span step = span_of(b->step);
		struct span lost = path_parent(step).len > 1 ? path_parent(step) : step;

		DEBUG(DEBUG_DOOR, 0, "no answer to %s, at %s: asked again without %.*s", b->path,
		      b->step, (int)lost.len, lost.data);
		root->stuck[root->stuck_count++] = arena_span(&root->arena, lost);
		return true;
	}
	return note_end(root, b, DOOR_STUCK);
}

void root_meanwhile(struct root *root, void (*work)(void *ctx), void *ctx)
{
	assert(root->beacon_count == 0); /* once it is recorded nobody would call it */
	root->meanwhile = work;
	root->meanwhile_ctx = ctx;
}

void root_waiting(struct root *root, void (*tell)(void *ctx, const char *path), void *ctx)
{
	root->waiting = tell;
	root->waiting_ctx = ctx;
}

/*
 * A reader that is stuck keeps its descriptors until the driver lets go: whoever
 * reads our output through a pipe would wait for it, so it gives them up.
 *
 * The trap: a trace of this child needs its standard error, so with ROCSTEADY_DEBUG
 * it is kept, and `rocsteady check 2>&1 | cat` on a machine with a stuck GPU ends
 * only when the driver lets go. A trace into a file or a terminal waits for nobody.
 */
static void be_the_child(struct root *root, void (*collect)(struct root *root), pid_t parent)
{
	int null;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_OWN_FAULT);
	signal(SIGINT, SIG_DFL);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; null >= 0 && fd <= 2; fd++)
		if (fd < 2 || !DEBUG_ON(DEBUG_ALL))
			dup2(null, fd);
	root->live = true;
	collect(root);
	_exit(0);
}

/* The pipe carries nothing: its closing tells the end of the child, on any kernel. */
static enum ending record_once(struct root *root, void (*collect)(struct root *root),
			       struct beacon *b, uint64_t until)
{
	static const char *const words[] = { "ended", "stuck", "died", "lost", "unborn" };
	void (*work)(void *ctx) = root->meanwhile;
	uint64_t began = DEBUG_NOW(DEBUG_DOOR);
	int patience_ms = root->door.options.patience_ms;
	pid_t parent = getpid();
	enum ending ending;
	pid_t child;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return UNBORN;
	recorder = child = fork();
	if (child == 0) {
		close(ends[0]);
		be_the_child(root, collect, parent);
	}
	close(ends[1]);
	/* A child that hangs is noticed later by as much: some milliseconds of its 800. */
	if (child > 0 && work) {
		root->meanwhile = NULL;
		work(root->meanwhile_ctx);
	}
	if (patience_ms <= 0)
		patience_ms = root->stuck_count ? PATIENCE_AFTER_MS : PATIENCE_MS;
	ending = child < 0 ? UNBORN : await_child(root, child, ends[0], b, patience_ms, until);
	recorder = 0;
	close(ends[0]);
	DEBUG(DEBUG_DOOR, began, "recording child %d: %s, %zu bytes recorded", (int)child,
	      words[ending], beacon_text(b).len);
	store_load(&root->store, beacon_text(b));
	if ((ending == STUCK && !note_stuck(root, b)) ||
	    (ending == DIED && !note_end(root, b, -EFAULT)))
		ending = LOST;
	root->door.stuck = root->stuck;
	root->door.stuck_count = root->stuck_count;
	return ending;
}

void root_end_recording(void)
{
	for (int i = 0; recorder > 0 && i < GIVE_UP_LOOKS; i++) {
		kill(recorder, SIGKILL);
		if (waitpid(recorder, NULL, WNOHANG) != 0)
			recorder = 0;
		else
			poll(NULL, 0, 1);
	}
}

bool root_can_record(void)
{
	return true;
}

int root_record(struct root *root, void (*collect)(struct root *root))
{
	uint64_t until = beacon_now_ms() + (root->door.options.total_ms > 0
						    ? (uint64_t)root->door.options.total_ms
						    : TOTAL_MS);
	enum ending ending = STUCK;
	bool first = true;

	assert(!root->live && (collect || root->kind == DOOR_SNAPSHOT));
	if (root->kind == DOOR_SNAPSHOT)
		return 0;
	while (root->beacon_count < ROOT_DEVICES_MAX && (ending == STUCK || ending == DIED) &&
	       beacon_now_ms() < until) {
		struct beacon *b = beacon_new();

		if (!b)
			return first ? -ENOMEM : 0;
		root->beacons[root->beacon_count++] = b;
		root->door.beacon = b;
		ending = record_once(root, collect, b, until);
		if (ending == UNBORN && first)
			return -EAGAIN;
		first = false;
	}
	root->live = false;
	root->late = ending != ENDED;
	return 0;
}
