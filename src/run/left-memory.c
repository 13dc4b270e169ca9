#include "run/left-memory.h"

#include <poll.h>
#include <string.h>

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

static const struct pulse_gpu *find_gpu(const struct pulse *p, const char *address)
{
	for (size_t i = 0; i < p->gpu_count; i++)
		if (strcmp(p->gpus[i].address, address) == 0)
			return &p->gpus[i];
	return NULL;
}

static int64_t held_of(const struct pulse_held *h, const char *address)
{
	for (size_t i = 0; h->known && i < h->gpu_count; i++)
		if (strcmp(h->gpus[i].address, address) == 0)
			return h->gpus[i].bytes;
	return 0;
}

static int64_t left_on(const struct pulse *before, const struct pulse_held *held_before,
		       const struct pulse_gpu *gpu, const struct pulse_held *held)
{
	const struct pulse_gpu *then = find_gpu(before, gpu->address);

	return then ? left_memory_bytes(then->vram_used, held_of(held_before, gpu->address),
					gpu->vram_used, held_of(held, gpu->address))
		    : 0;
}

static bool ask_again(struct pulses *p, struct pulse *ret)
{
	pulse_hurry(p, false);
	for (int ms = 0; ms < TRUST_MS; ms += LOOK_MS) {
		if (pulse_newest(p, ret))
			return true;
		poll(NULL, 0, LOOK_MS);
	}
	return false;
}

static bool ask_holders(struct pulses *p, struct pulse_held *ret)
{
	pulse_hurry(p, true);
	for (int ms = 0; ms < TRUST_MS; ms += LOOK_MS) {
		if (pulse_holders(p, ret))
			return ret->known;
		poll(NULL, 0, LOOK_MS);
	}
	return false;
}

static bool has_more(const struct pulse *before, const struct pulse *now)
{
	struct pulse_held nobody = { 0 };

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
	diary_add(&e->diary, DIARY_EVENT, share_date(), buf_get(&text));
	units_bytes((uint64_t)bytes, size);
	buf_addf(&e->notes, "%s of the memory of %s stayed in use after the job, and ", size,
		 address);
	if (denied > 0)
		buf_addf(&e->notes,
			 "no process that could be looked into holds it (%u could not)\n", denied);
	else
		buf_text(&e->notes, "no living process holds it\n");
}

void left_memory(struct pulses *p, const struct pulse *before, const struct pulse_held *held_before,
		 struct evidence *e)
{
	uint64_t until = share_clock() + WAIT_MS;
	struct pulse_held held;
	struct pulse now;

	if (before->gpu_count == 0)
		return;
	do {
		if (!ask_again(p, &now) || !has_more(before, &now))
			return;
		poll(NULL, 0, AGAIN_MS);
	} while (share_clock() < until);
	if (!ask_holders(p, &held))
		return;
	for (size_t i = 0; i < now.gpu_count; i++) {
		int64_t left = left_on(before, held_before, &now.gpus[i], &held);

		if (left > 0)
			note(e, now.gpus[i].address, left, held.denied);
	}
}
