#include "wave.h"

#include <math.h>
#include <string.h>

/* ---- registers ---- */

uint64_t wave_mask(const struct wave *w, unsigned index)
{
	return w->s[index] | (w->lanes == 64 ? (uint64_t)w->s[index + 1] << 32 : 0);
}

void wave_set_mask(struct wave *w, unsigned index, uint64_t mask)
{
	if (index == NULL_REGISTER)
		return;
	w->s[index] = (uint32_t)mask;
	if (w->lanes == 64)
		w->s[index + 1] = (uint32_t)(mask >> 32);
}

uint64_t wave_exec(const struct wave *w)
{
	return wave_mask(w, EXEC);
}

/* LDS and private memory as the ioctl get-apertures states them (kfd.c). */
static uint64_t special(const struct wave *w, const struct operand *o)
{
	switch (o->kind) {
	case OPERAND_CONSTANT:
		return o->constant;
	case OPERAND_SCC:
		return w->scc;
	case OPERAND_SHARED_BASE:
		return SHARED_BASE;
	case OPERAND_PRIVATE_BASE:
		return PRIVATE_BASE;
	default:
		return 0;
	}
}

static uint64_t cut(uint64_t value, unsigned width)
{
	return width == 8 ? value : value & ((1ull << width * 8) - 1);
}

uint64_t wave_scalar(const struct wave *w, const struct operand *o, unsigned width)
{
	uint64_t value;

	if (o->kind != OPERAND_SCALAR)
		return cut(special(w, o), width);
	if (o->index == NULL_REGISTER)
		return 0;
	value = w->s[o->index];
	if (width == 8 && o->count >= 2)
		value |= (uint64_t)w->s[o->index + 1] << 32;
	return cut(value, width);
}

void wave_set_scalar(struct wave *w, const struct operand *o, unsigned width, uint64_t value)
{
	if (o->kind == OPERAND_SCC)
		w->scc = value & 1;
	if (o->kind != OPERAND_SCALAR || o->index == NULL_REGISTER)
		return;
	w->s[o->index] = (uint32_t)value;
	if (width == 8)
		w->s[o->index + 1] = (uint32_t)(value >> 32);
}

uint32_t wave_lane(const struct wave *w, const struct operand *o, unsigned nth, unsigned lane)
{
	if (o->kind == OPERAND_VECTOR)
		return w->v[o->index + nth][lane];
	return (uint32_t)(wave_scalar(w, o, 8) >> nth * 32);
}

void wave_fail(struct wave *w, enum wave_failure failure, uint64_t address)
{
	w->state = WAVE_FAILED;
	w->failure = failure;
	w->fault = address;
}

/* ---- lanes ---- */

/* Rows have 16 lanes. A shift out of the row has no source, a rotation has. */
static int lane_by_dpp(const struct dpp *dpp, unsigned lane)
{
	unsigned row = lane & ~15u, in = lane & 15;
	int moved;

	switch (dpp->kind) {
	case DPP_QUAD_PERM:
		return (int)((lane & ~3u) + dpp->select[lane & 3]);
	case DPP_ROW_SHL:
		moved = (int)(in + dpp->argument);
		return moved < 16 ? (int)row + moved : -1;
	case DPP_ROW_SHR:
		moved = (int)in - dpp->argument;
		return moved >= 0 ? (int)row + moved : -1;
	case DPP_ROW_ROR:
		return (int)(row + ((in - dpp->argument) & 15));
	case DPP_ROW_MIRROR:
		return (int)(row + 15 - in);
	case DPP_ROW_HALF_MIRROR:
		return (int)(row + (in & 8) + 7 - (in & 7));
	case DPP_ROW_SHARE:
		return (int)(row + dpp->argument);
	case DPP_ROW_XMASK:
		return (int)(row + (in ^ dpp->argument));
	case DPP_EIGHT:
		return (int)((lane & ~7u) + dpp->select[lane & 7]);
	default:
		return (int)lane;
	}
}

/* The lane of the first source that DPP puts into this one; -1: none, or one that is not active. */
static int source_lane(const struct wave *w, const struct dpp *dpp, unsigned lane)
{
	int from = lane_by_dpp(dpp, lane);

	return from >= 0 && (dpp->takes_inactive || wave_exec(w) >> from & 1) ? from : -1;
}

