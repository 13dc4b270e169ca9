#include "archive/sieve.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "check.h"

#define MIB ((uint64_t)1 << 20)

/* A file of so many bytes, each page different, none with a magic. */
static char *make_file(size_t size)
{
	char *file = malloc(size);

	for (size_t i = 0; i < size; i++)
		file[i] = (char)(i / SIEVE_PAGE * 7 + i % 251);
	return file;
}

/* Through the sieve in pieces of uneven length. */
static struct sieve *sifted(const char *file, size_t size, size_t piece)
{
	struct sieve *s = sieve_new();

	for (size_t at = 0; at < size;) {
		size_t n = piece + at % 13;

		n = n < size - at ? n : size - at;
		sieve_add(s, (struct span){ file + at, n });
		at += n;
	}
	sieve_end(s);
	return s;
}

/* Is this range kept, and as it was? */
static bool has(const struct sieve *s, const char *file, uint64_t at, size_t n)
{
	struct source source = sieve_source(s);
	char *got = malloc(n);
	bool same = source_read(&source, at, got, n) == 0 && memcmp(got, file + at, n) == 0;

	free(got);
	return same;
}

static void put64(char *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

/* ---- what is always kept ---- */

static void test_small(void)
{
	static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, 65536, SIEVE_FIRST };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *file = make_file(sizes[i]);
		struct sieve *s = sifted(file, sizes[i], 1000);
		struct source source = sieve_source(s);

		CHECK_INT(source.size, sizes[i]);
		CHECK(has(s, file, 0, sizes[i]));
		CHECK(sieve_problem(s) == NULL);
		sieve_free(s);
		free(file);
	}
}

static void test_ends(void)
{
	size_t size = 8 * MIB + 777;
	static const size_t pieces[] = { 1, 4096, 10240, 262144 };
	char *file = make_file(size);

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct sieve *s = sifted(file, size, pieces[i]);
		struct source source = sieve_source(s);
		char byte;
		uint64_t next;

		CHECK(has(s, file, 0, SIEVE_FIRST));
		CHECK(has(s, file, size - SIEVE_LAST + SIEVE_PAGE, SIEVE_LAST - SIEVE_PAGE));
		CHECK_INT(source_read(&source, 4 * MIB, &byte, 1), -ENODATA); /* a hole */
		CHECK(source.kept(&source, 5, &next) && next == 5);
		CHECK(source.kept(&source, 2 * MIB, &next) && next >= size - SIEVE_LAST);
		CHECK(!source.kept(&source, size, &next));
		CHECK(sieve_held(s) < 2 * MIB);
		sieve_free(s);
	}
	free(file);
}

/* ---- what formats ask for ---- */

static void put_bundle(char *at, uint64_t offset)
{
	static const char id[] = "hipv4-amdgcn-amd-amdhsa--gfx1100";

	memcpy(at, "__CLANG_OFFLOAD_BUNDLE__", 24);
	put64(at + 24, 1);
	put64(at + 32, offset);
	put64(at + 40, 5000);
	put64(at + 48, sizeof(id) - 1);
	memcpy(at + 56, id, sizeof(id) - 1);
}

static void test_bundle(void)
{
	size_t size = 8 * MIB;
	char *file = make_file(size);
	struct sieve *s;

	put_bundle(file + 2 * MIB, MIB);
	put_bundle(file + 4 * MIB + 16, MIB); /* not on a page: no bundle of a linked file */
	s = sifted(file, size, 5000);
	CHECK(has(s, file, 2 * MIB, 16 << 10));
	CHECK(has(s, file, 3 * MIB, sizeof(Elf64_Ehdr))); /* the code object it names */
	CHECK(!has(s, file, 3 * MIB + SIEVE_PAGE, 1));
	CHECK(!has(s, file, 4 * MIB, 64));
	sieve_free(s);
	free(file);
}

/* A zstd frame whose first block is raw and 100,000 bytes long: all of it is needed. */
static void put_ccob(char *at, unsigned int version, uint32_t block)
{
	static const size_t headers[] = { 0, 20, 24, 32 };
	uint32_t bits = block << 3;
	char *frame = at + headers[version];

	memset(at, 0, 32);
	memcpy(at, "CCOB", 4);
	at[4] = (char)version;
	at[6] = 1;
	at[10] = 0x10; /* a mebibyte in all; of version 1, unpacked */
	memcpy(frame, "\x28\xb5\x2f\xfd\x00\x58", 6); /* no size, no dictionary, a window */
	frame[6] = (char)bits;
	frame[7] = (char)(bits >> 8);
	frame[8] = (char)(bits >> 16);
}

