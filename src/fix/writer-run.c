#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exit-status.h"
#include "fix/writer.h"

/*
 * A group of its own: Ctrl-C ends us and not usermod in the middle of a file.
 * It is not killed with us either; what it leaves is looked at before undoing.
 */
static void become(const char *const argv[], bool dies_with_us, int failed)
{
	int null = open("/dev/null", O_RDWR);

	setpgid(0, 0);
	if (dies_with_us)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 &&
	    chdir("/") == 0)
		execv(argv[0], (char *const *)argv);
	(void)!write(failed, &errno, sizeof(errno));
	_exit(EXIT_NOT_FOUND);
}

int writer_run(const char *const argv[], bool dies_with_us)
{
	int failed[2], status, error = 0;
	pid_t pid;

	if (pipe2(failed, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid < 0)
		error = errno;
	if (pid == 0)
		become(argv, dies_with_us, failed[1]);
	close(failed[1]);
	if (pid > 0 && read(failed[0], &error, sizeof(error)) < (ssize_t)sizeof(error))
		error = 0; /* it runs: the other end was closed with nothing in it */
	close(failed[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (error > 0)
		return -error;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

bool writer_is_alive(pid_t pid)
{
	return pid > 0 && pid != getpid() && (kill(pid, 0) == 0 || errno == EPERM);
}

pid_t writer_process(void)
{
	return getpid();
}
