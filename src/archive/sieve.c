#include "archive/sieve.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/endian.h"
#include "parse/bundle.h"
#include "parse/ccob.h"
#include "parse/code-object.h"
#include "parse/elf.h"
#include "parse/pe.h"

#define OVERLAP    ((size_t)32)  /* of a page with the one before: no magic is longer */
#define PE_ALIGN   ((size_t)512) /* of sections in a PE file */
#define RING       (SIEVE_LAST / SIEVE_PAGE)
#define KEEP_MAX   (SIEVE_PAGES_MAX - RING) /* the last pages always fit */
#define WANTED_MAX ((uint64_t)1 << 24)      /* pages that can be asked for: 64 GiB */
#define NAMES_MAX  ((size_t)1024)           /* pages with names of sections: no file has as many */

/* After the start of a bundle. HIP itself looks for the table in 4096 bytes. */
#define TABLE_ROOM ((uint64_t)16 << 10)
/* After the start of a compressed one, and its first block: 128 KiB at most, and states its size. */
#define PAYLOAD_ROOM ((uint64_t)16 << 10)
#define BLOCK_MAX    ((uint64_t)128 << 10)
#define FRAME_HEAD   ((size_t)18 + 3) /* of zstd, with the head of the first block */

struct kept_page {
	uint64_t number;
	char *bytes;
};

struct sieve {
	uint64_t at; /* bytes that have passed */
	struct arena arena;
	struct buf kept_pages;  /* grows: many sieves of small members may wait for their end */
	struct kept_page *kept; /* in it */
	size_t kept_count;
	struct buf wanted; /* a bit for each page that is still to come */
	struct buf ring_bytes;
	char (*ring)[SIEVE_PAGE];   /* the pages that passed last */
	uint64_t ring_number[RING]; /* page + 1; 0: none */
	bool ring_kept[RING];
	uint64_t keep_from; /* everything from here on */
	unsigned int
		shifts;   /* of a PE file: bit n, bundles may begin n * 512 bytes behind a page */
	uint64_t loaded;  /* end of what is loaded: names of sections stand after it */
	size_t names;     /* pages with some */
	uint64_t next_ar; /* the next member's header; 0: this is no static library */
	bool ended;
	char problem[120];
};

/* ---- keeping pages ---- */

