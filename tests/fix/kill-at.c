/*
 * Run a program and kill it right before the Nth system call that changes
 * something: a crash at every point, chosen and not hoped for. What it starts
 * is not followed and lives on, as it would.
 *
 * usage: kill-at N PROGRAM ARGUMENT...
 *        kill-at -N PROGRAM ARGUMENT...
 *
 * The program's status, 137 if it was killed; with N 0, the number of such
 * calls is printed. With -N it is not killed there: its process id is printed,
 * and it goes on at the end of standard input.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* As the kernel has it; the name of glibc's struct differs between releases. */
struct stop {
	uint8_t op; /* 1: a call begins */
	uint8_t pad[3];
	uint32_t arch;
	uint64_t ip, sp, nr, args[6];
};

static bool changes(const struct stop *info)
{
	static const long calls[] = {
		SYS_write,    SYS_fsync,  SYS_mkdirat,   SYS_unlinkat, SYS_renameat2, SYS_linkat,
		SYS_fchmod,   SYS_fchown, SYS_utimensat, SYS_clone,    SYS_wait4,     SYS_execve,
#ifdef SYS_renameat
		SYS_renameat,
#endif
#ifdef SYS_rename
		SYS_rename,   SYS_unlink, SYS_rmdir,     SYS_mkdir,
#endif
	};

	if (info->op != 1)
		return false;
	if (info->nr == SYS_openat)
		return info->args[2] & O_CREAT;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (info->nr == (unsigned long)calls[i])
			return true;
	return false;
}

static void pause_here(pid_t pid)
{
	char byte;

	printf("%d\n", (int)pid);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
}

int main(int argc, char **argv)
{
	long stop = argc > 2 ? labs(atol(argv[1])) : -1, count = 0;
	bool kills = argc > 2 && argv[1][0] != '-';
	int status, signal = 0;
	pid_t pid;

	if (stop < 0)
		return 64;
	pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[2], argv + 2);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		struct stop info = { 0 };

		if (count == 0 && !signal)
			ptrace(PTRACE_SETOPTIONS, pid, NULL,
			       PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
		signal = WSTOPSIG(status) == (SIGTRAP | 0x80) || WSTOPSIG(status) == SIGTRAP
				 ? 0
				 : WSTOPSIG(status);
		if (WSTOPSIG(status) == (SIGTRAP | 0x80) &&
		    ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0 &&
		    changes(&info) && ++count == stop) {
			if (!kills) {
				pause_here(pid);
				ptrace(PTRACE_SYSCALL, pid, NULL, 0);
				continue;
			}
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return 137;
		}
		ptrace(PTRACE_SYSCALL, pid, NULL, signal);
	}
	if (stop == 0)
		printf("%ld\n", count);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