static void test_compressed(void)
{
	size_t size = 8 * MIB;

	for (unsigned int version = 1; version <= 3; version++) {
		char *file = make_file(size);
		struct sieve *s;

		put_ccob(file + 2 * MIB, version, 100000);
		put_ccob(file + 5 * MIB, version, 900);
		file[6 * MIB] = 'C'; /* and one that is none: version 4 */
		put_ccob(file + 6 * MIB, 3, 900);
		file[6 * MIB + 4] = 4;
		s = sifted(file, size, 70000);
		CHECK(has(s, file, 2 * MIB, 32 + 9 + 100000));
		CHECK(has(s, file, 5 * MIB, 16 << 10));
		CHECK(!has(s, file, 5 * MIB + (40 << 10), 1));
		CHECK(!has(s, file, 6 * MIB, 1));
		sieve_free(s);
		free(file);
	}
}

static void test_elf(void)
{
	size_t size = 8 * MIB;
	char *file = make_file(size);
	Elf64_Ehdr e = { .e_phoff = sizeof(e),
			 .e_phnum = 1,
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_shoff = 3 * MIB + 100,
			 .e_shnum = 40 };
	Elf64_Phdr p = { .p_type = PT_DYNAMIC, .p_offset = 2 * MIB + 8, .p_filesz = 500 };
	struct sieve *s;

	memcpy(e.e_ident, "\177ELF\2\1\1", 7);
	memcpy(file, &e, sizeof(e));
	memcpy(file + sizeof(e), &p, sizeof(p));
	memcpy(file + 5 * MIB - 4, ".shstrtab", 10); /* over the border of a page */
	memcpy(file + 6 * MIB + 77, "kpack_search_paths", 18);
	s = sifted(file, size, 9999);
	CHECK(has(s, file, 3 * MIB + 100, 40 * sizeof(Elf64_Shdr)));
	CHECK(has(s, file, 2 * MIB + 8, 500));
	CHECK(has(s, file, 5 * MIB - SIEVE_PAGE, 2 * SIEVE_PAGE));
	CHECK(has(s, file, 6 * MIB, SIEVE_PAGE));
	sieve_free(s);

	/* What is loaded has no names of sections, and may have thousands of things like them. */
	p = (Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = 0, .p_filesz = 4 * MIB };
	memcpy(file + sizeof(e), &p, sizeof(p));
	for (uint64_t at = MIB; at < 4 * MIB; at += SIEVE_PAGE)
		memcpy(file + at + 50, ".shstrtab", 10);
	s = sifted(file, size, 50000);
	CHECK(!has(s, file, 2 * MIB, 1));
	CHECK(has(s, file, 5 * MIB - SIEVE_PAGE, 2 * SIEVE_PAGE));
	sieve_free(s);

	/* Offsets beyond everything do no harm. */
	p.p_type = PT_DYNAMIC;
	e.e_shoff = UINT64_MAX - 10;
	e.e_phnum = UINT16_MAX;
	p.p_offset = UINT64_MAX - 1;
	p.p_filesz = UINT64_MAX;
	memcpy(file, &e, sizeof(e));
	memcpy(file + sizeof(e), &p, sizeof(p));
	s = sifted(file, size, 4096);
	CHECK(has(s, file, 0, SIEVE_FIRST));
	sieve_free(s);
	free(file);
}

/* A DLL with one section of device code, which begins at this offset with a bundle. */
static char *make_dll(size_t size, uint32_t offset)
{
	static const uint32_t header = 0x80, section = 0x80 + 24;
	char *file = make_file(size);

	memset(file, 0, 512);
	memcpy(file, "MZ", 2);
	memcpy(file + 60, &header, sizeof(header));
	memcpy(file + header, "PE\0\0\x64\x86\x01\0", 8);
	memcpy(file + section, ".hip_fat", 8);
	memcpy(file + section + 20, &offset, sizeof(offset));
	memcpy(file + offset, "__CLANG_OFFLOAD_BUNDLE__", 24);
	put64(file + offset + 24, 0);
	return file;
}

/* Sections of a PE file begin at multiples of 512, and bundles in them beside the pages. */
static void test_pe(void)
{
	static const struct {
		uint32_t offset;
		bool problem;
	} rows[] = {
		{ 2 * MIB, false },
		{ 2 * MIB + 0x200, false },
		{ 2 * MIB + 0xe00, false },
		{ 2 * MIB + 0x210, true }, /* no linker does so: it is not kept, and that is said */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *file = make_dll(4 * MIB, rows[i].offset);
		struct sieve *s = sifted(file, 4 * MIB, 5000);

		CHECK_INT(has(s, file, rows[i].offset, 4096), !rows[i].problem);
		CHECK_INT(sieve_problem(s) != NULL, rows[i].problem);
		sieve_free(s);
		free(file);
	}
}

