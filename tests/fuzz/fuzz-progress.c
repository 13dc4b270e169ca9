#include "parse/progress.h"

#include <math.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct progress p;

	if (!progress_parse((struct span){ (const char *)data, size }, &p))
		return 0;
	must(p.known & (PROGRESS_PLACE | PROGRESS_LOSS));
	must(p.epoch >= 0 && p.batch >= 0 && p.step >= 0);
	must(!(p.known & PROGRESS_EPOCHS) || (p.known & PROGRESS_EPOCH && p.epoch <= p.epochs));
	must(!(p.known & PROGRESS_BATCHES) || (p.known & PROGRESS_BATCH && p.batch <= p.batches));
	must(!(p.known & PROGRESS_STEPS) || (p.known & PROGRESS_STEP && p.step <= p.steps));
	must(p.part >= 0 && p.part < 1);
	must(p.known & PROGRESS_PERCENT ? p.percent >= 0 && p.percent <= 100 : p.percent == 0);
	must(p.known & PROGRESS_RATE ? p.rate > 0 && isfinite(p.rate) : p.rate == 0);
	return 0;
}
