/*
 * integers.c - instructions on whole numbers, bits and masks, for scalars and for lanes
 *
 * A function reads a, b and c and writes out; out2 is the carry, the condition or SCC where the form
 * of a row has one. What a result is too narrow for is cut off when it is written.
 */
#include "wave.h"

#include <stddef.h>

#define FN(name, ...)                      \
	static void name(struct values *v) \
	{                                  \
		__VA_ARGS__;               \
	}
#define U(x)   ((uint32_t)v->x)
#define S(x)   ((int32_t)v->x)
#define U16(x) ((uint16_t)v->x)
#define S16(x) ((int16_t)v->x)
#define S64(x) ((int64_t)v->x)

/* Scalars say in SCC whether the result is not 0. */
#define NZ32 v->out2 = (uint32_t)v->out != 0
#define NZ64 v->out2 = v->out != 0

/* ---- moving and choosing ---- */

FN(move, v->out = v->a)
FN(choose, v->out = v->c & 1 ? v->b : v->a)        /* v_cndmask */
FN(select_by_scc, v->out = v->c & 1 ? v->a : v->b) /* s_cselect */
FN(move_if, v->out = v->b & 1 ? v->a : v->c)       /* s_cmov: the third is what was there */

/* ---- addition ---- */

FN(add, v->out = v->a + v->b)
FN(subtract, v->out = v->a - v->b)
FN(subtract_reversed, v->out = v->b - v->a)
FN(add_carry, v->out = v->a + v->b; v->out2 = v->out >> 32 & 1)
FN(add_with_carry, v->out = v->a + v->b + v->c; v->out2 = v->out >> 32 & 1)
FN(subtract_borrow, v->out = v->a - v->b; v->out2 = v->a < v->b)
FN(subtract_with_borrow, v->out = v->a - v->b - v->c; v->out2 = v->a < v->b + v->c)
FN(subtract_reversed_borrow, v->out = v->b - v->a; v->out2 = v->b < v->a)
FN(subtract_reversed_with_borrow, v->out = v->b - v->a - v->c; v->out2 = v->b < v->a + v->c)
FN(add_overflow, int32_t r; v->out2 = __builtin_add_overflow(S(a), S(b), &r); v->out = (uint32_t)r)
FN(subtract_overflow, int32_t r; v->out2 = __builtin_sub_overflow(S(a), S(b), &r);
   v->out = (uint32_t)r)
FN(add3, v->out = v->a + v->b + v->c)
FN(shift_add, v->out = (U(a) << (U(b) & 31)) + U(c))
FN(add_shift, v->out = (U(a) + U(b)) << (U(c) & 31))
FN(xor_add, v->out = (U(a) ^ U(b)) + U(c))
#define SHIFT_ADD(n) FN(shift##n##_add, v->out = (v->a << (n)) + v->b; v->out2 = v->out >> 32 != 0)
SHIFT_ADD(1)
SHIFT_ADD(2)
SHIFT_ADD(3)
SHIFT_ADD(4)
FN(absolute, v->out = S(a) < 0 ? 0 - U(a) : U(a); NZ32)
FN(absolute_difference, v->out = S(a) > S(b) ? U(a) - U(b) : U(b) - U(a); NZ32)

/* ---- multiplication ---- */

static int32_t signed24(uint64_t x)
{
	return (int32_t)((uint32_t)x << 8) >> 8;
}

#define U24(x) ((uint32_t)v->x & 0xffffff)
#define S24(x) signed24(v->x)

