#pragma once

/*
 * descendants - the processes below one, from /proc
 *
 * Known in two ways. The kernel's lists of children cost one small file for each
 * process below, and nothing is allocated: the keeper of a job asks too. Where
 * parents do not tell (who is in a session, who was given to another parent),
 * every process of the host is read, and those that belong together are marked.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- from the lists of children ---- */

#define DESCENDANTS_MAX     4096
#define DESCENDANTS_THREADS 1024 /* children of threads other than the first */

/*
 * Children of threads other than the first stand in a file of each thread, and a
 * job may have thousands: these are read when a process is new somewhere on the
 * machine, and no oftener than a four-hundredth of the time allows. What they told
 * is kept until then.
 */
struct descendants_threads {
	pid_t pids[DESCENDANTS_THREADS], parents[DESCENDANTS_THREADS];
	size_t count;
	size_t read;          /* threads, at the last look */
	uint64_t last_number; /* that the kernel had given to a process */
	uint64_t wanted_ns;   /* looks at all threads are wanted until then */
	uint64_t next_ns;     /* and not before */
};

struct descendants {
	pid_t pids[DESCENDANTS_MAX];
	size_t count;
	uint64_t ticks; /* of the kernel's clock, when they were looked for */
	struct descendants_threads threads;
};

/* Everything below `top`, without `except` and what is below that. All 0 before the first time. */
void descendants_below(pid_t top, pid_t except, struct descendants *d);

/* Whether all threads are to be looked at, when `number` is the one that the kernel gave last; 0: not known. */
bool descendants_wants_threads(struct descendants_threads *t, uint64_t number, uint64_t now_ns);

/* Before the next look at all threads, after one that used this much CPU time for so many. */
uint64_t descendants_rest_ns(uint64_t used_ns, size_t threads);

/* ---- from a look at every process ---- */

struct process {
	pid_t pid, parent, session;
	char state; /* R, S, D, Z, ... */
	char name[16];
	uint64_t ticks; /* of the CPU, with those of children that were waited for */
	uint64_t start; /* of the kernel's clock */
	bool marked;
};

struct processes {
	struct process *all;
	size_t count, room;
};

/*
 * Every process of the host, or with `of` the threads of that one. What was read
 * before is replaced. Without memory some are missing, until the next look.
 */
void processes_read(pid_t of, struct processes *p);
void processes_done(struct processes *p);

bool process_is_dead(const struct process *p); /* and waits to be waited for */

/* Mark those that `belongs` says, and all below them, but not `except` (0: nobody). */
void processes_mark(struct processes *p, pid_t except,
		    bool (*belongs)(void *ctx, const struct process *one), void *ctx);

/* Now, as the kernel dates the start of a process. */
uint64_t processes_ticks(void);
