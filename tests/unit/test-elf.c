#include "parse/elf.h"

#include <errno.h>

#include "check-span.h"
#include "make-code.h"

static const char *const needed[] = { "libamdhip64.so.7", "libc.so.6", NULL };
static const char *const versions[] = { "libamdhip64.so.7", "hip_4.2",       "hip_7.2",
					"hip_7.10",         "GLIBC_PRIVATE", NULL };
static const struct made_section sections[] = {
	{ ".text", 1, { "code", 4 }, 0 },
	{ ".hip_fatbin", 1, { "fat", 3 }, 0 },
	{ ".bss", 8, { NULL, 0 }, 1 << 20 },
	{ NULL, 0, { NULL, 0 }, 0 },
};
static const struct made_elf whole = { .type = ELF_SHARED,
				       .sections = sections,
				       .needed = needed,
				       .soname = "libx.so.1",
				       .rpath = "$ORIGIN",
				       .runpath = "$ORIGIN/../lib",
				       .versions = versions };

static bool find(struct elf *elf, const char *name, struct elf_section *ret)
{
	for (uint32_t i = 0; elf_section(elf, i, ret) == 0; i++)
		if (strcmp(ret->name, name) == 0)
			return true;
	return false;
}

static void test_whole(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct elf_dynamic d;
	struct elf_section x;
	struct source s;
	const char *why;
	struct elf elf;

	make_elf(&b, &whole);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf.type, ELF_SHARED);
	CHECK_INT(elf.machine, 62);
	CHECK_INT(elf.shnum, 5);
	CHECK(find(&elf, ".hip_fatbin", &x));
	CHECK_INT(x.size, 3);
	CHECK_INT(x.offset % 4096, 0);
	CHECK(find(&elf, ".bss", &x));
	CHECK_INT(x.type, ELF_NOBITS);
	CHECK_INT(x.size, 1 << 20);
	CHECK(find(&elf, ".shstrtab", &x));
	CHECK(!find(&elf, ".hip", &x));
	CHECK_INT(elf_section(&elf, 5, &x), -ENOENT);

	CHECK_INT(elf_dynamic(&elf, &arena, &d), 0);
	CHECK(d.found && !d.pie);
	CHECK_TEXT(d.soname, "libx.so.1");
	CHECK_TEXT(d.rpath, "$ORIGIN");
	CHECK_TEXT(d.runpath, "$ORIGIN/../lib");
	CHECK_TEXT(d.defines, "hip_7.10");
	CHECK_INT(d.needed_count, 2);
	CHECK_TEXT(d.needed[0], "libamdhip64.so.7");
	CHECK_TEXT(d.needed[1], "libc.so.6");
	arena_done(&arena);
}

/* The loader needs no sections, and neither do we. */
static void test_without_sections(void)
{
	struct made_elf e = whole;
	struct buf b BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct elf_dynamic d;
	struct elf_section x;
	struct source s;
	const char *why;
	struct elf elf;

	e.sections = NULL;
	make_elf(&b, &e);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf_section(&elf, 0, &x), -ENOENT);
	CHECK_INT(elf_dynamic(&elf, &arena, &d), 0);
	CHECK_TEXT(d.soname, "libx.so.1");
	arena_done(&arena);
}

static char long_path[7000];

/* A search path longer than a window, as jax-rocm7-plugin has one. */
static void test_long_path(void)
{
	struct made_elf e = whole;
	struct buf b BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct elf_dynamic d;
	struct source s;
	const char *why;
	struct elf elf;

	memset(long_path, 'x', sizeof(long_path) - 1);
	e.runpath = long_path;
	make_elf(&b, &e);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf_dynamic(&elf, &arena, &d), 0);
	CHECK_TEXT(d.runpath, long_path);
	CHECK_TEXT(d.needed[1], "libc.so.6");
	arena_done(&arena);
}

