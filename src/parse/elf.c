#include "parse/elf.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"

/*
 * Byte positions of the ELF-64 specification:
 *
 * header   4 class (2: 64 bits), 5 data (1: little-endian), 7 OS ABI, 8 its version,
 *          16 type, 18 machine, 32 phoff, 40 shoff, 48 flags, 54 phentsize,
 *          56 phnum, 58 shentsize, 60 shnum, 62 index of the section names
 * section  0 name, 4 type, 24 offset, 32 size, 40 link, 44 info
 * segment  0 type, 8 offset, 16 address, 32 size in the file, 48 alignment
 * note     0 size of the owner, 4 size of the data, 8 type; both padded
 * dynamic  0 tag, 8 value
 * verdef   2 flags (1: the file itself), 12 its names from here, 16 next from here
 * verdaux  0 name
 *
 * Numbers that do not fit their field stand in section 0: shnum in its size,
 * the index of the names in its link, phnum in its info.
 */

#define HEADER_BYTES  64
#define SECTION_BYTES 64
#define SEGMENT_BYTES 56
#define NOTE_BYTES    12
#define DYNAMIC_BYTES 16
#define DYNAMIC_MAX   4096 /* entries; needed ones included, real files have below 100 */
#define VERDEF_BYTES  20
#define VERDEF_MAX    4096
#define TEXT_MAX      (64u << 10) /* of a string: see keep_string */

#define NUMBER_ELSEWHERE 0xffff

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

/*
 * Fill a window from here on. A source with holes may have kept nothing but
 * the page, so the second try ends with it.
 */
static int load(struct source *s, struct elf_window *w, uint64_t at)
{
	size_t n = sizeof(w->bytes);
	int64_t got = source_some(s, at, w->bytes, n);

	if (got == -ENODATA && s->kept)
		got = source_some(s, at, w->bytes, n - at % n);
	w->at = at;
	w->len = got < 0 ? 0 : (size_t)got;
	return got < 0 ? (int)got : 0;
}

/* n bytes, which is at most a window: in *ret until the window moves. */
static int view(struct source *s, struct elf_window *w, uint64_t at, size_t n,
		const unsigned char **ret)
{
	if (at < w->at || at - w->at > w->len || n > w->len - (at - w->at)) {
		int r = load(s, w, at);

		if (r < 0)
			return r;
		if (n > w->len)
			return -ENODATA;
	}
	*ret = w->bytes + (at - w->at);
	return 0;
}

/* Where record `number` of a table stands. False if that is no place in the file. */
static bool place_of(const struct elf *elf, uint64_t table, uint64_t number, size_t bytes,
		     uint64_t *ret)
{
	uint64_t at;

	if (__builtin_mul_overflow(number, (uint64_t)bytes, &at) ||
	    __builtin_add_overflow(at, table, &at) || at > elf->source->size ||
	    bytes > elf->source->size - at)
		return false;
	*ret = at;
	return true;
}

static int raw_section(struct elf *elf, uint64_t number, const unsigned char **ret)
{
	uint64_t at;

	if (!place_of(elf, elf->shoff, number, SECTION_BYTES, &at))
		return -EBADMSG;
	return view(elf->source, &elf->table, at, SECTION_BYTES, ret);
}

/* Counts and the names' place. A file whose table cannot be read has no sections. */
static void read_counts(struct elf *elf, const unsigned char *header)
{
	const unsigned char *first = NULL;
	uint64_t shnum = endian_u16(header + 60);

	elf->phnum = endian_u16(header + 54) == SEGMENT_BYTES ? endian_u16(header + 56) : 0;
	elf->names_index = endian_u16(header + 62);
	elf->sections = shnum * SECTION_BYTES;
	if (elf->shoff == 0 || endian_u16(header + 58) != SECTION_BYTES ||
	    raw_section(elf, 0, &first) < 0)
		return;
	if (shnum == 0)
		shnum = endian_u64(first + 32);
	if (elf->names_index == NUMBER_ELSEWHERE)
		elf->names_index = endian_u32(first + 40);
	if (elf->phnum == NUMBER_ELSEWHERE)
		elf->phnum = endian_u32(first + 44);
	/* One more than is read: elf_section() refuses that one. */
	elf->shnum = shnum > ELF_SECTIONS_MAX ? ELF_SECTIONS_MAX + 1 : (uint32_t)shnum;
}

int elf_open(struct source *s, struct elf *ret, const char **ret_why)
{
	const unsigned char *header, *names;
	int r;

	/* Not the windows: they are most of the struct, and their length says enough. */
	memset(ret, 0, offsetof(struct elf, head));
	ret->table.at = ret->table.len = 0;
	ret->names.at = ret->names.len = 0;
	ret->source = s;
	r = load(s, &ret->head, 0);
	if (r < 0) {
		*ret_why = "cannot be read";
		return r;
	}
	header = ret->head.bytes;
	if (ret->head.len < 4 || memcmp(header, "\177ELF", 4) != 0) {
		*ret_why = "not an ELF file";
		return -ENOEXEC;
	}
	if (ret->head.len < HEADER_BYTES) {
		*ret_why = "ends inside its ELF header";
		return -EBADMSG;
	}
	if (header[4] != 2 || header[5] != 1) {
		*ret_why = header[5] == 2 ? "a big-endian ELF file: ROCm has none"
					  : "a 32-bit ELF file: ROCm has none";
		return -EPROTONOSUPPORT;
	}
	ret->osabi = header[7];
	ret->abi_version = header[8];
	ret->type = endian_u16(header + 16);
	ret->machine = endian_u16(header + 18);
	ret->phoff = endian_u64(header + 32);
	ret->shoff = endian_u64(header + 40);
	ret->flags = endian_u32(header + 48);
	read_counts(ret, header);
	if (ret->names_index < ret->shnum && raw_section(ret, ret->names_index, &names) == 0) {
		ret->names_at = endian_u64(names + 24);
		if (ret->names_at < s->size)
			ret->names_size = endian_u64(names + 32);
	}
	return 0;
}

