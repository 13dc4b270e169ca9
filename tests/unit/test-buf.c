#include "base/buf.h"

#include "check-span.h"

static void test_pieces(void)
{
	struct buf b BUF_SCOPED = { 0 };

	CHECK_SPAN(buf_get(&b), "");
	buf_text(&b, "a");
	buf_char(&b, 'b');
	buf_span(&b, SPAN_LITERAL("cd"));
	buf_add(&b, NULL, 0);
	buf_addf(&b, "%d%s", 12, "x");
	CHECK_SPAN(buf_get(&b), "abcd12x");
	CHECK_TEXT(b.data, "abcd12x"); /* terminated for libc */
}

static void test_zero_bytes(void)
{
	struct buf b BUF_SCOPED = { 0 };

	buf_add(&b, "a\0b", 3);
	CHECK_INT(b.len, 3);
	CHECK(memcmp(b.data, "a\0b", 4) == 0); /* the fourth is the terminator */
}

static void test_growth(void)
{
	struct buf b BUF_SCOPED = { 0 };

	for (int i = 0; i < 10000; i++)
		buf_addf(&b, "%04d", i);
	CHECK_INT(b.len, 40000);
	CHECK(memcmp(b.data, "000000010002", 12) == 0);
	CHECK(memcmp(b.data + 39996, "9999", 5) == 0);
	CHECK(b.cap > b.len);
}

static void test_formats(void)
{
	struct buf b BUF_SCOPED = { 0 };
	char wide[300];

	memset(wide, 'w', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	buf_addf(&b, "%s", wide); /* longer than the first allocation */
	CHECK_SPAN(buf_get(&b), wide);
	buf_addf(&b, "%s", "");
	CHECK_INT(b.len, 299);
}

static void test_memory(void)
{
	struct buf b = { 0 };
	const char *before;

	buf_room(&b, 1000);
	before = b.data;
	for (int i = 0; i < 1000; i++)
		buf_char(&b, 'x');
	CHECK(b.data == before); /* the room that was asked for did not move */
	buf_clear(&b);
	CHECK_INT(b.len, 0);
	CHECK(b.data == before);
	CHECK_TEXT(b.data, "");
	buf_done(&b);
	CHECK(!b.data && b.len == 0 && b.cap == 0);
	buf_done(&b); /* twice does no harm */
	buf_clear(&b);
	CHECK_SPAN(buf_get(&b), "");
}

int main(void)
{
	test_pieces();
	test_zero_bytes();
	test_growth();
	test_formats();
	test_memory();
	return check_end();
}
