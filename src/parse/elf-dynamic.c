#include <errno.h>
#include <string.h>

#include "base/endian.h"
#include "parse/elf-internal.h"

/*
 * The tables of a library that the loader reads. Byte positions of the ELF-64 specification:
 *
 * dynamic  0 tag, 8 value
 * verdef   2 flags (1: the file itself), 12 its names from here, 16 next from here
 * verdaux  0 name
 */

#define DYNAMIC_BYTES 16
#define DYNAMIC_MAX   4096 /* entries; needed ones included, real files have below 100 */
#define VERDEF_BYTES  20
#define VERDEF_MAX    4096
#define TEXT_MAX      (64u << 10) /* of a string: see keep_string */

enum {
	TAG_NEEDED = 1,
	TAG_STRTAB = 5,
	TAG_STRSZ = 10,
	TAG_SONAME = 14,
	TAG_RPATH = 15,
	TAG_RUNPATH = 29,
	TAG_FLAGS_1 = 0x6ffffffb,
	TAG_VERDEF = 0x6ffffffc,
	TAG_VERDEFNUM = 0x6ffffffd,

	FLAG_1_PIE = 0x08000000,
	VERDEF_BASE = 1,
};

/* An address of the running program as a place in the file. */
static bool place_of_address(struct elf *elf, uint64_t address, uint64_t *ret)
{
	struct elf_segment segment;

	for (uint32_t i = 0; elf_segment(elf, i, &segment) == 0; i++) {
		if (segment.type != ELF_LOAD || address < segment.address ||
		    address - segment.address >= segment.size)
			continue;
		return !__builtin_add_overflow(segment.offset, address - segment.address, ret) &&
		       *ret < elf->source->size;
	}
	return false;
}

struct dynamic {
	uint64_t at, count;              /* its entries */
	uint64_t strings, bytes;         /* the string table, as a place in the file */
	uint64_t soname, rpath, runpath; /* places in it; 0: none */
	uint64_t versions;               /* address */
	uint64_t version_count;
	uint64_t flags;
	size_t needed;
};

static int find_dynamic(struct elf *elf, struct dynamic *d)
{
	struct elf_segment segment;

	for (uint32_t i = 0;; i++) {
		int r = elf_segment(elf, i, &segment);

		if (r < 0)
			return r;
		if (segment.type == ELF_DYNAMIC)
			break;
	}
	d->at = segment.offset;
	d->count = segment.size / DYNAMIC_BYTES;
	return 0;
}

/* 1 with a tag and its value, 0 at the end, -E2BIG if that lies too far away. */
static int entry_at(struct elf *elf, const struct dynamic *d, uint64_t number, uint64_t *ret_tag,
		    uint64_t *ret_value)
{
	const unsigned char *raw;
	uint64_t at;
	int r;

	if (number >= d->count)
		return 0;
	if (number >= DYNAMIC_MAX)
		return -E2BIG;
	if (!elf_place_of(elf, d->at, number, DYNAMIC_BYTES, &at))
		return -EBADMSG;
	r = elf_view(elf->source, &elf->table, at, DYNAMIC_BYTES, &raw);
	if (r < 0)
		return r;
	*ret_tag = endian_u64(raw);
	*ret_value = endian_u64(raw + 8);
	return *ret_tag != 0;
}

static int read_entries(struct elf *elf, struct dynamic *d)
{
	uint64_t tag, value, strings = 0;
	int r;

	for (uint64_t i = 0; (r = entry_at(elf, d, i, &tag, &value)) > 0; i++) {
		if (tag == TAG_STRTAB)
			strings = value;
		else if (tag == TAG_STRSZ)
			d->bytes = value;
		else if (tag == TAG_SONAME)
			d->soname = value;
		else if (tag == TAG_RPATH)
			d->rpath = value;
		else if (tag == TAG_RUNPATH)
			d->runpath = value;
		else if (tag == TAG_FLAGS_1)
			d->flags = value;
		else if (tag == TAG_VERDEF)
			d->versions = value;
		else if (tag == TAG_VERDEFNUM)
			d->version_count = value;
		else if (tag == TAG_NEEDED && d->needed < ELF_NEEDED_MAX)
			d->needed++;
	}
	if (r < 0)
		return r;
	if (!place_of_address(elf, strings, &d->strings))
		return -EBADMSG;
	if (d->bytes > elf->source->size - d->strings)
		d->bytes = elf->source->size - d->strings;
	return 0;
}

/*
 * A string of the table, in the window until that moves. -E2BIG for one that
 * does not end inside a window.
 */
static int string_at(struct elf *elf, const struct dynamic *d, uint64_t at, struct span *ret)
{
	static const size_t sizes[] = { 128, ELF_WINDOW };
	const unsigned char *bytes;

	if (at >= d->bytes)
		return -EBADMSG;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t n = sizes[i] < d->bytes - at ? sizes[i] : (size_t)(d->bytes - at);
		int r = elf_view(elf->source, &elf->names, d->strings + at, n, &bytes);

		if (r < 0)
			return r;
		*ret = (struct span){ (const char *)bytes, strnlen((const char *)bytes, n) };
		if (ret->len < n)
			return 0;
	}
	return -E2BIG;
}

