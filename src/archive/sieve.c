#include "archive/sieve.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

#define OVERLAP    ((size_t)32) /* of a page with the one before: no magic is longer */
#define RING       (SIEVE_LAST / SIEVE_PAGE)
#define KEEP_MAX   (SIEVE_PAGES_MAX - RING) /* the last pages always fit */
#define WANTED_MAX ((uint64_t)1 << 24)      /* pages that can be asked for: 64 GiB */
#define NAMES_MAX  ((size_t)1024)           /* pages with names of sections: no file has as many */

/* Behind the start of a bundle. HIP itself looks for the table in 4096 bytes. */
#define TABLE_ROOM ((uint64_t)16 << 10)
/* Behind the start of a compressed one: a first block is 128 KiB at most, and states its size. */
#define PAYLOAD_ROOM ((uint64_t)16 << 10)
#define BLOCK_MAX    ((uint64_t)128 << 10)

struct page {
	uint64_t number;
	char *bytes;
};

struct sieve {
	uint64_t at; /* bytes that have passed */
	struct arena arena;
	struct buf kept_pages; /* grows: many sieves of small members may wait for their end */
	struct page *kept;     /* in it */
	size_t kept_count;
	struct buf wanted; /* a bit for each page that is still to come */
	struct buf ring_bytes;
	char (*ring)[SIEVE_PAGE];   /* the pages that passed last */
	uint64_t ring_number[RING]; /* page + 1; 0: none */
	bool ring_kept[RING];
	uint64_t keep_from; /* everything from here on */
	uint64_t loaded;    /* end of what is loaded: names of sections stand behind it */
	size_t names;       /* pages with some */
	uint64_t next_ar;   /* the next member's header; 0: this is no static library */
	bool ended;
	char problem[120];
};

/* ---- keeping pages ---- */