/* Not the lanes that DPP leaves alone: of rows and banks that are masked, or without a source. */
static uint64_t dpp_lanes(const struct wave *w, const struct dpp *dpp)
{
	uint64_t exec = wave_exec(w), lanes = 0;

	for (unsigned lane = 0; lane < w->lanes; lane++)
		if ((exec >> lane & 1) && (dpp->row_mask >> lane / 16 & 1) &&
		    (dpp->bank_mask >> lane / 4 % 4 & 1) &&
		    (dpp->bounded || source_lane(w, dpp, lane) >= 0))
			lanes |= 1ull << lane;
	return lanes;
}

/* An operand of all lanes: where its first lane lies, and how far it is to the next. */
struct view {
	const uint32_t *low, *high;
	unsigned step, width;
	uint32_t constants[2];
	const struct operand *operand;
	bool is_mask;
};

static void look_at(const struct wave *w, const struct operand *o, char letter, struct view *ret)
{
	*ret = (struct view){ .width = isa_width(letter),
			      .operand = o,
			      .is_mask = letter == 'm' || letter == 'v' };
	if (o->kind == OPERAND_VECTOR) {
		ret->low = w->v[o->index];
		ret->high = w->v[(o->index + 1) & 255];
		ret->step = 1;
	} else {
		uint64_t value = ret->is_mask && o->kind == OPERAND_SCALAR ? wave_mask(w, o->index)
									   : wave_scalar(w, o, 8);

		ret->constants[0] = (uint32_t)value;
		ret->constants[1] = (uint32_t)(value >> 32);
		ret->low = &ret->constants[0];
		ret->high = &ret->constants[1];
	}
}

static uint64_t with_signs(uint64_t value, const struct operand *o, unsigned width)
{
	uint64_t sign = 1ull << (width * 8 - 1);

	if (o->absolute)
		value &= ~sign;
	return o->negated ? value ^ sign : value;
}

/* A float without its denormals, for a wave whose mode does not have them. */
static uint64_t flushed(const struct wave *w, char letter, uint64_t bits)
{
	if (letter == 'f' && w->flushes_f32 && !(bits & 0x7f800000))
		return bits & 0x80000000;
	if (letter == 'g' && w->flushes_f64 && !(bits & 0x7ff0000000000000))
		return bits & 0x8000000000000000;
	return bits;
}

static uint64_t value_of(const struct view *v, unsigned lane)
{
	uint64_t value = v->low[lane * v->step];

	if (v->width == 8)
		value |= (uint64_t)v->high[lane * v->step] << 32;
	if (v->is_mask)
		return value >> lane & 1;
	if (v->width == 2)
		value = v->operand->high ? value >> 16 : value & 0xffff;
	return with_signs(value, v->operand, v->width);
}

/* ---- results ---- */

static double scaled(double value, const struct modifiers *m)
{
	value = ldexp(value, m->scale);
	if (m->clamp)
		value = value > 0 ? value < 1 ? value : 1 : 0;
	return value;
}

static uint64_t modified(uint64_t bits, char letter, const struct modifiers *m)
{
	float single;
	double twice;

	if (letter == 'f') {
		memcpy(&single, &bits, 4);
		single = (float)scaled((double)single, m);
		bits = 0;
		memcpy(&bits, &single, 4);
	} else if (letter == 'g') {
		memcpy(&twice, &bits, 8);
		twice = scaled(twice, m);
		memcpy(&bits, &twice, 8);
	}
	return bits;
}

/* The half of a register that is not written stays. */
static void put_lane(struct wave *w, const struct operand *o, char letter, unsigned lane,
		     uint64_t value)
{
	uint32_t *low;

	if (o->kind != OPERAND_VECTOR)
		return;
	low = &w->v[o->index][lane];
	switch (isa_width(letter)) {
	case 2:
		*low = o->high ? (*low & 0xffff) | (uint32_t)(value & 0xffff) << 16
			       : (*low & 0xffff0000) | (uint32_t)(value & 0xffff);
		break;
	case 8:
		w->v[(o->index + 1) & 255][lane] = (uint32_t)(value >> 32);
		*low = (uint32_t)value;
		break;
	default:
		*low = (uint32_t)value;
	}
}

/* What an instruction computes, before any of it is written: both halves of a pair read first. */
struct outcome {
	uint64_t lanes; /* that compute */
	uint64_t out[MOST_LANES], out2[MOST_LANES];
};

