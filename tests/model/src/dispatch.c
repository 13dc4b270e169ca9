#include "dispatch.h"

#include "decode.h"
#include "log.h"
#include "reach.h"
#include "wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PIECE = 200000,  /* instructions of waves, about 20 ms */
	TURN = 5000,     /* of one wave */
	MOST_WAVES = 32, /* 1024 work-items */
};

/* The kernel descriptor of LLVM's AMDGPU backend (AMDGPUUsage, "Kernel Descriptor"). */
struct descriptor {
	uint32_t group_bytes, private_bytes, argument_bytes, pad;
	int64_t entry; /* from the descriptor on */
	uint8_t pad2[20];
	uint32_t resource3, resource1, resource2;
	uint16_t properties, preload;
	uint8_t pad3[4];
};

enum property {
	HAS_PRIVATE_BUFFER = 1 << 0,
	HAS_DISPATCH = 1 << 1,
	HAS_QUEUE = 1 << 2,
	HAS_ARGUMENTS = 1 << 3,
	HAS_ID = 1 << 4,
	HAS_FLAT_SCRATCH = 1 << 5,
	HAS_PRIVATE_SIZE = 1 << 6,
	IS_WAVE32 = 1 << 10,
};

struct run {
	struct dispatch packet;
	struct descriptor descriptor;
	uint64_t packet_address, queue_address;
	struct code code;
	char target[16];
	uint64_t code_end;           /* of the allocation that the code lies in */
	uint32_t groups[3], next[3]; /* how many, and the one that runs */
	bool has_group;
	struct group group;
	struct wave *waves[MOST_WAVES];
	unsigned wave_count, turn;
	uint64_t instructions; /* so far */
};

/* ---- beginning ---- */

/* 110000 is gfx1100, 90402 is gfx942: the last two digits in hexadecimal. */
static void name_target(unsigned gfx, char *ret, size_t size)
{
	snprintf(ret, size, "gfx%u%x%x", gfx / 10000, gfx / 100 % 100, gfx % 100);
}

static bool read_descriptor(struct run *r)
{
	uint64_t start, end, entry;

	if (!reach_bounds(r->packet.object, &start, &end) ||
	    r->packet.object + sizeof(r->descriptor) > end)
		return false;
	memcpy(&r->descriptor, (const void *)(uintptr_t)r->packet.object, /* NOLINT: by the ABI */
	       sizeof(r->descriptor));
	entry = r->packet.object + (uint64_t)r->descriptor.entry;
	return reach_bounds(entry, &start, &r->code_end);
}

struct run *dispatch_begin(const struct gpu *gpu, const struct dispatch *packet,
			   uint64_t packet_address, uint64_t queue_address)
{
	static unsigned generation;
	struct run *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->packet = *packet;
	r->packet_address = packet_address;
	r->queue_address = queue_address;
	name_target(gpu->gfx, r->target, sizeof(r->target));
	r->code = (struct code){ .target = r->target, .generation = ++generation };
	for (unsigned i = 0; i < 3; i++) {
		if (r->packet.group[i] == 0)
			r->packet.group[i] = 1;
		if (r->packet.grid[i] == 0)
			r->packet.grid[i] = 1;
		r->groups[i] = (r->packet.grid[i] + r->packet.group[i] - 1) / r->packet.group[i];
	}
	return r;
}

static void free_waves(struct run *r)
{
	for (unsigned i = 0; i < MOST_WAVES; i++) {
		if (r->waves[i])
			free(r->waves[i]->private);
		free(r->waves[i]);
	}
}

void dispatch_end(struct run *r)
{
	if (!r)
		return;
	free_waves(r);
	free(r->group.shared);
	free(r);
}

/* ---- the registers that a wave begins with ---- */

static unsigned put_pair(struct wave *w, unsigned at, uint64_t value)
{
	w->s[at] = (uint32_t)value;
	w->s[at + 1] = (uint32_t)(value >> 32);
	return at + 2;
}

