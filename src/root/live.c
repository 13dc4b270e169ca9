/*
 * The recording child and the parent that does not wait for it.
 */

#include "root/root.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door/standing.h"
#include "root/root-internal.h"
#include "survey/asks.h"

#define PATIENCE_MS       800 /* a first silence: a busy host may take this long */
#define PATIENCE_AFTER_MS 250 /* a further one: the machine is known to be ill */
#define TOTAL_MS          15000
#define RESUMED_MAX       8

enum ending {
	ENDED,  /* everything was asked */
	STUCK,  /* one question got no answer */
	DIED,   /* the child crashed in a question */
	LOST,   /* it ended, or ran out of time, between two: another would do the same */
	UNBORN, /* there was no child */
};

/*
 * A reader that is stuck keeps its descriptors until the driver lets go: whoever
 * reads our output through a pipe would wait for it.
 */
static void let_go_of_output(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; null >= 0 && fd <= 2; fd++)
		dup2(null, fd);
}

static void be_the_child(struct root *root, void (*collect)(struct root *root), pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(70);
	signal(SIGINT, SIG_DFL);
	let_go_of_output();
	root->live = true;
	collect(root);
	_exit(0);
}

static bool is_late(struct beacon *b, int patience_ms)
{
	uint64_t since = atomic_load(&b->since_ms);

	return since != 0 && beacon_now_ms() > since + (uint64_t)patience_ms;
}

/*
 * A child that waits inside the driver survives SIGKILL until the driver lets
 * go. Reaping it would hang us too; init reaps it once we are gone.
 */
/* The child writes there meanwhile: what is torn ends at our own zero. */
static void tell_waiting(const struct root *root, const struct beacon *b)
{
	char path[sizeof(b->step)];

	if (!root->waiting)
		return;
	memcpy(path, b->step[0] ? b->step : b->path, sizeof(path));
	path[sizeof(path) - 1] = '\0';
	root->waiting(root->waiting_ctx, path);
}

static enum ending watch(const struct root *root, pid_t child, int pipe_end, struct beacon *b,
			 int patience_ms, uint64_t until)
{
	struct pollfd end = { .fd = pipe_end, .events = POLLIN };
	int status = 0;

	while (poll(&end, 1, 20) <= 0) {
		bool late = is_late(b, patience_ms);

		tell_waiting(root, b);
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

		root->stuck[root->stuck_count++] = arena_span(&root->arena, lost);
		return true;
	}
	return note_end(root, b, ROOT_STUCK);
}

static int patience_of(const struct root *root)
{
	if (root->door.options.patience_ms > 0)
		return root->door.options.patience_ms;
	return root->stuck_count ? PATIENCE_AFTER_MS : PATIENCE_MS;
}

void root_meanwhile(struct root *root, void (*work)(void *ctx), void *ctx)
{
	root->meanwhile = work;
	root->meanwhile_ctx = ctx;
}

void root_waiting(struct root *root, void (*tell)(void *ctx, const char *path), void *ctx)
{
	root->waiting = tell;
	root->waiting_ctx = ctx;
}

/* A child that hangs is noticed later by as much: some milliseconds of its 800. */
static void work_meanwhile(struct root *root)
{
	void (*work)(void *ctx) = root->meanwhile;

	root->meanwhile = NULL;
	if (work)
		work(root->meanwhile_ctx);
}

/* The pipe carries nothing: its closing tells the end of the child, on any kernel. */
static enum ending record_once(struct root *root, void (*collect)(struct root *root),
			       struct beacon *b, uint64_t until)
{
	pid_t parent = getpid();
	enum ending ending;
	pid_t child;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return UNBORN;
	child = fork();
	if (child == 0) {
		close(ends[0]);
		be_the_child(root, collect, parent);
	}
	close(ends[1]);
	if (child > 0)
		work_meanwhile(root);
	ending = child < 0 ? UNBORN : watch(root, child, ends[0], b, patience_of(root), until);
	close(ends[0]);
	store_load(&root->store, beacon_text(b));
	if ((ending == STUCK && !note_stuck(root, b)) ||
	    (ending == DIED && !note_end(root, b, -EFAULT)))
		ending = LOST;
	root->door.stuck = root->stuck;
	root->door.stuck_count = root->stuck_count;
	return ending;
}

int root_record(struct root *root, void (*collect)(struct root *root))
{
	uint64_t until = beacon_now_ms() + (root->door.options.total_ms > 0
						    ? (uint64_t)root->door.options.total_ms
						    : TOTAL_MS);
	enum ending ending = STUCK;
	bool first = true;

	if (root->kind == ROOT_SNAPSHOT)
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
	return 0;
}
