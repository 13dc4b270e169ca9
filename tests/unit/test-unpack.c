#include "code/unpack.h"

#include <errno.h>

#include "check-span.h"
#include "make-code.h"

#define PLAIN_BYTES ((size_t)3 << 20)

/* Compressible, and nowhere the same as a megabyte before. */
static char *plain_bytes(void)
{
	char *plain = malloc(PLAIN_BYTES);

	for (size_t i = 0; i < PLAIN_BYTES; i++)
		plain[i] = i % 7 ? (char)(i >> 12) : (char)((i * 2654435761u) >> 24);
	return plain;
}

static struct span payload_of(const struct buf *ccob)
{
	return (struct span){ ccob->data + 20, ccob->len - 20 };
}

/* Step by step, with odd sizes, the bytes are those that went in, and no more is read than needed. */
static void test_steps(unsigned int method)
{
	static const size_t steps[] = {
		1, 2, 4096, 8192, 8192, 100001, 131072, 1000003, UNPACK_MAX
	};
	char *plain = plain_bytes();
	struct buf b BUF_SCOPED = { 0 };
	struct unpack u = { 0 };
	struct source s;

	make_ccob(&b, 1, method, (struct span){ plain, PLAIN_BYTES });
	s = source_memory(payload_of(&b));
	CHECK_INT(unpack_begin(&u, &s, 0, s.size, (enum ccob_method)method), 0);
	for (size_t i = 0; i < COUNT_OF(steps); i++) {
		CHECK_INT(unpack_more(&u, steps[i]), 0);
		CHECK(u.out.len >= steps[i] && memcmp(u.out.data, plain, u.out.len) == 0);
		if (i == 3)
			CHECK(s.asked < s.size / 4);
	}
	CHECK_INT(unpack_more(&u, UNPACK_MAX + 1), method == CCOB_ZSTD ? -ENODATA : 0);
	unpack_done(&u);
	free(plain);
}

/* The last bytes of a stream whose input was read to the end long before. */
static void test_end(unsigned int method)
{
	char zeroes[100000] = "";
	struct buf b BUF_SCOPED = { 0 };
	struct unpack u = { 0 };
	struct source s;

	make_ccob(&b, 1, method, (struct span){ zeroes, sizeof(zeroes) });
	s = source_memory(payload_of(&b));
	for (int again = 0; again < 3; again++) {
		CHECK_INT(unpack_begin(&u, &s, 0, s.size, (enum ccob_method)method), 0);
		CHECK_INT(unpack_more(&u, 100), 0);
		CHECK_INT(unpack_more(&u, sizeof(zeroes)), 0);
		CHECK_INT(unpack_more(&u, sizeof(zeroes) + 1), -ENODATA);
		CHECK_INT(u.out.len, sizeof(zeroes));
	}
	unpack_done(&u);
}

/* Every cut of a small stream gives the bytes before it and then -ENODATA. */
static void test_cuts(unsigned int method)
{
	char text[3000];
	struct buf b BUF_SCOPED = { 0 };
	struct unpack u = { 0 };

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i * 2654435761u >> 20);
	make_ccob(&b, 1, method, (struct span){ text, sizeof(text) });
	for (size_t n = 0; n < payload_of(&b).len; n += 7) {
		struct span cut = { memcpy(malloc(n + 1), payload_of(&b).data, n), n };
		struct source s = source_memory(cut);
		int r = unpack_begin(&u, &s, 0, s.size, (enum ccob_method)method);

		if (r == 0)
			r = unpack_more(&u, sizeof(text));
		/* zlib's checksum stands behind the last byte. */
		CHECK(r == -ENODATA || (r == 0 && method == 0 && n + 4 >= payload_of(&b).len));
		CHECK(memcmp(u.out.data ? u.out.data : "", text, u.out.len) == 0);
		free((char *)cut.data);
	}
	unpack_done(&u);
}