FN(multiply, v->out = U(a) * U(b))
FN(multiply_high_u, v->out = (uint64_t)U(a) * U(b) >> 32)
FN(multiply_high_i, v->out = (uint64_t)((int64_t)S(a) * S(b)) >> 32)
FN(multiply_u24, v->out = (uint64_t)U24(a) * U24(b))
FN(multiply_high_u24, v->out = (uint64_t)U24(a) * U24(b) >> 32)
FN(multiply_i24, v->out = (uint64_t)((int64_t)S24(a) * S24(b)))
FN(mad_u24, v->out = (uint64_t)U24(a) * U24(b) + v->c)
FN(mad_i24, v->out = (uint64_t)((int64_t)S24(a) * S24(b)) + v->c)
FN(mad_u32_u16, v->out = (uint32_t)U16(a) * U16(b) + U(c))
FN(mad_i32_i16, v->out = (uint32_t)(S16(a) * S16(b)) + U(c))
FN(mad_u16, v->out = (uint32_t)U16(a) * U16(b) + U16(c))
FN(mad_u64, v->out2 = __builtin_add_overflow((uint64_t)U(a) * U(b), v->c, &v->out))
FN(mad_i64, int64_t r; v->out2 = __builtin_add_overflow((int64_t)S(a) * S(b), S64(c), &r);
   v->out = (uint64_t)r)

/* ---- bits ---- */

