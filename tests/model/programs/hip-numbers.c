/*
 * hip-numbers - what a GPU computes, held against what this processor computes of the same text
 *
 * usage: hip-numbers [TARGET [illegal | fault]]
 *
 * The functions below are compiled twice, here and by hiprtc for TARGET (gfx1100). Integers and what
 * IEEE 754 defines must be the same to the last bit. `illegal` runs an instruction that the model does
 * not have, `fault` writes to memory that nobody allocated. Ends with 0, or with 1 behind an error.
 */
#define SIZE 4096
#include "hip.h"

#include <math.h>
#include <stdint.h>

/* Text for the compiler of the GPU alone, and text that is compiled here, too. */
#define TEXT(...) #__VA_ARGS__
#define TWICE(name, ...)                         \
	static const char name[] = #__VA_ARGS__; \
	__VA_ARGS__

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;
__extension__ typedef unsigned __int128 u128;

#define TYPES                                                                                  \
	"typedef unsigned u32; typedef unsigned long long u64; typedef int i32; typedef long " \
	"long i64; typedef unsigned __int128 u128;\n"                                          \
	"#define HERE static __device__\n"
#define HERE static

/* ---- computed twice ---- */

/* One NaN is like another: its sign and payload are nobody's promise. */
TWICE(
	bits_text,
	HERE u32 bits_of(float f) {
		union {
			float f;
			u32 u;
		} both;
		both.f = f;
		return f != f ? 0x7fc00000 : both.u;
	} HERE float float_of(u32 u) {
		union {
			float f;
			u32 u;
		} both;
		both.u = u;
		return both.f;
	} HERE u64 bits_of_double(double d) {
		union {
			double d;
			u64 u;
		} both;
		both.d = d;
		return d != d ? 0x7ff8000000000000ull : both.u;
	} HERE double double_of(u64 u) {
		union {
			double d;
			u64 u;
		} both;
		both.u = u;
		return both.d;
	} HERE u64 mixed(u64 h, u64 x) {
		h = (h ^ x) * 0x9e3779b97f4a7c15ull;
		return h ^ h >> 29;
	})

TWICE(
	integers_text, HERE void integers(u64 *r, u32 a, u32 b, u64 c, u64 d) {
		u32 s = b & 31;
		u32 nonzero = b | 1;
		i32 divisor = nonzero == 0xffffffff ? 3 : (i32)nonzero;
		r[0] = a + b;
		r[1] = a - b;
		r[2] = a * b;
		r[3] = a / nonzero;
		r[4] = a % nonzero;
		r[5] = (u32)((i32)a / divisor);
		r[6] = (u32)((i32)a % divisor);
		r[7] = a << s ^ a >> s ^ (u32)((i32)a >> s);
		r[8] = (a << s) | (a >> (-s & 31));
		r[9] = (u64)a * b >> 32;
		r[10] = (u64)((i64)(i32)a * (i32)b);
		r[11] = a < b ? a : b;
		r[12] = (i32)a > (i32)b ? a : b;
		r[13] = c + d;
		r[14] = c - d;
		r[15] = c * d;
		r[16] = c / (d | 1);
		r[17] = c % (d | 1);
		r[18] = (u64)((i64)c / (i64)(d >> 1 | 1));
		r[19] = c << (d & 63) ^ c >> (a & 63) ^ (u64)((i64)c >> (b & 63));
		r[20] = c < d;
		r[21] = (i64)c < (i64)d;
		r[22] = (u32)__builtin_popcount(a) + (u32)__builtin_popcountll(c);
		r[23] = (u32)__builtin_clz(a | 1) + (u32)__builtin_ctz(b | 1u << 31);
		r[24] = (unsigned char)(a + b) * (u32)(unsigned short)(a ^ b);
		r[25] = (u32)((signed char)a * (short)b);
		r[26] = (a >> 5 & 0x3ff) + ((u32)((i32)(b << 7) >> 20));
		r[27] = (a & b) | (~a & (u32)c);
		r[28] = (u32)((i64)(i32)a * (i32)b >> 32);
		r[29] = (u64)((((u128)c << 64 | d) - ((u128)d << 64 | a)) >> 64);
		r[30] = (u64)((((u128)c << 64 | d) + ((u128)d << 64 | b)) >> 64);
	})