static void test_garbage(void)
{
	struct unpack u = { 0 };
	struct source s = source_memory(SPAN_LITERAL("this is neither of them, but long enough"));

	CHECK_INT(unpack_begin(&u, &s, 0, s.size, CCOB_ZSTD), -EBADMSG);
	CHECK_INT(unpack_begin(&u, &s, 0, s.size, CCOB_ZLIB), 0);
	CHECK_INT(unpack_more(&u, 1), -EBADMSG);
	CHECK_INT(unpack_begin(&u, &s, s.size, s.size, CCOB_ZLIB), -ENODATA);
	CHECK_INT(unpack_begin(&u, &s, 100, 50, CCOB_ZSTD), -ENODATA);
	unpack_done(&u);
	unpack_done(&u);
}

/* A frame that wants a window of 2 GiB costs no more than any other. */
static void test_window(void)
{
	static const unsigned char frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 0x29,
					       0x00, 0x00, 'h',  'e',  'l',  'l',     'o' };
	struct source s = source_memory((struct span){ (const char *)frame, sizeof(frame) });
	struct unpack u = { 0 };

	CHECK_INT(unpack_begin(&u, &s, 0, s.size, CCOB_ZSTD), 0);
	CHECK_INT(unpack_more(&u, 5), 0);
	CHECK(memcmp(u.out.data, "hello", 5) == 0);
	CHECK(ZSTD_sizeof_DCtx(u.zstd) < (2u << 20));
	unpack_done(&u);
}

/* `row` blocks that yield nothing, and then one that does. */
static int unpack_row(const char *block, size_t len, size_t row)
{
	struct buf b BUF_SCOPED = { 0 };
	struct unpack u = { 0 };
	struct source s;
	int r;

	buf_add(&b, "\x28\xb5\x2f\xfd\0\x50", 6);
	while (row-- > 0)
		buf_add(&b, block, len);
	buf_add(&b, "\x29\0\0hello", 8);
	s = source_memory(buf_get(&b));
	CHECK_INT(unpack_begin(&u, &s, 0, s.size, CCOB_ZSTD), 0);
	r = unpack_more(&u, 5);
	CHECK(r != 0 || memcmp(u.out.data, "hello", 5) == 0);
	unpack_done(&u);
	return r;
}

static void test_barren(void)
{
	static const struct {
		const char *block;
		size_t len;
		const char *why;
	} blocks[] = {
		{ "\0\0\0", 3, "raw" },
		{ "\2\0\0x", 4, "a byte, no times" },
		{ "\x1c\0\0\4\0\0", 6, "compressed: no literals, no sequences" },
	};

	for (size_t i = 0; i < COUNT_OF(blocks); i++) {
		const char *block = blocks[i].block;

		ROW_CHECK(unpack_row(block, blocks[i].len, 64) == 0, blocks[i].why);
		ROW_CHECK(unpack_row(block, blocks[i].len, 65) == -EBADMSG, blocks[i].why);
	}
}

/* Packed bytes that are many times what they unpack to: of zlib blocks that are stored and empty. */
static void test_swollen(void)
{
	static const char one[] = "\0\1\0\xfe\xffx", none[] = "\0\0\0\xff\xff";
	struct buf b BUF_SCOPED = { 0 };
	struct unpack u = { 0 };
	struct source s;

	buf_text(&b, "\x78\x9c");
	for (size_t i = 0; i < 1000; i++) {
		buf_add(&b, one, 6);
		for (size_t k = 0; k < 20000; k++)
			buf_add(&b, none, 5);
	}
	s = source_memory(buf_get(&b));
	CHECK_INT(unpack_begin(&u, &s, 0, s.size, CCOB_ZLIB), 0);
	CHECK_INT(unpack_more(&u, 1), 0);
	CHECK_INT(unpack_more(&u, 1000), -EBADMSG);
	CHECK(s.asked < 100000);
	unpack_done(&u);
}

int main(void)
{
	for (unsigned int method = 0; method < 2; method++) {
		test_steps(method);
		test_end(method);
		test_cuts(method);
	}
	test_garbage();
	test_window();
	test_barren();
	test_swollen();
	return check_end();
}
