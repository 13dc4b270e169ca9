#pragma once

/*
 * hang - has the job stopped getting on, and what kind of stop is it?
 *
 * A pure decision over what was seen: nothing is read here and no clock asked.
 * Before three steps nothing is decided, because nobody knows yet how long a
 * step takes. A silence in which something still happens is none: a compiler at
 * work, bytes read or written, a disk that is waited for. Computing is slow, not
 * stuck. What remains is told apart by whether the GPUs are busy.
 *
 * A GPU that computes for long looks like one that hangs: busy, and everybody
 * waits for it. That is told; a job is ended for it only with a proof.
 */

#include "base/span.h"

#define HANG_GPUS        32 /* as many as a sample holds */
#define HANG_UNKNOWN     ((int64_t)-1)
#define HANG_LEAST_MS    60000 /* unless the user says otherwise */
#define HANG_STEPS_LEAST 3     /* of progress, before a limit is learnt */
#define HANG_LOOKS       128   /* that a caller keeps, one a second: two windows */

/* The job at one moment. Sums are since its start; HANG_UNKNOWN: not known. */
struct hang_look {
	uint64_t at_ms;
	int64_t cpu_ms;        /* of its processes */
	int64_t bytes;         /* read and written by them */
	int64_t moved;         /* by their connections */
	int64_t compile_ms;    /* CPU time of those that compile, as far as they live */
	unsigned int compiles; /* how many of them */
	bool compiler_runs;    /* one of them runs, or waits for a processor only */
	int64_t storage_kib;   /* what the machine has read and written */
	bool runs;             /* a thread runs, or waits for a processor only */
	bool blocked;          /* a thread sleeps uninterruptibly, and not in the GPU's driver */
	bool stopped;          /* by a signal or a debugger */
	bool asks;             /* a thread reads the keyboard */
	bool held;             /* nobody takes its output */
	bool gpu_stuck;        /* the files of a GPU do not answer */
	unsigned int gpu_count;
	int8_t busy[HANG_GPUS]; /* percent, of the GPUs that the job uses; below 0: not known */
	struct hang_reading {   /* of the same; below 0: not known */
		int64_t vram;   /* bytes */
		int64_t sclk;   /* MHz */
		int64_t power;  /* microwatts */
	} readings[HANG_GPUS];
};

struct hang_view {
	uint64_t now_ms;
	unsigned int steps; /* of progress, and what they took (progress-rate.h) */
	uint64_t last_step_ms;
	double usual_ms, slowest_ms;
	bool complete;     /* the last of them was the last that the job has announced */
	uint64_t least_ms; /* no limit is smaller */
	bool reset;        /* the kernel's log tells since then of its GPU that hangs or is reset */
	bool faulted;      /* or of a fault of it, which need not be a hang */
	const struct hang_look *looks; /* oldest first, without gaps up to now */
	size_t count;
};

enum hang_kind { HANG_NONE, HANG_SLOW, HANG_HOST, HANG_DEVICE, HANG_UNCLEAR };

struct hang_verdict {
	enum hang_kind kind;
	const char *says;  /* why */
	const char *proof; /* that it is no long work: the job may be ended for it; or NULL */
	bool computes;     /* or compiles */
	uint64_t silent_ms;
	uint64_t limit_ms; /* 0: not learnt yet */
};

/* From when on looks are needed for a decision; 0: not at all. */
uint64_t hang_looks_from(const struct hang_view *v);

struct hang_verdict hang_decide(const struct hang_view *v);

const char *hang_kind_name(enum hang_kind kind); /* as in the journal: host-stall */
