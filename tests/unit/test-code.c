#include "code/code.h"

#include <errno.h>

#include "check-span.h"
#include "code/gather.h"
#include "make-code.h"

static const struct made_entry first[] = {
	{ "host-x86_64-unknown-linux--", 0, 0 },
	{ "hipv4-amdgcn-amd-amdhsa--gfx1100", MADE_V4, 0x41 },
	{ "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", MADE_V4, 0x63f },
	{ NULL, 0, 0 },
};
static const struct made_entry second[] = {
	{ "host-x86_64-unknown-linux-gnu-", 0, 0 },
	{ "hipv4-amdgcn-amd-amdhsa--gfx1100", MADE_V6, 0x41 },
	{ "hipv4-amdgcn-amd-amdhsa--gfx9-4-generic", MADE_V6, 0x0100005f },
	{ NULL, 0, 0 },
};

#define TARGETS_OF_FIRST "target 1 gfx1100\ntarget 1 gfx90a:xnack-\n"
#define TARGETS_OF_BOTH  "target 2 gfx1100\ntarget 1 gfx9-4-generic\ntarget 1 gfx90a:xnack-\n"

/* What code_read makes of the bytes, as text, without size and digest. */
static char *answer(struct source *s)
{
	struct buf text = { 0 };
	struct arena arena = { 0 };
	struct code code, again;
	struct buf back BUF_SCOPED = { 0 };
	char *kept;

	code_read(s, NULL, &arena, &code);
	code_write(&code, &text);
	CHECK(code_parse(buf_get(&text), &arena, &again));
	code_write(&again, &back);
	CHECK_TEXT(back.data, text.data);
	CHECK(again.size == s->size);
	arena_done(&arena);
	kept = strdup(strchr(text.data, '\n') + 1);
	buf_done(&text);
	return kept;
}

static void expect(struct source s, const char *want, const char *why)
{
	char *got = answer(&s);

	ROW_SPAN(span_of(got), want, why);
	free(got);
}

static void expect_bytes(const struct buf *b, const char *want, const char *why)
{
	/* A copy of exactly this size: the sanitizer sees a byte too many. */
	char *copy = memcpy(malloc(b->len + 1), b->data, b->len);

	expect(source_memory((struct span){ copy, b->len }), want, why);
	free(copy);
}

/* A shared library with this section of device code. */
static void library(struct buf *out, const char *name, struct span content)
{
	const struct made_section sections[] = { { ".text", 1, SPAN_LITERAL("x"), 0 },
						 { name, 1, content, 0 },
						 { NULL, 0, { NULL, 0 }, 0 } };
	const struct made_elf e = { .type = 3, .sections = sections };

	make_elf(out, &e);
}

static void both(struct buf *out)
{
	make_bundle(out, first, 4096);
	put_up_to(out, 4096);
	make_bundle(out, second, 4096);
}

static void test_plain(void)
{
	struct buf fat BUF_SCOPED = { 0 }, b BUF_SCOPED = { 0 };

	both(&fat);
	library(&b, ".hip_fatbin", buf_get(&fat));
	expect_bytes(&b,
		     "kind shared-library\nfound index\nbundles 2\nform plain 2\n"
		     "cov 4 6\n" TARGETS_OF_BOTH,
		     "two bundles with different targets");
	set64(&b, 40, 0);
	expect_bytes(&b,
		     "kind shared-library\nfound scan\nbundles 2\nform plain 2\n"
		     "cov 4 6\n" TARGETS_OF_BOTH,
		     "without section headers");
	set64(&b, 40, 1 << 30);
	expect_bytes(&b,
		     "kind shared-library\nfound scan\nbundles 2\nform plain 2\n"
		     "cov 4 6\n" TARGETS_OF_BOTH
		     "problem the section table cannot be read: the file was searched\n",
		     "section headers were cut off");
	expect_bytes(&fat,
		     "kind bundle\nfound index\nbundles 2\nform plain 2\ncov 4 6\n" TARGETS_OF_BOTH,
		     "bundles by themselves");
}

