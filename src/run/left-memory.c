#include "run/left-memory.h"

#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

#define WAIT_MS  2000 /* for what the kernel takes back in its own time */
#define AGAIN_MS 100
#define TRUST_MS 600 /* for an answer of the sampler */
#define LOOK_MS  5

int64_t left_memory_bytes(int64_t used_before, int64_t held_before, int64_t used, int64_t held)
{
	int64_t left;

	if (used_before < 0 || used < 0)
		return 0;
	left = used - used_before - (held > held_before ? held - held_before : 0);
	return left > LEFT_MEMORY_MIN ? left : 0;
}

static int64_t held_of(const struct sample_held *h, const char *address)
{
	for (size_t i = 0; h->known && i < h->gpu_count; i++)
		if (strcmp(h->gpus[i].address, address) == 0)
			return h->gpus[i].bytes;
	return 0;
}

static int64_t left_on(const struct sample *before, const struct sample_held *held_before,
		       const struct sample_gpu *gpu, const struct sample_held *held)
{
	for (size_t i = 0; i < before->gpu_count; i++)
		if (strcmp(before->gpus[i].address, gpu->address) == 0)
			return left_memory_bytes(before->gpus[i].vram_used,
						 held_of(held_before, gpu->address), gpu->vram_used,
						 held_of(held, gpu->address));
	return 0; /* it was not there before */
}

static bool ask_again(struct sampler *p, struct sample *ret)
{
	sampler_hurry(p, false);
	for (int ms = 0; ms < TRUST_MS; ms += LOOK_MS) {
		if (sampler_newest(p, ret))
			return true;
		poll(NULL, 0, LOOK_MS);
	}
	return false;
}

static bool ask_holders(struct sampler *p, struct sample_held *ret)
{
	sampler_hurry(p, true);
	for (int ms = 0; ms < TRUST_MS; ms += LOOK_MS) {
		if (sampler_holders(p, ret))
			return ret->known;
		poll(NULL, 0, LOOK_MS);
	}
	return false;
}

static bool has_more(const struct sample *before, const struct sample *now)
{
	struct sample_held nobody = { 0 };

	for (size_t i = 0; i < now->gpu_count; i++)
		if (left_on(before, &nobody, &now->gpus[i], &nobody) > 0)
			return true;
	return false;
}

static void note(struct evidence *e, const char *address, int64_t bytes, unsigned int denied)
{
	struct buf text BUF_SCOPED = { 0 };
	char size[UNITS_MAX];

	buf_addf(&text, "vram-left %s %lld\n", address, (long long)bytes);
	run_journal_add(&e->journal, RUN_JOURNAL_EVENT, clock_date_ms(), buf_get(&text));
	units_bytes((uint64_t)bytes, size);
	buf_addf(&e->notes, "%s of VRAM on %s stayed in use after the job, and ", size, address);
	if (denied > 0)
		buf_addf(&e->notes, "no readable process holds it (%u could not be read)\n",
			 denied);
	else
		buf_text(&e->notes, "no living process holds it\n");
}

void left_memory(struct sampler *p, const struct sample *before,
		 const struct sample_held *held_before, struct evidence *e)
{
	uint64_t until = clock_ms() + WAIT_MS;
	struct sample_held held;
	struct sample now;

	if (before->gpu_count == 0)
		return;
	do {
		if (!ask_again(p, &now) || !has_more(before, &now))
			return;
		poll(NULL, 0, AGAIN_MS);
	} while (clock_ms() < until);
	if (!ask_holders(p, &held))
		return;
	for (size_t i = 0; i < now.gpu_count; i++) {
		int64_t left = left_on(before, held_before, &now.gpus[i], &held);

		if (left > 0)
			note(e, now.gpus[i].address, left, held.denied);
	}
}
