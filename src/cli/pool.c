#include "cli/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_ONCE_MAX 64

const bool pool_separates = true;

struct child {
	pid_t pid; /* 0: nobody */
	int fd;
	size_t item;
	struct buf answer;
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

static void end(const struct pool *p, struct child *c)
{
	int status = 0;

	close(c->fd);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->done(p->ctx, c->item, buf_get(&c->answer), status == 0);
	buf_done(&c->answer);
	*c = (struct child){ 0 };
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

static void wait_for_any(const struct pool *p, struct child *children, unsigned int count,
			 size_t *running)
{
	struct pollfd fds[AT_ONCE_MAX];

	for (unsigned int i = 0; i < count; i++)
		fds[i] = (struct pollfd){ children[i].pid ? children[i].fd : -1, POLLIN, 0 };
	if (poll(fds, count, -1) < 0)
		return;
	for (unsigned int i = 0; i < count; i++)
		if (fds[i].revents && drain(&children[i])) {
			end(p, &children[i]);
			--*running;
		}
}

int pool_run(const struct pool *p)
{
	struct child children[AT_ONCE_MAX] = { 0 };
	unsigned int most = p->at_once ? p->at_once : count_processors();
	size_t next = 0, running = 0;
	int r = 0;

	most = most < AT_ONCE_MAX ? most : AT_ONCE_MAX;
	while (running > 0 || (r == 0 && next < p->count)) {
		for (unsigned int i = 0; i < most && r == 0 && next < p->count; i++)
			if (!children[i].pid) {
				r = start(p, next, &children[i]);
				next += r == 0;
				running += r == 0;
			}
		if (running == 0)
			continue;
		wait_for_any(p, children, most, &running);
		r = 0; /* where one has ended there is room for another */
	}
	return r;
}