static void test_compressed(void)
{
	for (unsigned int version = 1; version <= 3; version++) {
		for (unsigned int method = 0; method < 2; method++) {
			struct buf fat BUF_SCOPED = { 0 }, b BUF_SCOPED = { 0 };
			struct buf one BUF_SCOPED = { 0 }, two BUF_SCOPED = { 0 };
			char want[400];

			make_bundle(&one, first, 4096);
			make_bundle(&two, second, 4096);
			make_ccob(&fat, version, method, buf_get(&one));
			put_up_to(&fat, 4096);
			make_ccob(&fat, version, method, buf_get(&two));
			library(&b, ".hip_fatbin", buf_get(&fat));
			snprintf(want, sizeof(want),
				 "kind shared-library\nfound index\nbundles 2\nform ccob%u 2\n"
				 "cov 4 6\n" TARGETS_OF_BOTH,
				 version);
			expect_bytes(&b, want, method ? "zstd" : "zlib");
		}
	}
}

/*
 * A payload that holds the begin of a compressed bundle, on a page boundary:
 * LLVM took it for the end once. Stored by zlib as it is.
 */
static void test_magic_inside(void)
{
	struct buf plain BUF_SCOPED = { 0 }, fat BUF_SCOPED = { 0 };
	uLongf n;

	make_bundle(&plain, first, 4096);
	put_zeroes(&plain, 8192);
	while (plain.len < 20000)
		buf_add(&plain, "CCOB\2\0\1\0", 8);
	n = compressBound(plain.len);
	buf_text(&fat, "CCOB");
	put16(&fat, 3);
	put16(&fat, 0);
	put64(&fat, 0);
	put64(&fat, plain.len);
	put64(&fat, 0);
	buf_room(&fat, n);
	compress2((Bytef *)fat.data + fat.len, &n, (const Bytef *)plain.data, plain.len, 0);
	fat.len += n;
	set64(&fat, 8, fat.len);
	CHECK(memmem(fat.data + 32, fat.len - 32, "CCOB\2\0\1\0", 8));
	expect_bytes(
		&fat,
		"kind bundle\nfound index\nbundles 1\nform ccob3 1\ncov 4 4\n" TARGETS_OF_FIRST,
		"one bundle, not many");
}

#define HEAD "kind bundle\nfound index\nbundles 2\nform ccob2 2\ncov 4 4\n" TARGETS_OF_FIRST

static void test_cut_ccob(void)
{
	struct buf plain BUF_SCOPED = { 0 }, fat BUF_SCOPED = { 0 };
	size_t whole;
	char want[400];

	make_bundle(&plain, first, 4096);
	make_ccob(&fat, 2, 1, buf_get(&plain));
	whole = fat.len;
	put_up_to(&fat, 4096);
	make_ccob(&fat, 2, 1, buf_get(&plain));
	fat.len--;
	snprintf(want, sizeof(want),
		 HEAD "problem bundle 2 at 0x1000: has %zu bytes and only %zu are there\n", whole,
		 whole - 1);
	expect_bytes(&fat, want, "the second is cut by a byte");
	set32(&fat, 8, 1 << 20);
	fat.len++;
	snprintf(want, sizeof(want),
		 HEAD "problem bundle 1 at 0x0: has 1048576 bytes and only %zu are there\n",
		 fat.len);
	expect_bytes(&fat, want, "the first says too much: the second is read all the same");
	set32(&fat, 8, (uint32_t)whole);
	set32(&fat, 12, 100);
	expect_bytes(&fat,
		     "kind bundle\nfound index\nbundles 2\nform ccob2 2\ncov 4 4\n" TARGETS_OF_FIRST
		     "problem bundle 1 at 0x0: its table ends behind the bytes that are there\n",
		     "unpacks to less than its table");
	set32(&fat, 12, 8000);
	expect_bytes(&fat,
		     "kind bundle\nfound index\nbundles 2\nform ccob2 2\ncov 4 4\n"
		     "target 2 gfx1100\ntarget 1 gfx90a:xnack-\n"
		     "problem bundle 1 at 0x0: entry 3 ends behind what it unpacks to\n",
		     "unpacks to less than its last entry");
	fat.data[24] = 0;
	expect_bytes(&fat,
		     "kind bundle\nfound index\nbundles 2\nform ccob2 2\ncov 4 4\n" TARGETS_OF_FIRST
		     "problem bundle 1 at 0x0: its zstd frame is damaged\n",
		     "no zstd frame");
}

