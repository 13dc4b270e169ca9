#include "probe/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/exit-status.h"
#include "base/memory.h"
#include "probe/groups.h"

#define FIRST_OURS 16 /* our descriptors are moved here, out of the way of 0 to 3 */

static void set_limits(const struct spawn_order *order)
{
	struct rlimit none = { 0 }, data = { order->data_bytes, order->data_bytes };
	int fd;

	setrlimit(RLIMIT_CORE, &none);
	if (MEMORY_HAS_LIMITS && order->data_bytes > 0)
		setrlimit(RLIMIT_DATA, &data);
	fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		(void)!write(fd, "1000", 4);
		close(fd);
	}
}

static int become(uid_t uid, gid_t gid)
{
	int r;

	if (uid == 0 || geteuid() != 0)
		return 0;
	r = groups_put_on(uid, &gid);
	if (r < 0)
		return r;
	return setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0 ? -errno : 0;
}

/*
 * The order matters: the score cannot be written once we are somebody else, and
 * becoming somebody else forgets whose death we die of.
 */
static int prepare(const struct spawn_order *order, pid_t parent)
{
	sigset_t none;
	int r;

	setsid();
	/* Exec keeps what is ignored and blocked, and a shell may have ignored anything. */
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	set_limits(order);
	r = become(order->uid, order->gid);
	if (r < 0)
		return r;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (getppid() != parent)
		_exit(EXIT_OWN_FAULT);
	return chdir(order->directory) < 0 ? -errno : 0;
}

/* The prober has these and no other. 0 or -errno. */
static int take_descriptors(int answers, int noise)
{
	int null = open("/dev/null", O_RDWR);
	int moved[3] = { fcntl(null, F_DUPFD, FIRST_OURS), fcntl(noise, F_DUPFD, FIRST_OURS),
			 fcntl(answers, F_DUPFD, FIRST_OURS) };

	if (null < 0 || moved[0] < 0 || moved[1] < 0 || moved[2] < 0)
		return -EMFILE; /* the limit may be below FIRST_OURS, which fcntl() calls EINVAL */
	if (dup2(moved[0], 0) < 0 || dup2(moved[1], 1) < 0 || dup2(moved[1], 2) < 0 ||
	    dup2(moved[2], 3) < 0)
		return -errno;
	closefrom(4);
	return 0;
}

__attribute__((noreturn)) static void be_the_child(const struct spawn_order *order, int answers,
						   int noise, pid_t parent)
{
	char line[32];
	int r = prepare(order, parent);
	int taken = take_descriptors(answers, noise);
	int n;

	if (r == 0)
		r = taken;
	if (r == 0) {
		execve(order->arguments[0], order->arguments, order->environment);
		r = -errno;
	}
	n = snprintf(line, sizeof(line), "unstarted %d\n", -r);
	(void)!write(taken < 0 ? answers : 3, line, (size_t)n);
	_exit(EXIT_NOT_FOUND);
}

/* Our end of the pipe is non-blocking; the other is the prober's, and ordinary. */
static int make_pipe(int ret[2])
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	memcpy(ret, ends, sizeof(ends));
	return 0;
}

static void close_pipe(int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

int spawn(const struct spawn_order *order, struct spawned *ret)
{
	int answers[2], noise[2];
	pid_t parent = getpid(), pid;
	int r = make_pipe(answers);

	if (r < 0)
		return r;
	r = make_pipe(noise);
	if (r < 0) {
		close_pipe(answers);
		return r;
	}
	pid = fork();
	if (pid == 0)
		be_the_child(order, answers[1], noise[1], parent);
	if (pid < 0) {
		r = -errno;
		close_pipe(answers);
		close_pipe(noise);
		return r;
	}
	close(answers[1]);
	close(noise[1]);
	*ret = (struct spawned){ pid, (int)syscall(SYS_pidfd_open, pid, 0), answers[0], noise[0] };
	return 0;
}