static void test_kpack(void)
{
	size_t size = 8 * MIB;
	char *file = make_file(size);
	struct sieve *s;

	memcpy(file, "KPAK\1\0\0\0", 8);
	put64(file + 8, 3 * MIB + 5);
	s = sifted(file, size, 4096);
	CHECK(has(s, file, 3 * MIB + 5, 5 * MIB - 5));
	CHECK(!has(s, file, 2 * MIB, 1));
	sieve_free(s);
	free(file);
}

/* Members of a static library begin at any even byte. */
static void test_static_library(void)
{
	size_t size = 8 * MIB;
	char *file = make_file(size);
	uint64_t second = 68 + 3 * MIB;
	Elf64_Ehdr e = { .e_shoff = MIB + 10, .e_shnum = 30 };
	struct sieve *s;

	memcpy(e.e_ident, "\177ELF\2\1\1", 7);
	memcpy(file, "!<arch>\n", 8);
	memset(file + 8, ' ', 60);
	memcpy(file + 8, "a.o/", 4);
	memcpy(file + 56, "3145728", 7);
	memcpy(file + 66, "`\n", 2);
	memset(file + second, ' ', 60);
	memcpy(file + second, "b.o/", 4);
	memcpy(file + second + 48, "100000", 6);
	memcpy(file + second + 58, "`\n", 2);
	memcpy(file + second + 60, &e, sizeof(e));
	put_bundle(file + 2 * MIB + 68, 4096);
	put_bundle(file + 2 * MIB + 300 * 1024 - 10, 4096); /* its magic stands on two pages */
	s = sifted(file, size, 33333);
	CHECK(has(s, file, second, 60 + sizeof(e)));
	CHECK(has(s, file, second + 60 + MIB + 10, 30 * sizeof(Elf64_Shdr)));
	CHECK(has(s, file, 2 * MIB + 68, 4096));
	CHECK(has(s, file, 2 * MIB + 300 * 1024 - 10, 4096));
	sieve_free(s);
	free(file);
}

/* ---- limits ---- */

static void test_cap(void)
{
	static char page[SIEVE_PAGE];
	struct sieve *s = sieve_new();
	struct source source;
	char magic[24];

	put_bundle(page, SIEVE_PAGE);
	for (size_t i = 0; i < 2 * SIEVE_PAGES_MAX; i++)
		sieve_add(s, (struct span){ page, sizeof(page) });
	sieve_end(s);
	source = sieve_source(s);
	CHECK(sieve_problem(s) != NULL);
	CHECK(sieve_held(s) <= SIEVE_PAGES_MAX * SIEVE_PAGE);
	CHECK_INT(source_read(&source, source.size - SIEVE_PAGE, magic, sizeof(magic)), 0);
	sieve_free(s);
}

static void test_gap(void)
{
	struct sieve *s = sieve_new();
	struct source source;
	char bytes[8] = { 1 };

	sieve_add(s, SPAN_LITERAL("begin"));
	sieve_gap(s, 100); /* a small one is zeros */
	sieve_add(s, SPAN_LITERAL("middle"));
	sieve_gap(s, (uint64_t)1 << 50); /* a great one is a hole */
	sieve_add(s, SPAN_LITERAL("end"));
	sieve_end(s);
	source = sieve_source(s);
	CHECK_INT(source.size, 5 + 100 + 6 + ((uint64_t)1 << 50) + 3);
	CHECK(source_read(&source, 50, bytes, 1) == 0 && bytes[0] == 0);
	CHECK(source_read(&source, 105, bytes, 6) == 0 && memcmp(bytes, "middle", 6) == 0);
	CHECK_INT(source_read(&source, (uint64_t)1 << 40, bytes, 1), -ENODATA);
	CHECK(source_read(&source, source.size - 3, bytes, 3) == 0 && memcmp(bytes, "end", 3) == 0);
	sieve_free(s);
	CHECK(sieve_free(NULL) == NULL);
}

int main(void)
{
	test_small();
	test_ends();
	test_bundle();
	test_compressed();
	test_elf();
	test_pe();
	test_kpack();
	test_static_library();
	test_cap();
	test_gap();
	return check_end();
}