/* Some bytes, and zeroes behind them that nobody has: a sparse file. */
static int read_zeroes(const struct source *s, uint64_t at, void *ret, size_t n)
{
	const struct buf *b = s->of;

	memset(ret, 0, n);
	if (at < b->len)
		memcpy(ret, b->data + at, n < b->len - at ? n : b->len - at);
	return 0;
}

/*
 * Zeroes behind a frame that has not ended are empty blocks. Of version 1, which
 * does not say where it ends, 64 MiB of them were 22 million reads of 3 bytes.
 */
static void test_empty_blocks(void)
{
	static const struct {
		unsigned int version;
		bool table; /* before the zeroes */
		const char *want, *why;
	} rows[] = {
		{ 1, true,
		  "kind bundle\nfound index\nbundles 1\nform ccob1 1\ncov 4 4\n" TARGETS_OF_FIRST
		  "problem bundle 1 at 0x0: its zstd frame is damaged\n",
		  "its end is looked for" },
		{ 1, false,
		  "kind bundle\nfound index\nbundles 1\nform ccob1 1\n"
		  "problem bundle 1 at 0x0: its zstd frame is damaged\n",
		  "told once" },
		{ 3, true,
		  "kind bundle\nfound index\nbundles 1\nform ccob3 1\ncov 4 4\n" TARGETS_OF_FIRST,
		  "the table is whole, and its end is told" },
		{ 3, false,
		  "kind bundle\nfound index\nbundles 1\nform ccob3 1\n"
		  "problem bundle 1 at 0x0: its zstd frame is damaged\n",
		  "the table is looked for" },
	};
	struct buf plain BUF_SCOPED = { 0 };

	make_bundle(&plain, first, 512);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct source s = { .size = 64 << 20, .read = read_zeroes, .of = &b, .fd = -1 };

		buf_text(&b, "CCOB");
		put16(&b, (uint16_t)rows[i].version);
		put16(&b, 1);
		if (rows[i].version == 3)
			put64(&b, s.size);
		if (rows[i].version == 3)
			put64(&b, plain.len);
		else
			put32(&b, (uint32_t)plain.len);
		put64(&b, 0);
		buf_add(&b, "\x28\xb5\x2f\xfd\0\x50", 6);
		if (rows[i].table) {
			uint32_t head = (uint32_t)plain.len << 3;

			buf_add(&b, &head, 3);
			buf_span(&b, buf_get(&plain));
		}
		expect(s, rows[i].want, rows[i].why);
	}
}

static const struct {
	size_t at;
	uint64_t value;
	const char *want, *why;
} broken[] = {
	{ 24, 0,
	  "kind bundle\nfound index\nbundles 1\nform plain 1\nproblem bundle 1 at 0x0: no entries\n",
	  "an empty table" },
	{ 24, 5000,
	  "kind bundle\nfound index\nbundles 1\nform plain 1\nproblem bundle 1 at 0x0: its table has "
	  "more entries, or longer ids, than any bundle has\n",
	  "absurdly many entries" },
	{ 83, UINT64_MAX,
	  "kind bundle\nfound index\nbundles 1\nform plain 1\ncov 4 4\ntarget 1 gfx90a:xnack-\n"
	  "problem bundle 1 at 0x0: entry 2 ends behind the bytes that are there\n",
	  "an offset that wraps" },
	{ 91, 8192,
	  "kind bundle\nfound index\nbundles 1\nform plain 1\ncov 4 4\ntarget 1 gfx90a:xnack-\n"
	  "problem bundle 1 at 0x0: entry 2 ends behind the bytes that are there\n",
	  "code that is longer than the file" },
	{ 91, 0,
	  "kind bundle\nfound index\nbundles 1\nform plain 1\ncov 4 4\ntarget 1 gfx90a:xnack-\n"
	  "problem bundle 1 at 0x0: entry 2 is empty\n",
	  "a target without code" },
	{ 99, 23,
	  "kind bundle\nfound index\nbundles 1\nform plain 1\nproblem bundle 1 at 0x0: its table has "
	  "more entries, or longer ids, than any bundle has\n",
	  "a shorter id: what follows is nonsense" },
	{ 99, 33,
	  "kind bundle\nfound index\nbundles 1\nform plain 1\nproblem bundle 1 at 0x0: its table has "
	  "more entries, or longer ids, than any bundle has\n",
	  "a longer one" },
	{ 107, 0x2020202020202020,
	  "kind bundle\nfound index\nbundles 1\nform plain 1\ncov 4 4\ntarget 1 gfx90a:xnack-\n"
	  "problem bundle 1 at 0x0: \"        dgcn-amd-amdhsa--gfx1100\" names no target\n",
	  "an id of another kind" },
};

