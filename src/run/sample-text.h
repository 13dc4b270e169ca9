#pragma once

/*
 * sample-text - samples and progress in the words of the journal
 *
 * Lines of words; "-" is not known. The forms stand in docs/design/0010-run.md.
 */

#include "base/buf.h"
#include "parse/progress.h"
#include "run/sampler.h"

void sample_text(struct buf *out, const struct sample *p);

/* " epoch 1 epochs 3 loss 0.69", with a blank in front. */
void progress_text(struct buf *out, const struct progress *g);
