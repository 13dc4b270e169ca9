#include "parse/pe.h"

#include <errno.h>

#include "check-span.h"
#include "make-code.h"

#define HEADER   0x80 /* of the PE header */
#define OPTIONAL 240  /* bytes of the optional header of 64 bits */
#define TABLE    (HEADER + 24 + OPTIONAL)
#define STRINGS  0x600

static void put_section(struct buf *b, const char *name, uint32_t in_memory, uint32_t in_file,
			uint32_t offset)
{
	char field[8] = { 0 };

	memcpy(field, name, strnlen(name, sizeof(field)));
	buf_add(b, field, sizeof(field));
	put32(b, in_memory);
	put32(b, 0x1000);
	put32(b, in_file);
	put32(b, offset);
	put_zeroes(b, 16);
}

/* As lld-link writes a DLL, with one name of GNU ld. */
static void make_pe(struct buf *b)
{
	buf_text(b, "MZ");
	put_zeroes(b, 58);
	put32(b, HEADER);
	put_zeroes(b, HEADER - b->len);
	buf_add(b, "PE\0\0", 4);
	put16(b, 0x8664);
	put16(b, 5);
	put32(b, 0);
	put32(b, STRINGS - 2 * 18); /* symbols */
	put32(b, 2);
	put16(b, OPTIONAL);
	put16(b, 0x2022);
	put_zeroes(b, OPTIONAL);
	put_section(b, ".text", 0x123, 0x200, 0x400);
	put_section(b, ".hip_fatbin", 0xae2328, 0xae2400, 0x34200);
	put_section(b, "/4", 24, 0x200, 0x800);
	put_section(b, ".bss", 0x5000, 0, 0);
	put_section(b, "/9999999", 0x5000, 0x1000, 0x1000);
	put_zeroes(b, STRINGS - b->len);
	put32(b, 22);
	buf_add(b, ".hipFatBinSegment\0", 18);
}

static void test_whole(void)
{
	static const struct {
		const char *name;
		uint64_t offset, size;
		const char *why;
	} rows[] = {
		{ ".text", 0x400, 0x123, "padded in the file" },
		{ ".hip_fat", 0x34200, 0xae2328, "a name that was cut" },
		{ ".hipFatBinSegment", 0x800, 24, "a name in the table of strings" },
		{ ".bss", 0, 0, "nothing in the file" },
		{ "/9999999", 0x1000, 0x1000, "a name that is not there; zeroes follow in memory" },
	};
	struct buf b BUF_SCOPED = { 0 };
	struct pe_section x;
	struct source s;
	const char *why;
	struct pe pe;

	make_pe(&b);
	s = source_memory(buf_get(&b));
	CHECK_INT(pe_open(&s, &pe, &why), 0);
	CHECK_INT(pe.machine, 0x8664);
	CHECK(pe.library);
	CHECK_INT(pe.section_count, COUNT_OF(rows));
	for (uint32_t i = 0; i < COUNT_OF(rows); i++) {
		ROW_CHECK(pe_section(&pe, i, &x) == 0, rows[i].why);
		ROW_SPAN(span_of(x.name), rows[i].name, rows[i].why);
		ROW_CHECK(x.offset == rows[i].offset && x.size == rows[i].size, rows[i].why);
	}
	CHECK_INT(pe_section(&pe, COUNT_OF(rows), &x), -ENOENT);
}

/* One field set to a value: what opening answers, and section 1. */
static const struct {
	size_t at;
	uint32_t value;
	int opened, section;
	const char *why;
} lies[] = {
	{ 0, 0x464c457f, -ENOEXEC, 0, "an ELF file" },
	{ 60, 0, -ENOEXEC, 0, "the DOS header again" },
	{ 60, 0x300, -ENOEXEC, 0, "a DOS program: other bytes where the header should be" },
	{ 60, UINT32_MAX, -EBADMSG, 0, "a header behind the file" },
	{ 60, STRINGS + 12, -ENOEXEC, 0, "a header of other bytes at the end" },
	{ HEADER, 0x0000454e, -ENOEXEC, 0, "Windows of 16 bits" },
	{ HEADER + 4, 0x00018664, 0, -ENOENT, "one section" },
	{ HEADER + 4, 0xffff8664, 0, 0,
	  "more sections than there are: those that are there are read" },
	{ HEADER + 12, UINT32_MAX, 0, 0, "symbols behind the file" },
	{ HEADER + 16, UINT32_MAX, 0, 0, "more symbols than fit" },
	{ HEADER + 20, 0x2022ffff, 0, -EBADMSG, "a section table behind the file" },
};