static void test_broken(void)
{
	for (size_t i = 0; i < COUNT_OF(broken); i++) {
		struct buf b BUF_SCOPED = { 0 };

		make_bundle(&b, first, 4096);
		set64(&b, broken[i].at, broken[i].value);
		expect_bytes(&b, broken[i].want, broken[i].why);
	}
}

/* A table that does not fit into a page, plain and compressed. */
static void test_long_table(void)
{
	struct made_entry many[200];
	struct buf plain BUF_SCOPED = { 0 }, packed BUF_SCOPED = { 0 };
	static char ids[199][48];

	for (size_t i = 0; i < 199; i++) {
		snprintf(ids[i], sizeof(ids[i]), "hipv4-amdgcn-amd-amdhsa--gfx9%02zx", i);
		many[i] = (struct made_entry){ ids[i], MADE_V4, 0x41 };
	}
	many[199] = (struct made_entry){ 0 };
	make_bundle(&plain, many, 4096);
	make_ccob(&packed, 3, 1, buf_get(&plain));
	for (int i = 0; i < 2; i++) {
		struct source s = source_memory(buf_get(i ? &packed : &plain));
		struct arena arena = { 0 };
		struct code code;

		code_read(&s, NULL, &arena, &code);
		CHECK_INT(code.target_count, 199);
		CHECK_INT(code.problem_count, 0);
		CHECK_INT(code.targets[0].in, 1);
		CHECK_TEXT(code.targets[198].id, "gfx9c6");
		CHECK_INT(code_holds(&code, SPAN_LITERAL("gfx90a")), 1);
		CHECK_INT(code_holds(&code, SPAN_LITERAL("gfx90")), 0);
		CHECK_INT(code.newest_cov, 4);
		arena_done(&arena);
	}
}

/* Version 3 of code objects: features stand in the object, not in the id. */
static void test_old_ids(void)
{
	static const struct made_entry old[] = {
		{ "host-x86_64-unknown-linux", 0, 0 },
		{ "hip-amdgcn-amd-amdhsa--gfx906", MADE_V3, 0x12f },
		{ "hip-amdgcn-amd-amdhsa-gfx803", MADE_V3, 0x2a },
		{ "hip-amdgcn-amd-amdhsa--gfx908", MADE_V4, 0x730 },
		{ NULL, 0, 0 },
	};
	struct buf b BUF_SCOPED = { 0 };

	make_bundle(&b, old, 4096);
	expect_bytes(&b,
		     "kind bundle\nfound index\nbundles 1\nform plain 1\ncov 3 3\n"
		     "target 1 gfx803\ntarget 1 gfx906:xnack+\ntarget 1 gfx908\n",
		     "only version 3 is asked");
}

static void test_code_object(void)
{
	struct buf b BUF_SCOPED = { 0 };

	make_object(&b, MADE_V6, 0x64c);
	expect_bytes(
		&b,
		"kind code-object\nfound index\nbundles 1\nform elf 1\ncov 6 6\ntarget 1 gfx942:xnack-\n",
		"a code object by itself");
	b.data[8] = 9;
	expect_bytes(&b,
		     "kind code-object\nfound index\nbundles 1\nform elf 1\ntarget 1 gfx942\n"
		     "problem a code object of ABI version 9, newer than we know\n",
		     "of the future");
	b.data[7] = 65;
	expect_bytes(&b,
		     "kind code-object\nfound index\nbundles 1\nform elf 1\ntarget 1 gfx942\n"
		     "problem a code object for OS ABI 65: HIP takes 64 (HSA) only\n",
		     "PAL");
}

