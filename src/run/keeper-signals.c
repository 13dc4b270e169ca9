#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/keeper-parts.h"

#define STOP_MS 50 /* between SIGTSTP, which a program may answer, and SIGSTOP */

static bool ignores_stop(pid_t pid)
{
	char path[64], text[4096], *line;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	line = strstr(text, "SigIgn:");
	return line && strtoull(line + 7, NULL, 16) >> (SIGTSTP - 1) & 1;
}

/*
 * A session of its own has nobody who could continue a member that stops by
 * SIGTSTP, so the kernel lets it run on: after a moment for its handler SIGSTOP
 * does it.
 */
void keeper_stop_job(struct keeper *k)
{
	if (ignores_stop(k->job))
		return;
	poll(NULL, 0, STOP_MS);
	k->stops = true;
	kill(-k->job, SIGSTOP);
}

/* A shell sees us stop as it would see the job. */
static void stop_with_job(struct keeper *k)
{
	k->stops = false;
	terminal_give_back(k->terminal.ours, k->share);
	raise(SIGSTOP);
	k->keyboard = terminal_take(&k->terminal, k->share);
	terminal_resize(&k->terminal);
	kill(-k->job, SIGCONT);
	share_note(k->share, SHARE_CONTINUED, 0);
}

void keeper_ask_for_end(struct keeper *k)
{
	atomic_store(&k->share->asked, true);
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
	share_note(k->share, SHARE_PASSED, number);
	if (number == SIGTSTP)
		keeper_stop_job(k);
}

static void note_job(struct keeper *k, int status)
{
	if (WIFSTOPPED(status)) {
		share_note(k->share, SHARE_STOPPED, WSTOPSIG(status));
		if (k->stops || k->keyboard)
			stop_with_job(k);
		return;
	}
	k->job = 0;
	k->status = status;
	share_note(k->share, SHARE_ENDED, status);
}

static void reap(struct keeper *k)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
		if (pid == k->job)
			note_job(k, status);
		else if (pid == k->watcher && !WIFSTOPPED(status))
			k->watcher = 0;
	}
}

void keeper_take_signals(struct keeper *k)
{
	struct signalfd_siginfo info;

	while (read(k->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(k);
		else
			pass_signal(k, (int)info.ssi_signo);
	}
}