static void read_name(struct elf *elf, uint32_t at, char ret[static ELF_NAME_MAX])
{
	const unsigned char *bytes;
	uint64_t left, place;
	size_t n;

	ret[0] = '\0';
	if (at >= elf->names_size || __builtin_add_overflow(elf->names_at, at, &place) ||
	    place >= elf->source->size)
		return;
	left = elf->names_size - at;
	if (left > elf->source->size - place)
		left = elf->source->size - place;
	n = left < ELF_NAME_MAX - 1 ? (size_t)left : ELF_NAME_MAX - 1;
	if (view(elf->source, &elf->names, place, n, &bytes) < 0)
		return;
	n = strnlen((const char *)bytes, n);
	memcpy(ret, bytes, n);
	ret[n] = '\0';
}

int elf_section(struct elf *elf, uint32_t number, struct elf_section *ret)
{
	const unsigned char *raw;
	int r;

	if (number >= elf->shnum)
		return -ENOENT;
	if (number >= ELF_SECTIONS_MAX)
		return -E2BIG;
	r = raw_section(elf, number, &raw);
	if (r < 0)
		return r;
	ret->type = endian_u32(raw + 4);
	ret->offset = endian_u64(raw + 24);
	ret->size = endian_u64(raw + 32);
	read_name(elf, endian_u32(raw), ret->name);
	return 0;
}

int elf_segment(struct elf *elf, uint32_t number, struct elf_segment *ret)
{
	const unsigned char *raw;
	uint64_t at;
	int r;

	if (number >= elf->phnum)
		return -ENOENT;
	if (!place_of(elf, elf->phoff, number, SEGMENT_BYTES, &at))
		return -EBADMSG;
	r = view(elf->source, &elf->head, at, SEGMENT_BYTES, &raw);
	if (r < 0)
		return r;
	*ret = (struct elf_segment){ .type = endian_u32(raw),
				     .offset = endian_u64(raw + 8),
				     .address = endian_u64(raw + 16),
				     .size = endian_u64(raw + 32),
				     .align = endian_u64(raw + 48) };
	return 0;
}

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
	if (!place_of(elf, d->at, number, DYNAMIC_BYTES, &at))
		return -EBADMSG;
	r = view(elf->source, &elf->table, at, DYNAMIC_BYTES, &raw);
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
		int r = view(elf->source, &elf->names, d->strings + at, n, &bytes);

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
	int r = view(elf->source, &elf->table, at, 4, &raw);

	if (r == 0)
		r = string_at(elf, d, endian_u32(raw), &s);
	if (r < 0)
		return r == -E2BIG ? -EBADMSG : r; /* no version is as long as a window */
	if (s.len >= ELF_NAME_MAX)
		s.len = ELF_NAME_MAX - 1;
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
		int r = i < VERDEF_MAX ? view(elf->source, &elf->table, at, VERDEF_BYTES, &raw)
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

static uint64_t padded(uint64_t n, uint64_t align)
{
	uint64_t to = align == 8 ? 8 : 4;

	return (n + to - 1) & ~(to - 1);
}

/* The note at place->at of a segment of notes: 1, 0 at its end. */
static int note_at(struct elf *elf, const struct elf_segment *segment, struct elf_notes *place,
		   struct elf_note *ret)
{
	const unsigned char *raw;
	uint64_t at, left, owner, data;
	size_t shown;
	int r;

	if (place->at > segment->size || segment->size - place->at < NOTE_BYTES)
		return 0;
	if (!place_of(elf, segment->offset, 0, (size_t)0, &at) ||
	    segment->size > elf->source->size - at)
		return -EBADMSG;
	at += place->at;
	left = segment->size - place->at - NOTE_BYTES;
	r = view(elf->source, &elf->table, at, NOTE_BYTES, &raw);
	if (r < 0)
		return r;
	owner = padded(endian_u32(raw), segment->align);
	ret->size = endian_u32(raw + 4);
	ret->type = endian_u32(raw + 8);
	data = padded(ret->size, segment->align);
	if (owner > left || ret->size > left - owner)
		return -EBADMSG;
	shown = owner < sizeof(ret->owner) ? (size_t)owner : sizeof(ret->owner) - 1;
	r = view(elf->source, &elf->table, at + NOTE_BYTES, shown, &raw);
	if (r < 0)
		return r;
	memset(ret->owner, 0, sizeof(ret->owner));
	memcpy(ret->owner, raw, shown);
	ret->at = at + NOTE_BYTES + owner;
	place->at += NOTE_BYTES + owner + data;
	return 1;
}

int elf_note_next(struct elf *elf, struct elf_notes *place, struct elf_note *ret)
{
	struct elf_segment segment;
	int r;

	for (; (r = elf_segment(elf, place->segment, &segment)) == 0; place->segment++) {
		if (segment.type == ELF_NOTES)
			r = note_at(elf, &segment, place, ret);
		if (r == 0) {
			place->at = 0;
			continue;
		}
		if (r > 0 && ++place->count > ELF_NOTES_MAX)
			return -E2BIG;
		return r;
	}
	return r == -ENOENT ? 0 : r;
}