static void test_sections(void)
{
	const struct made_section rdc[] = {
		{ "__CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx1030", 1, SPAN_LITERAL("BC"),
		  0 },
		{ "__CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx906", 1, SPAN_LITERAL("BC"),
		  0 },
		{ "__CLANG_OFFLOAD_BUNDLE__host-x86_64-unknown-linux--", 1, SPAN_LITERAL("\0"), 0 },
		{ "__CLANG_OFFLOAD_BUNDLE__sycl-spir64", 1, SPAN_LITERAL("x"), 0 },
		{ "__CLANG_OFFLOAD_BUNDLE__hip-amdgcn", 1, SPAN_LITERAL("x"), 0 },
		{ NULL, 0, { NULL, 0 }, 0 },
	};
	const struct made_elf e = { .type = 1, .sections = rdc };
	struct buf b BUF_SCOPED = { 0 };

	make_elf(&b, &e);
	expect_bytes(
		&b,
		"kind object\nfound index\nbundles 1\nform rdc 1\ntarget 1 gfx1030\ntarget 1 gfx906\n"
		"problem section __CLANG_OFFLOAD_BUNDLE__hip-amdgcn names no target\n",
		"relocatable device code");
}

static void test_empty_fatbin(void)
{
	const struct made_section none[] = { { ".hip_fatbin", 8, { NULL, 0 }, 1 << 30 },
					     { NULL, 0, { NULL, 0 }, 0 } };
	const struct made_elf e = { .type = 3, .sections = none };
	struct buf b BUF_SCOPED = { 0 }, zeroes BUF_SCOPED = { 0 }, cut BUF_SCOPED = { 0 },
		     fat BUF_SCOPED = { 0 };
	const struct made_section wide[] = { { ".hip_fatbin", 1, SPAN_LITERAL("x"), 1 << 30 },
					     { NULL, 0, { NULL, 0 }, 0 } };
	const struct made_elf w = { .type = 3, .sections = wide };

	make_elf(&b, &e);
	expect_bytes(
		&b,
		"kind shared-library\nproblem section .hip_fatbin has no content, and no kpack "
		"reference stands for it\n",
		"NOBITS without a reference");
	put_zeroes(&fat, 300000);
	library(&zeroes, ".hip_fatbin", buf_get(&fat));
	expect_bytes(&zeroes, "kind shared-library\nproblem section .hip_fatbin holds no bundle\n",
		     "zeroes");
	make_elf(&cut, &w);
	expect_bytes(&cut,
		     "kind shared-library\nproblem section .hip_fatbin ends behind the file\n"
		     "problem section .hip_fatbin holds no bundle\n",
		     "a section that is longer than the file");
}

/* Bundles that are not on a page boundary, behind zeroes and behind each other. */
static void test_unaligned(void)
{
	struct buf fat BUF_SCOPED = { 0 }, b BUF_SCOPED = { 0 };

	put_zeroes(&fat, 65536 - 5);
	make_bundle(&fat, first, 8);
	put_zeroes(&fat, 100);
	make_bundle(&fat, second, 8);
	library(&b, ".hip_fatbin", buf_get(&fat));
	expect_bytes(&b,
		     "kind shared-library\nfound index\nbundles 2\nform plain 2\n"
		     "cov 4 6\n" TARGETS_OF_BOTH,
		     "searched for, across the border of a window");
}

static void put_member(struct buf *b, const char *name, struct span content)
{
	buf_addf(b, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0, 0, 644, content.len);
	buf_span(b, content);
	if (content.len % 2)
		buf_char(b, '\n');
}

static void test_archive(void)
{
	struct buf b BUF_SCOPED = { 0 }, fat BUF_SCOPED = { 0 }, member BUF_SCOPED = { 0 };
	char want[400];

	make_bundle(&fat, first, 4096);
	library(&member, ".hip_fatbin", buf_get(&fat));
	buf_text(&b, "!<arch>\n");
	put_member(&b, "//", SPAN_LITERAL("a_long_name.o/\n"));
	put_member(&b, "a.o/", buf_get(&member));
	buf_clear(&fat);
	make_bundle(&fat, second, 4096);
	put_member(&b, "b.o/", buf_get(&fat));
	put_member(&b, "c.txt/", SPAN_LITERAL("none of ours"));
	expect_bytes(
		&b, "kind archive\nfound index\nbundles 2\nform plain 2\ncov 4 6\n" TARGETS_OF_BOTH,
		"members");
	snprintf(want, sizeof(want),
		 "kind archive\nfound index\nbundles 2\nform plain 2\ncov 4 6\n" TARGETS_OF_BOTH
		 "problem the archive is broken at 0x%zx\n",
		 b.len);
	buf_text(&b, "garbage");
	expect_bytes(&b, want, "garbage behind");
	memcpy(b.data, "!<thin>\n", 8);
	expect_bytes(&b, "kind archive\nproblem a thin archive: its members are elsewhere\n",
		     "thin");
}

