#include "door/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/exit-status.h"

#define PIECE   4096
#define LOOK_MS 2 /* between two looks at a child that has closed its output */

/* Exec keeps what is ignored and blocked, and a shell may have ignored anything. */
static void reset_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

__attribute__((noreturn)) static void become(const struct program_order *o, int out, pid_t parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	reset_signals();
	if (getppid() == parent && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0 &&
	    chdir("/") == 0) {
		closefrom(3);
		execve(o->arguments[0], (char *const *)o->arguments, (char *const *)o->environment);
	}
	_exit(EXIT_NOT_FOUND);
}

static int left_ms(uint64_t until)
{
	uint64_t now = clock_ms();

	return now < until ? (int)(until - now) : 0;
}

/* To the end of its output, of which a grandchild may hold an end: then to the deadline. */
static int drain(int fd, uint64_t until, struct buf *ret)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (;;) {
		ssize_t n;

		if (poll(&p, 1, left_ms(until)) == 0)
			return -ETIME;
		buf_room(ret, PIECE);
		n = read(fd, ret->data + ret->len, PIECE);
		if (n == 0)
			return 0;
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		ret->len += n > 0 ? (size_t)n : 0;
		ret->data[ret->len] = '\0';
		if (ret->len > PROGRAM_OUT_MAX)
			return -EFBIG;
	}
}

static int await(pid_t pid, uint64_t until)
{
	int status;

	for (;;) {
		pid_t r = waitpid(pid, &status, WNOHANG);

		if (r < 0 && errno != EINTR)
			return -errno;
		if (r == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
		if (left_ms(until) == 0)
			return -ETIME;
		(void)poll(NULL, 0, LOOK_MS);
	}
}

int program_run(const struct program_order *o, struct buf *ret)
{
	pid_t parent = getpid(), pid;
	int ends[2], r, status;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		become(o, ends[1], parent);
	r = pid < 0 ? -errno : 0;
	close(ends[1]);
	if (pid > 0) {
		(void)setpgid(pid, pid); /* whoever of the two is first */
		r = drain(ends[0], o->until_ms, ret);
		status = r < 0 ? r : await(pid, o->until_ms);
		if (status < 0)
			(void)kill(-pid, SIGKILL);
		r = status;
	}
	close(ends[0]);
	return r;
}
