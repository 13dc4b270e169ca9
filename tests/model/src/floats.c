/*
 * floats.c - instructions on floats and doubles
 *
 * What IEEE 754 defines is computed by the host, which rounds to nearest, as every dispatch wants
 * that is accepted (dispatch.c). v_rcp, v_rsq, v_sqrt, v_exp, v_log, v_sin and v_cos are correct to
 * the last bit or nearly so here; a real GPU may be off by one, so a test may not rely on them.
 */
#include "wave.h"

#include <math.h>
#include <string.h>

static float f32(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float value;

	memcpy(&value, &low, 4);
	return value;
}

static uint64_t bits32(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, 4);
	return bits;
}

static double f64(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, 8);
	return value;
}

static uint64_t bits64(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, 8);
	return bits;
}

#define FN(name, ...)                      \
	static void name(struct values *v) \
	{                                  \
		__VA_ARGS__;               \
	}

/* The same for floats and doubles: F(x) is a source, the result goes where it belongs. */
#define BOTH(name, single, twice)               \
	FN(name##_f32, v->out = bits32(single)) \
	FN(name##_f64, v->out = bits64(twice))
#define A32 f32(v->a)
#define B32 f32(v->b)
#define C32 f32(v->c)
#define A64 f64(v->a)
#define B64 f64(v->b)
#define C64 f64(v->c)

/* ---- arithmetic ---- */

BOTH(add, A32 + B32, A64 + B64)
FN(subtract, v->out = bits32(A32 - B32))
FN(subtract_reversed, v->out = bits32(B32 - A32))
BOTH(multiply, A32 *B32, A64 *B64)
BOTH(fuse, fmaf(A32, B32, C32), fma(A64, B64, C64))
BOTH(truncate, truncf(A32), trunc(A64))
BOTH(floor, floorf(A32), floor(A64))
BOTH(ceil, ceilf(A32), ceil(A64))
BOTH(nearest, rintf(A32), rint(A64))
BOTH(reciprocal, 1 / A32, 1 / A64)
BOTH(root, sqrtf(A32), sqrt(A64))
BOTH(reciprocal_root, (float)(1 / sqrt((double)A32)), 1 / sqrt(A64))
BOTH(scale_by_power, ldexpf(A32, (int32_t)v->b), ldexp(A64, (int32_t)v->b))
BOTH(fraction, fminf(A32 - floorf(A32), 0x1.fffffep-1f),
     fmin(A64 - floor(A64), 0x1.fffffffffffffp-1))
FN(exponential, v->out = bits32((float)exp2((double)A32)))
FN(logarithm, v->out = bits32((float)log2((double)A32)))
FN(sine, v->out = bits32((float)sin((double)A32 * 2 * M_PI))) /* of turns */
FN(cosine, v->out = bits32((float)cos((double)A32 * 2 * M_PI)))

/* A number is more than none, and +0 more than -0. */
static double least(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return a < b || (a == b && signbit(a)) ? a : b;
}

static double most(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return a > b || (a == b && !signbit(a)) ? a : b;
}

static double middle(double a, double b, double c)
{
	if (isnan(a) || isnan(b) || isnan(c))
		return least(least(a, b), c);
	return most(least(a, b), least(most(a, b), c));
}

BOTH(min, (float)least((double)A32, (double)B32), least(A64, B64))
BOTH(max, (float)most((double)A32, (double)B32), most(A64, B64))
FN(min3, v->out = bits32((float)least(least((double)A32, (double)B32), (double)C32)))
FN(max3, v->out = bits32((float)most(most((double)A32, (double)B32), (double)C32)))
FN(med3, v->out = bits32((float)middle((double)A32, (double)B32, (double)C32)))
FN(minmax, v->out = bits32((float)most(least((double)A32, (double)B32), (double)C32)))
FN(maxmin, v->out = bits32((float)least(most((double)A32, (double)B32), (double)C32)))

static double mantissa(double value)
{
	int exponent;

	return isfinite(value) ? frexp(value, &exponent) : value;
}

static int32_t exponent(double value)
{
	int result = 0;

	if (isfinite(value))
		frexp(value, &result);
	return result;
}

BOTH(mantissa, (float)mantissa((double)A32), mantissa(A64))
FN(exponent_f32, v->out = (uint32_t)exponent((double)A32))
FN(exponent_f64, v->out = (uint32_t)exponent(A64))

/* ---- conversion ---- */

/* What does not fit becomes the nearest that does; no number becomes 0. */
static uint64_t to_signed(double value)
{
	if (isnan(value))
		return 0;
	return (uint32_t)(value <= INT32_MIN   ? INT32_MIN
			  : value >= INT32_MAX ? INT32_MAX
					       : (int32_t)value);
}

static uint64_t to_unsigned(double value)
{
	if (isnan(value) || value <= 0)
		return 0;
	return value >= UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

FN(i32_of_f32, v->out = to_signed((double)A32))
FN(u32_of_f32, v->out = to_unsigned((double)A32))
FN(i32_of_f64, v->out = to_signed(A64))
FN(u32_of_f64, v->out = to_unsigned(A64))
FN(nearest_i32_of_f32, v->out = to_signed(floor((double)A32 + 0.5)))
FN(floor_i32_of_f32, v->out = to_signed(floor((double)A32)))
FN(f32_of_i32, v->out = bits32((float)(int32_t)v->a))
FN(f32_of_u32, v->out = bits32((float)(uint32_t)v->a))
FN(f64_of_i32, v->out = bits64((double)(int32_t)v->a))
FN(f64_of_u32, v->out = bits64((double)(uint32_t)v->a))
FN(f64_of_f32, v->out = bits64((double)A32))
FN(f32_of_f64, v->out = bits32((float)A64))
FN(f32_of_byte0, v->out = bits32((float)(v->a & 255)))
FN(f32_of_byte1, v->out = bits32((float)(v->a >> 8 & 255)))
FN(f32_of_byte2, v->out = bits32((float)(v->a >> 16 & 255)))
FN(f32_of_byte3, v->out = bits32((float)(v->a >> 24 & 255)))

static float of_half(uint64_t bits)
{
	int power = bits >> 10 & 31;
	float value;

	if (power == 31)
		value = bits & 1023 ? NAN : INFINITY;
	else
		value = power ? ldexpf((float)(1024 + (bits & 1023)), power - 25)
			      : ldexpf((float)(bits & 1023), -24);
	return bits >> 15 & 1 ? -value : value;
}

/* To nearest, halves to even: rint() of the mantissa does it. */
static uint64_t to_half(double value)
{
	uint64_t sign = signbit(value) ? 0x8000 : 0;
	double size = fabs(value);
	int power = exponent(size);

	if (isnan(value))
		return sign | 0x7e00;
	if (size >= 65520)
		return sign | 0x7c00;
	if (power < -13)
		return sign | (uint64_t)rint(ldexp(size, 24));
	return sign | ((uint64_t)rint(ldexp(size, 11 - power)) + ((uint64_t)(power + 13) << 10));
}

FN(f32_of_f16, v->out = bits32(of_half(v->a)))
FN(f16_of_f32, v->out = to_half((double)A32))
FN(pack_halves, v->out = (v->b & 0xffff) << 16 | (v->a & 0xffff))

/* ---- comparison ---- */

#define ORDER(suffix, A, B)                                  \
	FN(lt_##suffix, v->out = (A) < (B))                  \
	FN(eq_##suffix, v->out = (A) == (B))                 \
	FN(le_##suffix, v->out = (A) <= (B))                 \
	FN(gt_##suffix, v->out = (A) > (B))                  \
	FN(lg_##suffix, v->out = (A) < (B) || (A) > (B))     \
	FN(ge_##suffix, v->out = (A) >= (B))                 \
	FN(o_##suffix, v->out = !isnan(A) && !isnan(B))      \
	FN(u_##suffix, v->out = isnan(A) || isnan(B))        \
	FN(nge_##suffix, v->out = !((A) >= (B)))             \
	FN(nlg_##suffix, v->out = !((A) < (B) || (A) > (B))) \
	FN(ngt_##suffix, v->out = !((A) > (B)))              \
	FN(nle_##suffix, v->out = !((A) <= (B)))             \
	FN(neq_##suffix, v->out = (A) != (B))                \
	FN(nlt_##suffix, v->out = !((A) < (B)))
ORDER(f32, A32, B32)
ORDER(f64, A64, B64)

/* The bit of v_cmp_class that a number has; a NaN is signalling if its first bit is not set. */
static unsigned class_of(double value, bool is_denormal, bool is_quiet)
{
	bool negative = signbit(value);

	if (isnan(value))
		return is_quiet ? 1 : 0;
	if (isinf(value))
		return negative ? 2 : 9;
	if (value == 0)
		return negative ? 5 : 6;
	if (is_denormal)
		return negative ? 4 : 7;
	return negative ? 3 : 8;
}

FN(class_f32,
   v->out = v->b >> class_of((double)A32, fpclassify(A32) == FP_SUBNORMAL, v->a >> 22 & 1) & 1)
FN(class_f64, v->out = v->b >> class_of(A64, fpclassify(A64) == FP_SUBNORMAL, v->a >> 51 & 1) & 1)

/* ---- division ---- */

/*
 * A quotient is made of an approximation by v_rcp and fused steps towards the true one. These must not
 * meet denormals, so numerator, denominator or both are scaled by a power of two before (div_scale),
 * the quotient is scaled back if only one was (VCC, div_fmas), and what is no number or has a special
 * one as its answer is put in at the end (div_fixup). a is what is scaled, b the denominator, c the
 * numerator; in div_fixup a is the quotient.
 */
struct format {
	int bias, far, power,
		small; /* of exponents: how far apart, scaled by, when a numerator is small */
};

static const struct format single = { 127, 96, 64, 23 }, twice = { 1023, 768, 128, 53 };

static int biased(double value, const struct format *f)
{
	int power = exponent(value) - 1 + f->bias;

	return value == 0 || power < 0 ? 0 : power;
}

static bool is_tiny(double value, const struct format *f)
{
	return fabs(value) < ldexp(1, 1 - f->bias);
}

/* By which power of two a is scaled; *ret_alone if the other is not, and the quotient has to be. */
static int scale_for(double a, double b, double c, const struct format *f, bool *ret_alone)
{
	bool inverse_is_tiny = fabs(b) > ldexp(1, f->bias - 1);
	bool quotient_is_tiny = is_tiny(c / b, f);

	*ret_alone = false;
	if (biased(c, f) - biased(b, f) >= f->far) {
		*ret_alone = true;
		return a == b ? f->power : 0;
	}
	if (is_tiny(b, f))
		return f->power;
	if (quotient_is_tiny) {
		*ret_alone = true;
		if (inverse_is_tiny)
			return a == b ? -f->power : 0;
		return a == c ? f->power : 0;
	}
	if (inverse_is_tiny)
		return -f->power;
	return biased(c, f) <= f->small ? f->power : 0;
}

static double divide_scale(double a, double b, double c, const struct format *f,
			   uint64_t *ret_alone)
{
	bool alone = false;
	int power = 0;

	if (b == 0 || c == 0)
		a = NAN;
	else if (isfinite(b) && isfinite(c))
		power = scale_for(a, b, c, f, &alone);
	*ret_alone = alone;
	return ldexp(a, power);
}

FN(div_scale_f32,
   v->out = bits32((float)divide_scale((double)A32, (double)B32, (double)C32, &single, &v->out2)))
FN(div_scale_f64, v->out = bits64(divide_scale(A64, B64, C64, &twice, &v->out2)))

/* The estimate in c tells which way it was scaled. A float is rounded once, from a double. */
static int scale_back(const struct values *v, double estimate, const struct format *f)
{
	return !(v->e & 1) ? 0 : fabs(estimate) >= 1 ? f->power : -f->power;
}

FN(div_fmas_f32, v->out = bits32(v->e & 1 ? (float)ldexp(fma((double)A32, (double)B32, (double)C32),
							 scale_back(v, (double)C32, &single))
					  : fmaf(A32, B32, C32)))
FN(div_fmas_f64, v->out = bits64(ldexp(fma(A64, B64, C64), scale_back(v, C64, &twice))))

static double divide_fixup(double a, double b, double c)
{
	double sign = signbit(b) != signbit(c) ? -1 : 1;

	if (isnan(c) || isnan(b))
		return isnan(c) ? c : b;
	if ((b == 0 && c == 0) || (isinf(b) && isinf(c)))
		return -(double)NAN;
	if (b == 0 || isinf(c))
		return sign * INFINITY;
	if (isinf(b) || c == 0)
		return sign * 0;
	return copysign(isnan(a) ? INFINITY : a, sign); /* the steps to it ran over */
}

BOTH(div_fixup, (float)divide_fixup((double)A32, (double)B32, (double)C32),
     divide_fixup(A64, B64, C64))

/* ---- the table ---- */

#define ROW(name, form, function)             \
	{                                     \
		name, form, function, NULL, 0 \
	}
#define ROW_ORDER(prefix, letter, suffix, l)                              \
	ROW(prefix "lt_" #suffix, letter "=" l l, lt_##suffix),           \
		ROW(prefix "eq_" #suffix, letter "=" l l, eq_##suffix),   \
		ROW(prefix "le_" #suffix, letter "=" l l, le_##suffix),   \
		ROW(prefix "gt_" #suffix, letter "=" l l, gt_##suffix),   \
		ROW(prefix "lg_" #suffix, letter "=" l l, lg_##suffix),   \
		ROW(prefix "ge_" #suffix, letter "=" l l, ge_##suffix),   \
		ROW(prefix "o_" #suffix, letter "=" l l, o_##suffix),     \
		ROW(prefix "u_" #suffix, letter "=" l l, u_##suffix),     \
		ROW(prefix "nge_" #suffix, letter "=" l l, nge_##suffix), \
		ROW(prefix "nlg_" #suffix, letter "=" l l, nlg_##suffix), \
		ROW(prefix "ngt_" #suffix, letter "=" l l, ngt_##suffix), \
		ROW(prefix "nle_" #suffix, letter "=" l l, nle_##suffix), \
		ROW(prefix "neq_" #suffix, letter "=" l l, neq_##suffix), \
		ROW(prefix "nlt_" #suffix, letter "=" l l, nlt_##suffix)

const struct meaning isa_floats[] = {
	ROW("v_add_f32", "f=ff", add_f32),
	ROW("v_sub_f32", "f=ff", subtract),
	ROW("v_subrev_f32", "f=ff", subtract_reversed),
	ROW("v_mul_f32", "f=ff", multiply_f32),
	ROW("v_fma_f32", "f=fff", fuse_f32),
	ROW("v_fmac_f32", "f=ff+", fuse_f32),
	ROW("v_fmaak_f32", "f=fff", fuse_f32),
	ROW("v_fmamk_f32", "f=fff", fuse_f32),
	ROW("v_min_f32", "f=ff", min_f32),
	ROW("v_max_f32", "f=ff", max_f32),
	ROW("v_min3_f32", "f=fff", min3),
	ROW("v_max3_f32", "f=fff", max3),
	ROW("v_med3_f32", "f=fff", med3),
	ROW("v_minmax_f32", "f=fff", minmax),
	ROW("v_maxmin_f32", "f=fff", maxmin),
	ROW("v_trunc_f32", "f=f", truncate_f32),
	ROW("v_floor_f32", "f=f", floor_f32),
	ROW("v_ceil_f32", "f=f", ceil_f32),
	ROW("v_rndne_f32", "f=f", nearest_f32),
	ROW("v_fract_f32", "f=f", fraction_f32),
	ROW("v_rcp_f32", "f=f", reciprocal_f32),
	ROW("v_rcp_iflag_f32", "f=f", reciprocal_f32),
	ROW("v_sqrt_f32", "f=f", root_f32),
	ROW("v_rsq_f32", "f=f", reciprocal_root_f32),
	ROW("v_exp_f32", "f=f", exponential),
	ROW("v_log_f32", "f=f", logarithm),
	ROW("v_sin_f32", "f=f", sine),
	ROW("v_cos_f32", "f=f", cosine),
	ROW("v_ldexp_f32", "f=fd", scale_by_power_f32),
	ROW("v_frexp_mant_f32", "f=f", mantissa_f32),
	ROW("v_frexp_exp_i32_f32", "d=f", exponent_f32),
	ROW("v_div_scale_f32", "fm=fff", div_scale_f32),
	ROW("v_div_fmas_f32", "f=fffv", div_fmas_f32),
	ROW("v_div_fixup_f32", "f=fff", div_fixup_f32),

	ROW("v_add_f64", "g=gg", add_f64),
	ROW("v_mul_f64", "g=gg", multiply_f64),
	ROW("v_fma_f64", "g=ggg", fuse_f64),
	ROW("v_min_f64", "g=gg", min_f64),
	ROW("v_max_f64", "g=gg", max_f64),
	ROW("v_trunc_f64", "g=g", truncate_f64),
	ROW("v_floor_f64", "g=g", floor_f64),
	ROW("v_ceil_f64", "g=g", ceil_f64),
	ROW("v_rndne_f64", "g=g", nearest_f64),
	ROW("v_fract_f64", "g=g", fraction_f64),
	ROW("v_rcp_f64", "g=g", reciprocal_f64),
	ROW("v_sqrt_f64", "g=g", root_f64),
	ROW("v_rsq_f64", "g=g", reciprocal_root_f64),
	ROW("v_ldexp_f64", "g=gd", scale_by_power_f64),
	ROW("v_frexp_mant_f64", "g=g", mantissa_f64),
	ROW("v_frexp_exp_i32_f64", "d=g", exponent_f64),
	ROW("v_div_scale_f64", "gm=ggg", div_scale_f64),
	ROW("v_div_fmas_f64", "g=gggv", div_fmas_f64),
	ROW("v_div_fixup_f64", "g=ggg", div_fixup_f64),

	ROW("v_cvt_i32_f32", "d=f", i32_of_f32),
	ROW("v_cvt_u32_f32", "d=f", u32_of_f32),
	ROW("v_cvt_i32_f64", "d=g", i32_of_f64),
	ROW("v_cvt_u32_f64", "d=g", u32_of_f64),
	ROW("v_cvt_nearest_i32_f32", "d=f", nearest_i32_of_f32),
	ROW("v_cvt_floor_i32_f32", "d=f", floor_i32_of_f32),
	ROW("v_cvt_f32_i32", "f=d", f32_of_i32),
	ROW("v_cvt_f32_u32", "f=d", f32_of_u32),
	ROW("v_cvt_f64_i32", "g=d", f64_of_i32),
	ROW("v_cvt_f64_u32", "g=d", f64_of_u32),
	ROW("v_cvt_f64_f32", "g=f", f64_of_f32),
	ROW("v_cvt_f32_f64", "f=g", f32_of_f64),
	ROW("v_cvt_f32_f16", "f=h", f32_of_f16),
	ROW("v_cvt_f16_f32", "h=f", f16_of_f32),
	ROW("v_pack_b32_f16", "d=hh", pack_halves),
	ROW("v_cvt_f32_ubyte0", "f=d", f32_of_byte0),
	ROW("v_cvt_f32_ubyte1", "f=d", f32_of_byte1),
	ROW("v_cvt_f32_ubyte2", "f=d", f32_of_byte2),
	ROW("v_cvt_f32_ubyte3", "f=d", f32_of_byte3),

	ROW_ORDER("v_cmp_", "m", f32, "f"),
	ROW_ORDER("v_cmpx_", "x", f32, "f"),
	ROW_ORDER("v_cmp_", "m", f64, "g"),
	ROW_ORDER("v_cmpx_", "x", f64, "g"),
	ROW("v_cmp_class_f32", "m=fd", class_f32),
	ROW("v_cmpx_class_f32", "x=fd", class_f32),
	ROW("v_cmp_class_f64", "m=gd", class_f64),
	ROW("v_cmpx_class_f64", "x=gd", class_f64),
	{ NULL, NULL, NULL, NULL, 0 },
};
