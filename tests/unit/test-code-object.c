#include "parse/code-object.h"

#include <errno.h>

#include "check-span.h"
#include "make-code.h"

static const struct {
	uint8_t osabi, abi_version;
	uint32_t flags;
	unsigned int version;
	const char *target;
	const char *why;
} objects[] = {
	{ 64, 0, 0x32f, 2, "gfx906", "version 2: its feature bits mean other things" },
	{ 64, 1, 0x02f, 3, "gfx906", "version 3: nothing stated" },
	{ 64, 1, 0x12f, 3, "gfx906:xnack+", "version 3: xnack on" },
	{ 64, 1, 0x22f, 3, "gfx906:sramecc+", "version 3: sramecc on" },
	{ 64, 1, 0x32f, 3, "gfx906:sramecc+:xnack+", "clang-14 -mcode-object-version=3" },
	{ 64, 2, 0x041, 4, "gfx1100", "no such features" },
	{ 64, 2, 0x53f, 4, "gfx90a", "version 4: any of both" },
	{ 64, 2, 0x63f, 4, "gfx90a:xnack-", "version 4: xnack off" },
	{ 64, 2, 0x73f, 4, "gfx90a:xnack+", "version 4: xnack on" },
	{ 64, 3, 0xe4c, 5, "gfx942:sramecc+:xnack-", "version 5" },
	{ 64, 3, 0xb3f, 5, "gfx90a:sramecc-:xnack+", "version 5, the other way round" },
	{ 64, 4, 0x01000054, 6, "gfx11-generic", "version 6, generic version 1" },
	{ 64, 4, 0x0100065f, 6, "gfx9-4-generic:xnack-", "a generic one with a feature" },
	{ 64, 4, 0x05a, 6, "gfx1251", "near the end of the table" },
	{ 64, 4, 0x063, 6, "gfx13-generic", "the end of the table" },
	{ 64, 4, 0x064, 6, "mach 0x64", "behind the table" },
	{ 64, 4, 0x0ff, 6, "mach 0xff", "the largest number" },
	{ 64, 2, 0x027, 4, "mach 0x27", "a hole in the table" },
	{ 64, 2, 0x001, 4, "mach 0x01", "older than GCN" },
	{ 64, 5, 0x041, 0, "gfx1100", "a version that is not known yet: features are not read" },
	{ 65, 0, 0x041, 0, "gfx1100", "PAL, which has no versions" },
};

static void test_objects(void)
{
	for (size_t i = 0; i < COUNT_OF(objects); i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct code_object o;

		make_object(&b, objects[i].abi_version, objects[i].flags);
		b.data[7] = (char)objects[i].osabi;
		ROW_CHECK(code_object_parse(buf_get(&b), &o) == 0, objects[i].why);
		ROW_SPAN(span_of(o.target), objects[i].target, objects[i].why);
		ROW_CHECK(o.version == objects[i].version, objects[i].why);
		ROW_CHECK(o.known == !span_starts(span_of(o.target), "mach"), objects[i].why);
		ROW_CHECK(o.generic == (o.version == 6 ? objects[i].flags >> 24 : 0),
			  objects[i].why);
	}
}

static void test_others(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct code_object o;

	make_object(&b, MADE_V4, 0x41);
	for (size_t n = 0; n < CODE_OBJECT_HEAD; n++)
		CHECK_INT(code_object_parse((struct span){ b.data, n }, &o), -ENODATA);
	b.data[4] = 1;
	CHECK_INT(code_object_parse(buf_get(&b), &o), -ENOEXEC);
	b.data[4] = 2;
	set16(&b, 18, 62);
	CHECK_INT(code_object_parse(buf_get(&b), &o), -ENOEXEC);
}

/* The names must be names: what the table writes, the grammar reads. */
static void test_table(void)
{
	struct target_id id;
	int count = 0;

	for (uint32_t i = 0; i < 0x200; i++) {
		const char *name = code_object_processor(i);

		if (!name)
			continue;
		count++;
		CHECK(target_id_parse(span_of(name), &id) && span_is(id.processor, name));
	}
	CHECK_INT(count, 62);
	CHECK_TEXT(code_object_processor(0x3f), "gfx90a");
	CHECK(!code_object_processor(0));
}

/* Version 2 before LLVM 7: the number is 0, a note of AMD says 9.0.10. */
static void test_note(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct code_object o;
	struct source s;
	const char *why;
	struct elf elf;

	make_object(&b, 0, 0);
	set64(&b, 32, 64);
	set16(&b, 56, 1);
	put_zeroes(&b, 56);
	set32(&b, 64, ELF_NOTES);
	set64(&b, 72, b.len);
	set64(&b, 96, 36);
	put32(&b, 4);
	put32(&b, 20);
	put32(&b, 3);
	buf_add(&b, "AMD", 4);
	put32(&b, 0x00070004);
	put32(&b, 9);
	put32(&b, 0);
	put32(&b, 10);
	put32(&b, 0);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(code_object_read(&elf, &o), 0);
	CHECK_TEXT(o.target, "gfx90a");
	CHECK(o.known);
	set32(&b, b.len - 16, UINT32_MAX);
	CHECK_INT(code_object_read(&elf, &o), 0);
	CHECK_TEXT(o.target, "mach 0x00");
	CHECK(!o.known);
}

int main(void)
{
	test_objects();
	test_others();
	test_table();
	test_note();
	return check_end();
}
