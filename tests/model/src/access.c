/*
 * access.c - instructions that load, store and change memory
 *
 * The first letter of a name says which memory it is: `global_` and `flat_` have addresses of 64 bits,
 * `scratch_` has the lane's own private memory, `ds_` the LDS of the group, `s_` is for scalars.
 */
#include "wave.h"

#include "reach.h"

#include <string.h>
#include <sys/mman.h>

/* ---- where it lies ---- */

#define KEPT 8

static struct span {
	uint64_t start, end;
} kept[KEPT];
static unsigned next;

void access_forget(void)
{
	memset(kept, 0, sizeof(kept));
}

/* What was allocated may have been unmapped by the process meanwhile: msync() knows without touching it. */
static bool is_mapped(const struct span *s)
{
	uint64_t start = s->start & ~4095ull;

	return msync((void *)(uintptr_t)start, s->end - start, MS_ASYNC) ==
	       0; /* NOLINT: by the ABI */
}

static bool reaches(uint64_t address, unsigned size)
{
	struct span found;

	for (unsigned i = 0; i < KEPT; i++)
		if (address >= kept[i].start && address + size <= kept[i].end)
			return true;
	if (!reach_bounds(address, &found.start, &found.end) || address + size > found.end ||
	    !is_mapped(&found))
		return false;
	kept[next++ % KEPT] = found;
	return true;
}

static void *at(struct wave *w, uint64_t address, unsigned size)
{
	if (!reaches(address, size)) {
		wave_fail(w, FAILURE_MEMORY, address);
		return NULL;
	}
	return (void *)(uintptr_t)address; /* NOLINT: the GPU's address is that of the process */
}

static void *in_shared(struct wave *w, uint64_t address, unsigned size)
{
	if (address + size > w->group->shared_size) {
		wave_fail(w, FAILURE_MEMORY, SHARED_BASE + address);
		return NULL;
	}
	return w->group->shared + address;
}

static void *in_private(struct wave *w, uint64_t address, unsigned size, unsigned lane)
{
	if (address + size > w->private_size) {
		wave_fail(w, FAILURE_MEMORY, PRIVATE_BASE + address);
		return NULL;
	}
	return w->private + (uint64_t)lane * w->private_size + address;
}

static void *anywhere(struct wave *w, uint64_t address, unsigned size, unsigned lane)
{
	switch (address >> 32) {
	case SHARED_BASE >> 32:
		return in_shared(w, address & UINT32_MAX, size);
	case PRIVATE_BASE >> 32:
		return in_private(w, address & UINT32_MAX, size, lane);
	default:
		return at(w, address, size);
	}
}

/* 64 bits of a lane, or 32 if the operand is one register. */
static uint64_t address_in(const struct wave *w, const struct operand *o, unsigned lane)
{
	if (o->kind == OPERAND_NONE)
		return 0;
	return wave_lane(w, o, 0, lane) |
	       (o->count >= 2 ? (uint64_t)wave_lane(w, o, 1, lane) << 32 : 0);
}

static const struct operand *base_of(const struct instruction *i)
{
	const struct operand *last = &i->operands[i->count - 1];

	return i->meaning->name[0] != 'd' && last->kind == OPERAND_SCALAR ? last : NULL;
}

/* The memory of a lane that operand `nth` has the address of; NULL, and the wave fails, if there is none. */
static void *target(struct wave *w, const struct instruction *i, unsigned nth, unsigned lane,
		    int64_t offset, unsigned size)
{
	const struct operand *base = base_of(i);
	uint64_t address = address_in(w, &i->operands[nth], lane) + (uint64_t)offset;

	if (base)
		address += wave_scalar(w, base, 8);
	switch (i->meaning->name[0]) {
	case 'd':
		return in_shared(w, address & UINT32_MAX, size);
	case 's':
		return in_private(w, address & UINT32_MAX, size, lane);
	case 'g':
		return at(w, address, size);
	default:
		return anywhere(w, address, size, lane);
	}
}

/* ---- loads and stores ---- */

