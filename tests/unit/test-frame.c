#include "code/frame.h"

#include <errno.h>

#include "check-span.h"
#include "make-code.h"

static const unsigned char header[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50 };

/* Some bytes, and zeroes behind them as far as anybody asks: a sparse file. */
struct zeroes {
	struct span bytes;
	size_t reads;
	uint64_t hole; /* 0: none; else what begins there is not kept */
};

static int read_zeroes(const struct source *s, uint64_t at, void *ret, size_t n)
{
	struct zeroes *z = (struct zeroes *)(uintptr_t)s->of;

	z->reads++;
	if (z->hole && at + n > z->hole)
		return -ENODATA;
	memset(ret, 0, n);
	if (at < z->bytes.len)
		memcpy(ret, z->bytes.data + at, n < z->bytes.len - at ? n : z->bytes.len - at);
	return 0;
}

static struct source source_zeroes(struct zeroes *z, uint64_t size)
{
	return (struct source){ .size = size, .read = read_zeroes, .of = z, .fd = -1 };
}

/* To the last block. 0, or what stopped it. */
static int walk(struct frame *f)
{
	unsigned char head[CCOB_ZSTD_BLOCK_HEAD];
	struct ccob_zstd_block block = { 0 };
	int r = 0;

	while (r == 0 && !block.last) {
		r = frame_next(f, head, &block);
		if (r == 0)
			r = frame_yielded(f, !block.empty);
	}
	return r;
}

/* Of frames that zstd made: the end is where zstd finds it, and large blocks are not read. */
static void test_real(size_t size, int level)
{
	size_t room = ZSTD_compressBound(size);
	char *plain = malloc(size + 1), *packed = malloc(room);
	struct source s;
	struct frame f;

	for (size_t i = 0; i < size; i++)
		plain[i] = (char)((uint32_t)(i * i * 2654435761u) >> 24);
	s = source_memory((struct span){ packed, ZSTD_compress(packed, room, plain, size, level) });
	CHECK_INT(frame_begin(&f, &s, 0, s.size), 0);
	CHECK_INT(walk(&f), 0);
	CHECK(f.at + (f.checksum ? 4 : 0) == s.size);
	CHECK(size < 1000000 || s.asked < s.size / 100);
	s.size--;
	CHECK_INT(frame_begin(&f, &s, 0, s.size), 0);
	CHECK(walk(&f) != 0 || f.at > s.size);
	free(plain);
	free(packed);
}

/* A row of empty blocks: 64 are taken, 65 are damage, and a gigabyte of them costs one read more. */
static void test_empty(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct zeroes z = { 0 };
	struct source s;
	struct frame f;

	buf_add(&b, header, sizeof(header));
	put_zeroes(&b, (size_t)3 * FRAME_BARREN_MAX);
	buf_add(&b, "\x29\0\0hello", 8);
	s = source_memory(buf_get(&b));
	CHECK_INT(frame_begin(&f, &s, 0, s.size), 0);
	CHECK_INT(walk(&f), 0);
	CHECK_INT(f.at, b.len);
	z.bytes = (struct span){ b.data, sizeof(header) };
	s = source_zeroes(&z, (uint64_t)1 << 30);
	CHECK_INT(frame_begin(&f, &s, 0, s.size), 0);
	CHECK_INT(walk(&f), -EBADMSG);
	CHECK_INT(z.reads, 2);
	CHECK_INT(f.at, sizeof(header) + (size_t)3 * (FRAME_BARREN_MAX + 1));
}

/* Blocks of one byte, which do yield something: a thousand of them come from one read. */
static void test_small(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct zeroes z = { 0 };
	struct source s;
	struct frame f;

	buf_add(&b, header, sizeof(header));
	for (size_t i = 0; i < 100000; i++)
		buf_add(&b, "\x0a\0\0x", 4);
	buf_add(&b, "\1\0\0", 3);
	z.bytes = buf_get(&b);
	s = source_zeroes(&z, b.len);
	CHECK_INT(frame_begin(&f, &s, 0, s.size), 0);
	CHECK_INT(walk(&f), 0);
	CHECK_INT(f.at, b.len);
	CHECK(z.reads < 105);
}

/* The page behind was not kept: what stands before it is read all the same. */
static void test_hole(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct zeroes z = { 0 };
	unsigned char head[CCOB_ZSTD_BLOCK_HEAD];
	struct ccob_zstd_block block;
	struct source s;
	struct frame f;

	buf_add(&b, header, sizeof(header));
	buf_add(&b, "\x20\x03\0", 3);
	put_zeroes(&b, 100);
	buf_add(&b, "\x28\0\0hello\1\0\0", 11);
	z.bytes = buf_get(&b);
	z.hole = b.len - 3;
	s = source_zeroes(&z, 8192);
	CHECK_INT(frame_begin(&f, &s, 0, s.size), 0);
	CHECK_INT(frame_next(&f, head, &block), 0);
	CHECK_INT(block.bytes, 100);
	CHECK_INT(frame_next(&f, head, &block), 0);
	CHECK_INT(block.bytes, 5);
	CHECK_INT(frame_next(&f, head, &block), -ENODATA);
}

static void test_refused(void)
{
	static const char cut[] = "\x28\xb5\x2f\xfd\0\x50\6\0\0";
	struct source s = source_memory((struct span){ cut, sizeof(cut) - 1 });
	unsigned char head[FRAME_WINDOW + 1];
	struct ccob_zstd_block block;
	struct frame f;

	CHECK_INT(frame_begin(&f, &s, 0, 100), 0);
	CHECK_INT(frame_next(&f, head, &block), -EBADMSG);
	CHECK_INT(frame_begin(&f, &s, 0, 6), 0);
	CHECK_INT(frame_next(&f, head, &block), -ENODATA);
	CHECK_INT(frame_read(&f, 0, head, sizeof(head)), -ENODATA);
	CHECK_INT(frame_read(&f, UINT64_MAX, head, 3), -ENODATA);
	CHECK_INT(frame_begin(&f, &s, 0, 5), -ENODATA);
	CHECK_INT(frame_begin(&f, &s, 9, 9), -ENODATA);
	CHECK_INT(frame_begin(&f, &s, 1, 9), -EBADMSG);
}

int main(void)
{
	static const size_t sizes[] = { 0, 1, 300, 131072, 131073, 3000000 };

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		test_real(sizes[i], 1);
		test_real(sizes[i], 7);
	}
	test_empty();
	test_small();
	test_hole();
	test_refused();
	return check_end();
}