/* What the letters of results and sources are: a form is "dm=ddm". */
static const char *sources_of(const char *form)
{
	const char *equals = strchr(form, '=');

	return equals ? equals + 1 : "";
}

static void compute(const struct wave *w, const struct instruction *i, struct outcome *ret)
{
	const char *letters = sources_of(i->meaning->form);
	const struct dpp *dpp = &i->modifiers.dpp;
	struct view views[MOST_SOURCES];
	unsigned count = (unsigned)strlen(letters);

	for (unsigned n = 0; n < count; n++)
		look_at(w, &i->sources[n], letters[n], &views[n]);
	ret->lanes = dpp->kind ? dpp_lanes(w, dpp) : wave_exec(w);
	for (unsigned lane = 0; lane < w->lanes; lane++) {
		struct values v = { .wave = w, .lane = lane };
		int first = dpp->kind ? source_lane(w, dpp, lane) : (int)lane;

		if (!(ret->lanes >> lane & 1))
			continue;
		if (count > 0 && first >= 0)
			v.a = flushed(w, letters[0], value_of(&views[0], (unsigned)first));
		if (count > 1)
			v.b = flushed(w, letters[1], value_of(&views[1], lane));
		if (count > 2)
			v.c = flushed(w, letters[2], value_of(&views[2], lane));
		if (count > 3)
			v.e = value_of(&views[3], lane);
		i->meaning->compute(&v);
		ret->out[lane] = flushed(w, i->meaning->form[0], v.out);
		ret->out2[lane] = v.out2;
	}
}

/* Bits of lanes that do not compute are 0 in a mask that is written. */
static void put_mask(struct wave *w, const struct operand *o, const uint64_t *bits, uint64_t lanes)
{
	uint64_t mask = 0;

	for (unsigned lane = 0; lane < w->lanes; lane++)
		if (lanes >> lane & 1)
			mask |= (bits[lane] & 1) << lane;
	wave_set_mask(w, o->index, mask);
}

static void put(struct wave *w, const struct instruction *i, const struct outcome *from)
{
	const char *form = i->meaning->form;
	const struct modifiers *m = &i->modifiers;
	bool changes = m->clamp || m->scale;

	for (unsigned n = 0; form[n] != '='; n++) {
		const uint64_t *out = n == 0 ? from->out : from->out2;

		if (strchr("mxv", form[n])) {
			put_mask(w, &i->results[n], out, from->lanes);
			continue;
		}
		for (unsigned lane = 0; lane < w->lanes; lane++)
			if (from->lanes >> lane & 1)
				put_lane(w, &i->results[n], form[n], lane,
					 changes ? modified(out[lane], form[n], m) : out[lane]);
	}
}

static void run_lanes(struct wave *w, const struct instruction *i)
{
	struct outcome first, second;

	compute(w, i, &first);
	if (i->second)
		compute(w, i->second, &second);
	put(w, i, &first);
	if (i->second)
		put(w, i->second, &second);
}

/* ---- scalars ---- */

/* EXEC is as wide as the wave; a 32-bit instruction of a wave of 64 lanes has only its lower half. */
static uint64_t scalar_source(const struct wave *w, const struct operand *o, char letter)
{
	return letter == 'x' ? wave_mask(w, o->index) : wave_scalar(w, o, isa_width(letter));
}

static void run_scalar(struct wave *w, const struct instruction *i)
{
	const char *form = i->meaning->form, *letters = sources_of(form);
	uint64_t in[MOST_SOURCES] = { 0 };
	struct values v = { .wave = w };

	for (unsigned n = 0; letters[n]; n++)
		in[n] = scalar_source(w, &i->sources[n], letters[n]);
	v.a = in[0], v.b = in[1], v.c = in[2], v.e = in[3];
	i->meaning->compute(&v);
	for (unsigned n = 0; form[n] != '='; n++) {
		uint64_t out = n == 0 ? v.out : n == 1 ? v.out2 : v.out3;

		if (form[n] == 'x')
			wave_set_mask(w, EXEC, out);
		else
			wave_set_scalar(w, &i->results[n], isa_width(form[n]), out);
	}
}

void wave_execute(struct wave *w, const struct instruction *i)
{
	w->pc = i->address + i->size; /* a branch changes it */
	if (i->meaning->execute)
		i->meaning->execute(w, i);
	else if (i->meaning->name[0] == 's')
		run_scalar(w, i);
	else
		run_lanes(w, i);
}
