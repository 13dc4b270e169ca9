#pragma once

/*
 * sampler - one look at the GPUs, the host and the job's processes
 *
 * May never come back from a file of a GPU that hangs; it says before where it
 * will read, and leaves out what it is told to.
 */

#include "gauges/gauges.h"
#include "gauges/host-gauges.h"
#include "gauges/process-gauges.h"
#include "run/pulse.h"

/* About to read a GPU, or the descriptors of a process. False: leave it out. */
typedef bool sampler_stand_fn(void *ctx, const char *gpu, pid_t pid);

struct sampler {
	sampler_stand_fn *stand_at;
	void *ctx;
	struct gauges gauges;
	struct host_gauges host;
	struct process_gauges processes;
	struct pulse now;
	struct pulse_process one;   /* the process that is asked */
	int64_t others[PULSE_GPUS]; /* in the last sample */
	bool brief;                 /* without sensors, which take their time */
	bool unsure;                /* somebody of the job could not be looked at */
};

int sampler_open(struct sampler *s, sampler_stand_fn *stand_at, void *ctx);
void sampler_done(struct sampler *s);

/* Into s->now. */
void sampler_take(struct sampler *s, const pid_t *pids, size_t count);
void sampler_holders(struct sampler *s, struct pulse_held *ret);
