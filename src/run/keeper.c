#include "run/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/heirs.h"
#include "run/launch.h"
#include "run/relay.h"
#include "run/speech.h"
#include "run/terminal.h"
#include "run/watcher.h"

#define BEFORE_MAX 64
#define PIPE_BYTES (1 << 18) /* more would not stay in the cache */
#define TICK_MS    20
#define GRACE_MS   500   /* for those who end by themselves, or by the terminal's hang-up */
#define TERM_MS    2000  /* between SIGTERM and SIGKILL */
#define KILL_MS    2000  /* then who is still there is stuck in the kernel */
#define HELD_MS    300   /* of silence in a pipe that a stranger keeps open */
#define VERDICT_MS 5000  /* for the watcher, at the end; 3.3 of it for memory that stays */
#define HUNG_MS    10000 /* for a job that hangs to end by SIGTERM */
#define STOP_MS    50    /* between SIGTSTP, which a program may answer, and SIGSTOP */
#define FRONT_MS   250   /* a shell that brings us to the front may tell nobody */

static const int passed[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
			      SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH };

enum stage { STAGE_RUNS, STAGE_GRACE, STAGE_TERM, STAGE_KILL, STAGE_DRAIN, STAGE_DONE };

struct keeper {
	const struct run_order *order;
	struct share *share;
	struct terminal terminal;
	struct relay relays[2];
	struct speech speech;
	struct launch launch;
	struct heirs heirs;
	pid_t before[BEFORE_MAX]; /* children from before the start: not the job's */
	size_t before_count;
	int signals;        /* a descriptor */
	int over[2];        /* a relay has ended, or the watcher has something to say */
	int life;           /* the watcher's end of the pipe */
	pid_t job, watcher; /* 0: gone */
	enum stage stage;
	uint64_t deadline, quiet_since;
	unsigned int hurry;  /* signals that came when the job had ended */
	bool keyboard;       /* ours to read */
	bool stops;          /* we were asked to stop */
	uint64_t hung_until; /* 0: nobody has asked us to end the job */
	int status;
};

/* ---- the beginning ---- */

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