static const struct {
	size_t at;
	uint8_t value;
	int status;
	const char *says, *why;
} refused[] = {
	{ 0, 0, -ENOEXEC, "not an ELF file", "no magic" },
	{ 4, 1, -EPROTONOSUPPORT, "a 32-bit ELF file: ROCm has none", "i386" },
	{ 5, 2, -EPROTONOSUPPORT, "a big-endian ELF file: ROCm has none", "s390x" },
	{ 4, 7, -EBADMSG, "its ELF header is damaged", "no such class" },
	{ 4, 0, -EBADMSG, "its ELF header is damaged", "no class" },
	{ 5, 0, -EBADMSG, "its ELF header is damaged", "no byte order" },
	{ 5, 3, -EBADMSG, "its ELF header is damaged", "no such byte order" },
	{ 6, 0, -EBADMSG, "its ELF header is damaged", "no version" },
	{ 6, 2, -EBADMSG, "its ELF header is damaged", "no such version" },
};

static void test_refused(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct source s;
	const char *why;
	struct elf elf;

	make_elf(&b, &whole);
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		char kept = b.data[refused[i].at];

		b.data[refused[i].at] = (char)refused[i].value;
		s = source_memory(buf_get(&b));
		ROW_CHECK(elf_open(&s, &elf, &why) == refused[i].status, refused[i].why);
		ROW_SPAN(span_of(why), refused[i].says, refused[i].why);
		b.data[refused[i].at] = kept;
	}
	for (size_t n = 0; n < 64; n++) {
		s = source_memory((struct span){ b.data, n });
		CHECK_INT(elf_open(&s, &elf, &why), n < 4 ? -ENOEXEC : -EBADMSG);
	}
}

/* Numbers of the header that lie: no section, no crash, and the rest is still read. */
static const struct {
	size_t at, bytes;
	uint64_t value;
	int section; /* what elf_section(1) answers */
	const char *why;
} lies[] = {
	{ 40, 8, 0, -ENOENT, "no table" },
	{ 40, 8, UINT64_MAX, -ENOENT, "a table that wraps" },
	{ 40, 8, UINT64_MAX - 63, -ENOENT, "whose first entry wraps" },
	{ 40, 8, 1 << 30, -ENOENT, "behind the file" },
	{ 58, 2, 40, -ENOENT, "entries of 32-bit files" },
	{ 58, 2, 0, -ENOENT, "entries of no bytes" },
	{ 60, 2, 1, -ENOENT, "one section only" },
	{ 60, 2, 0xfff0, 0, "more sections than there are: those that are there are read" },
	{ 62, 2, 0xfff0, 0, "names in a section that is not there" },
};

static void test_lies(void)
{
	for (size_t i = 0; i < COUNT_OF(lies); i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct arena arena = { 0 };
		struct elf_dynamic d;
		struct elf_section x;
		struct source s;
		const char *why;
		struct elf elf;

		make_elf(&b, &whole);
		if (lies[i].bytes == 8)
			set64(&b, lies[i].at, lies[i].value);
		else
			set16(&b, lies[i].at, (uint16_t)lies[i].value);
		s = source_memory(buf_get(&b));
		ROW_CHECK(elf_open(&s, &elf, &why) == 0, lies[i].why);
		ROW_CHECK(elf_section(&elf, 1, &x) == lies[i].section, lies[i].why);
		ROW_CHECK(elf_dynamic(&elf, &arena, &d) == 0 && d.needed_count == 2, lies[i].why);
		arena_done(&arena);
	}
}

/* Numbers above 0xff00 stand in section 0. */
static void test_extended_numbers(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct elf_section x;
	struct source s;
	const char *why;
	struct elf elf;
	uint64_t table;

	make_elf(&b, &whole);
	memcpy(&table, b.data + 40, sizeof(table));
	table = le64toh(table);
	set64(&b, table + 32, 5);
	set32(&b, table + 40, 4);
	set32(&b, table + 44, MADE_SEGMENTS);
	set16(&b, 56, 0xffff);
	set16(&b, 60, 0);
	set16(&b, 62, 0xffff);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf.shnum, 5);
	CHECK_INT(elf.phnum, MADE_SEGMENTS);
	CHECK(find(&elf, ".hip_fatbin", &x));
	set64(&b, table + 32, UINT64_MAX);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf_section(&elf, 5, &x), -EBADMSG);
	CHECK_INT(elf_section(&elf, ELF_SECTIONS_MAX, &x), -E2BIG);
	CHECK_INT(elf_section(&elf, ELF_SECTIONS_MAX + 1, &x), -ENOENT);
	set64(&b, table + 32, ELF_SECTIONS_MAX);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf_section(&elf, ELF_SECTIONS_MAX, &x), -ENOENT);
}

