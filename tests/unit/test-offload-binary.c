#include "parse/offload-binary.h"

#include <errno.h>

#include "check-span.h"
#include "make-code.h"

/* Strings stand behind the entries; version 2 and 3 give the size of a value. */
static void make(struct buf *b, unsigned int version, unsigned int count)
{
	size_t record = version == 1 ? 16 : 24, header = version == 3 ? 40 : 32;
	size_t strings = header + 40 * (size_t)count, text = strings + 2 * record;

	buf_add(b, "\x10\xff\x10\xad", 4);
	put32(b, version);
	put64(b, 0);
	put64(b, header);
	put64(b, version == 1 ? 40 : count);
	if (version == 3)
		put64(b, 0);
	for (unsigned int i = 0; i < count; i++) {
		put16(b, 1);
		put16(b, 4);
		put32(b, 0);
		put64(b, strings);
		put64(b, 2);
		put64(b, 0x1000);
		put64(b, 0x20);
	}
	put64(b, text);
	put64(b, text + 5);
	if (version > 1)
		put64(b, 7);
	put64(b, text + 13);
	put64(b, text + 20);
	if (version > 1)
		put64(b, 17);
	buf_add(b, "arch\0gfx1100\0triple\0amdgcn-amd-amdhsa", 38);
	set64(b, 8, b->len);
}

static void test_versions(void)
{
	for (unsigned int version = 1; version <= 3; version++) {
		struct buf b BUF_SCOPED = { 0 };
		struct offload_binary o;
		struct offload_entry e;

		make(&b, version, version);
		CHECK_INT(offload_binary_parse(buf_get(&b), &o), 0);
		CHECK_INT(o.version, version);
		CHECK_INT(o.count, version);
		CHECK_INT(o.size, b.len);
		for (unsigned int i = 0; i < version; i++) {
			CHECK_INT(offload_binary_entry(buf_get(&b), &o, i, &e), 0);
			CHECK_SPAN(e.arch, "gfx1100");
			CHECK_SPAN(e.triple, "amdgcn-amd-amdhsa");
			CHECK_INT(e.producer, 4);
			CHECK_INT(e.image_at, 0x1000);
		}
		CHECK_INT(offload_binary_entry(buf_get(&b), &o, version, &e), -ENOENT);
	}
}

static void test_every_cut(void)
{
	for (unsigned int version = 1; version <= 3; version++) {
		struct buf b BUF_SCOPED = { 0 };

		make(&b, version, 1);
		/* Only in version 1 the NUL behind the last value belongs to it. */
		for (size_t n = 0; n < b.len - (version > 1); n++) {
			char *cut = malloc(n + 1);
			struct span bytes = { memcpy(cut, b.data, n), n };
			struct offload_binary o;
			struct offload_entry e;
			int r = offload_binary_parse(bytes, &o);

			if (r == 0)
				r = offload_binary_entry(bytes, &o, 0, &e);
			CHECK(r == -ENODATA || (n < 4 && r == -ENOEXEC));
			free(cut);
		}
	}
}

static const struct {
	size_t at;
	uint64_t value;
	int parse, entry;
	const char *why;
} broken[] = {
	{ 8, 10, -EBADMSG, 0, "smaller than its header" },
	{ 8, 100, 0, -EBADMSG, "smaller than its tables" },
	{ 16, UINT64_MAX, 0, -EBADMSG, "entries that wrap" },
	{ 16, UINT64_MAX - 39, 0, -EBADMSG, "entries that wrap to the begin" },
	{ 24, OFFLOAD_BINARY_ENTRIES_MAX + 1, -EBADMSG, 0, "too many entries" },
	{ 32 + 8, UINT64_MAX - 8, 0, -EBADMSG, "strings that wrap" },
	{ 32 + 16, OFFLOAD_BINARY_STRINGS_MAX + 1, 0, -EBADMSG, "too many strings" },
	{ 32 + 40, UINT64_MAX, 0, -EBADMSG, "a key elsewhere" },
	{ 32 + 48, UINT64_MAX, 0, -EBADMSG, "a value elsewhere" },
	{ 32 + 56, UINT64_MAX, 0, -EBADMSG, "a value without end" },
};

static void test_broken(void)
{
	for (size_t i = 0; i < COUNT_OF(broken); i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct offload_binary o;
		struct offload_entry e;
		int r;

		make(&b, 2, 1);
		set64(&b, broken[i].at, broken[i].value);
		r = offload_binary_parse(buf_get(&b), &o);
		ROW_CHECK(r == broken[i].parse, broken[i].why);
		if (r == 0)
			ROW_CHECK(offload_binary_entry(buf_get(&b), &o, 0, &e) == broken[i].entry,
				  broken[i].why);
	}
}

static void test_compressed(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct offload_binary o;
	struct offload_entry e;

	make(&b, 3, 1);
	set64(&b, 32, 100000);
	CHECK_INT(offload_binary_parse(buf_get(&b), &o), 0);
	CHECK(o.compressed);
	CHECK_INT(offload_binary_entry(buf_get(&b), &o, 0, &e), -ENOENT);
	set32(&b, 4, 4);
	CHECK_INT(offload_binary_parse(buf_get(&b), &o), -EBADMSG);
}

int main(void)
{
	test_versions();
	test_every_cut();
	test_broken();
	test_compressed();
	return check_end();
}