/* In the order that the descriptor's bits have; the group's numbers follow behind all of them. */
static void put_scalars(const struct run *r, struct wave *w)
{
	uint16_t has = r->descriptor.properties;
	uint32_t resource = r->descriptor.resource2;
	unsigned at = 0;

	if (has & HAS_PRIVATE_BUFFER)
		at += 4; /* for buffer instructions, which gfx11 has no use for */
	if (has & HAS_DISPATCH)
		at = put_pair(w, at, r->packet_address);
	if (has & HAS_QUEUE)
		at = put_pair(w, at, r->queue_address);
	if (has & HAS_ARGUMENTS)
		at = put_pair(w, at, r->packet.arguments);
	if (has & HAS_ID)
		at = put_pair(w, at, 0);
	if (has & HAS_FLAT_SCRATCH)
		at = put_pair(w, at, 0);
	if (has & HAS_PRIVATE_SIZE)
		w->s[at] = w->private_size;
	at = resource >> 1 & 31;
	for (unsigned i = 0; i < 3; i++)
		if (resource >> (7 + i) & 1)
			w->s[at++] = r->next[i];
}

/* Work-items of the group that runs; the last one of a row has what is left of the grid. */
static void sizes_of_group(const struct run *r, uint32_t ret[3])
{
	for (unsigned i = 0; i < 3; i++) {
		uint32_t left = r->packet.grid[i] - r->next[i] * r->packet.group[i];

		ret[i] = left < r->packet.group[i] ? left : r->packet.group[i];
	}
}

/* Ten bits for each of x, y and z in v0. Lanes behind the last work-item are not active. */
static void put_items(const struct run *r, struct wave *w, unsigned first)
{
	uint32_t size[3];
	uint64_t exec = 0;

	sizes_of_group(r, size);
	for (unsigned lane = 0; lane < w->lanes; lane++) {
		unsigned n = first + lane;

		if (n >= size[0] * size[1] * size[2])
			break;
		exec |= 1ull << lane;
		w->v[0][lane] =
			n % size[0] | n / size[0] % size[1] << 10 | n / size[0] / size[1] << 20;
	}
	wave_set_mask(w, EXEC, exec);
}

static bool begin_wave(struct run *r, unsigned index)
{
	struct wave *w = r->waves[index];
	uint8_t *private = w ? w->private : NULL;
	uint32_t mode = r->descriptor.resource1 >> 12, private_size;

	private_size = r->packet.private_bytes > r->descriptor.private_bytes
			       ? r->packet.private_bytes
			       : r->descriptor.private_bytes;
	if (!w)
		w = r->waves[index] = malloc(sizeof(*w));
	if (!private)
	private = malloc((size_t)private_size * r->code.lanes + 1);
	if (!w || !private)
		return false;
	memset(w, 0, sizeof(*w));
	w->private = private;
	w->private_size = private_size;
	w->lanes = r->code.lanes;
	w->group = &r->group;
	w->pc = r->packet.object + (uint64_t)r->descriptor.entry;
	w->flushes_f32 = (mode >> 4 & 3) != 3;
	w->flushes_f64 = (mode >> 6 & 3) != 3;
	put_scalars(r, w);
	put_items(r, w, index * w->lanes);
	return true;
}

static bool begin_group(struct run *r)
{
	uint32_t size[3];

	sizes_of_group(r, size);
	r->turn = 0;
	r->wave_count = (size[0] * size[1] * size[2] + r->code.lanes - 1) / r->code.lanes;
	if (r->wave_count > MOST_WAVES)
		return false;
	for (unsigned i = 0; i < r->wave_count; i++)
		if (!begin_wave(r, i))
			return false;
	r->has_group = true;
	return true;
}

