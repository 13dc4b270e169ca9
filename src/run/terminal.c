#include "run/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_pair(struct terminal *t)
{
	struct winsize size = { 0 };
	struct termios modes;
	int fds[2];

	if (tcgetattr(t->ours, &modes) < 0)
		return -errno;
	(void)ioctl(t->ours, TIOCGWINSZ, &size);
	if (openpty(&fds[0], &fds[1], NULL, &modes, &size) < 0)
		return -errno;
	for (int i = 0; i < 2; i++)
		fcntl(fds[i], F_SETFD, FD_CLOEXEC);
	t->master = fds[0];
	t->slave = fds[1];
	return 0;
}

/*
 * A descriptor of our own for the terminal, which does not block: others may read
 * the same terminal, and take what we were told is there. Where it may not be opened
 * (after `su`) we share theirs.
 */
static int open_ours(int fd)
{
	char path[32];
	int own, ours;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	ours = fcntl(own < 0 ? fd : own, F_DUPFD_CLOEXEC, 10);
	if (own >= 0)
		close(own);
	return ours;
}

int terminal_open(struct terminal *t)
{
	*t = (struct terminal){ .ours = -1, .master = -1, .slave = -1 };
	for (int fd = 0; fd < 3; fd++)
		t->on[fd] = isatty(fd) == 1;
	if (!t->on[1] && !t->on[2])
		return 0;
	t->types = t->on[1];
	t->on[0] = t->on[0] && t->types;
	t->ours = open_ours(t->on[0] ? 0 : t->on[1] ? 1 : 2);
	return t->ours < 0 ? -errno : open_pair(t);
}

/* One of the two works on what is shown, or a line would end twice: the job's, if ours is raw. */
static void set_output(struct terminal *t, bool works)
{
	struct termios modes;

	if (t->master < 0 || t->flat != works || tcgetattr(t->master, &modes) < 0)
		return;
	if (!works && !(modes.c_oflag & OPOST))
		return; /* the job itself wants it so */
	modes.c_oflag ^= OPOST;
	t->flat = tcsetattr(t->master, TCSANOW, &modes) == 0 ? !works : works;
}

static bool is_in_front(const struct terminal *t)
{
	return tcgetpgrp(t->ours) == getpgrp();
}

/* The process that writes into our stdin may ask for a password: leave it the keyboard. */
static bool has_writer_before(const struct terminal *t)
{
	struct pollfd in = { .fd = STDIN_FILENO };
	struct stat st;

	return !t->on[0] && fstat(in.fd, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) && poll(&in, 1, 0) == 0;
}

bool terminal_take(struct terminal *t, struct shared_memory *s)
{
	bool raw = t->types && is_in_front(t) && !has_writer_before(t) &&
		   tcgetattr(t->ours, &s->found) == 0;

	if (raw) {
		s->made = s->found;
		cfmakeraw(&s->made);
		raw = tcsetattr(t->ours, TCSADRAIN, &s->made) == 0;
	}
	set_output(t, raw);
	if (!raw)
		return false;
	/* As it is now, which need not be all that we asked for. */
	(void)tcgetattr(t->ours, &s->made);
	atomic_store(&s->raw, true);
	return true;
}

/* A shell that has seen the keeper die may have set its own modes already. */
void terminal_give_back(int ours, struct shared_memory *s)
{
	struct termios now;

	if (!atomic_exchange(&s->raw, false) || tcgetattr(ours, &now) < 0)
		return;
	if (now.c_lflag == s->made.c_lflag && now.c_iflag == s->made.c_iflag &&
	    now.c_oflag == s->made.c_oflag)
		(void)tcsetattr(ours, TCSADRAIN, &s->found);
}

void terminal_resize(const struct terminal *t)
{
	struct winsize size;

	if (t->master >= 0 && ioctl(t->ours, TIOCGWINSZ, &size) == 0)
		(void)ioctl(t->master, TIOCSWINSZ, &size);
}

bool terminal_read(struct terminal *t)
{
	ssize_t n;

	/* Stopped and continued in the background, a read would stop us again. */
	if (!is_in_front(t))
		return false;
	n = read(t->ours, t->typed, sizeof(t->typed));
	if (n > 0)
		t->typed_count = (size_t)n;
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static bool holds_key(const struct terminal *t, const struct termios *modes, int key)
{
	return modes->c_lflag & ISIG && modes->c_cc[key] != _POSIX_VDISABLE &&
	       memchr(t->typed, modes->c_cc[key], t->typed_count);
}

static bool holds_end(const struct terminal *t, const struct termios *modes)
{
	return holds_key(t, modes, VINTR) || holds_key(t, modes, VQUIT);
}

bool terminal_drop(struct terminal *t, const struct shared_memory *s)
{
	bool ends = holds_end(t, &s->found);

	t->typed_count = 0;
	return ends;
}

void terminal_write(struct terminal *t, pid_t job, struct terminal_keys *ret)
{
	struct termios modes;
	ssize_t n;

	*ret = (struct terminal_keys){ 0 };
	if (tcgetattr(t->master, &modes) == 0) {
		ret->ends = holds_end(t, &modes);
		ret->stops = holds_key(t, &modes, VSUSP) && tcgetpgrp(t->master) == job;
	}
	n = write(t->master, t->typed, t->typed_count);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n < 0)
		n = (ssize_t)t->typed_count; /* nobody reads there any more */
	t->typed_count -= (size_t)n;
	memmove(t->typed, t->typed + n, t->typed_count);
}
