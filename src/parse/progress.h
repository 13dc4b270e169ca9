#pragma once

/*
 * progress - how far a job says it is, from one line of its output
 *
 * Made for what trainings print: the bars of tqdm, Lightning, keras, rich and
 * ultralytics, the dictionaries of the Hugging Face Trainer, and plain
 * "Epoch 1/3 Batch 1/192 loss 0.69". A number is taken only where a word or a
 * bar says what it is; dates, sizes and "98% busy" are none of ours.
 * The line may hold escape sequences; of what it redraws the last text counts.
 */

#include "base/span.h"

enum progress_key {
	PROGRESS_EPOCH = 1 << 0,
	PROGRESS_EPOCHS = 1 << 1,
	PROGRESS_BATCH = 1 << 2,
	PROGRESS_BATCHES = 1 << 3,
	PROGRESS_STEP = 1 << 4,
	PROGRESS_STEPS = 1 << 5,
	PROGRESS_LOSS = 1 << 6,
	PROGRESS_RATE = 1 << 7,
	PROGRESS_PERCENT = 1 << 8,
};

/* Keys of the job's position; the other keys are its loss, rate and totals. */
#define PROGRESS_PLACE (PROGRESS_EPOCH | PROGRESS_BATCH | PROGRESS_STEP | PROGRESS_PERCENT)

struct progress {
	long epoch, epochs, batch, batches, step, steps;
	double part; /* of the epoch, where it is told as 1.37; else 0 */
	double loss; /* of training; may be NAN, which is worth knowing */
	double rate; /* of whatever the job counts, in a second */
	double percent;
	unsigned int known; /* enum progress_key */
};

/* False: no place and no loss in it; *ret is untouched then. */
bool progress_parse(struct span line, struct progress *ret);