/* What elf_dynamic() answers for this file, and of how many libraries it then knows. */
static int read_dynamic(const struct buf *file, size_t *ret_needed, bool *ret_defines)
{
	struct source s = source_memory(buf_get(file));
	struct arena arena = { 0 };
	struct elf_dynamic d = { 0 };
	const char *why;
	struct elf elf;
	int r = elf_open(&s, &elf, &why);

	CHECK_INT(r, 0);
	r = elf_dynamic(&elf, &arena, &d);
	*ret_needed = d.needed_count;
	*ret_defines = d.defines != NULL;
	arena_done(&arena);
	return r;
}

/* A limit that is reached is an error; one entry less is read. */
static void test_many_entries(void)
{
	static const char *names[4096 + 2];
	struct made_elf e = { .type = ELF_SHARED, .needed = names };
	size_t count;
	bool defines;

	for (size_t i = 0; i < 2; i++) {
		struct buf b BUF_SCOPED = { 0 };

		for (size_t n = 0; n < COUNT_OF(names); n++)
			names[n] = n < ELF_NEEDED_MAX + i ? "libx.so" : NULL;
		make_elf(&b, &e);
		CHECK_INT(read_dynamic(&b, &count, &defines), i ? -E2BIG : 0);
		CHECK_INT(count, ELF_NEEDED_MAX);
	}
	e = (struct made_elf){ .type = ELF_SHARED, .needed = needed, .versions = names };
	for (size_t i = 0; i < 2; i++) {
		struct buf b BUF_SCOPED = { 0 };

		for (size_t n = 0; n < COUNT_OF(names); n++)
			names[n] = n < 4096 + i ? "hip_7.2" : NULL;
		make_elf(&b, &e);
		CHECK_INT(read_dynamic(&b, &count, &defines), i ? -E2BIG : 0);
		CHECK_INT(count, 2);
		CHECK(defines == (i == 0)); /* the highest of some need not be the highest */
	}
	for (size_t i = 0; i < 2; i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct elf_segment dynamic;
		const char *why;
		struct source s;
		struct elf elf;
		size_t at;

		/* The same segment at the end of the file, after thousands of entries of no use. */
		make_elf(&b, &whole);
		s = source_memory(buf_get(&b));
		CHECK_INT(elf_open(&s, &elf, &why), 0);
		CHECK_INT(elf_segment(&elf, 2, &dynamic), 0);
		put_up_to(&b, 16);
		at = b.len;
		for (size_t n = dynamic.size / 16; n < 4096 + i; n++) {
			put64(&b, 0x6ffffef5);
			put64(&b, 0);
		}
		for (size_t n = 0; n < dynamic.size; n++)
			buf_char(&b, b.data[dynamic.offset + n]);
		set64(&b, 64 + 2 * 56 + 8, at);
		set64(&b, 64 + 2 * 56 + 32, b.len - at);
		CHECK_INT(read_dynamic(&b, &count, &defines), i ? -E2BIG : 0);
		CHECK_INT(count, i ? 0 : 2);
	}
}

