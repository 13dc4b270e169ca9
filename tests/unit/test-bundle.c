#include "parse/bundle.h"

#include <errno.h>

#include "check-span.h"
#include "make-code.h"

static const struct made_entry two[] = {
	{ "host-x86_64-unknown-linux--", 0, 0 },
	{ "hipv4-amdgcn-amd-amdhsa--gfx1100", MADE_V4, 0x41 },
	{ NULL, 0, 0 },
};

static void test_whole(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct bundle bundle;
	struct bundle_entry e;

	make_bundle(&b, two, 4096);
	CHECK_INT(bundle_open(buf_get(&b), &bundle), 0);
	CHECK_INT(bundle.count, 2);
	CHECK(bundle_next(&bundle, &e));
	CHECK_SPAN(e.id, "host-x86_64-unknown-linux--");
	CHECK_INT(e.size, 0);
	CHECK(bundle_next(&bundle, &e));
	CHECK_SPAN(e.id, "hipv4-amdgcn-amd-amdhsa--gfx1100");
	CHECK_INT(e.offset, 4096);
	CHECK_INT(e.size, 64);
	CHECK(!bundle_next(&bundle, &e));
	CHECK(!bundle_next(&bundle, &e));
}

/* However many bytes are handed over, too few are called too few, and no more is read. */
static void test_every_cut(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct bundle bundle;
	size_t table;

	make_bundle(&b, two, 4096);
	CHECK_INT(bundle_open(buf_get(&b), &bundle), 0);
	table = bundle.table.len;
	for (size_t n = 0; n <= table; n++) {
		char *cut = malloc(n + 1);
		int r;

		memcpy(cut, b.data, n);
		r = bundle_open((struct span){ cut, n }, &bundle);
		if (n >= BUNDLE_MAGIC_BYTES + 8) { /* of 24 and 27 bytes, and of 24 and 32 */
			CHECK_INT(bundle_open_cut((struct span){ cut, n }, &bundle), 0);
			CHECK_INT(bundle.count, (n >= 32 + 51) + (n >= 32 + 51 + 56));
		} else {
			CHECK_INT(bundle_open_cut((struct span){ cut, n }, &bundle), -ENODATA);
		}
		free(cut);
		if (!check_note(r == (n < table ? -ENODATA : 0), __FILE__, __LINE__, "cut"))
			printf("  after %zu bytes: %d\n", n, r);
	}
}

static const struct {
	size_t at;
	uint64_t value;
	int status;
	const char *why;
} broken[] = {
	{ 0, 0, -ENOEXEC, "no magic" },
	{ 24, 0, 0, "no entries: the caller's business" },
	{ 24, 3, 0, "one entry more: the padding reads as an empty one" },
	{ 24, BUNDLE_ENTRIES_MAX + 1, -EBADMSG, "more entries than any bundle has" },
	{ 24, UINT64_MAX, -EBADMSG, "absurdly many" },
	{ 32 + 16, BUNDLE_ID_BYTES + 1, -EBADMSG, "an id longer than any" },
	{ 32 + 16, UINT64_MAX, -EBADMSG, "a length that would wrap" },
	{ 32 + 16, UINT64_MAX - 23, -EBADMSG, "one that would wrap to the entry's begin" },
};

static void test_broken(void)
{
	for (size_t i = 0; i < COUNT_OF(broken); i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct bundle bundle;

		make_bundle(&b, two, 128);
		set64(&b, broken[i].at, broken[i].value);
		ROW_CHECK(bundle_open(buf_get(&b), &bundle) == broken[i].status, broken[i].why);
	}
}

/* As many ids as are allowed, all as long as is allowed, are more than a table may have. */
static void test_table_limit(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct bundle bundle;

	buf_text(&b, BUNDLE_MAGIC);
	put64(&b, BUNDLE_ENTRIES_MAX);
	for (size_t i = 0; i < BUNDLE_ENTRIES_MAX; i++) {
		put64(&b, 0);
		put64(&b, 0);
		put64(&b, BUNDLE_ID_BYTES);
		put_zeroes(&b, BUNDLE_ID_BYTES);
	}
	CHECK_INT(bundle_open(buf_get(&b), &bundle), -EBADMSG);
}

int main(void)
{
	test_whole();
	test_every_cut();
	test_broken();
	test_table_limit();
	return check_end();
}