/* jax-rocm7-plugin 0.10.2 has a RUNPATH of 6,546 bytes. */
static int keep_string(struct elf *elf, const struct dynamic *d, uint64_t at, struct arena *arena,
		       const char **ret)
{
	struct span s;
	int r = string_at(elf, d, at, &s);

	if (r == 0) {
		*ret = arena_text(arena, s);
	} else if (r == -E2BIG) {
		size_t n = TEXT_MAX < d->bytes - at ? TEXT_MAX : (size_t)(d->bytes - at);
		char *text = arena_alloc(arena, n + 1);

		r = source_read(elf->source, d->strings + at, text, n);
		if (r == 0 && strnlen(text, n) == n)
			r = -EBADMSG;
		if (r == 0)
			*ret = text;
	}
	return r;
}

static int read_needed(struct elf *elf, const struct dynamic *d, struct arena *arena,
		       struct elf_dynamic *ret)
{
	uint64_t tag, value;
	int r;

	ret->needed = arena_alloc(arena, (d->needed + 1) * sizeof(*ret->needed));
	for (uint64_t i = 0; (r = entry_at(elf, d, i, &tag, &value)) > 0; i++) {
		if (tag != TAG_NEEDED)
			continue;
		if (ret->needed_count == d->needed)
			return -E2BIG; /* read_entries() did not count this one */
		r = keep_string(elf, d, value, arena, &ret->needed[ret->needed_count]);
		if (r < 0)
			return r;
		ret->needed_count++;
	}
	return r;
}

/* "hip_7.2" and not "GLIBC_PRIVATE": a number stands after the last underline. */
static bool is_version(const char *name)
{
	const char *line = strrchr(name, '_');

	return line && line[1] >= '0' && line[1] <= '9';
}

static int version_name(struct elf *elf, const struct dynamic *d, uint64_t at,
			char ret[static ELF_NAME_MAX])
{
	const unsigned char *raw;
	struct span s = { 0 };
	int r = elf_view(elf->source, &elf->table, at, 4, &raw);

	if (r == 0)
		r = string_at(elf, d, endian_u32(raw), &s);
	if (r < 0)
		return r == -E2BIG ? -EBADMSG : r; /* no version is as long as a window */
	if (s.len >= ELF_NAME_MAX)
		s.len = ELF_NAME_MAX - 1;
	if (s.len > 0)
		memcpy(ret, s.data, s.len);
	ret[s.len] = '\0';
	return 0;
}

static int highest_version(struct elf *elf, const struct dynamic *d, char best[static ELF_NAME_MAX])
{
	char name[ELF_NAME_MAX];
	uint64_t at;

	if (d->versions == 0)
		return 0;
	if (!place_of_address(elf, d->versions, &at))
		return -EBADMSG;
	for (uint64_t i = 0; i < d->version_count; i++) {
		const unsigned char *raw;
		uint32_t next, names;
		bool base;
		int r = i < VERDEF_MAX ? elf_view(elf->source, &elf->table, at, VERDEF_BYTES, &raw)
				       : -E2BIG;

		if (r < 0)
			return r;
		base = endian_u16(raw + 2) & VERDEF_BASE;
		names = endian_u32(raw + 12);
		next = endian_u32(raw + 16);
		if (!base) {
			r = version_name(elf, d, at + names, name);
			if (r < 0)
				return r;
			if (is_version(name) && strverscmp(name, best) > 0)
				memcpy(best, name, sizeof(name));
		}
		if (next == 0)
			break;
		at += next;
	}
	return 0;
}

static int read_names(struct elf *elf, const struct dynamic *d, struct arena *arena,
		      struct elf_dynamic *ret)
{
	char best[ELF_NAME_MAX] = "";
	int r = 0;

	if (d->soname)
		r = keep_string(elf, d, d->soname, arena, &ret->soname);
	if (r == 0 && d->rpath)
		r = keep_string(elf, d, d->rpath, arena, &ret->rpath);
	if (r == 0 && d->runpath)
		r = keep_string(elf, d, d->runpath, arena, &ret->runpath);
	if (r == 0)
		r = read_needed(elf, d, arena, ret);
	if (r == 0)
		r = highest_version(elf, d, best);
	if (r == 0 && best[0])
		ret->defines = arena_text(arena, span_of(best));
	return r;
}

int elf_dynamic(struct elf *elf, struct arena *arena, struct elf_dynamic *ret)
{
	struct dynamic d = { 0 };
	int r = find_dynamic(elf, &d);

	*ret = (struct elf_dynamic){ .found = r == 0 };
	if (r == -ENOENT)
		return 0;
	if (r == 0)
		r = read_entries(elf, &d);
	ret->pie = d.flags & FLAG_1_PIE;
	return r < 0 ? r : read_names(elf, &d, arena, ret);
}