static void test_lies(void)
{
	for (size_t i = 0; i < COUNT_OF(lies); i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct pe_section x;
		struct source s;
		const char *why = NULL;
		struct pe pe;

		make_pe(&b);
		set32(&b, lies[i].at, lies[i].value);
		s = source_memory(buf_get(&b));
		ROW_CHECK(pe_open(&s, &pe, &why) == lies[i].opened, lies[i].why);
		ROW_CHECK((lies[i].opened == 0) == !why, lies[i].why);
		if (lies[i].opened == 0)
			ROW_CHECK(pe_section(&pe, 1, &x) == lies[i].section, lies[i].why);
	}
}

/* Cut anywhere: an error, and never a section that is not whole. */
static void test_cut(void)
{
	struct buf b BUF_SCOPED = { 0 };
	const char *why;

	make_pe(&b);
	for (size_t n = 0; n < b.len; n++) {
		struct source s = source_memory((struct span){ b.data, n });
		struct pe_section x;
		struct pe pe;
		int r = pe_open(&s, &pe, &why);

		CHECK_INT(r, n < 2 ? -ENOEXEC : n < HEADER + 24 ? -EBADMSG : 0);
		for (uint32_t i = 0; r == 0 && i < 5; i++)
			CHECK_INT(pe_section(&pe, i, &x), n < TABLE + 40 * (i + 1) ? -EBADMSG : 0);
	}
}

/* ---- imports ---- */

#define PLACE   0x2000 /* in memory, of a section that stands at IMPORTS */
#define IMPORTS 0x800
#define NAMES   (IMPORTS + 100)

static void set_bytes(struct buf *b, size_t at, const char *text)
{
	memcpy(b->data + at, text, strlen(text) + 1);
}

/* Two DLLs, one of them with a name in capitals, and the entry of zeroes behind them. */
static void make_imports(struct buf *b)
{
	make_pe(b);
	put_zeroes(b, 0x1000);
	set32(b, HEADER + 24, 0x20b);
	set32(b, HEADER + 24 + 108, 16);
	set32(b, HEADER + 24 + 112 + 8, PLACE);
	set32(b, TABLE + 12, PLACE); /* of the first section: its place in memory */
	set32(b, TABLE + 16, 0x200);
	set32(b, TABLE + 20, IMPORTS);
	set32(b, IMPORTS + 12, PLACE + 100);
	set32(b, IMPORTS + 32, PLACE + 120);
	set_bytes(b, NAMES, "amdhip64_7.dll");
	set_bytes(b, NAMES + 20, "VCRUNTIME140.dll");
}

static const struct {
	size_t at;
	uint32_t value;
	int answer;
	size_t count;
	const char *why;
} imports[] = {
	{ HEADER + 24, 0x20b, 0, 2, "as it is" },
	{ HEADER + 24, 0x107, -EBADMSG, 0, "an optional header of ROM images" },
	{ HEADER + 24 + 108, 1, 0, 0, "fewer directories than that of imports" },
	{ HEADER + 24 + 112 + 8, 0, 0, 0, "nothing is imported" },
	{ HEADER + 24 + 112 + 8, 0x90000, -EBADMSG, 0, "a table outside of all sections" },
	{ IMPORTS + 12, 0x90000, -EBADMSG, 0, "a name outside of all sections" },
	{ IMPORTS + 32, UINT32_MAX, -EBADMSG, 1, "the second name outside of all sections" },
	{ IMPORTS + 32, 0, 0, 1, "an entry without a name ends the table" },
};

static void test_imports(void)
{
	for (size_t i = 0; i < COUNT_OF(imports); i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct pe_imports found;
		struct arena a = { 0 };
		struct source s;
		const char *why;
		struct pe pe;

		make_imports(&b);
		set32(&b, imports[i].at, imports[i].value);
		s = source_memory(buf_get(&b));
		CHECK_INT(pe_open(&s, &pe, &why), 0);
		ROW_CHECK(pe_imports(&pe, &a, &found) == imports[i].answer, imports[i].why);
		ROW_CHECK(found.count == imports[i].count && !found.cut, imports[i].why);
		if (found.count == 2)
			ROW_SPAN(span_of(found.names[1]), "VCRUNTIME140.dll", imports[i].why);
		arena_done(&a);
	}
}

int main(void)
{
	test_whole();
	test_lies();
	test_cut();
	test_imports();
	return check_end();
}
