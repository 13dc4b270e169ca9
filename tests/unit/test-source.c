#include "base/source.h"

#include <errno.h>
#include <unistd.h>

#include "check-span.h"

static void test_memory(void)
{
	struct source s = source_memory(SPAN_LITERAL("0123456789"));
	char bytes[16] = "";
	uint32_t four = 7;

	CHECK_INT(source_read(&s, 0, bytes, 10), 0);
	CHECK(memcmp(bytes, "0123456789", 10) == 0);
	CHECK_INT(source_read(&s, 10, bytes, 0), 0);
	CHECK_INT(source_read(&s, 1, bytes, 10), -ENODATA);
	CHECK_INT(source_read(&s, UINT64_MAX, bytes, 1), -ENODATA);
	CHECK_INT(source_read(&s, 11, bytes, 0), -ENODATA);
	CHECK_INT(source_some(&s, 8, bytes, 16), 2);
	CHECK_INT(source_some(&s, 10, bytes, 16), 0);
	CHECK_INT(source_some(&s, UINT64_MAX, bytes, 16), 0);
	CHECK_INT(source_u32(&s, 7, &four), -ENODATA);
	CHECK_INT(four, 7);
	CHECK_INT(source_u32(&s, 6, &four), 0);
	CHECK_INT(four, 0x39383736);
	CHECK_INT(s.asked, 16);
	s.limit = 17;
	CHECK_INT(source_read(&s, 0, bytes, 2), -EFBIG);
	CHECK_INT(source_read(&s, 0, bytes, 1), 0);
}

/* A file that was longer when it was measured. */
static void test_shrunk(void)
{
	FILE *file = tmpfile();
	struct source s;
	char bytes[16];

	CHECK(file && fputs("short", file) >= 0 && fflush(file) == 0);
	s = source_file(fileno(file), 100);
	CHECK_INT(source_read(&s, 1, bytes, 4), 0);
	CHECK_INT(source_read(&s, 1, bytes, 5), -ENODATA);
	CHECK_INT(source_read(&s, 50, bytes, 5), -ENODATA);
	fclose(file);
}

static void test_parts(void)
{
	struct source s = source_memory(SPAN_LITERAL("0123456789"));
	struct source part = source_part(&s, 2, 5), inner = source_part(&part, 1, 100);
	char bytes[16] = "";

	CHECK_INT(part.size, 5);
	CHECK_INT(source_read(&part, 0, bytes, 5), 0);
	CHECK(memcmp(bytes, "23456", 5) == 0);
	CHECK_INT(source_read(&part, 1, bytes, 5), -ENODATA);
	CHECK_INT(inner.size, 4);
	CHECK_INT(inner.start, 3);
	CHECK_INT(source_some(&inner, 1, bytes, 16), 3);
	CHECK(memcmp(bytes, "456", 3) == 0);
	CHECK_INT(s.asked, 8);
	CHECK_INT(source_part(&s, 20, 5).size, 0);
	CHECK_INT(source_part(&s, 5, UINT64_MAX).size, 5);
	CHECK(!part.kept);
}

/* Holes: only bytes 4 to 7 of a hundred were kept. */
static bool kept(const struct source *s, uint64_t from, uint64_t *ret)
{
	(void)s;
	*ret = from < 4 ? 4 : from;
	return from < 8;
}

static int read_kept(const struct source *s, uint64_t at, void *ret, size_t n)
{
	(void)s;
	if (at < 4 || at + n > 8)
		return -ENODATA;
	memset(ret, 'k', n);
	return 0;
}

static void test_holes(void)
{
	struct source s = { .size = 100, .read = read_kept, .kept = kept };
	struct source before = source_part(&s, 2, 10), behind = source_part(&s, 50, 10),
		      until = source_part(&s, 0, 4);
	uint64_t at = 0;
	char byte;

	CHECK(before.kept && before.kept(&before, 0, &at));
	CHECK_INT(at, 2);
	CHECK_INT(source_read(&before, at, &byte, 1), 0);
	CHECK(before.kept(&before, 3, &at) && at == 3);
	CHECK(!before.kept(&before, 6, &at));
	CHECK(!behind.kept(&behind, 0, &at));
	CHECK(!until.kept(&until, 0, &at));
	CHECK_INT(source_read(&behind, 0, &byte, 1), -ENODATA);
}

int main(void)
{
	test_memory();
	test_shrunk();
	test_parts();
	test_holes();
	return check_end();
}