static void test_names(void)
{
	static const char *const needed[] = { "libamdhip64.so.7", "evil\nname", NULL };
	const struct made_section none[] = { { NULL, 0, { NULL, 0 }, 0 } };
	struct made_elf e = { .type = 3,
			      .sections = none,
			      .needed = needed,
			      .soname = "libx.so.1",
			      .rpath = "$ORIGIN",
			      .runpath = "/opt/rocm/lib" };
	struct buf b BUF_SCOPED = { 0 }, pie BUF_SCOPED = { 0 };

	make_elf(&b, &e);
	expect_bytes(&b,
		     "kind shared-library\nsoname libx.so.1\nneeded libamdhip64.so.7\n"
		     "needed evil\\x0aname\nrpath $ORIGIN\nrunpath /opt/rocm/lib\n",
		     "a name cannot forge a line");
	e.soname = NULL;
	e.pie = true;
	make_elf(&pie, &e);
	expect_bytes(&pie,
		     "kind executable\nneeded libamdhip64.so.7\n"
		     "needed evil\\x0aname\nrpath $ORIGIN\nrunpath /opt/rocm/lib\n",
		     "the linker calls it an executable");
}

static void test_others(void)
{
	expect(source_memory(SPAN_LITERAL("")), "kind nothing\n", "empty");
	expect(source_memory(SPAN_LITERAL("#!/bin/sh\n")), "kind nothing\n", "a script");
	expect(source_memory(SPAN_LITERAL("\177ELF\2\1")),
	       "kind nothing\nproblem ends inside its ELF header\n", "cut");
	expect(source_memory(SPAN_LITERAL(
		       "\177ELF\1\1\1                                                                 ")),
	       "kind nothing\n", "i386: that it holds none is known");
	expect(source_memory(SPAN_LITERAL(
		       "\177ELF\7\1\1                                                                 ")),
	       "kind nothing\nproblem its ELF header is damaged\n", "no such class");
	expect(source_memory(SPAN_LITERAL("CCOB\2\0\1\0")),
	       "kind bundle\nproblem at 0x0: the header of a compressed bundle ends behind the bytes that are there\n",
	       "a header that is cut");
}

/* ---- a member of an archive, of which some pages were kept ---- */

struct sparse {
	struct span bytes;
	const bool *kept; /* for each page */
};

static int read_sparse(const struct source *s, uint64_t at, void *ret, size_t n)
{
	const struct sparse *x = s->of;

	for (uint64_t page = at / 4096; page <= (at + n - 1) / 4096; page++)
		if (!x->kept[page])
			return -ENODATA;
	memcpy(ret, x->bytes.data + at, n);
	return 0;
}

static bool kept_sparse(const struct source *s, uint64_t from, uint64_t *ret)
{
	const struct sparse *x = s->of;

	for (; from < s->size; from = (from / 4096 + 1) * 4096) {
		if (!x->kept[from / 4096])
			continue;
		*ret = from;
		return true;
	}
	return false;
}

static void test_holes(void)
{
	struct buf fat BUF_SCOPED = { 0 }, packed BUF_SCOPED = { 0 }, b BUF_SCOPED = { 0 },
		       one BUF_SCOPED = { 0 };
	struct sparse x;
	bool kept[100] = { 0 };

	both(&fat);
	make_bundle(&one, second, 4096);
	make_ccob(&packed, 3, 1, buf_get(&one));
	put_up_to(&fat, 4096);
	put_zeroes(&fat, 40960);
	buf_span(&fat, buf_get(&packed));
	library(&b, ".hip_fatbin", buf_get(&fat));
	x = (struct sparse){ buf_get(&b), kept };
	kept[0] = kept[(b.len - 1) / 4096] = true;
	for (size_t at = 0; at + 24 < b.len; at += 4096)
		if (memcmp(b.data + at, "__CLANG", 7) == 0 || memcmp(b.data + at, "CCOB", 4) == 0)
			kept[at / 4096] = true;
	expect((struct source){ .size = b.len, .read = read_sparse, .kept = kept_sparse, .of = &x },
	       "kind shared-library\nfound index\nbundles 3\nform plain 2\nform ccob3 1\ncov 6 6\n"
	       "target 3 gfx1100\ntarget 2 gfx9-4-generic\ntarget 1 gfx90a:xnack-\n",
	       "the code itself was not kept");
	kept[(b.len - 1) / 4096] = false;
	expect((struct source){ .size = b.len, .read = read_sparse, .kept = kept_sparse, .of = &x },
	       "kind shared-library\nfound scan\nbundles 2\nform plain 2\n" TARGETS_OF_BOTH
	       "problem the section table cannot be read: the file was searched\n",
	       "nor was the section table, and with it the last bundle");
}