/* What is not in the descriptor of any compiler for these GPUs is refused: rounding other than to nearest. */
static const char *prepare(struct run *r)
{
	if (!read_descriptor(r))
		return "no code there";
	if (r->descriptor.resource1 >> 12 & 15)
		return "another rounding than to nearest";
	r->code.lanes = r->descriptor.properties & IS_WAVE32 ? 32 : 64;
	r->group.shared_size = r->packet.group_bytes > r->descriptor.group_bytes
				       ? r->packet.group_bytes
				       : r->descriptor.group_bytes;
	r->group.shared = calloc(1, r->group.shared_size + 16);
	log_line("dispatch of %#llx: %u lanes, grid %u %u %u, group %u %u %u, LDS %u, private %u",
		 (unsigned long long)r->packet.object, r->code.lanes, r->packet.grid[0],
		 r->packet.grid[1], r->packet.grid[2], r->packet.group[0], r->packet.group[1],
		 r->packet.group[2], r->group.shared_size, r->packet.private_bytes);
	return r->group.shared ? NULL : "no memory";
}

/* ---- going on ---- */

static enum dispatch_state refuse(const struct run *r, uint64_t pc, const char *reason)
{
	log_line("dispatch of %#llx ends at +%#llx, not modelled: %s",
		 (unsigned long long)r->packet.object,
		 (unsigned long long)(pc - r->packet.object - (uint64_t)r->descriptor.entry),
		 reason);
	return DISPATCH_ILLEGAL;
}

/* Until its turn is over, it waits, or ends. */
static enum dispatch_state run_wave(struct run *r, struct wave *w, uint64_t *ret_address)
{
	const char *reason;

	w->sleeps = false;
	for (unsigned n = 0; n < TURN && w->state == WAVE_RUNS && !w->sleeps; n++) {
		const struct instruction *i =
			w->pc < r->code_end && w->pc % 4 == 0
				? decode_at(&r->code, w->pc, r->code_end, &reason)
				: NULL;

		if (!i)
			return refuse(r, w->pc, w->pc < r->code_end ? reason : "no code there");
		wave_execute(w, i);
		r->instructions++;
		if (w->state == WAVE_FAILED) {
			log_line("%s at %#llx", i->text, (unsigned long long)w->fault);
			*ret_address = w->fault;
			return DISPATCH_FAULT;
		}
	}
	return DISPATCH_GOES_ON;
}

/* When all that have not ended wait at the barrier, it opens. False if all have ended. */
static bool open_barrier(struct run *r)
{
	unsigned waiting = 0, ended = 0;

	for (unsigned i = 0; i < r->wave_count; i++) {
		waiting += r->waves[i]->state == WAVE_WAITS;
		ended += r->waves[i]->state == WAVE_ENDED;
	}
	for (unsigned i = 0; waiting > 0 && waiting + ended == r->wave_count && i < r->wave_count;
	     i++)
		if (r->waves[i]->state == WAVE_WAITS)
			r->waves[i]->state = WAVE_RUNS;
	return ended < r->wave_count;
}

/* False if that was the last one. */
static bool next_group(struct run *r)
{
	r->has_group = false;
	for (unsigned i = 0; i < 3; i++) {
		if (++r->next[i] < r->groups[i])
			return true;
		r->next[i] = 0;
	}
	return false;
}

/* One turn of one wave. */
static enum dispatch_state take_turn(struct run *r, uint64_t *ret_address)
{
	enum dispatch_state state;

	if (!r->has_group && !begin_group(r))
		return refuse(r, r->packet.object, "a group of that size");
	state = run_wave(r, r->waves[r->turn++], ret_address);
	if (r->turn < r->wave_count || state != DISPATCH_GOES_ON)
		return state;
	r->turn = 0;
	return open_barrier(r) || next_group(r) ? DISPATCH_GOES_ON : DISPATCH_DONE;
}

enum dispatch_state dispatch_go_on(struct run *r, uint64_t *ret_address)
{
	uint64_t until = r->instructions + PIECE;
	enum dispatch_state state = DISPATCH_GOES_ON;
	const char *reason = r->code.lanes ? NULL : prepare(r);
	unsigned turns = 0;

	if (reason)
		return refuse(r, r->packet.object, reason);
	access_forget();
	while (state == DISPATCH_GOES_ON && r->instructions < until && turns++ < PIECE / 16)
		state = take_turn(r, ret_address);
	if (state == DISPATCH_DONE)
		log_line("dispatch of %#llx: done, %llu instructions of waves",
			 (unsigned long long)r->packet.object, (unsigned long long)r->instructions);
	return state;
}
