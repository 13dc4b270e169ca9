#include "run/left-processes.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "door/proc.h"

#define LOOK_MS 50
#define TERM_MS 1000
#define GIVE_UP 3000

struct left {
	pid_t job;
	struct descendants *known; /* a parent may be gone when its children are looked for again */
	const uint64_t *pipes;
	struct processes now;
};

static bool writes_to(pid_t pid, const uint64_t pipes[2])
{
	static const char *const names[] = { "fd/1", "fd/2" };
	unsigned long long inode;
	char target[64];

	for (size_t i = 0; i < 2; i++)
		if (proc_link(pid, names[i], target, sizeof(target)) &&
		    sscanf(target, "pipe:[%llu]", &inode) == 1 &&
		    (inode == pipes[0] || inode == pipes[1]))
			return true;
	return false;
}

static bool is_of_job(void *ctx, const struct process *p)
{
	const struct left *l = ctx;

	if (process_is_dead(p))
		return false;
	if (p->pid == l->job || p->session == l->job)
		return true;
	for (size_t i = 0; i < l->known->count; i++)
		if (l->known->pids[i] == p->pid && p->start <= l->known->ticks)
			return true;
	return writes_to(p->pid, l->pipes);
}

static bool is_left(const struct process *p)
{
	return p->marked && !process_is_dead(p);
}

static void signal_all(const struct left *l, int number)
{
	for (size_t i = 0; i < l->now.count; i++)
		if (is_left(&l->now.all[i]))
			kill(l->now.all[i].pid, number);
}

size_t left_processes_end(pid_t job, struct descendants *known, const uint64_t pipes[static 2])
{
	struct left l = { .job = job, .known = known, .pipes = pipes };
	size_t first = 0, left = 1;

	for (int ms = 0; left > 0 && ms < GIVE_UP; ms += LOOK_MS) {
		left = 0;
		processes_read(0, &l.now);
		processes_mark(&l.now, getpid(), is_of_job, &l);
		for (size_t i = 0; i < l.now.count; i++)
			left += is_left(&l.now.all[i]);
		first = first > left ? first : left;
		if (ms == 0 || ms >= TERM_MS)
			signal_all(&l, ms == 0 ? SIGTERM : SIGKILL);
		if (ms == 0) {
			signal_all(&l, SIGCONT);
			for (size_t i = 0; i < l.now.count && known->count < DESCENDANTS_MAX; i++)
				if (is_left(&l.now.all[i]))
					known->pids[known->count++] = l.now.all[i].pid;
			known->ticks = processes_ticks();
		}
		if (left > 0)
			poll(NULL, 0, LOOK_MS);
	}
	processes_done(&l.now);
	return first;
}
