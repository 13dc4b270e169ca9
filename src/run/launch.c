#include "run/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/exit-status.h"

/* Children of one who ignores SIGCHLD leave no status. */
static const struct {
	int number;
	void (*action)(int);
} ours[LAUNCH_SIGNALS] = { { SIGPIPE, SIG_IGN }, { SIGXFSZ, SIG_IGN }, { SIGCHLD, SIG_DFL } };

void launch_note(struct launch *l)
{
	for (size_t i = 0; i < LAUNCH_SIGNALS; i++)
		sigaction(ours[i].number, NULL, &l->actions[i]);
	sigprocmask(SIG_BLOCK, NULL, &l->mask);
}

void launch_set_aside(struct launch *l)
{
	launch_note(l);
	for (size_t i = 0; i < LAUNCH_SIGNALS; i++)
		sigaction(ours[i].number, &(struct sigaction){ .sa_handler = ours[i].action },
			  NULL);
}

__attribute__((noreturn)) static void be_the_job(const struct launch *l, int said, pid_t keeper)
{
	int error;

	atomic_store(l->pid, getpid());
	setsid();
	if (l->terminal >= 0)
		(void)ioctl(l->terminal, TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++)
		if (l->fds[fd] >= 0)
			dup2(l->fds[fd], fd);
	if (!l->survives) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != keeper)
			_exit(EXIT_NOT_RUN);
	}
	/* Yama lets only parents look into a process, and the watcher is none. */
	if (l->watcher)
		(void)prctl(PR_SET_PTRACER, l->watcher);
	for (size_t i = 0; i < LAUNCH_SIGNALS; i++)
		sigaction(ours[i].number, &l->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &l->mask, NULL);
	execvp(l->arguments[0], l->arguments);
	error = errno;
	(void)!write(said, &error, sizeof(error));
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

int launch_bare(const struct launch *l)
{
	for (size_t i = 0; i < LAUNCH_SIGNALS; i++)
		sigaction(ours[i].number, &l->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &l->mask, NULL);
	execvp(l->arguments[0], l->arguments);
	return -errno;
}

pid_t launch(const struct launch *l, int *ret_error)
{
	pid_t keeper = getpid(), pid;
	int said[2], error = 0;
	ssize_t n;

	if (pipe2(said, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		be_the_job(l, said[1], keeper);
	if (pid < 0)
		pid = -errno;
	close(said[1]);
	do /* exec closes the pipe, so there is nothing to read if it works */
		n = pid > 0 ? read(said[0], &error, sizeof(error)) : 0;
	while (n < 0 && errno == EINTR);
	*ret_error = n == sizeof(error) ? error : 0;
	close(said[0]);
	return pid;
}