/* Each number of the dynamic segment, made absurd: an error or less, never a crash. */
static void test_dynamic_lies(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct elf_segment dynamic;
	struct source s;
	const char *why;
	struct elf elf;

	make_elf(&b, &whole);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf_segment(&elf, 2, &dynamic), 0);
	CHECK_INT(dynamic.type, ELF_DYNAMIC);
	for (size_t at = dynamic.offset; at + 16 <= dynamic.offset + dynamic.size; at += 16) {
		static const uint64_t absurd[] = { UINT64_MAX, UINT64_MAX - MADE_ADDRESS, INT64_MAX,
						   1 << 20 };
		uint64_t tag, kept;

		memcpy(&tag, b.data + at, 8);
		memcpy(&kept, b.data + at + 8, 8);
		for (size_t i = 0; i < COUNT_OF(absurd); i++) {
			struct arena arena = { 0 };
			struct elf_dynamic d;
			int r;

			set64(&b, at + 8, absurd[i]);
			s = source_memory(buf_get(&b));
			CHECK_INT(elf_open(&s, &elf, &why), 0);
			r = elf_dynamic(&elf, &arena, &d);
			/* The size of the strings and the number of versions are cut. */
			CHECK(tag == 10 || tag == 0x6ffffffd || tag == 0 || r == -EBADMSG);
			arena_done(&arena);
		}
		memcpy(b.data + at + 8, &kept, 8);
	}
}

/* A string table that ends without a NUL. */
static void test_open_string(void)
{
	struct made_elf e = whole;
	struct buf b BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct elf_segment dynamic;
	struct elf_dynamic d;
	struct source s;
	const char *why;
	struct elf elf;

	e.versions = NULL;
	e.soname = e.rpath = NULL;
	make_elf(&b, &e);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf_segment(&elf, 2, &dynamic), 0);
	for (size_t at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16) {
		uint64_t tag, bytes;

		memcpy(&tag, b.data + at, 8);
		memcpy(&bytes, b.data + at + 8, 8);
		if (tag == 10)
			set64(&b, at + 8, bytes - 1);
	}
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf_dynamic(&elf, &arena, &d), -EBADMSG);
	CHECK(!d.runpath);
	arena_done(&arena);
}

/* Two notes of one segment, then one that ends behind it. */
static void test_notes(void)
{
	static const char *const none[] = { NULL };
	struct made_elf e = { .type = ELF_SHARED, .needed = none };
	struct elf_notes place = { 0 };
	struct buf b BUF_SCOPED = { 0 };
	struct elf_note note;
	size_t at, bytes;
	struct source s;
	const char *why;
	struct elf elf;

	make_elf(&b, &e);
	at = b.len;
	put32(&b, 4);
	put32(&b, 5);
	put32(&b, 3);
	buf_add(&b, "AMD\0hello\0\0\0", 12);
	put32(&b, 7);
	put32(&b, 0);
	put32(&b, 32);
	buf_add(&b, "AMDGPU\0\0", 8);
	bytes = b.len - at;
	put32(&b, 4);
	put32(&b, 100);
	put32(&b, 1);
	buf_add(&b, "GNU\0", 4);
	made_segment(&b, 0, ELF_NOTES, at, bytes);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	CHECK_INT(elf_note_next(&elf, &place, &note), 1);
	CHECK_TEXT(note.owner, "AMD");
	CHECK_INT(note.type, 3);
	CHECK_INT(note.size, 5);
	CHECK(memcmp(b.data + note.at, "hello", 5) == 0);
	CHECK_INT(elf_note_next(&elf, &place, &note), 1);
	CHECK_TEXT(note.owner, "AMDGPU");
	CHECK_INT(note.type, 32);
	CHECK_INT(elf_note_next(&elf, &place, &note), 0);

	made_segment(&b, 0, ELF_NOTES, at, b.len - at);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	place = (struct elf_notes){ 0 };
	CHECK_INT(elf_note_next(&elf, &place, &note), 1);
	CHECK_INT(elf_note_next(&elf, &place, &note), 1);
	CHECK_INT(elf_note_next(&elf, &place, &note), -EBADMSG);

	made_segment(&b, 0, ELF_NOTES, at, UINT64_MAX - at);
	s = source_memory(buf_get(&b));
	CHECK_INT(elf_open(&s, &elf, &why), 0);
	place = (struct elf_notes){ 0 };
	CHECK_INT(elf_note_next(&elf, &place, &note), -EBADMSG);
}

int main(void)
{
	test_whole();
	test_without_sections();
	test_long_path();
	test_refused();
	test_lies();
	test_extended_numbers();
	test_many_entries();
	test_dynamic_lies();
	test_open_string();
	test_notes();
	return check_end();
}
