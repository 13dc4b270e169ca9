#pragma once

/*
 * sampler - how GPUs, host and job fare, once a second
 *
 * Files of a GPU that hangs may never answer. So they are read by a thread,
 * which hands over its newest whole sample; nobody waits for it. One that
 * stands is left where it is, and another goes on without what it stood at.
 * Numbers that are not known are SAMPLE_UNKNOWN.
 */

#include <sys/types.h>

#include "door/descendants.h"
#include "run/shared-memory.h"

#define SAMPLE_GPUS      32
#define SAMPLE_PROCESSES 8
#define SAMPLE_EVERY_MS  1000
#define SAMPLE_STUCK_MS  4000
#define SAMPLE_UNKNOWN   ((int64_t)-1)

struct sample_gpu {
	char address[16];
	bool asleep; /* and left alone */
	bool stuck;  /* reading it has not come back */
	int64_t vram_used, vram_total, gtt_used, gtt_total;
	int64_t job, others; /* of the VRAM: the job's, and the rest of what is used */
	int64_t busy;        /* percent */
	int64_t temp;        /* millidegrees Celsius */
	int64_t sclk;        /* MHz */
	int64_t power;       /* microwatts */
};

struct sample_process {
	pid_t pid;
	char name[16];
	int64_t vram, gtt, rss;
};

struct sample {
	uint64_t at_ms;                        /* of clock_ms() */
	uint64_t date_ms;                      /* since 1970 */
	unsigned int gpu_count, gpus_left_out; /* by us, of more than SAMPLE_GPUS */
	struct sample_gpu gpus[SAMPLE_GPUS];   /* in the order of the bus */
	int64_t host_used, host_total, swap_used;
	int64_t cgroup_used, cgroup_max; /* of the tightest limit above the job */

	/* The job's processes, those that have ended and were reaped by one of them included. */
	int64_t processes, threads, rss, cpu_ms, read, written; /* bytes of read() and write() */
	unsigned int listed;
	struct sample_process list[SAMPLE_PROCESSES]; /* the largest */
};

struct sampler;

/* NULL: no thread could be made. */
struct sampler *sampler_open(void);

/* Tell the thread who belongs to the job. */
void sampler_follow(struct sampler *p, const struct descendants *descendants);

/* A sample that was not handed out yet. */
bool sampler_newest(struct sampler *p, struct sample *ret);

/* A sample at once, without sensors; and, if wanted, who holds memory of the GPUs. */
void sampler_hurry(struct sampler *p, bool holders);

/* The VRAM that all living processes hold; asked for at the start, too. */
struct sample_held {
	bool known;
	unsigned int denied; /* processes that could not be looked into */
	size_t gpu_count;
	struct {
		char address[16];
		int64_t bytes;
	} gpus[SAMPLE_GPUS];
};
bool sampler_holders(struct sampler *p, struct sample_held *ret);

/* If the thread stands, another takes its place: answers how many stand now, and else 0. */
unsigned int sampler_mend(struct sampler *p);
