#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/keeper.h"
#include "run/watcher.h"

#define START_FDS  4
#define PIPE_BYTES (1 << 18) /* more would not stay in the cache */

static const int passed[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
			      SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH };

static bool same_file(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* One that was closed when we were started stands for /dev/null, to be read. */
static bool is_writable(int fd)
{
	return (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static int open_pipe(struct keeper *k, struct relay *r, int fd)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	(void)fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
	r->in = ends[0];
	r->out = fd;
	k->launch.fds[fd] = ends[1];
	return 0;
}

/* The process that takes a relay over needs its read position: relay.c says how. */
static int open_aside(struct relay *r)
{
	if (r->in < 0)
		return 0;
	if (pipe2(r->aside, O_CLOEXEC) < 0)
		return -errno;
	r->survives = true;
	(void)fcntl(r->aside[1], F_SETPIPE_SZ, PIPE_BYTES);
	return 0;
}

/* Relay 0 serves standard output, relay 1 standard error; a terminal on both uses relay 0. */
static int open_streams(struct keeper *k)
{
	struct terminal *t = &k->terminal;
	int r = terminal_open(t);

	if (r < 0)
		return r;
	if (t->master >= 0)
		k->relays[t->on[1] ? 0 : 1] = (struct relay){
			.in = t->master, .out = t->on[1] ? 1 : 2, .keeps = true, .aside = { -1, -1 }
		};
	for (int fd = 0; fd < 3; fd++)
		k->launch.fds[fd] = t->on[fd] && t->slave >= 0 ? t->slave : -1;
	k->launch.terminal = t->types ? t->slave : -1;
	if (!t->on[1] && is_writable(1))
		r = open_pipe(k, &k->relays[0], 1);
	if (r < 0 || t->on[2] || !is_writable(2))
		return r;
	if (k->launch.fds[1] >= 0 && !t->on[1] && same_file(1, 2)) {
		k->launch.fds[2] = k->launch.fds[1];
		return 0;
	}
	return open_pipe(k, &k->relays[1], 2);
}

/*
 * Signals that were ignored when we were started stay ignored, for us and for the
 * job. Blocked ones stay so until our end: one that comes between two attempts is
 * passed to the second.
 */
static int open_signals(struct keeper *k, bool first)
{
	struct sigaction now;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		if (sigaction(passed[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(&set, passed[i]);
	sigprocmask(SIG_BLOCK, &set, first ? &k->launch.mask : NULL);
	k->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return k->signals < 0 ? -errno : 0;
}

static int open_shared_memory(struct keeper *k)
{
	struct stat pipe;
	int ends[2];

	k->shared = shared_new();
	if (!k->shared)
		return -ENOMEM;
	k->shared->keeper = getpid();
	if (pipe2(k->over, O_CLOEXEC | O_NONBLOCK) < 0 || pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	k->shared->watcher_pipe = ends[1];
	k->shared->keeper_pipe = k->over[1];
	k->life = ends[0];
	for (int i = 0; i < 2; i++) {
		k->relays[i].shared = k->shared;
		k->relays[i].stream = &k->shared->streams[i];
		k->relays[i].over = k->over[1];
		if (fstat(k->relays[i].in, &pipe) == 0 && S_ISFIFO(pipe.st_mode))
			k->shared->pipes[i] = pipe.st_ino;
	}
	return 0;
}

/* Checks that the start has enough descriptors, before any process is started. */
static int check_room(void)
{
	int fds[START_FDS], count = 0, r = 0;

	while (count < START_FDS && (fds[count] = fcntl(2, F_DUPFD_CLOEXEC, 3)) >= 0)
		count++;
	if (count < START_FDS)
		r = errno == EBADF ? 0 : -errno; /* without a standard error nobody knows */
	while (count > 0)
		close(fds[--count]);
	return r;
}

int keeper_open(struct keeper *k, bool first)
{
	int r = open_streams(k);

	for (int i = 0; i < 2 && r == 0 && k->order->survive; i++)
		r = open_aside(&k->relays[i]);
	if (r == 0)
		r = open_shared_memory(k);
	if (r == 0)
		r = open_signals(k, first);
	return r < 0 ? r : check_room();
}

/* Without a watcher the job runs all the same. */
static void start_watcher(struct keeper *k)
{
	struct watcher w = { .order = k->order,
			     .shared = k->shared,
			     .life = k->life,
			     .terminal = k->terminal.ours,
			     .relays = { RELAY_NONE, RELAY_NONE } };
	pid_t pid;

	for (int i = 0; i < 2; i++)
		if (k->order->survive && k->relays[i].in >= 0)
			w.relays[i] = k->relays[i];
	pid = fork();
	if (pid == 0) {
		close(k->shared->watcher_pipe);
		watcher_be(&w);
	}
	k->watcher = pid > 0 ? pid : 0;
	close(k->life);
}

int keeper_start(struct keeper *k, int *ret_error)
{
	const int *fds = k->launch.fds;
	bool one = fds[2] >= 0 && fds[2] == fds[1]; /* both streams through one pipe */
	struct relay *errors = &k->relays[one ? 0 : 1];
	pid_t pid;
	int r = 0;

	start_watcher(k);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	k->launch.pid = &k->shared->job;
	k->launch.watcher = k->watcher;
	for (int i = 0; i < 2 && r == 0; i++)
		r = relay_start(&k->relays[i]);
	if (r < 0)
		return r;
	if (errors->started) /* where the job has no standard error, we say nothing */
		(void)status_line_start(&k->status_line, k->shared, errors, k->terminal.on[2]);
	k->keyboard = terminal_take(&k->terminal, k->shared);
	pid = launch(&k->launch, ret_error);
	for (int fd = 0; fd < 3; fd++)
		if (fds[fd] >= 0 && fds[fd] != k->terminal.slave && !(fd == 2 && one))
			close(fds[fd]);
	if (pid < 0)
		return pid;
	k->job = pid;
	shared_add_event(k->shared, SHARED_STARTED, pid);
	return 0;
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

bool keeper_close(struct keeper *k)
{
	for (int i = 0; i < 2; i++)
		if (k->relays[i].started && atomic_load(&k->relays[i].state) != RELAY_DONE)
			return false;
	if (!status_line_end(&k->status_line))
		return false;
	for (int i = 0; i < 2; i++) {
		if (k->relays[i].started)
			pthread_join(k->relays[i].thread, NULL);
		shut(&k->relays[i].aside[0]);
		shut(&k->relays[i].aside[1]);
	}
	shut(&k->shared->watcher_pipe);
	shut(&k->over[0]);
	shut(&k->over[1]);
	shut(&k->signals);
	shut(&k->terminal.ours);
	shared_free(k->shared);
	return true;
}