/* A row's argument: bytes, and what else is to be done with them. */
enum {
	SIZE = 31,
	SIGNED = 32,
	LOW = 64,   /* into the lower half of a register, the other stays */
	HIGH = 128, /* the upper half */
	RETURNS = 256,
};

static uint32_t widened(const void *from, unsigned argument)
{
	uint32_t value = 0;

	memcpy(&value, from, argument & SIZE);
	if (argument & SIGNED)
		value = (argument & SIZE) == 1 ? (uint32_t)(int8_t)value : (uint32_t)(int16_t)value;
	return value;
}

static void put(struct wave *w, unsigned index, unsigned lane, const void *from, unsigned argument)
{
	uint32_t *to = &w->v[index][lane];
	unsigned size = argument & SIZE;

	if (size < 4) {
		uint32_t value = widened(from, argument);

		*to = argument & LOW    ? (*to & 0xffff0000) | (value & 0xffff)
		      : argument & HIGH ? (*to & 0xffff) | value << 16
					: value;
		return;
	}
	for (unsigned n = 0; n < size / 4; n++)
		memcpy(&w->v[index + n][lane], (const uint8_t *)from + n * 4, 4);
}

static void take(const struct wave *w, const struct operand *o, unsigned lane, void *to,
		 unsigned argument)
{
	unsigned size = argument & SIZE;

	if (size < 4) {
		uint32_t value = wave_lane(w, o, 0, lane) >> (argument & HIGH ? 16 : 0);

		memcpy(to, &value, size);
		return;
	}
	for (unsigned n = 0; n < size / 4; n++) {
		uint32_t value = wave_lane(w, o, n, lane);

		memcpy((uint8_t *)to + n * 4, &value, 4);
	}
}

#define EACH_LANE(w, lane)                                                            \
	for (unsigned lane = 0; lane < (w)->lanes && (w)->state == WAVE_RUNS; lane++) \
		if (wave_exec(w) >> lane & 1)

static void load(struct wave *w, const struct instruction *i)
{
	unsigned argument = i->meaning->argument;

	EACH_LANE(w, lane)
	{
		const void *from = target(w, i, 1, lane, i->modifiers.offset, argument & SIZE);

		if (from)
			put(w, i->operands[0].index, lane, from, argument);
	}
}

static void store(struct wave *w, const struct instruction *i)
{
	unsigned argument = i->meaning->argument;

	EACH_LANE(w, lane)
	{
		void *to = target(w, i, 0, lane, i->modifiers.offset, argument & SIZE);

		if (to)
			take(w, &i->operands[1], lane, to, argument);
	}
}

/* Two of LDS at once; offsets count in units of the size, or in 64 of them. */
static void load_two(struct wave *w, const struct instruction *i)
{
	unsigned size = i->meaning->argument & SIZE;
	unsigned unit = size * (i->meaning->argument & HIGH ? 64 : 1);

	EACH_LANE(w, lane)
	{
		const void *a = target(w, i, 1, lane, i->modifiers.offset0 * unit, size);
		const void *b = target(w, i, 1, lane, i->modifiers.offset1 * unit, size);

		if (!a || !b)
			return;
		put(w, i->operands[0].index, lane, a, size);
		put(w, i->operands[0].index + size / 4, lane, b, size);
	}
}

static void store_two(struct wave *w, const struct instruction *i)
{
	unsigned size = i->meaning->argument & SIZE;
	unsigned unit = size * (i->meaning->argument & HIGH ? 64 : 1);

	EACH_LANE(w, lane)
	{
		void *a = target(w, i, 0, lane, i->modifiers.offset0 * unit, size);
		void *b = target(w, i, 0, lane, i->modifiers.offset1 * unit, size);

		if (!a || !b)
			return;
		take(w, &i->operands[1], lane, a, size);
		take(w, &i->operands[2], lane, b, size);
	}
}

static void load_scalars(struct wave *w, const struct instruction *i)
{
	unsigned size = i->meaning->argument;
	uint64_t address = wave_scalar(w, &i->operands[1], 8) + wave_scalar(w, &i->operands[2], 4) +
			   (uint64_t)i->modifiers.offset;
	const void *from = at(w, address & ~3ull, size);

	if (from)
		memcpy(&w->s[i->operands[0].index], from, size);
}

