#pragma once

/*
 * timeline - samples, progress and kernel lines on their way into the journal
 *
 * Samples come once a second and are written so: the older the job, the seldomer,
 * so that a journal of fixed size lasts for weeks. The last minute is kept whole
 * and is written when something fails, and at the end: after records that are
 * younger, so that whoever reads must put samples into order.
 */

#include "gauges/host-gauges.h"
#include "gauges/kernel-news.h"
#include "parse/klog.h"
#include "parse/pci.h"
#include "run/evidence.h"
#include "run/progress-rate.h"
#include "run/resumed.h"
#include "run/sampler.h"

#define TIMELINE_MINUTE 60
#define TIMELINE_ALARMS 64

/* Kernel lines that a hang is judged by. */
enum timeline_alarm { TIMELINE_STALL, TIMELINE_FAULT };

struct timeline {
	struct evidence *evidence;
	struct sampler *sampler; /* NULL: no samples */
	struct progress_rate rate;
	uint64_t started, sampled, told; /* of clock_ms() */
	uint64_t steps_told;
	bool loss_told;         /* that it is NaN */
	struct oom_reading oom; /* at the start */
	struct resumed resumed;
	size_t sample_bytes; /* of the newest */
	unsigned int dumps;

	struct {
		struct sample sample;
		bool written;
	} minute[TIMELINE_MINUTE];
	size_t taken;            /* samples in all */
	struct sample first;     /* before the job used anything */
	struct sample_held held; /* then */

	struct door door;
	struct kernel_news news;
	struct klog_table *classes; /* NULL: none */
	struct arena arena;
	unsigned int kernel_lines, left_out;
	struct {
		enum timeline_alarm kind;
		char address[PCI_ADDRESS_MAX]; /* empty: the line has none */
		uint64_t at_ms;                /* the last of this kind and address */
	} alarms[TIMELINE_ALARMS];
	size_t alarm_count;
	struct buf kernel_told; /* the first of them as text, for hang.h's evidence */
};

void timeline_open(struct timeline *t, struct evidence *e);

/* Bytes of the job's output. */
void timeline_bytes(struct timeline *t, int stream, struct span bytes);

/* Once a second: who belongs to the job. */
void timeline_look(struct timeline *t, const struct descendants *descendants);

/* Something has failed, or hangs: the last minute is written, and the rate of progress is up to date. */
void timeline_dump(struct timeline *t);

/* The newest sample; NULL: there is none. */
const struct sample *timeline_newest(const struct timeline *t);

/* The job is gone: what there is still to write, and what it has left behind. */
void timeline_end(struct timeline *t);