TWICE(
	floats_text, HERE void floats(u64 *r, float a, float b, double c, double d) {
		r[0] = bits_of(a + b);
		r[1] = bits_of(a - b);
		r[2] = bits_of(a * b);
		r[3] = bits_of(a / b);
		r[4] = bits_of(__builtin_fmaf(a, b, -a));
		r[5] = bits_of(__builtin_sqrtf(__builtin_fabsf(a)));
		r[6] = bits_of(__builtin_floorf(a) + __builtin_truncf(b));
		r[7] = bits_of(__builtin_ceilf(a) - __builtin_rintf(b));
		r[8] = a != a || b != b ? 0 : bits_of(__builtin_fminf(a, b) + 0.0f);
		r[9] = a != a || b != b ? 0 : bits_of(__builtin_fmaxf(a, -b) + 0.0f);
		r[10] = (u64)(a < b) | (u64)(a >= b) << 1 | (u64)(a == b) << 2 | (u64)(a != a) << 3;
		r[11] = bits_of_double(c + d);
		r[12] = bits_of_double(c * d);
		r[13] = bits_of_double(c / d);
		r[14] = bits_of_double(__builtin_fma(c, d, c));
		r[15] = bits_of_double(__builtin_sqrt(__builtin_fabs(c)));
		r[16] = bits_of_double(__builtin_floor(c) + __builtin_trunc(d));
		r[17] = (u64)(c < d) | (u64)(c <= d) << 1 | (u64) !(c > d) << 2;
		r[18] = bits_of_double((double)a);
		r[19] = bits_of((float)c);
		r[20] = bits_of(a * 0x1p-100f / b);
		r[21] = bits_of(a / (b * 0x1p+100f));
	})

TWICE(
	conversions_text, HERE void conversions(u64 *r, u32 a, u64 c) {
		float f = (float)(i32)a;
		double d = (double)(i64)c;
		r[0] = bits_of((float)a);
		r[1] = bits_of(f);
		r[2] = bits_of((float)c);
		r[3] = bits_of((float)(i64)c);
		r[4] = bits_of_double((double)c);
		r[5] = bits_of_double(d);
		r[6] = (u32)(i32)(f * 0.25f);
		r[7] = (u32)((float)a * 0.5f);
		r[8] = (u64)(i64)(d * 0.25);
		r[9] = (u64)(f < 0 ? -f : f);
		r[10] = bits_of((float)(a & 255) * (float)(a >> 8 & 255));
	})

TWICE(
	branches_text, HERE u64 branches(u32 a, u32 b) {
		u64 h = 4;
		u32 x = a % 1000 + 1;
		u32 y = b % 1000 + 1;
		u32 table[8];
		for (u32 i = 0; i < 8; i++)
			table[i] = a >> i ^ b;
		while (x != 1 && h < 1ull << 60) {
			x = x & 1 ? 3 * x + 1 : x / 2;
			h++;
		}
		x = a | 1;
		while (y) {
			u32 t = x % y;
			x = y;
			y = t;
		}
		h = mixed(h, x);
		for (u32 i = 0; i < 20; i++) {
			if ((a >> i & 3) == 3)
				continue;
			if (i > (b & 31))
				break;
			switch (a >> i & 7) {
			case 0:
				h += i;
				break;
			case 1:
				h ^= b;
				break;
			case 2:
				table[i & 7] += b;
				break;
			default:
				h = mixed(h, table[(a >> i ^ b) & 7]);
			}
		}
		return h;
	})