/* ---- atomic changes ---- */

typedef uint64_t (*change)(uint64_t old, uint64_t data);

#define CHANGE(name, expression)                          \
	static uint64_t name(uint64_t old, uint64_t data) \
	{                                                 \
		return expression;                        \
	}
#define CHANGES(bits, u, i)                                   \
	CHANGE(add##bits, (u)old + (u)data)                   \
	CHANGE(sub##bits, (u)old - (u)data)                   \
	CHANGE(and##bits, old &data)                          \
	CHANGE(or ##bits, old | data)                         \
	CHANGE(xor##bits, old ^ data)                         \
	CHANGE(swap##bits, data + (old & 0))                  \
	CHANGE(umin##bits, (u)old < (u)data ? old : data)     \
	CHANGE(umax##bits, (u)old > (u)data ? old : data)     \
	CHANGE(smin##bits, (i)old < (i)data ? old : data)     \
	CHANGE(smax##bits, (i)old > (i)data ? old : data)     \
	CHANGE(inc##bits, (u)old >= (u)data ? 0 : (u)old + 1) \
	CHANGE(dec##bits, (u)old == 0 || (u)old > (u)data ? data : (u)old - 1)
CHANGES(32, uint32_t, int32_t)
CHANGES(64, uint64_t, int64_t)

static uint64_t add_float(uint64_t old, uint64_t data)
{
	uint32_t bits = (uint32_t)old, more = (uint32_t)data;
	float a, b;

	memcpy(&a, &bits, 4);
	memcpy(&b, &more, 4);
	a += b;
	memcpy(&bits, &a, 4);
	return bits;
}

enum operation { ADD, SUB, AND, OR, XOR, SWAP, UMIN, UMAX, SMIN, SMAX, INC, DEC, ADD_F, COMPARE };

static const change changes[][2] = {
	[ADD] = { add32, add64 },      [SUB] = { sub32, sub64 },    [AND] = { and32, and64 },
	[OR] = { or32, or64 },         [XOR] = { xor32, xor64 },    [SWAP] = { swap32, swap64 },
	[UMIN] = { umin32, umin64 },   [UMAX] = { umax32, umax64 }, [SMIN] = { smin32, smin64 },
	[SMAX] = { smax32, smax64 },   [INC] = { inc32, inc64 },    [DEC] = { dec32, dec64 },
	[ADD_F] = { add_float, NULL },
};

/* A processor of the host may change it at the same time. */
#define CHANGE_AT(type)                                                                            \
	type *p = to, old = __atomic_load_n(p, __ATOMIC_SEQ_CST), new;                             \
	do                                                                                         \
		new = compares ? (old == (type)compare ? (type)data : old) : (type)how(old, data); \
	while (!__atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_SEQ_CST,                 \
					    __ATOMIC_SEQ_CST));                                    \
	return old

static uint64_t change_32(void *to, change how, bool compares, uint64_t data, uint64_t compare)
{
	CHANGE_AT(uint32_t);
}

static uint64_t change_64(void *to, change how, bool compares, uint64_t data, uint64_t compare)
{
	CHANGE_AT(uint64_t);
}

/* Data is one operand, and what it is compared with its upper half; LDS has an operand for each. */
static void change_lane(struct wave *w, const struct instruction *i, unsigned first, unsigned lane)
{
	unsigned size = i->meaning->argument & SIZE, words = size / 4;
	enum operation operation = (enum operation)(i->meaning->argument >> 16);
	bool is_shared = i->meaning->name[0] == 'd';
	const struct operand *from = &i->operands[first + 1];
	uint64_t data = 0, compare = 0, old;
	void *to = target(w, i, first, lane, i->modifiers.offset, size);

	if (!to || (uintptr_t)to % size != 0) {
		if (to)
			wave_fail(w, FAILURE_MEMORY, (uintptr_t)to);
		return;
	}
	for (unsigned n = 0; n < words; n++) {
		data |= (uint64_t)wave_lane(w, from, n, lane) << n * 32;
		if (operation == COMPARE)
			compare |= (uint64_t)wave_lane(w, is_shared ? from + 1 : from,
						       is_shared ? n : words + n, lane)
				   << n * 32;
	}
	old = size == 4 ? change_32(to, changes[operation][0], operation == COMPARE, data, compare)
			: change_64(to, changes[operation][1], operation == COMPARE, data, compare);
	if (first == 1)
		put(w, i->operands[0].index, lane, &old, size);
}

static void change_memory(struct wave *w, const struct instruction *i)
{
	bool returns = i->modifiers.returns || i->meaning->argument & RETURNS;

	EACH_LANE(w, lane)
	{
		change_lane(w, i, returns ? 1 : 0, lane);
	}
}

/* ---- lanes through LDS ---- */

/* Each lane takes the value of the lane that it names; of one that is not active 0. */
static void pull(struct wave *w, const struct instruction *i)
{
	uint32_t result[MOST_LANES] = { 0 };

	EACH_LANE(w, lane)
	{
		uint64_t where = wave_lane(w, &i->operands[1], 0, lane) + i->modifiers.offset;
		unsigned from = (unsigned)(where / 4 % w->lanes);

		if (wave_exec(w) >> from & 1)
			result[lane] = wave_lane(w, &i->operands[2], 0, from);
	}
	EACH_LANE(w, lane)
	{
		w->v[i->operands[0].index][lane] = result[lane];
	}
}

/* Each lane gives its value to the lane that it names. */
static void push(struct wave *w, const struct instruction *i)
{
	uint32_t result[MOST_LANES] = { 0 };

	EACH_LANE(w, lane)
	{
		uint64_t where = wave_lane(w, &i->operands[1], 0, lane) + i->modifiers.offset;

		result[where / 4 % w->lanes] = wave_lane(w, &i->operands[2], 0, lane);
	}
	EACH_LANE(w, lane)
	{
		w->v[i->operands[0].index][lane] = result[lane];
	}
}

/* ---- the table ---- */

#define ROW(name, function, argument)              \
	{                                          \
		name, "", NULL, function, argument \
	}
#define IN_ALL(name, function, argument)                                                \
	ROW("global_" name, function, argument), ROW("flat_" name, function, argument), \
		ROW("scratch_" name, function, argument)
#define ATOMIC(name, operation, size)                                          \
	ROW("global_atomic_" name, change_memory, (operation) << 16 | (size)), \
		ROW("flat_atomic_" name, change_memory, (operation) << 16 | (size))
#define SHARED_ATOMIC(before, after, operation, size)                       \
	ROW("ds_" before after, change_memory, (operation) << 16 | (size)), \
		ROW("ds_" before "_rtn" after, change_memory,               \
		    (operation) << 16 | (size) | RETURNS)
#define EVERY_ATOMIC(name, suffix, operation, size) \
	ATOMIC(name suffix, operation, size), SHARED_ATOMIC(name, suffix, operation, size)

const struct meaning isa_memory[] = {
	ROW("s_load_b32", load_scalars, 4),
	ROW("s_load_b64", load_scalars, 8),
	ROW("s_load_b128", load_scalars, 16),
	ROW("s_load_b256", load_scalars, 32),
	ROW("s_load_b512", load_scalars, 64),
	IN_ALL("load_u8", load, 1),
	IN_ALL("load_i8", load, 1 | SIGNED),
	IN_ALL("load_u16", load, 2),
	IN_ALL("load_i16", load, 2 | SIGNED),
	IN_ALL("load_b32", load, 4),
	IN_ALL("load_b64", load, 8),
	IN_ALL("load_b96", load, 12),
	IN_ALL("load_b128", load, 16),
	IN_ALL("load_d16_u8", load, 1 | LOW),
	IN_ALL("load_d16_i8", load, 1 | SIGNED | LOW),
	IN_ALL("load_d16_b16", load, 2 | LOW),
	IN_ALL("load_d16_hi_u8", load, 1 | HIGH),
	IN_ALL("load_d16_hi_i8", load, 1 | SIGNED | HIGH),
	IN_ALL("load_d16_hi_b16", load, 2 | HIGH),
	IN_ALL("store_b8", store, 1),
	IN_ALL("store_b16", store, 2),
	IN_ALL("store_b32", store, 4),
	IN_ALL("store_b64", store, 8),
	IN_ALL("store_b96", store, 12),
	IN_ALL("store_b128", store, 16),
	IN_ALL("store_d16_hi_b8", store, 1 | HIGH),
	IN_ALL("store_d16_hi_b16", store, 2 | HIGH),
	ROW("ds_load_u8", load, 1),
	ROW("ds_load_i8", load, 1 | SIGNED),
	ROW("ds_load_u16", load, 2),
	ROW("ds_load_i16", load, 2 | SIGNED),
	ROW("ds_load_b32", load, 4),
	ROW("ds_load_b64", load, 8),
	ROW("ds_load_b96", load, 12),
	ROW("ds_load_b128", load, 16),
	ROW("ds_load_2addr_b32", load_two, 4),
	ROW("ds_load_2addr_b64", load_two, 8),
	ROW("ds_load_2addr_stride64_b32", load_two, 4 | HIGH),
	ROW("ds_load_2addr_stride64_b64", load_two, 8 | HIGH),
	ROW("ds_store_b8", store, 1),
	ROW("ds_store_b16", store, 2),
	ROW("ds_store_b32", store, 4),
	ROW("ds_store_b64", store, 8),
	ROW("ds_store_b96", store, 12),
	ROW("ds_store_b128", store, 16),
	ROW("ds_store_2addr_b32", store_two, 4),
	ROW("ds_store_2addr_b64", store_two, 8),
	ROW("ds_store_2addr_stride64_b32", store_two, 4 | HIGH),
	ROW("ds_store_2addr_stride64_b64", store_two, 8 | HIGH),
	ROW("ds_bpermute_b32", pull, 0),
	ROW("ds_permute_b32", push, 0),
	EVERY_ATOMIC("add", "_u32", ADD, 4),
	EVERY_ATOMIC("sub", "_u32", SUB, 4),
	EVERY_ATOMIC("and", "_b32", AND, 4),
	EVERY_ATOMIC("or", "_b32", OR, 4),
	EVERY_ATOMIC("xor", "_b32", XOR, 4),
	EVERY_ATOMIC("min", "_u32", UMIN, 4),
	EVERY_ATOMIC("max", "_u32", UMAX, 4),
	EVERY_ATOMIC("min", "_i32", SMIN, 4),
	EVERY_ATOMIC("max", "_i32", SMAX, 4),
	EVERY_ATOMIC("inc", "_u32", INC, 4),
	EVERY_ATOMIC("dec", "_u32", DEC, 4),
	EVERY_ATOMIC("add", "_f32", ADD_F, 4),
	ATOMIC("swap_b32", SWAP, 4),
	ATOMIC("cmpswap_b32", COMPARE, 4),
	SHARED_ATOMIC("storexchg", "_b32", SWAP, 4),
	SHARED_ATOMIC("cmpstore", "_b32", COMPARE, 4),
	EVERY_ATOMIC("add", "_u64", ADD, 8),
	EVERY_ATOMIC("sub", "_u64", SUB, 8),
	EVERY_ATOMIC("and", "_b64", AND, 8),
	EVERY_ATOMIC("or", "_b64", OR, 8),
	EVERY_ATOMIC("xor", "_b64", XOR, 8),
	EVERY_ATOMIC("min", "_u64", UMIN, 8),
	EVERY_ATOMIC("max", "_u64", UMAX, 8),
	EVERY_ATOMIC("min", "_i64", SMIN, 8),
	EVERY_ATOMIC("max", "_i64", SMAX, 8),
	EVERY_ATOMIC("inc", "_u64", INC, 8),
	EVERY_ATOMIC("dec", "_u64", DEC, 8),
	ATOMIC("swap_b64", SWAP, 8),
	ATOMIC("cmpswap_b64", COMPARE, 8),
	SHARED_ATOMIC("storexchg", "_b64", SWAP, 8),
	SHARED_ATOMIC("cmpstore", "_b64", COMPARE, 8),
	{ NULL, NULL, NULL, NULL, 0 },
};
