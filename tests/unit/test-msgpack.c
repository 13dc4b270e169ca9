#include "parse/msgpack.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "check-pack.h"
#include "check-span.h"

#define BYTES(text)                      \
	{                                \
		(text), sizeof(text) - 1 \
	}

static const struct {
	struct span in;
	int want;
	enum msgpack_type type;
	uint64_t number;
	const char *text;
	uint64_t behind; /* where the next value would begin */
	const char *why;
} values[] = {
	{ BYTES("\x00"), 0, MSGPACK_UINT, 0, "", 1, "small number" },
	{ BYTES("\x7f"), 0, MSGPACK_UINT, 127, "", 1, "largest small number" },
	{ BYTES("\xe0"), 0, MSGPACK_INT, (uint64_t)-32, "", 1, "small negative number" },
	{ BYTES("\xff"), 0, MSGPACK_INT, UINT64_MAX, "", 1, "minus one" },
	{ BYTES("\x82\x01\x02\x03\x04"), 0, MSGPACK_MAP, 2, "", 1, "map, its members follow" },
	{ BYTES("\x92\x01\x02"), 0, MSGPACK_ARRAY, 2, "", 1, "array" },
	{ BYTES("\xa3"
		"abc"),
	  0, MSGPACK_STR, 3, "abc", 4, "short text" },
	{ BYTES("\xa0"), 0, MSGPACK_STR, 0, "", 1, "empty text at the end" },
	{ BYTES("\xc0"), 0, MSGPACK_NIL, 0, "", 1, "nil" },
	{ BYTES("\xc2"), 0, MSGPACK_BOOL, 0, "", 1, "false" },
	{ BYTES("\xc3"), 0, MSGPACK_BOOL, 1, "", 1, "true" },
	{ BYTES("\xc4\x02zz"), 0, MSGPACK_BIN, 2, "", 4, "bytes have no text" },
	{ BYTES("\xc5\x00\x01z"), 0, MSGPACK_BIN, 1, "", 4, "bytes, two of length" },
	{ BYTES("\xc6\x00\x00\x00\x01z"), 0, MSGPACK_BIN, 1, "", 6, "bytes, four of length" },
	{ BYTES("\xc7\x02\x05zz"), 0, MSGPACK_EXT, 2, "", 5, "extension: its kind counts apart" },
	{ BYTES("\xc8\x00\x01\x05z"), 0, MSGPACK_EXT, 1, "", 5, "extension, two of length" },
	{ BYTES("\xc9\x00\x00\x00\x01\x05z"), 0, MSGPACK_EXT, 1, "", 7, "extension, four" },
	{ BYTES("\xca\x3f\x80\x00\x00"), 0, MSGPACK_FLOAT, 0, "", 5, "float" },
	{ BYTES("\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00"), 0, MSGPACK_FLOAT, 0, "", 9, "double" },
	{ BYTES("\xcc\xff"), 0, MSGPACK_UINT, 255, "", 2, "one byte" },
	{ BYTES("\xcd\x01\x02"), 0, MSGPACK_UINT, 0x102, "", 3, "two bytes, the higher first" },
	{ BYTES("\xce\x01\x02\x03\x04"), 0, MSGPACK_UINT, 0x1020304, "", 5, "four bytes" },
	{ BYTES("\xcf\x01\x02\x03\x04\x05\x06\x07\x08"), 0, MSGPACK_UINT, 0x102030405060708, "", 9,
	  "eight bytes" },
	{ BYTES("\xd0\x80"), 0, MSGPACK_INT, (uint64_t)-128, "", 2, "signed byte" },
	{ BYTES("\xd1\x00\x05"), 0, MSGPACK_UINT, 5, "", 3, "signed and positive is a number" },
	{ BYTES("\xd2\xff\xff\xff\xfe"), 0, MSGPACK_INT, (uint64_t)-2, "", 5, "signed, four" },
	{ BYTES("\xd3\xff\xff\xff\xff\xff\xff\xff\xfd"), 0, MSGPACK_INT, (uint64_t)-3, "", 9,
	  "signed, eight" },
	{ BYTES("\xd4\x01z"), 0, MSGPACK_EXT, 1, "", 3, "extension of one byte" },
	{ BYTES("\xd8\x01zzzzzzzzzzzzzzzz"), 0, MSGPACK_EXT, 16, "", 18, "extension of sixteen" },
	{ BYTES("\xd9\x03"
		"abc"),
	  0, MSGPACK_STR, 3, "abc", 5, "text, one byte of length" },
	{ BYTES("\xda\x00\x03"
		"abc"),
	  0, MSGPACK_STR, 3, "abc", 6, "text, two" },
	{ BYTES("\xdb\x00\x00\x00\x03"
		"abc"),
	  0, MSGPACK_STR, 3, "abc", 8, "text, four" },
	{ BYTES("\xdc\x00\x01z"), 0, MSGPACK_ARRAY, 1, "", 3, "array, two bytes of count" },
	{ BYTES("\xdd\x00\x00\x00\x01z"), 0, MSGPACK_ARRAY, 1, "", 5, "array, four" },
	{ BYTES("\xde\x00\x01zz"), 0, MSGPACK_MAP, 1, "", 3, "map, two" },
	{ BYTES("\xdf\x00\x00\x00\x01zz"), 0, MSGPACK_MAP, 1, "", 5, "map, four" },

	{ BYTES(""), -ENODATA, 0, 0, "", 0, "nothing" },
	{ BYTES("\xc1"), -EBADMSG, 0, 0, "", 0, "the byte that is never used" },
	{ BYTES("\xcd\x01"), -ENODATA, 0, 0, "", 0, "a number cut off" },
	{ BYTES("\xa3"
		"ab"),
	  -ENODATA, 0, 0, "", 0, "a text cut off" },
	{ BYTES("\xdb\xff\xff\xff\xff"
		"ab"),
	  -ENODATA, 0, 0, "", 0, "4 GB of text in two bytes" },
	{ BYTES("\x81\x01"), -EBADMSG, 0, 0, "", 0, "a pair needs two bytes" },
	{ BYTES("\xdd\xff\xff\xff\xff\x01"), -EBADMSG, 0, 0, "", 0,
	  "four thousand million members" },
	{ BYTES("\xdf\x80\x00\x00\x00\x01"), -EBADMSG, 0, 0, "", 0,
	  "a count whose double overflows" },
	{ BYTES("\xc7\x01\x05"), -ENODATA, 0, 0, "", 0, "an extension without its byte" },
	{ BYTES("\xd4"), -ENODATA, 0, 0, "", 0, "a fixed extension without its kind" },
};