/* ---- everything that can be cut or flipped ---- */

static void sample(struct buf *out, size_t which)
{
	struct buf fat BUF_SCOPED = { 0 }, plain BUF_SCOPED = { 0 };
	static const char *const needed[] = { "libamdhip64.so.7", NULL };
	static const char *const versions[] = { "x", "hip_7.2", NULL };

	make_bundle(&plain, first, 256);
	if (which == 0)
		make_bundle(&fat, first, 256);
	else
		make_ccob(&fat, which > 3 ? 3 : (unsigned int)which, which % 2, buf_get(&plain));
	if (which == 4) {
		make_object(out, MADE_V4, 0x41);
	} else if (which == 5) {
		buf_text(out, "!<arch>\n");
		put_member(out, "a.o/", buf_get(&fat));
	} else {
		const struct made_section sections[] = { { ".hip_fatbin", 1, buf_get(&fat), 0 },
							 { NULL, 0, { NULL, 0 }, 0 } };
		const struct made_elf e = { .type = 3,
					    .sections = sections,
					    .needed = needed,
					    .soname = "x",
					    .versions = versions };

		make_elf(out, &e);
	}
}

/* Total on every prefix and on every flipped bit: an answer that reads back, no crash. */
static void test_damage(void)
{
	for (size_t which = 0; which < 6; which++) {
		struct buf b BUF_SCOPED = { 0 };

		sample(&b, which);
		for (size_t n = 0; n < b.len; n += n < 600 ? 1 : 97) {
			char *copy = memcpy(malloc(n + 1), b.data, n);
			struct source s = source_memory((struct span){ copy, n });

			free(answer(&s));
			free(copy);
		}
		for (size_t i = 0; i < b.len; i++) {
			struct source s = source_memory(buf_get(&b));

			if (b.data[i] == 0 && i % 16 != 0)
				continue;
			b.data[i] = (char)(b.data[i] ^ 1 << i % 8);
			free(answer(&s));
			b.data[i] = (char)(b.data[i] ^ 1 << i % 8);
		}
	}
}

/* Limits: more problems and more targets than are kept. */
/* Each page is the same bundle. */
static int read_endless(const struct source *s, uint64_t at, void *ret, size_t n)
{
	const struct buf *bundle = s->of;

	memset(ret, 0, n);
	if (at % 4096 == 0)
		memcpy(ret, bundle->data, n < bundle->len ? n : bundle->len);
	return 0;
}

static void test_endless(void)
{
	static const struct made_entry one[] = {
		{ "hipv4-amdgcn-amd-amdhsa--gfx1100", MADE_V4, 0x41 }, { 0 }
	};
	struct buf b BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct source s = { .read = read_endless, .of = &b, .fd = -1 };
	struct code code;

	make_bundle(&b, one, 64);
	for (unsigned int more = 0; more < 2; more++) {
		s.size = ((uint64_t)GATHER_BUNDLES_MAX + more) * 4096;
		code_read(&s, NULL, &arena, &code);
		CHECK_INT(code.bundles, GATHER_BUNDLES_MAX);
		CHECK_INT(code_holds(&code, SPAN_LITERAL("gfx1100")), GATHER_BUNDLES_MAX);
		CHECK_INT(code.problem_count, more);
	}
	CHECK_TEXT(code.problem_count ? code.problems[0] : "",
		   "more than 65536 bundles: the others were not read");
	arena_done(&arena);
}

