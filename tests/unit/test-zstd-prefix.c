#include "parse/zstd-prefix.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "check-span.h"
#include "parse/ccob.h"

/* What is compressed: kinds of data that lead to different blocks. */
enum data {
	ZEROES,
	NOISE,   /* raw blocks */
	TEXT,    /* Huffman and matches */
	NIBBLES, /* Huffman and few matches */
	TABLES,  /* like a bundle: ids, zeroes, noise */
	DATA_KINDS,
};

static uint32_t noise(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void fill(char *to, size_t n, enum data data)
{
	static const char words[] =
		"hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack- the loader takes the first";
	uint32_t state = 7;

	for (size_t i = 0; i < n; i++) {
		if (data == ZEROES)
			to[i] = 0;
		else if (data == NOISE)
			to[i] = (char)noise(&state);
		else if (data == NIBBLES)
			to[i] = (char)('a' + (noise(&state) & noise(&state) & 15));
		else if (data == TEXT)
			to[i] = words[(i + noise(&state) % 5) % (sizeof(words) - 1)];
		else
			to[i] = i % 4096 < 900    ? words[i % (sizeof(words) - 1)]
				: i % 4096 < 3000 ? 0
						  : (char)(noise(&state) % 40);
	}
}

/* A frame in one go, or with a block end after every `flush` bytes. */
static size_t pack(char *to, size_t room, const char *from, size_t n, int level, size_t flush)
{
	ZSTD_CCtx *ctx = ZSTD_createCCtx();
	ZSTD_outBuffer out = { to, room, 0 };

	ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, level);
	for (size_t at = 0; at < n || n == 0; at += flush) {
		size_t now = n - at < flush ? n - at : flush;
		ZSTD_inBuffer in = { from + at, now, 0 };

		while (ZSTD_compressStream2(ctx, &out, &in,
					    at + now == n ? ZSTD_e_end : ZSTD_e_flush) != 0)
			;
		if (at + now == n)
			break;
	}
	ZSTD_freeCCtx(ctx);
	return out.pos;
}

static void compare(const char *plain, size_t n, const char *frame, size_t packed)
{
	static const size_t wants[] = { 0, 1, 100, 1000, 4160, 8192, 65536, 131073, 400000 };
	struct source s = source_memory((struct span){ frame, packed });
	size_t header;
	bool checksum, ended;

	CHECK_INT(ccob_zstd_header((struct span){ frame, packed }, &header, &checksum), 0);
	for (size_t i = 0; i < COUNT_OF(wants); i++) {
		size_t most = wants[i] < n ? wants[i] : n;
		unsigned char *out = malloc(wants[i] + 1);
		int64_t got = zstd_prefix(&s, header, packed, out, wants[i], NULL, &ended);

		if (!check_note(got == (int64_t)most && memcmp(out, plain, most) == 0, __FILE__,
				__LINE__, "the first bytes"))
			printf("  %zu of %zu: got %lld\n", wants[i], n, (long long)got);
		CHECK(ended == (wants[i] > n));
		free(out);
	}
}

static void test_frames(void)
{
	static const size_t sizes[] = { 0, 1, 5, 300, 5000, 140000, 300000 };
	static const int levels[] = { -5, 1, 3, 12, 19 };
	static const size_t flushes[] = { 700, 1 << 20 };
	size_t room = ZSTD_compressBound(300000) + 20000;
	char *plain = malloc(300000), *frame = malloc(room);

	for (int data = 0; data < DATA_KINDS; data++) {
		fill(plain, 300000, (enum data)data);
		for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(levels) * COUNT_OF(flushes);
		     i++) {
			size_t n = sizes[i % COUNT_OF(sizes)];
			int level = levels[i / COUNT_OF(sizes) % COUNT_OF(levels)];
			size_t flush = flushes[i / COUNT_OF(sizes) / COUNT_OF(levels)];

			/* Small blocks of a large file take long, and show nothing new. */
			if (flush < 1000 && n > 10000)
				continue;
			compare(plain, n, frame, pack(frame, room, plain, n, level, flush));
		}
	}
	free(plain);
	free(frame);
}

static size_t hundred(struct span so_far)
{
	return so_far.len < 100 ? SIZE_MAX : 100;
}

static size_t none(struct span so_far)
{
	(void)so_far;
	return SIZE_MAX;
}

static void test_goal(void)
{
	char plain[5000], frame[6000];
	unsigned char out[5000];
	size_t packed, header;
	bool checksum, ended = true;
	struct source s;
	int64_t got;

	fill(plain, sizeof(plain), TEXT);
	packed = pack(frame, sizeof(frame), plain, sizeof(plain), 3, sizeof(plain));
	s = source_memory((struct span){ frame, packed });
	CHECK_INT(ccob_zstd_header((struct span){ frame, packed }, &header, &checksum), 0);
	got = zstd_prefix(&s, header, packed, out, sizeof(out), hundred, &ended);
	CHECK(got >= 100 && got < 1000 && !ended);
	CHECK(memcmp(out, plain, (size_t)got) == 0);
	CHECK_INT(zstd_prefix(&s, header, packed, out, sizeof(out), none, &ended), sizeof(out));
}

/* Cut anywhere: an error or a true prefix, and nothing read behind the cut. */
static void test_cuts(void)
{
	char plain[3000], frame[4000];
	unsigned char out[3000];
	size_t packed, header;
	bool checksum, ended;

	for (int data = 0; data < DATA_KINDS; data++) {
		fill(plain, sizeof(plain), (enum data)data);
		packed = pack(frame, sizeof(frame), plain, sizeof(plain), 3, 1000);
		CHECK_INT(ccob_zstd_header((struct span){ frame, packed }, &header, &checksum), 0);
		for (size_t n = header; n < packed; n += 3) {
			char *cut = memcpy(malloc(n), frame, n);
			struct source s = source_memory((struct span){ cut, n });
			int64_t got = zstd_prefix(&s, header, n, out, sizeof(out), NULL, &ended);

			CHECK(got == -ENODATA || got == -EBADMSG);
			free(cut);
		}
	}
}

int main(void)
{
	test_frames();
	test_goal();
	test_cuts();
	return check_end();
}