static void test_values(void)
{
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		struct source s = source_memory(values[i].in);
		struct msgpack_item item = { .number = 77 };
		struct msgpack m;

		msgpack_init(&m, &s, 0, UINT64_MAX);
		if (!ROW_CHECK(msgpack_next(&m, &item) == values[i].want, values[i].why))
			continue;
		if (values[i].want < 0) {
			ROW_CHECK(item.number == 77, values[i].why);
			continue;
		}
		ROW_CHECK(item.type == values[i].type, values[i].why);
		ROW_CHECK(item.number == values[i].number, values[i].why);
		ROW_SPAN(item.text, values[i].text, values[i].why);
		ROW_CHECK(m.at == values[i].behind, values[i].why);
	}
}

static const struct {
	struct span in;
	int want;
	uint64_t behind;
	const char *why;
} skips[] = {
	{ BYTES("\x05\x06"), 0, 1, "one value only" },
	{ BYTES("\x82\xa1"
		"a\x91\xc0\xa1"
		"b\x80\x07"),
	  0, 8, "members of members" },
	{ BYTES("\x91\x91\x91\x91\x91\x01\x02"), 0, 6, "depth" },
	{ BYTES("\x92\x01"), -EBADMSG, 0, "a member is missing" },
	{ BYTES("\x92\x92\x92\x01\x01"), -EBADMSG, 0,
	  "each head is right, all together owe too much" },
	{ BYTES("\x93\x01\xa2"
		"a"),
	  -ENODATA, 0, "cut in the middle" },
	{ BYTES(""), -ENODATA, 0, "nothing" },
};

static void test_skips(void)
{
	for (size_t i = 0; i < COUNT_OF(skips); i++) {
		struct source s = source_memory(skips[i].in);
		struct msgpack m;

		msgpack_init(&m, &s, 0, UINT64_MAX);
		ROW_CHECK(msgpack_skip(&m) == skips[i].want, skips[i].why);
		if (skips[i].want == 0)
			ROW_CHECK(m.at == skips[i].behind, skips[i].why);
	}
}

