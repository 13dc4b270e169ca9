#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fix/hand.h"

/*
 * A group of its own: Ctrl-C ends us and not usermod in the middle of a file.
 * It is not killed with us either; what it leaves is looked at before undoing.
 */
static void become(const char *const argv[], bool dies_with_us)
{
	int null = open("/dev/null", O_RDWR);

	setpgid(0, 0);
	if (dies_with_us)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	execv(argv[0], (char *const *)argv);
	_exit(127);
}

int hand_run(const char *const argv[], bool dies_with_us)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (pid == 0)
		become(argv, dies_with_us);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

bool hand_is_alive(pid_t pid)
{
	return pid > 0 && pid != getpid() && (kill(pid, 0) == 0 || errno == EPERM);
}

pid_t hand_process(void)
{
	return getpid();
}