#define LOGIC(name, expression)                   \
	FN(name##32, v->out = (expression); NZ32) \
	FN(name##64, v->out = (expression); NZ64)
LOGIC(and, v->a & v->b)
LOGIC(or, v->a | v->b)
LOGIC(xor, v->a ^ v->b)
LOGIC(not_and, ~(v->a & v->b))
LOGIC(not_or, ~(v->a | v->b))
LOGIC(not_xor, ~(v->a ^ v->b))
LOGIC(and_not, v->a & ~v->b)
LOGIC(or_not, v->a | ~v->b)
LOGIC(not, ~v->a)

FN(or3, v->out = v->a | v->b | v->c)
FN(xor3, v->out = v->a ^ v->b ^ v->c)
FN(and_or, v->out = (v->a & v->b) | v->c)
FN(shift_or, v->out = (U(a) << (U(b) & 31)) | U(c))

/* Scalars shift the first by the second, lanes the second by the first. */
FN(shift_left, v->out = U(a) << (U(b) & 31); NZ32)
FN(shift_right, v->out = U(a) >> (U(b) & 31); NZ32)
FN(shift_right_i, v->out = (uint32_t)(S(a) >> (U(b) & 31)); NZ32)
FN(shift_left64, v->out = v->a << (v->b & 63); NZ64)
FN(shift_right64, v->out = v->a >> (v->b & 63); NZ64)
FN(shift_right_i64, v->out = (uint64_t)(S64(a) >> (v->b & 63)); NZ64)
FN(left_by, v->out = U(b) << (U(a) & 31))
FN(right_by, v->out = U(b) >> (U(a) & 31))
FN(right_by_i, v->out = (uint32_t)(S(b) >> (U(a) & 31)))
FN(left_by16, v->out = U(b) << (U(a) & 15))
FN(right_by16, v->out = U16(b) >> (U(a) & 15))
FN(right_by_i16, v->out = (uint32_t)(S16(b) >> (U(a) & 15)))
FN(left_by64, v->out = v->b << (v->a & 63))
FN(right_by64, v->out = v->b >> (v->a & 63))
FN(right_by_i64, v->out = (uint64_t)(S64(b) >> (v->a & 63)))

static uint64_t ones(unsigned count)
{
	return count >= 64 ? UINT64_MAX : (1ull << count) - 1;
}

/* `count` bits from `first` on, of 64 that are given; with their sign if asked. */
static uint64_t field(uint64_t value, unsigned first, unsigned count, bool is_signed)
{
	uint64_t bits = value >> first & ones(count);

	if (is_signed && count > 0 && count < 64 && bits >> (count - 1) & 1)
		bits |= ~ones(count);
	return bits;
}

/* A scalar has place and width in one operand, 16 bits apart. */
FN(field_u, v->out = field(U(a), U(b) & 31, U(b) >> 16 & 127, false); NZ32)
FN(field_i, v->out = field((uint64_t)(int64_t)S(a), U(b) & 31, U(b) >> 16 & 127, true); NZ32)
FN(field_u64, v->out = field(v->a, U(b) & 63, U(b) >> 16 & 127, false); NZ64)
FN(field_i64, v->out = field(v->a, U(b) & 63, U(b) >> 16 & 127, true); NZ64)
FN(lane_field_u, v->out = field(U(a), U(b) & 31, U(c) & 31, false))
FN(lane_field_i, v->out = field((uint64_t)(int64_t)S(a), U(b) & 31, U(c) & 31, true))
FN(insert, v->out = (v->a & v->b) | (~v->a & v->c))
FN(field_mask, v->out = ones(U(a) & 31) << (U(b) & 31))
FN(field_mask64, v->out = ones(U(a) & 63) << (U(b) & 63))
FN(align_bits, v->out = (v->a << 32 | v->b) >> (U(c) & 31))
FN(align_bytes, v->out = (v->a << 32 | v->b) >> (U(c) & 3) * 8)
FN(test_bit_clear, v->out = !(v->a >> (U(b) & 31) & 1))
FN(test_bit_set, v->out = v->a >> (U(b) & 31) & 1)
FN(test_bit_clear64, v->out = !(v->a >> (U(b) & 63) & 1))
FN(test_bit_set64, v->out = v->a >> (U(b) & 63) & 1)
FN(clear_bit, v->out = v->b & ~(1ull << (U(a) & 31)))
FN(set_bit, v->out = v->b | 1ull << (U(a) & 31))
FN(extend8, v->out = (uint32_t)(int8_t)v->a)
FN(extend16, v->out = (uint32_t)(int16_t)v->a)
FN(pack_low_low, v->out = (v->b & 0xffff) << 16 | (v->a & 0xffff))
FN(pack_low_high, v->out = (v->b & 0xffff0000) | (v->a & 0xffff))
FN(pack_high_high, v->out = (v->b & 0xffff0000) | v->a >> 16)
FN(pack_high_low, v->out = (v->b & 0xffff) << 16 | v->a >> 16)

FN(count_ones, v->out = (unsigned)__builtin_popcount(U(a)); NZ32)
FN(count_ones64, v->out = (unsigned)__builtin_popcountll(v->a); NZ32)
FN(count_ones_add, v->out = (unsigned)__builtin_popcount(U(a)) + U(b))
FN(leading, v->out = U(a) ? (unsigned)__builtin_clz(U(a)) : UINT32_MAX)
FN(leading64, v->out = v->a ? (unsigned)__builtin_clzll(v->a) : UINT32_MAX)
FN(trailing, v->out = U(a) ? (unsigned)__builtin_ctz(U(a)) : UINT32_MAX)
FN(trailing64, v->out = v->a ? (unsigned)__builtin_ctzll(v->a) : UINT32_MAX)
/* How many bits at the top are like the sign; all of them are none. */
FN(leading_signs, uint32_t x = S(a) < 0 ? ~U(a) : U(a);
   v->out = x ? (unsigned)__builtin_clz(x) : UINT32_MAX)

static uint64_t reversed(uint64_t value, unsigned bits)
{
	uint64_t result = 0;

	for (unsigned n = 0; n < bits; n++)
		result |= (value >> n & 1) << (bits - 1 - n);
	return result;
}

FN(reverse, v->out = reversed(v->a, 32))
FN(reverse64, v->out = reversed(v->a, 64))

/* Bytes of b, then a, or constants: each byte of c chooses one. */
static uint8_t chosen_byte(uint64_t both, uint8_t selector)
{
	if (selector >= 13)
		return 0xff;
	if (selector == 12)
		return 0;
	if (selector >= 8)
		return both >> ((selector - 8) * 16 + 15) & 1 ? 0xff : 0;
	return (uint8_t)(both >> selector * 8);
}

static void permute_bytes(struct values *v)
{
	uint64_t both = v->a << 32 | v->b;

	for (unsigned n = 0; n < 4; n++)
		v->out |= (uint64_t)chosen_byte(both, (uint8_t)(v->c >> n * 8)) << n * 8;
}

/* The bits of a mask that belong to lanes before this one. */
FN(ones_before,
   v->out = U(b) + (unsigned)__builtin_popcount(U(a) & (uint32_t)ones(v->lane < 32 ? v->lane : 32)))
FN(ones_before_high,
   v->out = U(b) +
	    (unsigned)__builtin_popcount(U(a) & (uint32_t)ones(v->lane < 32 ? 0 : v->lane - 32)))

/* ---- order ---- */

#define ORDER(suffix, A, B, C)               \
	FN(lt_##suffix, v->out = (A) < (B))  \
	FN(eq_##suffix, v->out = (A) == (B)) \
	FN(le_##suffix, v->out = (A) <= (B)) \
	FN(gt_##suffix, v->out = (A) > (B))  \
	FN(ne_##suffix, v->out = (A) != (B)) \
	FN(ge_##suffix, v->out = (A) >= (B))
#define EXTREMES(suffix, A, B, C)                                                                 \
	FN(min_##suffix, v->out2 = (A) < (B); v->out = (A) < (B) ? v->a : v->b)                   \
	FN(max_##suffix, v->out2 = (A) > (B); v->out = (A) > (B) ? v->a : v->b)                   \
	FN(min3_##suffix, v->out = (A) < (B) ? (A) < (C) ? v->a : v->c : (B) < (C) ? v->b : v->c) \
	FN(max3_##suffix, v->out = (A) > (B) ? (A) > (C) ? v->a : v->c : (B) > (C) ? v->b : v->c) \
	FN(med3_##suffix, v->out = ((A) < (B)) == ((B) < (C))   ? v->b                            \
				   : ((A) < (B)) == ((C) < (A)) ? v->a                            \
								: v->c)
ORDER(i32, S(a), S(b), S(c))
ORDER(u32, U(a), U(b), U(c))
ORDER(i64, S64(a), S64(b), S64(c))
ORDER(u64, v->a, v->b, v->c)
ORDER(i16, S16(a), S16(b), S16(c))
ORDER(u16, U16(a), U16(b), U16(c))
EXTREMES(i32, S(a), S(b), S(c))
EXTREMES(u32, U(a), U(b), U(c))
EXTREMES(i16, S16(a), S16(b), S16(c))
EXTREMES(u16, U16(a), U16(b), U16(c))

/* ---- EXEC ---- */

/* The first is written with EXEC as it was; out2 is EXEC as it becomes, out3 whether any lane is left. */
#define SAVE_EXEC(name, expression) \
	FN(save_##name, v->out = v->b; v->out2 = (expression); v->out3 = v->out2 != 0)
SAVE_EXEC(and, v->a & v->b)
SAVE_EXEC(or, v->a | v->b)
SAVE_EXEC(xor, v->a ^ v->b)
SAVE_EXEC(and_not0, ~v->a & v->b)
SAVE_EXEC(and_not1, v->a & ~v->b)
SAVE_EXEC(or_not0, ~v->a | v->b)
SAVE_EXEC(or_not1, v->a | ~v->b)

/* ---- the table ---- */

#define ROW_LOGIC(name, function)                                \
	{ "s_" name "_b32", "dc=dd", function##32, NULL, 0 },    \
	{                                                        \
		"s_" name "_b64", "qc=qq", function##64, NULL, 0 \
	}
#define ROW_SAVE(name, function)                                              \
	{ "s_" name "_saveexec_b32", "dxc=dx", save_##function, NULL, 0 },    \
	{                                                                     \
		"s_" name "_saveexec_b64", "qxc=qx", save_##function, NULL, 0 \
	}
#define ROW_LANE_ORDER(suffix, l)                                         \
	{ "v_cmp_lt_" #suffix, "m=" l l, lt_##suffix, NULL, 0 },          \
		{ "v_cmp_eq_" #suffix, "m=" l l, eq_##suffix, NULL, 0 },  \
		{ "v_cmp_le_" #suffix, "m=" l l, le_##suffix, NULL, 0 },  \
		{ "v_cmp_gt_" #suffix, "m=" l l, gt_##suffix, NULL, 0 },  \
		{ "v_cmp_ne_" #suffix, "m=" l l, ne_##suffix, NULL, 0 },  \
		{ "v_cmp_ge_" #suffix, "m=" l l, ge_##suffix, NULL, 0 },  \
		{ "v_cmpx_lt_" #suffix, "x=" l l, lt_##suffix, NULL, 0 }, \
		{ "v_cmpx_eq_" #suffix, "x=" l l, eq_##suffix, NULL, 0 }, \
		{ "v_cmpx_le_" #suffix, "x=" l l, le_##suffix, NULL, 0 }, \
		{ "v_cmpx_gt_" #suffix, "x=" l l, gt_##suffix, NULL, 0 }, \
		{ "v_cmpx_ne_" #suffix, "x=" l l, ne_##suffix, NULL, 0 }, \
	{                                                                 \
		"v_cmpx_ge_" #suffix, "x=" l l, ge_##suffix, NULL, 0      \
	}
#define ROW_SCALAR_ORDER(prefix, suffix, letters)                             \
	{ prefix "lt_" #suffix, "c=" letters, lt_##suffix, NULL, 0 },         \
		{ prefix "eq_" #suffix, "c=" letters, eq_##suffix, NULL, 0 }, \
		{ prefix "le_" #suffix, "c=" letters, le_##suffix, NULL, 0 }, \
		{ prefix "gt_" #suffix, "c=" letters, gt_##suffix, NULL, 0 }, \
		{ prefix "lg_" #suffix, "c=" letters, ne_##suffix, NULL, 0 }, \
	{                                                                     \
		prefix "ge_" #suffix, "c=" letters, ge_##suffix, NULL, 0      \
	}
#define ROW_EXTREMES(suffix, l)                                             \
	{ "v_min_" #suffix, l "=" l l, min_##suffix, NULL, 0 },             \
		{ "v_max_" #suffix, l "=" l l, max_##suffix, NULL, 0 },     \
		{ "v_min3_" #suffix, l "=" l l l, min3_##suffix, NULL, 0 }, \
		{ "v_max3_" #suffix, l "=" l l l, max3_##suffix, NULL, 0 }, \
	{                                                                   \
		"v_med3_" #suffix, l "=" l l l, med3_##suffix, NULL, 0      \
	}

const struct meaning isa_integers[] = {
	/* scalars */
	{ "s_mov_b32", "d=d", move, NULL, 0 },
	{ "s_mov_b64", "q=q", move, NULL, 0 },
	{ "s_movk_i32", "d=k", move, NULL, 0 },
	{ "s_cmov_b32", "d=dc+", move_if, NULL, 0 },
	{ "s_cmov_b64", "q=qc+", move_if, NULL, 0 },
	{ "s_cmovk_i32", "d=kc+", move_if, NULL, 0 },
	{ "s_cselect_b32", "d=ddc", select_by_scc, NULL, 0 },
	{ "s_cselect_b64", "q=qqc", select_by_scc, NULL, 0 },
	{ "s_add_u32", "dc=dd", add_carry, NULL, 0 },
	{ "s_addc_u32", "dc=ddc", add_with_carry, NULL, 0 },
	{ "s_sub_u32", "dc=dd", subtract_borrow, NULL, 0 },
	{ "s_subb_u32", "dc=ddc", subtract_with_borrow, NULL, 0 },
	{ "s_add_i32", "dc=dd", add_overflow, NULL, 0 },
	{ "s_sub_i32", "dc=dd", subtract_overflow, NULL, 0 },
	{ "s_addk_i32", "dc=k+", add_overflow, NULL, 0 },
	{ "s_lshl1_add_u32", "dc=dd", shift1_add, NULL, 0 },
	{ "s_lshl2_add_u32", "dc=dd", shift2_add, NULL, 0 },
	{ "s_lshl3_add_u32", "dc=dd", shift3_add, NULL, 0 },
	{ "s_lshl4_add_u32", "dc=dd", shift4_add, NULL, 0 },
	{ "s_abs_i32", "dc=d", absolute, NULL, 0 },
	{ "s_absdiff_i32", "dc=dd", absolute_difference, NULL, 0 },
	{ "s_mul_i32", "d=dd", multiply, NULL, 0 },
	{ "s_mulk_i32", "d=k+", multiply, NULL, 0 },
	{ "s_mul_hi_u32", "d=dd", multiply_high_u, NULL, 0 },
	{ "s_mul_hi_i32", "d=dd", multiply_high_i, NULL, 0 },
	{ "s_min_i32", "dc=dd", min_i32, NULL, 0 },
	{ "s_min_u32", "dc=dd", min_u32, NULL, 0 },
	{ "s_max_i32", "dc=dd", max_i32, NULL, 0 },
	{ "s_max_u32", "dc=dd", max_u32, NULL, 0 },
	ROW_LOGIC("and", and),
	ROW_LOGIC("or", or),
	ROW_LOGIC("xor", xor),
	ROW_LOGIC("nand", not_and),
	ROW_LOGIC("nor", not_or),
	ROW_LOGIC("xnor", not_xor),
	ROW_LOGIC("and_not1", and_not),
	ROW_LOGIC("or_not1", or_not),
	{ "s_not_b32", "dc=d", not32, NULL, 0 },
	{ "s_not_b64", "qc=q", not64, NULL, 0 },
	{ "s_lshl_b32", "dc=dd", shift_left, NULL, 0 },
	{ "s_lshr_b32", "dc=dd", shift_right, NULL, 0 },
	{ "s_ashr_i32", "dc=dd", shift_right_i, NULL, 0 },
	{ "s_lshl_b64", "qc=qd", shift_left64, NULL, 0 },
	{ "s_lshr_b64", "qc=qd", shift_right64, NULL, 0 },
	{ "s_ashr_i64", "qc=qd", shift_right_i64, NULL, 0 },
	{ "s_bfe_u32", "dc=dd", field_u, NULL, 0 },
	{ "s_bfe_i32", "dc=dd", field_i, NULL, 0 },
	{ "s_bfe_u64", "qc=qd", field_u64, NULL, 0 },
	{ "s_bfe_i64", "qc=qd", field_i64, NULL, 0 },
	{ "s_bfm_b32", "d=dd", field_mask, NULL, 0 },
	{ "s_bfm_b64", "q=dd", field_mask64, NULL, 0 },
	{ "s_bitcmp0_b32", "c=dd", test_bit_clear, NULL, 0 },
	{ "s_bitcmp1_b32", "c=dd", test_bit_set, NULL, 0 },
	{ "s_bitcmp0_b64", "c=qd", test_bit_clear64, NULL, 0 },
	{ "s_bitcmp1_b64", "c=qd", test_bit_set64, NULL, 0 },
	{ "s_bitset0_b32", "d=d+", clear_bit, NULL, 0 },
	{ "s_bitset1_b32", "d=d+", set_bit, NULL, 0 },
	{ "s_sext_i32_i8", "d=d", extend8, NULL, 0 },
	{ "s_sext_i32_i16", "d=d", extend16, NULL, 0 },
	{ "s_pack_ll_b32_b16", "d=dd", pack_low_low, NULL, 0 },
	{ "s_pack_lh_b32_b16", "d=dd", pack_low_high, NULL, 0 },
	{ "s_pack_hh_b32_b16", "d=dd", pack_high_high, NULL, 0 },
	{ "s_pack_hl_b32_b16", "d=dd", pack_high_low, NULL, 0 },
	{ "s_bcnt1_i32_b32", "dc=d", count_ones, NULL, 0 },
	{ "s_bcnt1_i32_b64", "dc=q", count_ones64, NULL, 0 },
	{ "s_clz_i32_u32", "d=d", leading, NULL, 0 },
	{ "s_clz_i32_u64", "d=q", leading64, NULL, 0 },
	{ "s_ctz_i32_b32", "d=d", trailing, NULL, 0 },
	{ "s_ctz_i32_b64", "d=q", trailing64, NULL, 0 },
	{ "s_cls_i32", "d=d", leading_signs, NULL, 0 },
	{ "s_brev_b32", "d=d", reverse, NULL, 0 },
	{ "s_brev_b64", "q=q", reverse64, NULL, 0 },
	ROW_SCALAR_ORDER("s_cmp_", i32, "dd"),
	ROW_SCALAR_ORDER("s_cmp_", u32, "dd"),
	ROW_SCALAR_ORDER("s_cmpk_", i32, "dk"),
	ROW_SCALAR_ORDER("s_cmpk_", u32, "dK"),
	{ "s_cmp_eq_u64", "c=qq", eq_u64, NULL, 0 },
	{ "s_cmp_lg_u64", "c=qq", ne_u64, NULL, 0 },
	ROW_SAVE("and", and),
	ROW_SAVE("or", or),
	ROW_SAVE("xor", xor),
	ROW_SAVE("and_not0", and_not0),
	ROW_SAVE("and_not1", and_not1),
	ROW_SAVE("or_not0", or_not0),
	ROW_SAVE("or_not1", or_not1),

	/* lanes */
	{ "v_mov_b32", "d=d", move, NULL, 0 },
	{ "v_mov_b16", "w=w", move, NULL, 0 },
	{ "v_cndmask_b32", "d=ddm", choose, NULL, 0 },
	{ "v_cndmask_b16", "w=wwm", choose, NULL, 0 },
	{ "v_add_nc_u32", "d=dd", add, NULL, 0 },
	{ "v_add_nc_i32", "d=dd", add, NULL, 0 },
	{ "v_add_nc_u16", "w=ww", add, NULL, 0 },
	{ "v_add_nc_i16", "w=ww", add, NULL, 0 },
	{ "v_sub_nc_u32", "d=dd", subtract, NULL, 0 },
	{ "v_sub_nc_i32", "d=dd", subtract, NULL, 0 },
	{ "v_sub_nc_u16", "w=ww", subtract, NULL, 0 },
	{ "v_sub_nc_i16", "w=ww", subtract, NULL, 0 },
	{ "v_subrev_nc_u32", "d=dd", subtract_reversed, NULL, 0 },
	{ "v_add_co_u32", "dm=dd", add_carry, NULL, 0 },
	{ "v_add_co_ci_u32", "dm=ddm", add_with_carry, NULL, 0 },
	{ "v_sub_co_u32", "dm=dd", subtract_borrow, NULL, 0 },
	{ "v_sub_co_ci_u32", "dm=ddm", subtract_with_borrow, NULL, 0 },
	{ "v_subrev_co_u32", "dm=dd", subtract_reversed_borrow, NULL, 0 },
	{ "v_subrev_co_ci_u32", "dm=ddm", subtract_reversed_with_borrow, NULL, 0 },
	{ "v_add3_u32", "d=ddd", add3, NULL, 0 },
	{ "v_lshl_add_u32", "d=ddd", shift_add, NULL, 0 },
	{ "v_add_lshl_u32", "d=ddd", add_shift, NULL, 0 },
	{ "v_xad_u32", "d=ddd", xor_add, NULL, 0 },
	{ "v_mul_lo_u32", "d=dd", multiply, NULL, 0 },
	{ "v_mul_lo_u16", "w=ww", multiply, NULL, 0 },
	{ "v_mul_hi_u32", "d=dd", multiply_high_u, NULL, 0 },
	{ "v_mul_hi_i32", "d=dd", multiply_high_i, NULL, 0 },
	{ "v_mul_u32_u24", "d=dd", multiply_u24, NULL, 0 },
	{ "v_mul_hi_u32_u24", "d=dd", multiply_high_u24, NULL, 0 },
	{ "v_mul_i32_i24", "d=dd", multiply_i24, NULL, 0 },
	{ "v_mad_u32_u24", "d=ddd", mad_u24, NULL, 0 },
	{ "v_mad_i32_i24", "d=ddd", mad_i24, NULL, 0 },
	{ "v_mad_u32_u16", "d=wwd", mad_u32_u16, NULL, 0 },
	{ "v_mad_i32_i16", "d=wwd", mad_i32_i16, NULL, 0 },
	{ "v_mad_u16", "w=www", mad_u16, NULL, 0 },
	{ "v_mad_u64_u32", "qm=ddq", mad_u64, NULL, 0 },
	{ "v_mad_i64_i32", "qm=ddq", mad_i64, NULL, 0 },
	{ "v_and_b32", "d=dd", and32, NULL, 0 },
	{ "v_or_b32", "d=dd", or32, NULL, 0 },
	{ "v_xor_b32", "d=dd", xor32, NULL, 0 },
	{ "v_xnor_b32", "d=dd", not_xor32, NULL, 0 },
	{ "v_not_b32", "d=d", not32, NULL, 0 },
	{ "v_and_b16", "w=ww", and32, NULL, 0 },
	{ "v_or_b16", "w=ww", or32, NULL, 0 },
	{ "v_xor_b16", "w=ww", xor32, NULL, 0 },
	{ "v_not_b16", "w=w", not32, NULL, 0 },
	{ "v_or3_b32", "d=ddd", or3, NULL, 0 },
	{ "v_xor3_b32", "d=ddd", xor3, NULL, 0 },
	{ "v_and_or_b32", "d=ddd", and_or, NULL, 0 },
	{ "v_lshl_or_b32", "d=ddd", shift_or, NULL, 0 },
	{ "v_lshlrev_b32", "d=dd", left_by, NULL, 0 },
	{ "v_lshrrev_b32", "d=dd", right_by, NULL, 0 },
	{ "v_ashrrev_i32", "d=dd", right_by_i, NULL, 0 },
	{ "v_lshlrev_b16", "w=ww", left_by16, NULL, 0 },
	{ "v_lshrrev_b16", "w=ww", right_by16, NULL, 0 },
	{ "v_ashrrev_i16", "w=ww", right_by_i16, NULL, 0 },
	{ "v_lshlrev_b64", "q=dq", left_by64, NULL, 0 },
	{ "v_lshrrev_b64", "q=dq", right_by64, NULL, 0 },
	{ "v_ashrrev_i64", "q=dq", right_by_i64, NULL, 0 },
	{ "v_bfe_u32", "d=ddd", lane_field_u, NULL, 0 },
	{ "v_bfe_i32", "d=ddd", lane_field_i, NULL, 0 },
	{ "v_bfi_b32", "d=ddd", insert, NULL, 0 },
	{ "v_bfm_b32", "d=dd", field_mask, NULL, 0 },
	{ "v_alignbit_b32", "d=ddd", align_bits, NULL, 0 },
	{ "v_alignbyte_b32", "d=ddd", align_bytes, NULL, 0 },
	{ "v_perm_b32", "d=ddd", permute_bytes, NULL, 0 },
	{ "v_bfrev_b32", "d=d", reverse, NULL, 0 },
	{ "v_bcnt_u32_b32", "d=dd", count_ones_add, NULL, 0 },
	{ "v_clz_i32_u32", "d=d", leading, NULL, 0 },
	{ "v_ctz_i32_b32", "d=d", trailing, NULL, 0 },
	{ "v_cls_i32", "d=d", leading_signs, NULL, 0 },
	{ "v_mbcnt_lo_u32_b32", "d=dd", ones_before, NULL, 0 },
	{ "v_mbcnt_hi_u32_b32", "d=dd", ones_before_high, NULL, 0 },
	ROW_EXTREMES(i32, "d"),
	ROW_EXTREMES(u32, "d"),
	ROW_EXTREMES(i16, "w"),
	ROW_EXTREMES(u16, "w"),
	ROW_LANE_ORDER(i32, "d"),
	ROW_LANE_ORDER(u32, "d"),
	ROW_LANE_ORDER(i64, "q"),
	ROW_LANE_ORDER(u64, "q"),
	ROW_LANE_ORDER(i16, "w"),
	ROW_LANE_ORDER(u16, "w"),
	{ NULL, NULL, NULL, NULL, 0 },
};
