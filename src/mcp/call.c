#include "mcp/call.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/memory.h"
#include "base/text.h"
#include "door/wall.h"

#define ERRORS_MAX ((size_t)4096)
#define FIRST_ROOT 3 /* as request.c names it to the command */
#define DATA_MAX   (MEMORY_HAS_LIMITS ? (rlim_t)2 << 30 : RLIM_INFINITY)

/* Standard input of a run: the file, the text, or nothing. */
static int open_input(struct request *r)
{
	int fd = r->input;

	r->input = -1;
	if (fd >= 0)
		return fd;
	fd = memfd_create("input", MFD_CLOEXEC);
	if (fd >= 0 && (fd_write(fd, r->text) < 0 || lseek(fd, 0, SEEK_SET) < 0)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* A call writes only into pipes and our own memory, and must end: these limits enforce it. */
static const struct {
	__rlimit_resource_t what;
	rlim_t most;
} limits[] = {
	{ RLIMIT_CPU, 2 * CALL_MS / 1000 }, /* two threads at most work at once */
	{ RLIMIT_FSIZE, 16 << 20 },
	{ RLIMIT_CORE, 0 },
	{ RLIMIT_DATA, DATA_MAX }, /* libarchive takes no allocator of ours */
};

/* To 3, 4, ... : not in place, for one may have the number of another. */
static void place_roots(int *roots, size_t count)
{
	for (size_t i = 0; i < count; i++)
		roots[i] = fcntl(roots[i], F_DUPFD_CLOEXEC, FIRST_ROOT + (int)count);
	for (size_t i = 0; i < count; i++)
		if (roots[i] < 0 || dup2(roots[i], FIRST_ROOT + (int)i) < 0)
			_exit(127);
}

static _Noreturn void become(const struct call *c, const int fds[3], int *roots, pid_t parent)
{
	static const int signals[] = { SIGPIPE, SIGINT, SIGTERM, SIGCHLD };

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it died before we asked to die with it */
		_exit(127);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	for (int i = 0; i < 3; i++)
		if (dup2(fds[i], i) < 0)
			_exit(127);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		setrlimit(limits[i].what, &(struct rlimit){ limits[i].most, limits[i].most });
	place_roots(roots, c->request.root_count);
	if (!c->request.looks)
		wall_raise(roots, c->request.root_count);
	execv("/proc/self/exe", (char *const *)c->request.argv);
	_exit(127);
}

static pid_t start(struct call *c, int input, int *roots, int *ret_out)
{
	pid_t parent = getpid(), pid = -1;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0)
		become(c, (const int[]){ input, ends[1], c->errors }, roots, parent);
	close(ends[1]);
	if (pid < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0) {
		close(ends[0]);
		return -1;
	}
	setpgid(pid, pid); /* whoever comes first */
	*ret_out = ends[0];
	return pid;
}

/* Directories that had no link in their names when the server began, and may have none now. */
static int *open_roots(struct call *c)
{
	const struct request *r = &c->request;
	int *roots = arena_alloc(&c->arena, (r->root_count + 1) * sizeof(*roots));

	for (size_t i = 0; i < r->root_count; i++) {
		struct below top = { .fd = -1 };
		int error = below_open_real(r->roots[i], &top);

		roots[i] = top.fd;
		if (error < 0) {
			errno = -error;
			while (i-- > 0)
				close(roots[i]);
			return NULL;
		}
	}
	return roots;
}

const char *call_start(struct call *c)
{
	int input = open_input(&c->request), error;
	int *roots = open_roots(c);
	pid_t pid = -1;

	c->errors = roots ? memfd_create("errors", MFD_CLOEXEC) : -1;
	if (input >= 0 && c->errors >= 0)
		pid = start(c, input, roots, &c->out);
	error = errno;
	if (input >= 0)
		close(input);
	for (size_t i = 0; roots && i < c->request.root_count; i++)
		close(roots[i]);
	if (pid < 0)
		return arena_format(&c->arena, "rocsteady could not be started: %s",
				    strerror(error));
	c->pid = pid;
	c->deadline = clock_ms() + CALL_MS;
	return NULL;
}

bool call_read(struct call *c)
{
	while (c->out >= 0) {
		ssize_t n;

		buf_room(&c->answer, 65536);
		n = read(c->out, c->answer.data + c->answer.len, 65535);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (n <= 0) {
			close(c->out);
			c->out = -1;
			break;
		}
		c->answer.len += (size_t)n;
		c->answer.data[c->answer.len] = '\0';
		if (c->answer.len > CALL_ANSWER_MAX)
			return false;
	}
	return true;
}

void call_kill(const struct call *c)
{
	if (c->pid > 0)
		kill(-c->pid, SIGKILL);
}

const char *call_errors(struct call *c)
{
	struct buf text BUF_SCOPED = { 0 };

	if (c->errors < 0 || lseek(c->errors, 0, SEEK_SET) < 0 ||
	    fd_head(c->errors, ERRORS_MAX, &text) < 0)
		return "";
	c->errors = -1; /* who reads closes it, too */
	return arena_text(&c->arena, span_trim(buf_get(&text)));
}

struct call *call_free(struct call *c)
{
	const int fds[] = { c->out, c->errors, c->request.input };

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	buf_done(&c->answer);
	arena_done(&c->arena);
	free(c);
	return NULL;
}