/* Where the results of each begin among all of them. */
TWICE(places_text,
      enum { FLOATS = 31, CONVERSIONS = FLOATS + 22, BRANCHES = CONVERSIONS + 11, ALL };)

TWICE(
	all_text, HERE void compute_all(u64 *r, u32 a, u32 b, u64 c, u64 d) {
		integers(r, a, b, c, d);
		floats(r + FLOATS, float_of(a), float_of(b), double_of(c), double_of(d));
		conversions(r + CONVERSIONS, a, c);
		r[BRANCHES] = branches(a, b);
	})

/* ---- of the GPU alone ---- */

static const char kernels[] = TEXT(
	extern "C" __global__ void run_each(const u32 *a, const u32 *b, const u64 *c, const u64 *d,
					    u64 *out, u32 n) {
		u32 i = blockIdx.x * blockDim.x + threadIdx.x;
		if (i >= n)
			return;
		compute_all(out + (u64)ALL * i, a[i], b[i], c[i], d[i]);
	}
	/* The sum of each block of 100, and its items backwards. */
	extern "C" __global__ void run_shared(const u32 *in, u32 *sums, u32 *back) {
		__shared__ u32 part[128];
		u32 t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
		part[t] = in[i];
		if (t < 28)
			part[100 + t] = 0;
		__syncthreads();
		back[i] = part[99 - t];
		__syncthreads();
		for (u32 half = 64; half > 0; half /= 2) {
			if (t < half)
				part[t] += part[t + half];
			__syncthreads();
		}
		if (t == 0)
			sums[blockIdx.x] = part[0];
	}
	/* 16 bins in LDS and then in memory; the rest is one word each. */
	extern "C" __global__ void run_atomics(const u32 *in, u32 *bins, u32 *words, u64 *wide,
					       float *sum) {
		__shared__ u32 local[16];
		u32 i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
		if (threadIdx.x < 16)
			local[threadIdx.x] = 0;
		__syncthreads();
		atomicAdd(&local[x & 15], 1);
		__syncthreads();
		if (threadIdx.x < 16)
			atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
		atomicMax(&words[0], x);
		atomicMin((int *)&words[1], (int)x);
		atomicXor(&words[2], x);
		atomicInc(&words[5], 99);
		atomicDec(&words[6], 50);
		u32 slot = atomicAdd(&words[3], 1);
		words[8 + slot] = i;
		for (u32 seen = words[4], old = ~seen; old != seen;) {
			old = seen;
			seen = atomicCAS(&words[4], old, old + (x & 7));
		}
		atomicAdd((unsigned long long *)&wide[0], (unsigned long long)x << 8);
		atomicAdd(sum, (float)(x & 15));
	}
	/* A chain of pointers, and words that lie more than 4 GiB apart. */
	extern "C" __global__ void run_addresses(u64 *far, u64 step, u64 *out) {
		u64 i = blockIdx.x * blockDim.x + threadIdx.x;
		far[i * step] = i + 1 < 64 ? (u64)&far[(i + 1) * step] : 0;
		__syncthreads();
		if (i == 0) {
			u64 *p = far, n = 0;
			while (p) {
				n++;
				p = (u64 *)*p;
			}
			out[0] = n;
		}
	} __device__ __attribute__((noinline)) u32 called(u32 *list, u32 n) {
		u32 sum = 0;
		for (u32 i = 0; i < n; i++)
			sum = sum * 31 + list[i];
		return sum;
	}
	/* Numbers of items and groups in three dimensions, a call with private memory, other lanes. */
	extern "C" __global__ void run_places(u32 *out) {
		u32 x = blockIdx.x * blockDim.x + threadIdx.x,
		    y = blockIdx.y * blockDim.y + threadIdx.y;
		u32 z = blockIdx.z * blockDim.z + threadIdx.z;
		u32 i = (z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x;
		u32 list[5] = { x, y, z, gridDim.x * 100 + gridDim.y * 10 + gridDim.z, i };
		out[2 * i] = called(list, 5);
		out[2 * i + 1] = __shfl_xor((int)i, 1);
	} extern "C" __global__ void run_fault(u32 *out) { out[threadIdx.x] = 1; });

/* Any instruction that no table of the model has. */
static const char illegal[] = TEXT(extern "C" __global__ void run_illegal(u32 *out) {
	asm volatile("s_sethalt 0");
	out[0] = 1;
});

/* ---- hiprtc ---- */

static void *rtc_library;

#define RTC(name, types, ...) rtc_check(((int(*) types)rtc_function(#name))(__VA_ARGS__), #name)

static hip_any_function rtc_function(const char *name)
{
	hip_any_function f;

	*(void **)&f = dlsym(rtc_library, name);
	if (!f) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return f;
}

static void rtc_check(int error, const char *call)
{
	if (error == 0)
		return;
	fprintf(stderr, "error: %s returns %d\n", call, error);
	exit(1);
}

/* HIP 5 has the compiler in its own library. */
static void rtc_begin(void)
{
	rtc_library = dlopen("libhiprtc.so.7", RTLD_NOW);
	if (!rtc_library)
		rtc_library = dlopen("libhiprtc.so.6", RTLD_NOW);
	if (!rtc_library)
		rtc_library = hip_library;
}

static void print_log(void *program)
{
	size_t size = 0;
	char *text;

	RTC(hiprtcGetProgramLogSize, (void *, size_t *), program, &size);
	text = calloc(1, size + 1);
	RTC(hiprtcGetProgramLog, (void *, char *), program, text);
	fputs(text, stderr);
	free(text);
}

static void *compile(const char *source, const char *target)
{
	char arch[64];
	const char *options[] = { arch, "-ffp-contract=off", "-O2" };
	void *program, *module;
	size_t size = 0;
	char *code;

	snprintf(arch, sizeof(arch), "--offload-arch=%s", target);
	RTC(hiprtcCreateProgram,
	    (void **, const char *, const char *, int, const char **, const char **), &program,
	    source, "numbers.hip", 0, NULL, NULL);
	if (((int (*)(void *, int, const char **))rtc_function("hiprtcCompileProgram"))(program, 3,
											options)) {
		print_log(program);
		exit(1);
	}
	RTC(hiprtcGetCodeSize, (void *, size_t *), program, &size);
	code = malloc(size);
	RTC(hiprtcGetCode, (void *, char *), program, code);
	HIP(hipModuleLoadData, (void **, const void *), &module, code);
	free(code);
	return module;
}

/* ---- helpers ---- */

static unsigned failures;

static void expect(int is_right, const char *what, u64 i, u64 found, u64 wanted)
{
	if (is_right)
		return;
	if (failures++ < 20)
		printf("FAILED: %s: element %llu is %#llx, not %#llx\n", what,
		       (unsigned long long)i, (unsigned long long)found,
		       (unsigned long long)wanted);
}

static void *room(size_t size)
{
	void *p = NULL;

	HIP(hipMalloc, (void **, size_t), &p, size);
	return p;
}

static void *upload(const void *from, size_t size)
{
	void *p = room(size);

	HIP(hipMemcpy, (void *, const void *, size_t, int), p, from, size, TO_DEVICE);
	return p;
}

static void download(void *to, const void *from, size_t size)
{
	HIP(hipMemcpy, (void *, const void *, size_t, int), to, from, size, TO_HOST);
}

static void launch(void *module, const char *name, const u32 grid[3], const u32 block[3],
		   void **arguments)
{
	void *function = NULL;

	HIP(hipModuleGetFunction, (void **, void *, const char *), &function, module, name);
	HIP(hipModuleLaunchKernel,
	    (void *, u32, u32, u32, u32, u32, u32, u32, void *, void **, void **), function,
	    grid[0], grid[1], grid[2], block[0], block[1], block[2], 0, NULL, arguments, NULL);
	HIP(hipStreamSynchronize, (void *), NULL);
}

static u64 next_random(void)
{
	static u64 state = 0x123456789abcdefull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Numbers of every size, and at the beginning those at which rules change, each with each. */
static void make_inputs(u32 *a, u32 *b, u64 *c, u64 *d, u32 n)
{
	static const u32 edges[] = { 0,          1,          0x7fffffff, 0x80000000,
				     0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
				     0xff800000, 0x00000001, 0x00800000, 0x807fffff,
				     0x7f7fffff, 0x42f6e979, 0x00000003, 0x5f000000 };
	static const u64 wide[] = { 0,
				    1,
				    0x7fffffffffffffff,
				    0x8000000000000000,
				    UINT64_MAX,
				    0x3ff0000000000000,
				    0xbff0000000000000,
				    0x7ff0000000000000,
				    0x0010000000000000,
				    0x7fefffffffffffff,
				    0x405edd2f1a9fbe77,
				    3,
				    0x43e0000000000000,
				    0xc3e0000000000001,
				    0xffffffff,
				    0x100000000 };

	for (u32 i = 0; i < n; i++) {
		a[i] = i < 256 ? edges[i / 16] : (u32)(next_random() >> (i & 31));
		b[i] = i < 256 ? edges[i % 16] : (u32)(next_random() >> 20);
		c[i] = i < 256 ? wide[i / 16] : next_random() >> (i % 40);
		d[i] = i < 256 ? wide[i % 16] : next_random() >> (i % 50);
	}
}

/* ---- tests ---- */

#define COUNT 1500 /* the last block is not full */

static const char *name_of(u32 k)
{
	static char name[32];

	if (k < FLOATS)
		snprintf(name, sizeof(name), "integers %u", k);
	else if (k < CONVERSIONS)
		snprintf(name, sizeof(name), "floats %u", k - FLOATS);
	else if (k < BRANCHES)
		snprintf(name, sizeof(name), "conversions %u", k - CONVERSIONS);
	else
		snprintf(name, sizeof(name), "branches");
	return name;
}

static void test_each(void *module)
{
	static u32 a[COUNT], b[COUNT];
	static u64 c[COUNT], d[COUNT], out[ALL * COUNT], wanted[ALL];
	u32 n = COUNT;
	void *pa, *pb, *pc, *pd, *po = room(sizeof(out));

	make_inputs(a, b, c, d, n);
	pa = upload(a, sizeof(a));
	pb = upload(b, sizeof(b));
	pc = upload(c, sizeof(c));
	pd = upload(d, sizeof(d));
	launch(module, "run_each", (u32[]){ 24, 1, 1 }, (u32[]){ 64, 1, 1 },
	       (void *[]){ &pa, &pb, &pc, &pd, &po, &n });
	download(out, po, sizeof(out));
	for (u32 i = 0; i < n; i++) {
		compute_all(wanted, a[i], b[i], c[i], d[i]);
		for (u32 k = 0; k < ALL; k++)
			expect(out[ALL * i + k] == wanted[k], name_of(k), i, out[ALL * i + k],
			       wanted[k]);
	}
}

static void test_shared(void *module)
{
	enum { BLOCKS = 3, BLOCK = 100 };
	u32 in[BLOCKS * BLOCK], sums[BLOCKS], back[BLOCKS * BLOCK];
	void *pi, *ps = room(sizeof(sums)), *pb = room(sizeof(back));

	for (u32 i = 0; i < BLOCKS * BLOCK; i++)
		in[i] = (u32)next_random();
	pi = upload(in, sizeof(in));
	launch(module, "run_shared", (u32[]){ BLOCKS, 1, 1 }, (u32[]){ BLOCK, 1, 1 },
	       (void *[]){ &pi, &ps, &pb });
	download(sums, ps, sizeof(sums));
	download(back, pb, sizeof(back));
	for (u32 block = 0; block < BLOCKS; block++) {
		u32 sum = 0;

		for (u32 i = 0; i < BLOCK; i++) {
			u32 at = block * BLOCK + i, wanted = in[block * BLOCK + BLOCK - 1 - i];

			sum += in[at];
			expect(back[at] == wanted, "backwards", at, back[at], wanted);
		}
		expect(sums[block] == sum, "sums", block, sums[block], sum);
	}
}

static void test_atomics(void *module)
{
	enum { BLOCKS = 4, BLOCK = 96, N = BLOCKS * BLOCK };
	u32 in[N], bins[16] = { 0 }, words[8 + N] = { [1] = 0x7fffffff, [6] = 1000 },
		   wanted_bins[16] = { 0 };
	u32 wanted[7] = { 0, 0x7fffffff, 0, N, 0, N % 100, 51 - N % 51 }, seen[N] = { 0 };
	u64 wide = 0, wanted_wide = 0;
	float sum = 0, wanted_sum = 0;
	void *pi, *pb = upload(bins, sizeof(bins)), *pw = upload(words, sizeof(words));
	void *px = upload(&wide, sizeof(wide)), *ps = upload(&sum, sizeof(sum));

	for (u32 i = 0; i < N; i++) {
		in[i] = (u32)next_random();
		wanted_bins[in[i] & 15]++;
		wanted[0] = in[i] > wanted[0] ? in[i] : wanted[0];
		wanted[1] = (i32)in[i] < (i32)wanted[1] ? in[i] : wanted[1];
		wanted[2] ^= in[i];
		wanted[4] += in[i] & 7;
		wanted_wide += (u64)in[i] << 8;
		wanted_sum += (float)(in[i] & 15);
	}
	pi = upload(in, sizeof(in));
	launch(module, "run_atomics", (u32[]){ BLOCKS, 1, 1 }, (u32[]){ BLOCK, 1, 1 },
	       (void *[]){ &pi, &pb, &pw, &px, &ps });
	download(bins, pb, sizeof(bins));
	download(words, pw, sizeof(words));
	download(&wide, px, sizeof(wide));
	download(&sum, ps, sizeof(sum));
	for (u32 i = 0; i < 16; i++)
		expect(bins[i] == wanted_bins[i], "bins", i, bins[i], wanted_bins[i]);
	for (u32 i = 0; i < 7; i++)
		expect(words[i] == wanted[i], "atomics", i, words[i], wanted[i]);
	for (u32 i = 0; i < N; i++)
		expect(words[8 + i] < N && !seen[words[8 + i]]++, "slots", i, words[8 + i], 0);
	expect(wide == wanted_wide, "wide atomics", 0, wide, wanted_wide);
	expect(sum == wanted_sum, "float atomics", 0, (u64)sum, (u64)wanted_sum);
}

static void test_addresses(void *module)
{
	u64 step = (5ull << 30) / 64 / 8, out = 0;
	void *far = room(5ull << 30), *po = room(sizeof(out));

	launch(module, "run_addresses", (u32[]){ 1, 1, 1 }, (u32[]){ 64, 1, 1 },
	       (void *[]){ &far, &step, &po });
	download(&out, po, sizeof(out));
	expect(out == 64, "addresses", 0, out, 64);
	HIP(hipFree, (void *), far);
}

static void test_places(void *module)
{
	static const u32 grid[3] = { 3, 2, 2 }, block[3] = { 6, 5, 4 };
	enum { N = 3 * 2 * 2 * 6 * 5 * 4 };
	static u32 out[2 * N];
	void *po = room(sizeof(out));

	launch(module, "run_places", grid, block, (void *[]){ &po });
	download(out, po, sizeof(out));
	for (u32 i = 0; i < N; i++) {
		u32 x = i % 18, y = i / 18 % 10, z = i / 180, sum = 0;
		u32 list[5] = { x, y, z, 322, i };

		for (u32 k = 0; k < 5; k++)
			sum = sum * 31 + list[k];
		expect(out[2 * i] == sum, "places", i, out[2 * i], sum);
		/* six items of x are next to each other, so the other lane of a pair is the other x */
		expect(out[2 * i + 1] == (x % 2 ? i - 1 : i + 1), "other lanes", i, out[2 * i + 1],
		       x % 2 ? i - 1 : i + 1);
	}
}

/* HIP's own kernels: fills and copies on the device, of odd sizes and places. */
static void test_copies(void)
{
	static unsigned char wanted[SIZE], found[SIZE];
	unsigned char *one = room(SIZE), *other = room(SIZE);

	for (u32 i = 0; i < SIZE; i++)
		wanted[i] = (unsigned char)(i * 7 + i / 256);
	HIP(hipMemcpy, (void *, const void *, size_t, int), one, wanted, SIZE, TO_DEVICE);
	HIP(hipMemset, (void *, int, size_t), other, 0x5a, SIZE);
	HIP(hipMemset, (void *, int, size_t), other + 3, 0x11, 1001);
	HIP(hipMemcpy, (void *, const void *, size_t, int), other + 1501, one + 77, 999, 3);
	HIP(hipMemcpy2D, (void *, size_t, const void *, size_t, size_t, size_t, int), other + 3000,
	    50, one, 64, 17, 9, 3);
	HIP(hipMemcpy, (void *, const void *, size_t, int), found, other, SIZE, TO_HOST);
	for (u32 i = SIZE; i-- > 0;) {
		u32 row = (i - 3000) / 50, column = (i - 3000) % 50;

		if (i >= 3000 && row < 9 && column < 17)
			wanted[i] = (unsigned char)((row * 64 + column) * 7 +
						    (row * 64 + column) / 256);
		else if (i >= 1501 && i < 1501 + 999)
			wanted[i] = (unsigned char)((i - 1424) * 7 + (i - 1424) / 256);
		else
			wanted[i] = i >= 3 && i < 1004 ? 0x11 : 0x5a;
	}
	for (u32 i = 0; i < SIZE; i++)
		expect(found[i] == wanted[i], "copies", i, found[i], wanted[i]);
}

/* ---- all of it ---- */

static void *compile_all(const char *target)
{
	static char source[65536];

	snprintf(source, sizeof(source), "%s%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s", TYPES, bits_text,
		 integers_text, floats_text, conversions_text, branches_text, places_text, all_text,
		 kernels);
	return compile(source, target);
}

static void *compile_illegal(const char *target)
{
	char source[1024];

	snprintf(source, sizeof(source), "%s%s", TYPES, illegal);
	return compile(source, target);
}

int main(int argc, char **argv)
{
	const char *target = argc > 1 ? argv[1] : "gfx1100", *what = argc > 2 ? argv[2] : "";
	void *module, *nowhere = (void *)(uintptr_t)0x100000000000;

	printf("%d devices\n", hip_begin());
	rtc_begin();
	module = strcmp(what, "illegal") ? compile_all(target) : compile_illegal(target);
	if (!strcmp(what, "illegal")) {
		nowhere = room(4);
		launch(module, "run_illegal", (u32[]){ 1, 1, 1 }, (u32[]){ 32, 1, 1 },
		       (void *[]){ &nowhere });
	} else if (!strcmp(what, "fault")) {
		launch(module, "run_fault", (u32[]){ 1, 1, 1 }, (u32[]){ 32, 1, 1 },
		       (void *[]){ &nowhere });
	}
	test_copies();
	test_each(module);
	test_shared(module);
	test_atomics(module);
	test_addresses(module);
	test_places(module);
	puts(failures ? "FAILED" : "PASSED!");
	return failures != 0;
}
