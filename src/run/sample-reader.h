#pragma once

/*
 * sample-reader - one look at the GPUs, the host and the job's processes
 *
 * May never come back from a file of a GPU that hangs; it says before where it
 * will read, and leaves out what it is told to.
 */

#include "gauges/gauges.h"
#include "gauges/host-gauges.h"
#include "gauges/process-gauges.h"
#include "run/sampler.h"

/* About to read a GPU, or the descriptors of a process. False: leave it out. */
typedef bool sample_reader_stand_fn(void *ctx, const char *gpu, pid_t pid);

struct sample_reader {
	sample_reader_stand_fn *stand_at;
	void *ctx;
	struct gauges gauges;
	struct host_gauges host;
	struct process_gauges processes;
	struct sample now;
	struct sample_process one;   /* the process that is asked */
	int64_t others[SAMPLE_GPUS]; /* in the last sample */
	bool brief;                  /* without sensors, which take their time */
	bool unsure;                 /* somebody of the job could not be looked at */
};

int sample_reader_open(struct sample_reader *s, sample_reader_stand_fn *stand_at, void *ctx);
void sample_reader_done(struct sample_reader *s);

/* Into s->now. */
void sample_reader_take(struct sample_reader *s, const pid_t *pids, size_t count);
void sample_reader_holders(struct sample_reader *s, struct sample_held *ret);
