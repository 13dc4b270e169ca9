#include "probe/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "check.h"

static char *program;

static struct child *start(const char *act, unsigned int deadline_ms, int *ret_error)
{
	char variable[256], *environment[] = { variable, NULL };
	char *arguments[] = { program, "q.q", NULL };
	const struct spawn_order order = { .arguments = arguments,
					   .environment = environment,
					   .directory = "/" };

	snprintf(variable, sizeof(variable), "MISBEHAVE=q.q=%s", act);
	return child_new(&order, &(struct child_times){ deadline_ms, 0, NULL }, ret_error);
}

static void wait_for(struct child *c)
{
	struct pollfd fds[CHILD_FDS];

	while (!child_step(c, clock_ms()))
		(void)poll(fds, CHILD_FDS, child_wait(c, clock_ms(), fds));
}

static void check_act(const char *act, enum answer_ending ending, int number)
{
	int error = 0;
	struct child *c = start(act, 20000, &error);

	if (!CHECK(c))
		return;
	wait_for(c);
	CHECK_TEXT(answer_word(child_answer(c)->ending), answer_word(ending));
	CHECK_INT(child_answer(c)->number, number);
	CHECK(child_step(c, clock_ms())); /* over stays over */
	child_free(c);
}

static void check_all(void)
{
	check_act("answer", ANSWER_ANSWERED, 0);
	check_act("refuse 5", ANSWER_REFUSED, 5);
	check_act("signal 11", ANSWER_CRASHED, 11);
	check_act("exit 9", ANSWER_EXITED, 9);
	check_act("flood 2 2", ANSWER_ANSWERED, 0);
}

static int count_fds(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* Ended before its time, by its owner or by being freed. */
static void check_ends(void)
{
	int error = 0, before = count_fds();
	struct child *c = start("sleep", 20000, &error);

	CHECK(c && !child_step(c, clock_ms()));
	child_end(c, clock_ms());
	wait_for(c);
	CHECK(child_answer(c)->ending == ANSWER_TIMEOUT && child_was_killed(c));
	child_free(c);
	for (int i = 0; i < 20; i++) /* also right after the fork */
		child_free(start("deaf", 20000, &error));
	CHECK_INT(count_fds(), before);
	for (int i = 0; i < 200 && waitpid(-1, NULL, WNOHANG) >= 0; i++)
		usleep(10000);
	CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
	CHECK(child_free(NULL) == NULL);
}

static void check_unstarted(void)
{
	char *kept = program;
	int error = 0;
	struct child *c;

	program = "/proc/nonexistent";
	c = start("answer", 5000, &error);
	program = kept;
	if (!CHECK(c))
		return;
	wait_for(c);
	CHECK_INT(child_answer(c)->unstarted, ENOENT);
	child_free(c);
}

/* Not even pipes: said, and nothing is lost. */
static void check_no_descriptors(void)
{
	struct rlimit before, few;
	int error = 0, fds;

	getrlimit(RLIMIT_NOFILE, &before);
	fds = count_fds();
	for (rlim_t room = 0; room < 4; room++) {
		few = (struct rlimit){ (rlim_t)fds + room, before.rlim_max };
		setrlimit(RLIMIT_NOFILE, &few);
		CHECK(start("answer", 1000, &error) == NULL && error == -EMFILE);
		setrlimit(RLIMIT_NOFILE, &before);
		CHECK_INT(count_fds(), fds);
	}
}

/* In a process of its own, because what it does to itself is for good. */
static void check_apart(void (*prepare)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		prepare();
		check_failed = 0;
		check_all();
		_exit(check_failed > 0);
	}
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Kernels before 5.3, and containers whose filter does not know the call. */
static void take_pidfd_away(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program_text = { sizeof(code) / sizeof(code[0]), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program_text) < 0 ||
	    syscall(SYS_pidfd_open, getpid(), 0) >= 0)
		_exit(1);
}

/* A parent that was started without the usual descriptors gets pipes in their place. */
static void close_the_first(void)
{
	for (int fd = 0; fd < 4; fd++)
		close(fd);
}

#define CROWD 16

static pid_t be_busy(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setsid(); /* as a prober does: a scheduler that shares by session gives each the same */
		for (;;)
			;
	}
	return pid;
}

static enum answer_ending ending_of(const char *act, unsigned int deadline_ms, bool *ret_waited)
{
	int error = 0;
	struct child *c = start(act, deadline_ms, &error);
	enum answer_ending ending;

	if (!CHECK(c))
		return ANSWER_NONE;
	wait_for(c);
	ending = child_answer(c)->ending;
	*ret_waited = child_answer(c)->said.len > 0 &&
		      strstr(child_answer(c)->said.data, "for a processor");
	child_free(c);
	return ending;
}

/*
 * One processor for a crowd: who wants it and does not get it is not said to hang, and
 * who sleeps is, as on an idle host.
 */
static void starve(void)
{
	pid_t crowd[CROWD];
	bool waited;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one) < 0)
		return;
	for (size_t i = 0; i < CROWD; i++)
		crowd[i] = be_busy();
	CHECK(ending_of("spin", 400, &waited) == ANSWER_SLOW && waited);
	CHECK(ending_of("sleep", 4000, &waited) == ANSWER_TIMEOUT && !waited);
	for (size_t i = 0; i < CROWD; i++) {
		kill(crowd[i], SIGKILL);
		waitpid(crowd[i], NULL, 0);
	}
}

static void check_starved(void)
{
	int status = 0;
	pid_t pid = access("/proc/self/schedstat", R_OK) == 0 ? fork() : -1;

	if (pid < 0)
		return; /* a kernel that does not count */
	if (pid == 0) {
		check_failed = 0;
		starve();
		_exit(check_failed > 0);
	}
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
	program = getenv("MISBEHAVER");
	if (!CHECK(program))
		return check_end();
	closefrom(3); /* whatever we were started with */
	check_all();
	check_ends();
	check_unstarted();
	check_no_descriptors();
	check_apart(take_pidfd_away);
	check_apart(close_the_first);
	check_starved();
	return check_end();
}