static int by_number(const void *a, const void *b)
{
	const struct page *x = a;
	const struct page *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static void keep(struct sieve *s, size_t slot, size_t max)
{
	struct page fresh;
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
	fresh = (struct page){ s->ring_number[slot] - 1, bytes };
	buf_add(&s->kept_pages, &fresh, sizeof(fresh));
	s->kept = (struct page *)(void *)s->kept_pages.data;
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

/* The places that an ELF header names: section headers, the dynamic section, the end of segments. */
static void want_elf(struct sieve *s, uint64_t base)
{
	Elf64_Ehdr e;
	Elf64_Phdr p;

	if (!peek(s, base, &e, sizeof(e)) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_ident[EI_DATA] != ELFDATA2LSB)
		return;
	want(s, base, SIEVE_PAGE);
	if (base + le64toh(e.e_shoff) > base)
		want(s, base + le64toh(e.e_shoff),
		     (uint64_t)le16toh(e.e_shnum) * sizeof(Elf64_Shdr));
	for (unsigned int i = 0; i < le16toh(e.e_phnum); i++) {
		if (!peek(s, base + le64toh(e.e_phoff) + i * sizeof(p), &p, sizeof(p)))
			return;
		if (le32toh(p.p_type) == PT_LOAD && base == 0 &&
		    le64toh(p.p_offset) + le64toh(p.p_filesz) > s->loaded)
			s->loaded = le64toh(p.p_offset) + le64toh(p.p_filesz);
		if (le32toh(p.p_type) == PT_DYNAMIC && base + le64toh(p.p_offset) >= base)
			want(s, base + le64toh(p.p_offset),
			     le64toh(p.p_filesz) < TABLE_ROOM ? le64toh(p.p_filesz) : TABLE_ROOM);
	}
}

/* A plain bundle: its table, and the headers of the code objects that the table names. */
static void want_bundle(struct sieve *s, uint64_t base)
{
	uint64_t at = base + 32;
	uint64_t entry[3]; /* offset, size, length of the id */
	uint64_t count;

	want(s, base, TABLE_ROOM);
	if (!peek(s, base + 24, &count, sizeof(count)))
		return;
	count = le64toh(count) < 256 ? le64toh(count) : 256;
	for (uint64_t i = 0; i < count && peek(s, at, entry, sizeof(entry)); i++) {
		if (le64toh(entry[1]) > 0 && base + le64toh(entry[0]) > base &&
		    s->kept_count < KEEP_MAX / 2)
			want(s, base + le64toh(entry[0]), sizeof(Elf64_Ehdr));
		if (le64toh(entry[2]) > SIEVE_PAGE)
			return;
		at += sizeof(entry) + le64toh(entry[2]);
	}
}

/* How much of a zstd frame has its first block whole: sizes stand in the headers. */
static uint64_t first_block(struct sieve *s, uint64_t frame)
{
	static const unsigned char id_bytes[] = { 0, 1, 2, 4 };
	static const unsigned char size_bytes[] = { 0, 2, 4, 8 };
	unsigned char head[5];
	unsigned char block[3];
	size_t fields;
	uint32_t bits;

	if (!peek(s, frame, head, sizeof(head)) || memcmp(head, "\x28\xb5\x2f\xfd", 4) != 0)
		return 0;
	fields = id_bytes[head[4] & 3] + size_bytes[head[4] >> 6] + (head[4] & 0x20 ? 0 : 1);
	if (head[4] >> 6 == 0 && head[4] & 0x20)
		fields++; /* a single segment states its size even in a byte */
	if (!peek(s, frame + 5 + fields, block, sizeof(block)))
		return 0;
	bits = (uint32_t)block[0] | (uint32_t)block[1] << 8 | (uint32_t)block[2] << 16;
	if ((bits >> 1 & 3) == 1) /* one byte, repeated */
		return 5 + fields + 4;
	return 5 + fields + 3 + (bits >> 3 < BLOCK_MAX ? bits >> 3 : BLOCK_MAX);
}

/* A plausible CCOB header: version 1 to 3, zlib or zstd. */
static bool is_compressed(const char *head)
{
	return memcmp(head, "CCOB", 4) == 0 && head[4] >= 1 && head[4] <= 3 && head[5] == 0 &&
	       head[6] >= 0 && head[6] <= 1 && head[7] == 0;
}

static void want_compressed(struct sieve *s, uint64_t base, const char *head)
{
	static const unsigned char header[] = { 0, 20, 24, 32 };
	size_t skip = header[(unsigned char)head[4]];

	want(s, base, PAYLOAD_ROOM + skip + first_block(s, base + skip));
}

/* The table of contents of a kpack archive reaches to its end. */
static void want_kpack(struct sieve *s)
{
	uint64_t toc;

	if (peek(s, 8, &toc, sizeof(toc)))
		s->keep_from = le64toh(toc) & ~(uint64_t)(SIEVE_PAGE - 1);
}

/* Headers of a static library's members, one by one as they come by: 60 bytes, size in decimal. */
static void follow_ar(struct sieve *s)
{
	char header[61] = "";

	while (s->next_ar && s->at >= s->next_ar + 60 + sizeof(Elf64_Ehdr)) {
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
 * Names of sections: the table is not loaded, so it stands behind all that is.
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

static void look_for_start(struct sieve *s, uint64_t base, const char *bytes, size_t n)
{
	static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";

	if (n >= 24 && memcmp(bytes, magic, 24) == 0)
		want_bundle(s, base);
	else if (n >= 8 && is_compressed(bytes))
		want_compressed(s, base, bytes);
}

/* Members of a static library begin anywhere, and so do the bundles in them. */
static void look_everywhere(struct sieve *s, uint64_t base, struct span bytes)
{
	static const char *const magics[] = { "__CLANG_OFFLOAD_BUNDLE__", "CCOB" };

	for (size_t i = 0; i < 2; i++) {
		const char *from = bytes.data;
		const char *end = bytes.data + bytes.len;
		const char *hit;

		while ((hit = memmem(from, (size_t)(end - from), magics[i], strlen(magics[i])))) {
			look_for_start(s, base + (uint64_t)(hit - bytes.data), hit,
				       (size_t)(end - hit));
			from = hit + 1;
		}
	}
}

static void first_page(struct sieve *s)
{
	if (memcmp(s->ring[0], "!<arch>\n", 8) == 0)
		s->next_ar = 8;
	else if (memcmp(s->ring[0], "KPAK", 4) == 0)
		want_kpack(s);
	else
		want_elf(s, 0);
}

/* The page behind s->at is whole, or the last one. */
static void page_passed(struct sieve *s, uint64_t page)
{
	size_t slot = page % RING;
	const char *bytes = s->ring[slot];
	char joint[OVERLAP + SIEVE_PAGE];
	size_t before =
		page > 0 && peek(s, page * SIEVE_PAGE - OVERLAP, joint, OVERLAP) ? OVERLAP : 0;
	struct span joined = { joint, before + SIEVE_PAGE };

	memcpy(joint + before, bytes, SIEVE_PAGE);
	if (page == 0)
		first_page(s);
	if (page < SIEVE_FIRST / SIEVE_PAGE || page * SIEVE_PAGE >= s->keep_from ||
	    is_wanted(s, page))
		keep(s, slot, KEEP_MAX);
	look_for_start(s, page * SIEVE_PAGE, bytes, SIEVE_PAGE);
	if (s->next_ar) {
		follow_ar(s);
		look_everywhere(s, page * SIEVE_PAGE - before, joined);
	}
	if (find_offload_binary(bytes))
		want(s, page * SIEVE_PAGE, 2 * SIEVE_PAGE);
	if (has(joined, SPAN_LITERAL("kpack_search_paths")) || find_names(s, page, joined))
		want(s, (page > 0 ? page - 1 : 0) * SIEVE_PAGE, 3 * SIEVE_PAGE);
}

static void begin_page(struct sieve *s)
{
	uint64_t page = s->at / SIEVE_PAGE;
	size_t slot = page % RING;

	s->ring_number[slot] = page + 1;
	s->ring_kept[slot] = false;
	memset(s->ring[slot], 0, SIEVE_PAGE);
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
	while (bytes.len > 0) {
		size_t offset = s->at % SIEVE_PAGE;
		size_t part = bytes.len < SIEVE_PAGE - offset ? bytes.len : SIEVE_PAGE - offset;
		uint64_t page = s->at / SIEVE_PAGE;

		if (offset == 0)
			begin_page(s);
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
