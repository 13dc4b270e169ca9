#include "probe/process-tree.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static void doze(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20 * 1000 * 1000 }, NULL);
}

/* A leader with a child of this name, in the session of either; `ready` is closed when it stands. */
static pid_t start(const char *name, bool own_session)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready) < 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		setsid();
		if (fork() == 0) {
			if (own_session)
				setsid();
			prctl(PR_SET_NAME, name);
			close(ready[0]);
			close(ready[1]);
			pause();
		}
		close(ready[0]);
		close(ready[1]);
		pause();
		_exit(0);
	}
	close(ready[1]);
	(void)!read(ready[0], &byte, 1);
	close(ready[0]);
	return pid;
}

static bool compiles(const char *name, bool own_session)
{
	struct tree_work work;
	pid_t pid = start(name, own_session);

	tree_work(pid, &work);
	kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return work.compiles;
}

static void check_compilers(void)
{
	CHECK(compiles("clang-17", false));
	CHECK(compiles("ld.lld", false));
	CHECK(compiles("ld", false) && compiles("cc1plus", false));
	CHECK(!compiles("ldconfig", false) && !compiles("python3", false));
	CHECK(!compiles("x) R 1 clang", false)); /* a name that would be fields */
	CHECK(compiles("clang", true));          /* told by its parents */
}

static void check_ticks(void)
{
	struct tree_work before, after;
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		for (volatile unsigned long i = 0;; i++)
			;
	}
	tree_work(pid, &before);
	for (int i = 0; i < 250 && (tree_work(pid, &after), after.ticks < before.ticks + 5); i++)
		doze();
	CHECK(after.ticks >= before.ticks + 5 && !after.compiles);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tree_work(pid, &after);
	CHECK(after.ticks == 0); /* nobody */
}

static pid_t kept;

static bool is_kept(void *ctx, pid_t pid, pid_t session)
{
	(void)ctx;
	return pid == kept || session == kept;
}

/* Orphans come to us and go; whoever is ours stays. */
static void check_sweep(void)
{
	pid_t leader = start("orphan", true), *children;
	struct arena arena = { 0 };
	size_t count;

	kept = start("kept", false);
	CHECK(tree_children(&arena, &children) >= 3); /* with those that check_compilers left */
	kill(leader, SIGKILL);
	waitpid(leader, NULL, 0);
	for (int i = 0; i < 100 && tree_sweep(is_kept, NULL) > 0; i++)
		doze();
	count = tree_children(&arena, &children);
	CHECK(count == 1 && children[0] == kept);
	arena_done(&arena);
	kill(-kept, SIGKILL);
	waitpid(kept, NULL, 0);
}

static void check_waits(void)
{
	struct buf words BUF_SCOPED = { 0 };

	CHECK(!tree_waits(getpid(), &words) && words.len == 0);
	CHECK(!tree_waits(0x7fffffff, &words));
}

int main(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	check_compilers();
	check_ticks();
	check_sweep();
	check_waits();
	return check_end();
}
