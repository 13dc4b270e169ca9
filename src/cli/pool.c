#include "cli/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

#define AT_ONCE_MAX 64

const bool pool_separates = true;

struct child {
	pid_t pid; /* 0: nobody */
	int fd;
	size_t item;
	struct buf answer;
};

/* An answer that waits for those before it. */
struct kept {
	struct buf answer;
	bool there, whole;
};

struct at_work {
	const struct pool *pool;
	struct child children[AT_ONCE_MAX];
	unsigned int most;
	size_t running;
	struct kept *kept; /* of each item; NULL: in any order */
	size_t told;       /* of them */
};

static unsigned int count_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) < 0 ? 1 : (unsigned int)CPU_COUNT(&set);
}

static void write_all(int fd, struct span bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.data, bytes.len);

		if (n < 0 && errno != EINTR)
			_exit(1);
		bytes = (struct span){ bytes.data + (n > 0 ? n : 0),
				       bytes.len - (n > 0 ? (size_t)n : 0) };
	}
}

static _Noreturn void work(const struct pool *p, size_t item, int fd)
{
	struct buf answer = { 0 };

	p->work(p->ctx, item, &answer);
	write_all(fd, buf_get(&answer));
	_exit(0); /* what the parent had buffered is the parent's */
}

static int start(const struct pool *p, size_t item, struct child *c)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		work(p, item, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return -errno;
	}
	*c = (struct child){ .pid = pid, .fd = ends[0], .item = item };
	return 0;
}

static void tell_in_order(struct at_work *w)
{
	const struct pool *p = w->pool;

	while (w->told < p->count && w->kept[w->told].there) {
		struct kept *k = &w->kept[w->told];

		p->done(p->ctx, w->told++, buf_get(&k->answer), k->whole);
		buf_done(&k->answer);
	}
}

static void end(struct at_work *w, struct child *c)
{
	const struct pool *p = w->pool;
	int status = 0;

	close(c->fd);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (w->kept) {
		w->kept[c->item] = (struct kept){ c->answer, true, status == 0 };
		tell_in_order(w);
	} else {
		p->done(p->ctx, c->item, buf_get(&c->answer), status == 0);
		buf_done(&c->answer);
	}
	*c = (struct child){ 0 };
	w->running--;
}

/* Whether the child has said all. */
static bool drain(struct child *c)
{
	ssize_t n;

	buf_room(&c->answer, 65536);
	do
		n = read(c->fd, c->answer.data + c->answer.len, 65535);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return true;
	c->answer.len += (size_t)n;
	c->answer.data[c->answer.len] = '\0';
	return false;
}

static void wait_for_any(struct at_work *w)
{
	struct pollfd fds[AT_ONCE_MAX];

	for (unsigned int i = 0; i < w->most; i++)
		fds[i] = (struct pollfd){ w->children[i].pid ? w->children[i].fd : -1, POLLIN, 0 };
	if (poll(fds, w->most, -1) < 0)
		return;
	for (unsigned int i = 0; i < w->most; i++)
		if (fds[i].revents && drain(&w->children[i]))
			end(w, &w->children[i]);
}

/* As many as there is room for. 0, or -errno if one could not be made. */
static int start_some(struct at_work *w, size_t *next)
{
	int r = 0;

	for (unsigned int i = 0; i < w->most && r == 0 && *next < w->pool->count; i++)
		if (!w->children[i].pid) {
			r = start(w->pool, *next, &w->children[i]);
			*next += r == 0;
			w->running += r == 0;
		}
	return r;
}

int pool_run(const struct pool *p)
{
	struct at_work w = { .pool = p, .most = p->at_once ? p->at_once : count_processors() };
	size_t next = 0;
	int r = 0;

	w.most = w.most < AT_ONCE_MAX ? w.most : AT_ONCE_MAX;
	if (p->in_order)
		w.kept = memory_new(p->count, sizeof(*w.kept));
	while (w.running > 0 || (r == 0 && next < p->count)) {
		r = start_some(&w, &next);
		if (w.running == 0)
			continue;
		wait_for_any(&w);
		r = 0; /* where one has ended there is room for another */
	}
	free(w.kept);
	return r;
}