static void test_limits(void)
{
	static char ids[1000][32];
	struct made_entry many[1001];
	struct buf b BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct source s;
	struct code code;

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < 1000; i++) {
			snprintf(ids[i], sizeof(ids[i]), "hipv4-a-b-c--t%d%03zu", round, i);
			many[i] = (struct made_entry){ ids[i], MADE_V4, 0x41 };
		}
		many[1000] = (struct made_entry){ 0 };
		put_up_to(&b, 4096);
		make_bundle(&b, many, 64);
	}
	s = source_memory(buf_get(&b));
	code_read(&s, NULL, &arena, &code);
	CHECK_INT(code.bundles, 2);
	CHECK_INT(code.target_count, GATHER_TARGETS_MAX);
	CHECK_INT(code.problem_count, 1);
	CHECK_TEXT(code.problems[0], "more than 1024 targets: the others were left out");

	buf_clear(&b);
	for (size_t i = 0; i < 100; i++) {
		put_up_to(&b, 4096);
		buf_text(&b, "__CLANG_OFFLOAD_BUNDLE__");
		put64(&b, 0);
	}
	s = source_memory(buf_get(&b));
	code_read(&s, NULL, &arena, &code);
	CHECK_INT(code.bundles, 100);
	CHECK_INT(code.problem_count, GATHER_PROBLEMS_MAX + 1);
	CHECK_TEXT(code.problems[GATHER_PROBLEMS_MAX], "and 68 more problems");
	arena_done(&arena);
}

/* ---- the text form ---- */

static const struct {
	const char *text;
	bool good;
	const char *why;
} texts[] = {
	{ "", true, "nothing is known" },
	{ "size 5\nkind bundle\nfuture key 7\n", true, "a key of a newer program" },
	{ "future\n", true, "without a value" },
	{ "target 3 gfx1100\n", true, "a target" },
	{ "target gfx1100\n", false, "no count" },
	{ "target 3\n", false, "no id" },
	{ "target 3 gfx4567890123456789012345678901234567890123456789012345678901234\n", false,
	  "an id that is too long" },
	{ "target 4294967296 gfx90a\n", false, "a count that does not fit" },
	{ "kind spaceship\n", false, "an unknown kind" },
	{ "form ccob9 1\n", false, "an unknown form" },
	{ "form ccob3\n", false, "a form without a count" },
	{ "size -1\n", false, "no size" },
	{ "head 123\n", false, "a short digest" },
	{ "head 0123456789abcdef\n", true, "a digest" },
	{ "found nowhere\n", false, "neither" },
	{ "cov 4\n", false, "one version of two" },
	{ "archive missing ../.kpack/a b.kpack\narchive 0 x\n", true, "archives" },
	{ "archive 3\n", false, "an archive without a path" },
	{ "soname x\001y\n", false, "a control character" },
	{ "future x\001y\n", true, "of a key that nobody reads" },
};

static void test_texts(void)
{
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct arena arena = { 0 };
		struct code code = { .bundles = 77 };

		ROW_CHECK(code_parse(span_of(texts[i].text), &arena, &code) == texts[i].good,
			  texts[i].why);
		ROW_CHECK(texts[i].good || code.bundles == 77, "untouched");
		arena_done(&arena);
	}
}

static void test_archives_text(void)
{
	struct arena arena = { 0 };
	struct code code;

	CHECK(code_parse(SPAN_LITERAL("kpack lib/x.so\narchive missing a b\narchive 12 c\n"),
			 &arena, &code));
	CHECK_TEXT(code.kpack_name, "lib/x.so");
	CHECK_INT(code.archive_count, 2);
	CHECK(!code.archives[0].found && code.archives[1].found);
	CHECK_TEXT(code.archives[0].path, "a b");
	CHECK_INT(code.archives[1].kernels, 12);
	arena_done(&arena);
}

static void test_digest(void)
{
	struct source s = source_memory(SPAN_LITERAL("abc"));
	struct code code = { 0 };

	code_digest(&s, &code);
	CHECK_TEXT(code.head, "ba7816bf8f01cfea");
}

int main(void)
{
	test_plain();
	test_compressed();
	test_magic_inside();
	test_cut_ccob();
	test_empty_blocks();
	test_broken();
	test_long_table();
	test_old_ids();
	test_code_object();
	test_sections();
	test_empty_fatbin();
	test_unaligned();
	test_archive();
	test_names();
	test_others();
	test_holes();
	test_damage();
	test_limits();
	test_endless();
	test_texts();
	test_archives_text();
	test_digest();
	return check_end();
}