static int by_number(const void *a, const void *b)
{
	const struct kept_page *x = a;
	const struct kept_page *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static void keep(struct sieve *s, size_t slot, size_t max)
{
	struct kept_page fresh;
	char *bytes;

	if (s->ring_kept[slot] || s->ring_number[slot] == 0)
		return;
	if (s->kept_count >= max) {
		if (!s->problem[0])
			snprintf(s->problem, sizeof(s->problem),
				 "more tables than fit %zu MiB; those behind 0x%jx were not kept",
				 SIEVE_PAGES_MAX * SIEVE_PAGE >> 20,
				 (uintmax_t)(s->ring_number[slot] - 1) * SIEVE_PAGE);
		return;
	}
	bytes = arena_alloc(&s->arena, SIEVE_PAGE);
	memcpy(bytes, s->ring[slot], SIEVE_PAGE);
	fresh = (struct kept_page){ s->ring_number[slot] - 1, bytes };
	buf_add(&s->kept_pages, &fresh, sizeof(fresh));
	s->kept = (struct kept_page *)(void *)s->kept_pages.data;
	s->kept_count++;
	s->ring_kept[slot] = true;
}

static bool is_wanted(const struct sieve *s, uint64_t page)
{
	return page / 8 < s->wanted.len && s->wanted.data[page / 8] & 1 << page % 8;
}

static void want_page(struct sieve *s, uint64_t page)
{
	static const char none[4096];
	size_t slot = page % RING;

	if (s->ring_number[slot] == page + 1) { /* it has passed a moment ago */
		keep(s, slot, KEEP_MAX);
		return;
	}
	if (page < s->at / SIEVE_PAGE || page >= WANTED_MAX)
		return;
	while (page / 8 >= s->wanted.len)
		buf_add(&s->wanted, none, sizeof(none));
	s->wanted.data[page / 8] = (char)(s->wanted.data[page / 8] | 1 << page % 8);
}

/* A range that has just passed or is to come. Offsets out of a file: any number at all. */
static void want(struct sieve *s, uint64_t from, uint64_t n)
{
	uint64_t end;

	if (n == 0 || from > WANTED_MAX * SIEVE_PAGE)
		return;
	if (n > KEEP_MAX * SIEVE_PAGE)
		n = KEEP_MAX * SIEVE_PAGE;
	end = from + n;
	for (uint64_t page = from / SIEVE_PAGE; page * SIEVE_PAGE < end; page++)
		want_page(s, page);
}

/* Bytes that have passed and are still in the ring. */
static bool peek(const struct sieve *s, uint64_t from, void *ret, size_t n)
{
	char *to = ret;

	if (from > s->at || n > s->at - from)
		return false;
	while (n > 0) {
		size_t slot = from / SIEVE_PAGE % RING;
		size_t offset = from % SIEVE_PAGE;
		size_t part = n < SIEVE_PAGE - offset ? n : SIEVE_PAGE - offset;

		if (s->ring_number[slot] != from / SIEVE_PAGE + 1)
			return false;
		memcpy(to, s->ring[slot] + offset, part);
		to += part;
		from += part;
		n -= part;
	}
	return true;
}

/* ---- what formats say of themselves ---- */

/* Reads those of n bytes that have passed; returns their number. */
static size_t peek_some(const struct sieve *s, uint64_t from, void *ret, size_t n)
{
	if (from > s->at)
		return 0;
	if (n > s->at - from)
		n = (size_t)(s->at - from);
	return peek(s, from, ret, n) ? n : 0;
}

static int read_passed(const struct source *source, uint64_t at, void *ret, size_t n)
{
	return peek(source->of, source->start + at, ret, n) ? 0 : -ENODATA;
}

/* The places that an ELF header names: section headers, the dynamic section, the end of segments. */
static void want_elf(struct sieve *s, uint64_t base)
{
	struct source passed = {
		.size = s->at - base, .read = read_passed, .of = s, .start = base, .fd = -1
	};
	struct elf_segment p;
	struct elf elf;
	const char *why;

	if (elf_open(&passed, &elf, &why) < 0)
		return;
	want(s, base, SIEVE_PAGE);
	if (base + elf.shoff > base)
		want(s, base + elf.shoff, elf.sections);
	for (uint32_t i = 0; elf_segment(&elf, i, &p) == 0; i++) {
		if (p.type == ELF_LOAD && base == 0 && p.offset + p.size > s->loaded)
			s->loaded = p.offset + p.size;
		if (p.type == ELF_DYNAMIC && base + p.offset >= base)
			want(s, base + p.offset, p.size < TABLE_ROOM ? p.size : TABLE_ROOM);
	}
}

/*
 * The headers of a PE file are in its first megabyte. A section begins at a
 * multiple of 512 in it, and bundles at multiples of 4096 from there. A long name
 * ("/4") stands at the end of the file: any such section may be the one.
 */
static void want_pe(struct sieve *s)
{
	struct source passed = { .size = s->at, .read = read_passed, .of = s, .fd = -1 };
	bool odd = false;
	struct pe_section x;
	const char *why;
	struct pe pe;
	int r;

	if (pe_open(&passed, &pe, &why) < 0)
		return;
	s->loaded = UINT64_MAX; /* names of sections stand nowhere but there */
	want(s, pe.strings, pe.strings > 0 ? TABLE_ROOM : 0);
	for (uint32_t i = 0; (r = pe_section(&pe, i, &x)) == 0; i++) {
		bool fat = strncmp(x.name, ".hip_fat", 8) == 0;

		if (fat || x.name[0] == '/')
			s->shifts |= 1u << x.offset % SIEVE_PAGE / PE_ALIGN;
		odd = odd || (fat && x.offset % PE_ALIGN != 0);
	}
	if (odd || r != -ENOENT)
		snprintf(s->problem, sizeof(s->problem),
			 "sections of a PE file where no linker puts them: bundles may be missing");
}

/* A plain bundle: its table, and the headers of the code objects that the table names. */
static void want_bundle(struct sieve *s, uint64_t base)
{
	char bytes[SIEVE_PAGE];
	struct span head = { bytes, peek_some(s, base, bytes, sizeof(bytes)) };
	struct bundle_entry e;
	struct bundle table;

	want(s, base, TABLE_ROOM);
	if (bundle_open_cut(head, &table) < 0)
		return;
	while (bundle_next(&table, &e))
		if (e.size > 0 && base + e.offset > base && s->kept_count < KEEP_MAX / 2)
			want(s, base + e.offset, CODE_OBJECT_HEAD);
}

/* The length of a zstd frame up to the end of its first block: the headers hold the sizes. */
static uint64_t first_block(struct sieve *s, uint64_t frame)
{
	unsigned char head[FRAME_HEAD];
	struct span passed = { (const char *)head, peek_some(s, frame, head, sizeof(head)) };
	struct ccob_zstd_block block;
	bool checksum;
	size_t n;

	if (ccob_zstd_header(passed, &n, &checksum) < 0 || n + 3 > passed.len ||
	    !ccob_zstd_block(head + n, &block))
		return 0;
	return n + 3 + (block.bytes < BLOCK_MAX ? block.bytes : BLOCK_MAX);
}

/* Headers of a static library's members, one by one as they come by: 60 bytes, size in decimal. */
static void follow_ar(struct sieve *s)
{
	char header[61] = "";

	while (s->next_ar && s->at >= s->next_ar + 60 + CODE_OBJECT_HEAD) {
		uint64_t size;

		if (!peek(s, s->next_ar, header, 60) || memcmp(header + 58, "`\n", 2) != 0 ||
		    !span_u64(span_trim((struct span){ header + 48, 10 }), &size)) {
			s->next_ar = 0;
			return;
		}
		want(s, s->next_ar, 60);
		want_elf(s, s->next_ar + 60);
		s->next_ar += 60 + size + (size & 1);
	}
}

/* ---- pages as they pass ---- */

static bool has(struct span bytes, struct span word)
{
	return span_find(bytes, word) != SIZE_MAX;
}

/*
 * Names of sections: the table is not loaded, so it stands after all that is.
 * (In .rodata TensorFlow has thousands of code objects with such tables.) LLVM
 * has one table for all names in an object file: ".strtab".
 */
static bool find_names(struct sieve *s, uint64_t page, struct span bytes)
{
	if ((page + 1) * SIEVE_PAGE <= s->loaded || s->names >= NAMES_MAX)
		return false;
	if (!has(bytes, SPAN_LITERAL("strtab\0")) && !has(bytes, SPAN_LITERAL(".hip_fatbin")))
		return false;
	s->names++;
	return true;
}

/* LLVM's OffloadBinary begins at a multiple of eight. */
static bool find_offload_binary(const char *bytes)
{
	static const unsigned char magic[4] = { 0x10, 0xff, 0x10, 0xad };
	uint32_t want_word;
	uint32_t word;

	memcpy(&want_word, magic, sizeof(magic));
	for (size_t i = 0; i < SIEVE_PAGE; i += 8) {
		memcpy(&word, bytes + i, sizeof(word));
		if (word == want_word)
			return true;
	}
	return false;
}

static void look_for_start(struct sieve *s, uint64_t base, struct span bytes)
{
	struct ccob c;

	if (span_starts(bytes, BUNDLE_MAGIC))
		want_bundle(s, base);
	else if (ccob_is(bytes) && ccob_parse(bytes, &c) < 0)
		want(s, base, PAYLOAD_ROOM);
	else if (ccob_is(bytes))
		want(s, base, PAYLOAD_ROOM + c.header + first_block(s, base + c.header));
}

/* Starts in the page before this one, so that a page has passed behind each. */
static void look_for_shifted(struct sieve *s, uint64_t page)
{
	char head[OVERLAP];

	for (unsigned int n = 1; page > 0 && s->shifts >> n; n++) {
		uint64_t base = (page - 1) * SIEVE_PAGE + n * PE_ALIGN;

		if (s->shifts >> n & 1 && peek(s, base, head, sizeof(head)))
			look_for_start(s, base, (struct span){ head, sizeof(head) });
	}
}

/* Members of a static library begin anywhere, and so do the bundles in them. */
static void look_everywhere(struct sieve *s, uint64_t base, struct span bytes)
{
	static const char *const magics[] = { BUNDLE_MAGIC, "CCOB" };

	for (size_t i = 0; i < 2; i++) {
		const char *from = bytes.data;
		const char *end = bytes.data + bytes.len;
		const char *hit;

		while ((hit = memmem(from, (size_t)(end - from), magics[i], strlen(magics[i])))) {
			look_for_start(s, base + (uint64_t)(hit - bytes.data),
				       (struct span){ hit, (size_t)(end - hit) });
			from = hit + 1;
		}
	}
}

/* The page that ends at s->at is whole, or the last one. */
static void page_passed(struct sieve *s, uint64_t page)
{
	size_t slot = page % RING;
	const char *bytes = s->ring[slot];
	char joint[OVERLAP + SIEVE_PAGE];
	size_t before =
		page > 0 && peek(s, page * SIEVE_PAGE - OVERLAP, joint, OVERLAP) ? OVERLAP : 0;
	struct span joined = { joint, before + SIEVE_PAGE };
	unsigned char toc[8];

	memcpy(joint + before, bytes, SIEVE_PAGE);
	if (page == 0 && memcmp(bytes, "!<arch>\n", 8) == 0)
		s->next_ar = 8;
	else if (page == 0 && memcmp(bytes, "KPAK", 4) != 0)
		want_elf(s, 0);
	else if (page == 0 && peek(s, 8, toc, sizeof(toc)))
		/* The table of contents of a kpack archive reaches to its end. */
		s->keep_from = endian_u64(toc) & ~(uint64_t)(SIEVE_PAGE - 1);
	if (page < SIEVE_FIRST / SIEVE_PAGE || page * SIEVE_PAGE >= s->keep_from ||
	    is_wanted(s, page))
		keep(s, slot, KEEP_MAX);
	if (page == 1)
		want_pe(s); /* by then the headers have passed */
	look_for_start(s, page * SIEVE_PAGE, (struct span){ bytes, SIEVE_PAGE });
	look_for_shifted(s, page);
	if (s->next_ar) {
		follow_ar(s);
		look_everywhere(s, page * SIEVE_PAGE - before, joined);
	}
	if (find_offload_binary(bytes))
		want(s, page * SIEVE_PAGE, 2 * SIEVE_PAGE);
	if (has(joined, SPAN_LITERAL("kpack_search_paths")) || find_names(s, page, joined))
		want(s, (page > 0 ? page - 1 : 0) * SIEVE_PAGE, 3 * SIEVE_PAGE);
}

/* ---- from front to back ---- */

struct sieve *sieve_new(void)
{
	struct arena arena = { 0 };
	struct sieve *s = arena_alloc(&arena, sizeof(*s));

	s->arena = arena;
	buf_room(&s->ring_bytes, RING * SIEVE_PAGE);
	s->ring = (char(*)[SIEVE_PAGE])s->ring_bytes.data;
	s->keep_from = UINT64_MAX;
	return s;
}

struct sieve *sieve_free(struct sieve *s)
{
	struct arena arena;

	if (!s)
		return NULL;
	buf_done(&s->ring_bytes);
	buf_done(&s->kept_pages);
	buf_done(&s->wanted);
	arena = s->arena; /* which holds the sieve, too */
	arena_done(&arena);
	return NULL;
}

void sieve_add(struct sieve *s, struct span bytes)
{
	assert(!s->ended);
	while (bytes.len > 0) {
		size_t offset = s->at % SIEVE_PAGE;
		size_t part = bytes.len < SIEVE_PAGE - offset ? bytes.len : SIEVE_PAGE - offset;
		uint64_t page = s->at / SIEVE_PAGE;

		if (offset == 0) {
			s->ring_number[page % RING] = page + 1;
			s->ring_kept[page % RING] = false;
			memset(s->ring[page % RING], 0, SIEVE_PAGE);
		}
		memcpy(s->ring[page % RING] + offset, bytes.data, part);
		s->at += part;
		bytes.data += part;
		bytes.len -= part;
		if (s->at % SIEVE_PAGE == 0)
			page_passed(s, page);
	}
}

void sieve_gap(struct sieve *s, uint64_t n)
{
	static const char zeros[SIEVE_PAGE];
	uint64_t head = (SIEVE_PAGE - s->at % SIEVE_PAGE) % SIEVE_PAGE;

	assert(!s->ended);
	if (n <= SIEVE_FIRST + head) {
		for (; n > 0; n -= n < SIEVE_PAGE ? n : SIEVE_PAGE)
			sieve_add(s, (struct span){ zeros, n < SIEVE_PAGE ? n : SIEVE_PAGE });
		return;
	}
	sieve_add(s, (struct span){ zeros, head });
	s->at += (n - head) & ~(uint64_t)(SIEVE_PAGE - 1);
	sieve_add(s, (struct span){ zeros, (n - head) % SIEVE_PAGE });
}

void sieve_end(struct sieve *s)
{
	if (s->ended)
		return;
	s->ended = true;
	if (s->at % SIEVE_PAGE)
		page_passed(s, s->at / SIEVE_PAGE);
	for (size_t i = 0; i < RING; i++)
		keep(s, i, SIEVE_PAGES_MAX);
	buf_done(&s->ring_bytes);
	s->ring = NULL;
	buf_done(&s->wanted);
	if (s->kept_count > 0)
		qsort(s->kept, s->kept_count, sizeof(*s->kept), by_number);
}

/* ---- as a source ---- */

/* The first kept page that is not before `number`: its place, or the count. */
static size_t place(const struct sieve *s, uint64_t number)
{
	size_t low = 0;
	size_t high = s->kept_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->kept[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int read_kept(const struct source *source, uint64_t at, void *ret, size_t n)
{
	const struct sieve *s = source->of;
	size_t i = place(s, at / SIEVE_PAGE);
	char *to = ret;

	for (; n > 0; i++) {
		size_t offset = at % SIEVE_PAGE;
		size_t part = n < SIEVE_PAGE - offset ? n : SIEVE_PAGE - offset;

		if (i >= s->kept_count || s->kept[i].number != at / SIEVE_PAGE)
			return -ENODATA;
		memcpy(to, s->kept[i].bytes + offset, part);
		to += part;
		at += part;
		n -= part;
	}
	return 0;
}

static bool find_kept(const struct source *source, uint64_t from, uint64_t *ret)
{
	const struct sieve *s = source->of;
	size_t i = place(s, from / SIEVE_PAGE);
	uint64_t at;

	if (i >= s->kept_count)
		return false;
	at = s->kept[i].number * SIEVE_PAGE;
	*ret = at < from ? from : at;
	return *ret < s->at;
}

struct source sieve_source(const struct sieve *s)
{
	assert(s->ended); /* before, the last pages are not kept yet */
	return (struct source){
		.size = s->at, .read = read_kept, .kept = find_kept, .of = s, .fd = -1
	};
}

size_t sieve_held(const struct sieve *s)
{
	return s->kept_count * SIEVE_PAGE + (s->ring ? RING * SIEVE_PAGE : 0);
}

const char *sieve_problem(const struct sieve *s)
{
	return s->problem[0] ? s->problem : NULL;
}