/* Which relay a stream goes through: a terminal first, else standard output. */
static int open_streams(struct keeper *k)
{
	struct terminal *t = &k->terminal;
	int r = terminal_open(t);

	if (r < 0)
		return r;
	if (t->master >= 0)
		k->relays[t->on[1] ? 0 : 1] =
			(struct relay){ .in = t->master, .out = t->on[1] ? 1 : 2, .keeps = true };
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
 * What was ignored when we were started stays so, for us and for the job. Once
 * blocked they stay so until our end: one that comes between two attempts is
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

static int open_share(struct keeper *k)
{
	struct stat pipe;
	int ends[2];

	k->share = share_new();
	if (!k->share)
		return -ENOMEM;
	k->share->keeper = getpid();
	if (pipe2(k->over, O_CLOEXEC | O_NONBLOCK) < 0 || pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	k->share->wake = ends[1];
	k->share->call = k->over[1];
	k->life = ends[0];
	for (int i = 0; i < 2; i++) {
		k->relays[i].share = k->share;
		k->relays[i].stream = &k->share->streams[i];
		k->relays[i].over = k->over[1];
		if (fstat(k->relays[i].in, &pipe) == 0 && S_ISFIFO(pipe.st_mode))
			k->share->pipes[i] = pipe.st_ino;
	}
	return 0;
}

/* Without a watcher the job runs all the same. */
static void start_watcher(struct keeper *k)
{
	struct watcher w = { .order = k->order,
			     .share = k->share,
			     .life = k->life,
			     .terminal = k->terminal.ours,
			     .relays = { { .in = -1, .out = -1 }, { .in = -1, .out = -1 } } };
	pid_t pid;

	for (int i = 0; i < 2; i++)
		if (k->order->survive && k->relays[i].in >= 0)
			w.relays[i] = k->relays[i];
	pid = fork();
	if (pid == 0) {
		close(k->share->wake);
		watcher_be(&w);
	}
	k->watcher = pid > 0 ? pid : 0;
	close(k->life);
}

static void close_jobs_ends(struct keeper *k)
{
	for (int fd = 0; fd < 3; fd++)
		if (k->launch.fds[fd] >= 0 && k->launch.fds[fd] != k->terminal.slave &&
		    !(fd == 2 && k->launch.fds[2] == k->launch.fds[1]))
			close(k->launch.fds[fd]);
}

/* Beside the relay that carries the job's standard error; where there is none we are silent. */
static void start_speech(struct keeper *k)
{
	bool one = k->launch.fds[2] >= 0 && k->launch.fds[2] == k->launch.fds[1];
	struct relay *r = &k->relays[one ? 0 : 1];

	if (r->started)
		(void)speech_start(&k->speech, k->share, r, k->terminal.on[2]);
}

static int start_job(struct keeper *k, int *ret_error)
{
	pid_t pid;
	int r = 0;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	k->launch.pid = &k->share->job;
	k->launch.watcher = k->watcher;
	for (int i = 0; i < 2 && r == 0; i++)
		r = relay_start(&k->relays[i]);
	if (r < 0)
		return r;
	start_speech(k);
	k->keyboard = terminal_take(&k->terminal, k->share);
	pid = launch(&k->launch, ret_error);
	close_jobs_ends(k);
	if (pid < 0)
		return pid;
	k->job = pid;
	share_note(k->share, SHARE_STARTED, pid);
	return 0;
}

/* ---- signals ---- */

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
static void stop_job(struct keeper *k)
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

/* Whatever the job makes of it: it is not started again. */
static void ask_for_end(struct keeper *k)
{
	atomic_store(&k->share->asked, true);
	k->hurry += !k->job;
}

static void pass_signal(struct keeper *k, int number)
{
	if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)
		ask_for_end(k);
	if (!k->job)
		return;
	if (number == SIGWINCH && k->terminal.master >= 0) {
		terminal_resize(&k->terminal);
		return;
	}
	kill(-k->job, number);
	share_note(k->share, SHARE_PASSED, number);
	if (number == SIGTSTP)
		stop_job(k);
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

static void take_signals(struct keeper *k)
{
	struct signalfd_siginfo info;

	while (read(k->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(k);
		else
			pass_signal(k, (int)info.ssi_signo);
	}
}

/* ---- the end ---- */

/*
 * A program that becomes us by exec may have had children, and a look at an ill
 * GPU may have left a reader that nobody can end.
 */
static void note_children(struct keeper *k)
{
	heirs_below(k->share->keeper, 0, &k->heirs);
	for (size_t i = 0; i < k->heirs.count && k->before_count < BEFORE_MAX; i++)
		k->before[k->before_count++] = k->heirs.pids[i];
}

static bool was_before(const struct keeper *k, pid_t pid)
{
	for (size_t i = 0; i < k->before_count; i++)
		if (k->before[i] == pid)
			return true;
	return false;
}

static size_t signal_heirs(struct keeper *k, int number)
{
	size_t kept = 0;

	heirs_below(k->share->keeper, k->watcher, &k->heirs);
	for (size_t i = 0; i < k->heirs.count; i++)
		if (!was_before(k, k->heirs.pids[i]))
			k->heirs.pids[kept++] = k->heirs.pids[i];
	k->heirs.count = kept;
	for (size_t i = 0; number && i < k->heirs.count; i++) {
		kill(k->heirs.pids[i], number);
		if (number == SIGTERM)
			kill(k->heirs.pids[i], SIGCONT);
	}
	return k->heirs.count;
}

static void enter(struct keeper *k, enum stage stage, unsigned int ms)
{
	k->stage = stage;
	k->deadline = share_clock() + ms;
	k->hurry = 0;
}

static void enter_drain(struct keeper *k)
{
	enter(k, STAGE_DRAIN, 0);
	k->quiet_since = 0;
	if (k->terminal.slave >= 0)
		close(k->terminal.slave);
	k->terminal.slave = -1;
}

/* Bytes that are on their way are waited for; a stranger who keeps a pipe open is not. */
static void drain(struct keeper *k)
{
	bool busy = false, held = false;
	uint64_t now = share_clock();

	for (int i = 0; i < 2; i++) {
		struct relay *r = &k->relays[i];

		if (!r->started || atomic_load(&r->state) == RELAY_DONE)
			continue;
		held = true;
		busy = busy || k->order->leave || !relay_is_idle(r);
	}
	if (!held || k->hurry) {
		k->stage = STAGE_DONE;
	} else if (busy) {
		k->quiet_since = 0;
	} else if (!k->quiet_since) {
		k->quiet_since = now;
	} else if (now - k->quiet_since > HELD_MS) {
		share_note(k->share, SHARE_HELD, 0);
		k->stage = STAGE_DONE;
	}
}

static void end_heirs(struct keeper *k)
{
	static const struct {
		int number; /* sent when the stage before is over */
		enum share_event_kind kind;
		enum stage next;
		unsigned int ms;
	} steps[] = {
		[STAGE_GRACE] = { SIGTERM, SHARE_TERMINATED, STAGE_TERM, TERM_MS },
		[STAGE_TERM] = { SIGKILL, SHARE_KILLED, STAGE_KILL, KILL_MS },
	};
	size_t left = signal_heirs(k, k->stage == STAGE_KILL ? SIGKILL : 0);

	if (left == 0) {
		enter_drain(k);
	} else if (k->hurry == 0 && share_clock() < k->deadline) {
		return;
	} else if (k->stage == STAGE_KILL) {
		for (size_t i = 0; i < left; i++)
			share_note(k->share, SHARE_STUCK, k->heirs.pids[i]);
		enter_drain(k);
	} else {
		left = signal_heirs(k, steps[k->stage].number);
		share_note(k->share, steps[k->stage].kind, (int64_t)left);
		enter(k, steps[k->stage].next, steps[k->stage].ms);
	}
}

/* As if somebody had sent SIGTERM; then as those are ended who outlive the job. */
static void end_hung(struct keeper *k)
{
	if (!k->job || k->stage != STAGE_RUNS || !atomic_load(&k->share->hung))
		return;
	if (!k->hung_until) {
		k->hung_until = share_clock() + HUNG_MS;
		kill(-k->job, SIGTERM);
		kill(-k->job, SIGCONT);
		share_note(k->share, SHARE_HUNG, SIGTERM);
	} else if (share_clock() >= k->hung_until) {
		enter(k, STAGE_GRACE, 0);
	}
}

static void advance(struct keeper *k)
{
	end_hung(k);
	if (k->stage == STAGE_RUNS && !k->job) {
		if (k->order->leave)
			enter_drain(k);
		else
			enter(k, STAGE_GRACE, GRACE_MS);
	}
	if (k->stage >= STAGE_GRACE && k->stage <= STAGE_KILL)
		end_heirs(k);
	if (k->stage == STAGE_DRAIN)
		drain(k);
}

static void type(struct keeper *k, const struct pollfd *keys, const struct pollfd *master)
{
	struct terminal_keys typed = { 0 };

	if (keys->revents && !terminal_read(&k->terminal))
		k->keyboard = false;
	if (!k->job)
		typed.ends = terminal_drop(&k->terminal, k->share);
	else if (master->revents & POLLOUT && k->terminal.typed_count > 0)
		terminal_write(&k->terminal, k->job, &typed);
	if (typed.ends)
		ask_for_end(k);
	if (typed.stops)
		stop_job(k);
}

static bool waits_for_front(const struct keeper *k)
{
	return k->job && k->terminal.types && !k->keyboard;
}

static int patience_ms(const struct keeper *k)
{
	if (k->stage != STAGE_RUNS || k->hung_until)
		return TICK_MS;
	return waits_for_front(k) ? FRONT_MS : -1;
}

static void step(struct keeper *k)
{
	bool typed = k->terminal.typed_count > 0;
	struct pollfd fds[] = {
		{ .fd = k->signals, .events = POLLIN },
		{ .fd = k->over[0], .events = POLLIN },
		{ .fd = k->keyboard && !typed ? k->terminal.ours : -1, .events = POLLIN },
		{ .fd = typed && k->job ? k->terminal.master : -1, .events = POLLOUT },
	};
	char byte;

	poll(fds, 4, patience_ms(k));
	while (read(k->over[0], &byte, 1) == 1)
		;
	speech_look(&k->speech);
	take_signals(k);
	type(k, &fds[2], &fds[3]);
	if (waits_for_front(k))
		k->keyboard = terminal_take(&k->terminal, k->share);
	advance(k);
}

static void wait_for_watcher(struct keeper *k)
{
	uint64_t until = share_clock() + VERDICT_MS;

	while (k->watcher && !atomic_load(&k->share->told) && share_clock() < until &&
	       k->hurry == 0) {
		poll(&(struct pollfd){ .fd = k->signals, .events = POLLIN }, 1, 100);
		take_signals(k);
	}
}

static void finish(struct keeper *k, int exec_error, struct run_end *ret)
{
	uint32_t n;

	terminal_give_back(k->terminal.ours, k->share);
	if (k->job) /* stuck in the kernel: it will die of this when it leaves it */
		k->status = SIGKILL;
	k->share->status = k->status;
	k->share->exec_error = exec_error;
	k->hurry = 0;
	atomic_store(&k->share->asleep, true);
	atomic_store(&k->share->over, true);
	share_wake(k->share);
	wait_for_watcher(k);
	*ret = (struct run_end){ .status = k->status,
				 .exec_error = exec_error,
				 .hung = atomic_load(&k->share->hung),
				 .stopped = atomic_load(&k->share->asked) };
	n = atomic_load(&k->share->verdict_len);
	buf_add(&ret->verdict, k->share->verdict, n < SHARE_VERDICT_MAX ? n : 0);
	n = atomic_load(&k->share->told) ? k->share->plan_len : 0;
	buf_add(&ret->plan, k->share->plan, n < SHARE_PLAN_MAX ? n : 0);
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/*
 * As before the start, so that another attempt can follow. False: a thread still
 * reads what a stranger keeps open, and what it works with has to stay.
 */
static bool leave_nothing(struct keeper *k)
{
	for (int i = 0; i < 2; i++)
		if (k->relays[i].started && atomic_load(&k->relays[i].state) != RELAY_DONE)
			return false;
	if (!speech_end(&k->speech))
		return false;
	for (int i = 0; i < 2; i++)
		if (k->relays[i].started)
			pthread_join(k->relays[i].thread, NULL);
	shut(&k->share->wake);
	shut(&k->over[0]);
	shut(&k->over[1]);
	shut(&k->signals);
	shut(&k->terminal.ours);
	share_free(k->share);
	return true;
}

int keeper_run(const struct run_order *order, struct run_end *ret)
{
	static struct keeper k;          /* 16 KiB of it are for the lists of children */
	struct launch launch = k.launch; /* of the attempt before: the signals as they were */
	bool first = !launch.arguments;
	int exec_error = 0;
	int r;

	launch.arguments = order->arguments;
	launch.survives = order->survive;
	k = (struct keeper){ .order = order,
			     .relays = { { .in = -1 }, { .in = -1 } },
			     .launch = launch };
	if (first)
		launch_set_aside(&k.launch);
	r = open_streams(&k);
	if (r == 0)
		r = open_share(&k);
	if (r == 0)
		r = open_signals(&k, first);
	if (r < 0)
		return r;
	note_children(&k);
	malloc_trim(0); /* what the check before the start has used */
	start_watcher(&k);
	r = start_job(&k, &exec_error);
	if (r == 0)
		while (k.stage != STAGE_DONE)
			step(&k);
	finish(&k, exec_error, ret);
	ret->held = !leave_nothing(&k);
	return r;
}
