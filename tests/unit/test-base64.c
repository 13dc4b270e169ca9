#include "base/base64.h"

#include "check-span.h"

/* RFC 4648, section 10. */
static const struct {
	const char *plain;
	const char *coded;
} pairs[] = {
	{ "", "" },
	{ "f", "Zg==" },
	{ "fo", "Zm8=" },
	{ "foo", "Zm9v" },
	{ "foob", "Zm9vYg==" },
	{ "fooba", "Zm9vYmE=" },
	{ "foobar", "Zm9vYmFy" },
};

static const struct {
	const char *why;
	const char *coded;
	const char *plain; /* NULL: refused */
} readings[] = {
	{ "white space is skipped", "Zm 9v\n\tYmFy\r\n", "foobar" },
	{ "a foreign letter", "Zm9v!", NULL },
	{ "the URL alphabet", "Zm-_", NULL },
	{ "a group cut short", "Zm9", NULL },
	{ "padding in front", "=m9v", NULL },
	{ "padding in the middle", "Zm=v", NULL },
	{ "too much padding", "Z===", NULL },
	{ "nothing but padding", "====", NULL },
	{ "text behind the padding", "Zg==Zg==", NULL },
};

int main(void)
{
	struct buf every BUF_SCOPED = { 0 };
	struct buf coded BUF_SCOPED = { 0 };
	struct buf again BUF_SCOPED = { 0 };

	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		struct buf out BUF_SCOPED = { 0 };
		struct buf back BUF_SCOPED = { 0 };

		base64_write(&out, span_of(pairs[i].plain));
		CHECK_SPAN(buf_get(&out), pairs[i].coded);
		CHECK(base64_read(&back, span_of(pairs[i].coded)));
		CHECK_SPAN(buf_get(&back), pairs[i].plain);
	}
	for (size_t i = 0; i < COUNT_OF(readings); i++) {
		struct buf out BUF_SCOPED = { 0 };

		ROW_CHECK(base64_read(&out, span_of(readings[i].coded)) ==
				  (readings[i].plain != NULL),
			  readings[i].why);
		if (readings[i].plain)
			ROW_SPAN(buf_get(&out), readings[i].plain, readings[i].why);
	}
	for (int c = 0; c < 256; c++)
		buf_char(&every, (char)c);
	base64_write(&coded, buf_get(&every));
	CHECK(base64_read(&again, buf_get(&coded)) && again.len == 256 &&
	      memcmp(again.data, every.data, 256) == 0);
	return check_end();
}
