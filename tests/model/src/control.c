/*
 * control.c - instructions that say what comes next, and those that look at lanes other than their own
 *
 * The model runs one instruction after another and sees every write at once, so what waits for memory
 * or tells the scheduler something does nothing.
 */
#include "wave.h"

#include <stddef.h>

static void nothing(struct wave *w, const struct instruction *i)
{
	(void)w;
	(void)i;
}

static void end(struct wave *w, const struct instruction *i)
{
	(void)i;
	w->state = WAVE_ENDED;
}

static void wait_for_group(struct wave *w, const struct instruction *i)
{
	(void)i;
	w->state = WAVE_WAITS;
}

static void sleep_a_while(struct wave *w, const struct instruction *i)
{
	(void)i;
	w->sleeps = true;
}

/* ---- branches ---- */

enum condition {
	ALWAYS,
	IF_SCC_CLEAR,
	IF_SCC_SET,
	IF_VCC_CLEAR,
	IF_VCC_SET,
	IF_EXEC_CLEAR,
	IF_EXEC_SET
};

static bool holds(const struct wave *w, enum condition condition)
{
	switch (condition) {
	case IF_SCC_CLEAR:
		return !w->scc;
	case IF_SCC_SET:
		return w->scc;
	case IF_VCC_CLEAR:
		return wave_mask(w, VCC) == 0;
	case IF_VCC_SET:
		return wave_mask(w, VCC) != 0;
	case IF_EXEC_CLEAR:
		return wave_exec(w) == 0;
	case IF_EXEC_SET:
		return wave_exec(w) != 0;
	default:
		return true;
	}
}

/* So many words behind the next instruction. */
static void branch(struct wave *w, const struct instruction *i)
{
	if (holds(w, (enum condition)i->meaning->argument))
		w->pc += i->operands[0].constant * 4;
}

static void get_pc(struct wave *w, const struct instruction *i)
{
	wave_set_scalar(w, &i->operands[0], 8, w->pc);
}

static void set_pc(struct wave *w, const struct instruction *i)
{
	w->pc = wave_scalar(w, &i->operands[0], 8);
}

static void swap_pc(struct wave *w, const struct instruction *i)
{
	uint64_t to = wave_scalar(w, &i->operands[1], 8);

	wave_set_scalar(w, &i->operands[0], 8, w->pc);
	w->pc = to;
}

/* ---- modes ---- */

/* Two bits for floats, two for the others: 3 keeps denormals. */
static void set_denormals(struct wave *w, const struct instruction *i)
{
	w->flushes_f32 = (i->operands[0].constant & 3) != 3;
	w->flushes_f64 = (i->operands[0].constant >> 2 & 3) != 3;
}

/* ---- other lanes ---- */

static unsigned first_lane(const struct wave *w)
{
	uint64_t exec = wave_exec(w);

	return exec ? (unsigned)__builtin_ctzll(exec) : 0;
}

static void read_first(struct wave *w, const struct instruction *i)
{
	wave_set_scalar(w, &i->operands[0], 4, wave_lane(w, &i->operands[1], 0, first_lane(w)));
}

static void read_lane(struct wave *w, const struct instruction *i)
{
	unsigned lane = (unsigned)wave_scalar(w, &i->operands[2], 4) % w->lanes;

	wave_set_scalar(w, &i->operands[0], 4, wave_lane(w, &i->operands[1], 0, lane));
}

static void write_lane(struct wave *w, const struct instruction *i)
{
	unsigned lane = (unsigned)wave_scalar(w, &i->operands[2], 4) % w->lanes;

	w->v[i->operands[0].index][lane] = (uint32_t)wave_scalar(w, &i->operands[1], 4);
}

/* Registers by number: M0 is added to that of the source, or of the result. */
static void move_relative(struct wave *w, const struct instruction *i)
{
	bool is_source = i->meaning->argument;
	unsigned to = i->operands[0].index + (is_source ? 0 : w->s[M0]);
	struct operand from = i->operands[1];

	if (is_source)
		from.index = (uint8_t)(from.index + w->s[M0]);
	for (unsigned lane = 0; lane < w->lanes; lane++)
		if (wave_exec(w) >> lane & 1)
			w->v[to & 255][lane] = wave_lane(w, &from, 0, lane);
}

static void swap(struct wave *w, const struct instruction *i)
{
	for (unsigned lane = 0; lane < w->lanes; lane++) {
		uint32_t *a = &w->v[i->operands[0].index][lane];
		uint32_t *b = &w->v[i->operands[1].index][lane], kept = *a;

		if (!(wave_exec(w) >> lane & 1))
			continue;
		*a = *b;
		*b = kept;
	}
}

#define ROW(name, form, function, argument)          \
	{                                            \
		name, form, NULL, function, argument \
	}

/* A row without a form takes any words behind its name. */
const struct meaning isa_control[] = {
	ROW("s_nop", NULL, nothing, 0),
	ROW("s_waitcnt", NULL, nothing, 0),
	ROW("s_waitcnt_vscnt", NULL, nothing, 0),
	ROW("s_waitcnt_vmcnt", NULL, nothing, 0),
	ROW("s_waitcnt_lgkmcnt", NULL, nothing, 0),
	ROW("s_waitcnt_expcnt", NULL, nothing, 0),
	ROW("s_waitcnt_depctr", NULL, nothing, 0),
	ROW("s_delay_alu", NULL, nothing, 0),
	ROW("s_clause", NULL, nothing, 0),
	ROW("s_sendmsg", NULL, nothing, 0),
	ROW("s_setprio", NULL, nothing, 0),
	ROW("s_set_inst_prefetch_distance", NULL, nothing, 0),
	ROW("s_icache_inv", NULL, nothing, 0),
	ROW("s_dcache_inv", NULL, nothing, 0),
	ROW("buffer_gl0_inv", NULL, nothing, 0),
	ROW("buffer_gl1_inv", NULL, nothing, 0),
	ROW("v_nop", NULL, nothing, 0),
	ROW("s_sleep", NULL, sleep_a_while, 0),
	ROW("s_endpgm", NULL, end, 0),
	ROW("s_barrier", NULL, wait_for_group, 0),
	ROW("s_denorm_mode", "", set_denormals, 0),
	ROW("s_branch", "k", branch, ALWAYS),
	ROW("s_cbranch_scc0", "k", branch, IF_SCC_CLEAR),
	ROW("s_cbranch_scc1", "k", branch, IF_SCC_SET),
	ROW("s_cbranch_vccz", "k", branch, IF_VCC_CLEAR),
	ROW("s_cbranch_vccnz", "k", branch, IF_VCC_SET),
	ROW("s_cbranch_execz", "k", branch, IF_EXEC_CLEAR),
	ROW("s_cbranch_execnz", "k", branch, IF_EXEC_SET),
	ROW("s_getpc_b64", "", get_pc, 0),
	ROW("s_setpc_b64", "", set_pc, 0),
	ROW("s_swappc_b64", "", swap_pc, 0),
	ROW("v_readfirstlane_b32", "", read_first, 0),
	ROW("v_readlane_b32", "", read_lane, 0),
	ROW("v_writelane_b32", "", write_lane, 0),
	ROW("v_movrels_b32", "", move_relative, true),
	ROW("v_movreld_b32", "", move_relative, false),
	ROW("v_swap_b32", "", swap, 0),
	{ NULL, NULL, NULL, NULL, 0 },
};
