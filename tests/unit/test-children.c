#include "run/children.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static pid_t start_sleeper(void)
{
	pid_t pid = fork();

	while (pid == 0)
		pause();
	return pid;
}

/* A look wakes nobody who waits for SIGCHLD: the keeper would look again at once, and again. */
static void test_quiet_look(void)
{
	pid_t first = start_sleeper(), second = start_sleeper(), found[8];
	sigset_t chld, waiting;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	CHECK_INT(children_since(first, 0, found, 8), 2);
	CHECK_INT(found[0], first);
	CHECK_INT(found[1], second);
	CHECK_INT(children_since(first, second, found, 8), 1);
	CHECK_INT(children_since(first, 0, found, 1), 1);
	sigpending(&waiting);
	CHECK_INT(sigismember(&waiting, SIGCHLD), 0);
	kill(first, SIGKILL);
	kill(second, SIGKILL);
	CHECK(waitpid(first, NULL, 0) == first && waitpid(second, NULL, 0) == second);
	CHECK_INT(waitpid(-1, NULL, WNOHANG | __WALL), -1); /* what it counted with is gone */
}

int main(void)
{
	test_quiet_look();
	return check_end();
}