/* Nested arrays as deep as the input is long: no stack, no time. */
static void test_depth(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct source s;
	struct msgpack m;

	for (int i = 0; i < 1000000; i++)
		buf_char(&b, (char)0x91);
	buf_char(&b, 1);
	s = source_memory(buf_get(&b));
	msgpack_init(&m, &s, 0, UINT64_MAX);
	CHECK_INT(msgpack_skip(&m), 0);
	CHECK_INT(m.at, b.len);
}

static void test_limit(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct source s;
	struct msgpack m;

	pack_number(&b, 0xdd, MSGPACK_ITEMS_MAX, 4);
	buf_room(&b, MSGPACK_ITEMS_MAX);
	memset(b.data + b.len, 0, MSGPACK_ITEMS_MAX);
	b.len += MSGPACK_ITEMS_MAX;
	s = source_memory(buf_get(&b));
	msgpack_init(&m, &s, 0, UINT64_MAX);
	CHECK_INT(msgpack_skip(&m), -EFBIG);
}

/* Texts of every length around the window's edge come whole, and in order. */
static void test_window(void)
{
	struct buf b BUF_SCOPED = { 0 };
	char text[MSGPACK_TEXT_MAX + 1];
	struct msgpack_item item;
	struct source s;
	struct msgpack m;
	unsigned int count = 0;

	for (size_t n = 1; n <= MSGPACK_TEXT_MAX; n += 37, count++) {
		pack_number(&b, 0xda, n, 2);
		memset(text, 'a' + (int)(n % 26), n);
		buf_add(&b, text, n);
	}
	s = source_memory(buf_get(&b));
	msgpack_init(&m, &s, 0, UINT64_MAX);
	for (size_t n = 1; n <= MSGPACK_TEXT_MAX; n += 37) {
		CHECK_INT(msgpack_next(&m, &item), 0);
		CHECK_INT(item.text.len, n);
		CHECK_INT(item.text.data[n - 1], 'a' + (int)(n % 26));
	}
	CHECK_INT(msgpack_next(&m, &item), -ENODATA);
	CHECK_INT(m.items, count + 1);
}

/* Longer text shows its front and is passed over without being read. */
static void test_long_text(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct msgpack_item item;
	struct source s;
	struct msgpack m;

	pack_number(&b, 0xdb, 1000000, 4);
	for (int i = 0; i < 1000000; i++)
		buf_char(&b, 'x');
	buf_char(&b, 7);
	s = source_memory(buf_get(&b));
	msgpack_init(&m, &s, 0, UINT64_MAX);
	CHECK_INT(msgpack_next(&m, &item), 0);
	CHECK_INT(item.number, 1000000);
	CHECK_INT(item.text.len, MSGPACK_TEXT_MAX);
	CHECK(!msgpack_is(&item, "x"));
	CHECK_INT(msgpack_next(&m, &item), 0);
	CHECK_INT(item.number, 7);
	CHECK(s.asked < 2 * MSGPACK_WINDOW + 2);
}

/* Only the pages from 4096 to 8192 were kept. */
static int read_kept(const struct source *s, uint64_t at, void *ret, size_t n)
{
	if (at < 4096 || at + n > 8192)
		return -ENODATA;
	memcpy(ret, (const char *)s->of + at, n);
	return 0;
}

static void test_hole(void)
{
	char *bytes = calloc(1, 16384);
	struct source s = { .size = 16384, .read = read_kept, .of = bytes, .fd = -1 };
	struct msgpack_item item;
	struct msgpack m;

	memcpy(bytes + 8189, "\xa2zz", 3);
	msgpack_init(&m, &s, 8189, UINT64_MAX);
	CHECK_INT(msgpack_next(&m, &item), 0);
	CHECK_SPAN(item.text, "zz");
	CHECK_INT(msgpack_next(&m, &item), -ENODATA);
	free(bytes);
}

static void test_end(void)
{
	struct source s = source_memory(SPAN_LITERAL("\x92\x01\x02\x03"));
	struct msgpack m;

	msgpack_init(&m, &s, 0, 2);
	CHECK_INT(msgpack_skip(&m), -EBADMSG);
	msgpack_init(&m, &s, 1, 2);
	CHECK_INT(msgpack_skip(&m), 0);
	CHECK_INT(msgpack_skip(&m), -ENODATA);
	msgpack_init(&m, &s, 9, 2);
	CHECK_INT(msgpack_skip(&m), -ENODATA);
}

int main(void)
{
	test_values();
	test_skips();
	test_depth();
	test_limit();
	test_window();
	test_long_text();
	test_hole();
	test_end();
	return check_end();
}
