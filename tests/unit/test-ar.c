#include "parse/ar.h"

#include <errno.h>

#include "check-span.h"
#include "make-code.h"

static void put_member(struct buf *b, const char *name, const char *size, struct span content)
{
	buf_addf(b, "%-16s%-12d%-6d%-6d%-8d%-10s`\n", name, 0, 0, 0, 644, size);
	buf_span(b, content);
	if (content.len % 2)
		buf_char(b, '\n');
}

static void test_members(void)
{
	struct buf b BUF_SCOPED = { 0 };
	uint64_t place = AR_HEAD;
	struct ar_member m;
	struct source s;

	buf_text(&b, "!<arch>\n");
	put_member(&b, "/", "4", SPAN_LITERAL("symb"));
	put_member(&b, "odd.o/", "3", SPAN_LITERAL("odd"));
	put_member(&b, "empty/", "0", SPAN_LITERAL(""));
	put_member(&b, "last.o/", "5", SPAN_LITERAL("last!"));
	CHECK(ar_is(buf_get(&b)));
	CHECK(!ar_is_thin(buf_get(&b)));
	CHECK(ar_is_thin(SPAN_LITERAL("!<thin>\n")));
	s = source_memory(buf_get(&b));
	CHECK_INT(ar_next(&s, &place, &m), 1);
	CHECK_INT(m.size, 4);
	CHECK_INT(ar_next(&s, &place, &m), 1);
	CHECK(m.size == 3 && memcmp(b.data + m.at, "odd", 3) == 0);
	CHECK_INT(ar_next(&s, &place, &m), 1);
	CHECK_INT(m.size, 0);
	CHECK_INT(ar_next(&s, &place, &m), 1);
	CHECK(m.size == 5 && memcmp(b.data + m.at, "last!", 5) == 0);
	CHECK_INT(ar_next(&s, &place, &m), 0);
	/* Without the padding of the last one it is the same archive. */
	s = source_memory((struct span){ b.data, b.len - 1 });
	place = m.at - 60;
	CHECK_INT(ar_next(&s, &place, &m), 1);
	CHECK_INT(ar_next(&s, &place, &m), 0);
}

static const struct {
	const char *size;
	const char *why;
} broken[] = {
	{ "4", "a byte more than there is" },
	{ "4294967295", "absurd" },
	{ "-1", "negative" },
	{ "", "no size" },
	{ "0x2", "no decimal number" },
};

static void test_broken(void)
{
	for (size_t i = 0; i < COUNT_OF(broken); i++) {
		struct buf b BUF_SCOPED = { 0 };
		uint64_t place = AR_HEAD;
		struct ar_member m;
		struct source s;

		buf_text(&b, "!<arch>\n");
		put_member(&b, "x.o/", broken[i].size, SPAN_LITERAL("xx"));
		s = source_memory((struct span){ b.data, b.len });
		ROW_CHECK(ar_next(&s, &place, &m) == -EBADMSG, broken[i].why);
		s = source_memory((struct span){ b.data, 40 });
		ROW_CHECK(ar_next(&s, &place, &m) == -EBADMSG, "the head is cut");
		b.data[AR_HEAD + 59] = 'x';
		s = source_memory(buf_get(&b));
		ROW_CHECK(ar_next(&s, &place, &m) == -EBADMSG, "the head has no end");
	}
}

int main(void)
{
	test_members();
	test_broken();
	return check_end();
}
