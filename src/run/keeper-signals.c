#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door/proc.h"
#include "parse/proc-stat.h"
#include "run/keeper.h"

#define STOP_MS 50 /* between SIGTSTP, which a program may answer, and SIGSTOP */

static bool ignores_stop(pid_t pid)
{
	char text[4096], *line;

	line = proc_text(pid, "status", text, sizeof(text)) ? strstr(text, "SigIgn:") : NULL;
	return line && strtoull(line + 7, NULL, 16) >> (SIGTSTP - 1) & 1;
}

static pid_t parent_of(pid_t pid)
{
	struct proc_stat stat;
	char text[1024];
	size_t n = proc_text(pid, "stat", text, sizeof(text));

	return n && proc_stat_parse((struct span){ text, n }, &stat) ? (pid_t)stat.parent : 0;
}

/*
 * As the kernel has it of an orphaned process group (`ssh -t`, the first process
 * of a container): nobody above us is a shell that could let us go on.
 */
static bool nobody_continues_us(void)
{
	pid_t above = getppid();

	while (above > 0 && getpgid(above) == getpgrp())
		above = parent_of(above);
	return above <= 0 || getsid(above) != getsid(0);
}

/*
 * A session of its own has nobody who could continue a member that stops by
 * SIGTSTP, so the kernel lets it run on: after a moment for its handler SIGSTOP
 * does it.
 */
void keeper_stop_job(struct keeper *k)
{
	if (ignores_stop(k->job) || nobody_continues_us())
		return;
	poll(NULL, 0, STOP_MS);
	k->stops = true;
	kill(-k->job, SIGSTOP);
}

/* A shell sees us stop as it would see the job. */
static void stop_with_job(struct keeper *k)
{
	k->stops = false;
	terminal_give_back(k->terminal.ours, k->shared);
	raise(SIGSTOP);
	k->keyboard = terminal_take(&k->terminal, k->shared);
	terminal_resize(&k->terminal);
	kill(-k->job, SIGCONT);
	shared_add_event(k->shared, SHARED_CONTINUED, 0);
}

void keeper_ask_for_end(struct keeper *k)
{
	atomic_store(&k->shared->asked, true);
	k->hurry += !k->job;
}

static void pass_signal(struct keeper *k, int number)
{
	if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)
		keeper_ask_for_end(k);
	if (!k->job)
		return;
	if (number == SIGWINCH && k->terminal.master >= 0) {
		terminal_resize(&k->terminal);
		return;
	}
	kill(-k->job, number);
	shared_add_event(k->shared, SHARED_PASSED, number);
	if (number == SIGTSTP)
		keeper_stop_job(k);
}

static void note_job(struct keeper *k, int status)
{
	if (WIFSTOPPED(status)) {
		shared_add_event(k->shared, SHARED_STOPPED, WSTOPSIG(status));
		if ((k->stops || k->keyboard) && !nobody_continues_us())
			stop_with_job(k);
		return;
	}
	k->job = 0;
	k->status = status;
	shared_add_event(k->shared, SHARED_ENDED, status);
}

void keeper_take_signals(struct keeper *k)
{
	struct signalfd_siginfo info;
	pid_t pid;
	int status;

	while (read(k->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD) {
			pass_signal(k, (int)info.ssi_signo);
			continue;
		}
		while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
			if (pid == k->job)
				note_job(k, status);
			else if (pid == k->watcher && !WIFSTOPPED(status))
				k->watcher = 0;
		}
	}
}
