#include "parse/elf.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"
#include "parse/elf-internal.h"

/*
 * Byte positions of the ELF-64 specification:
 *
 * header   4 class (2: 64 bits), 5 data (1: little-endian), 7 OS ABI, 8 its version,
 *          16 type, 18 machine, 32 phoff, 40 shoff, 48 flags, 54 phentsize,
 *          56 phnum, 58 shentsize, 60 shnum, 62 index of the section names
 * section  0 name, 4 type, 24 offset, 32 size, 40 link, 44 info
 * segment  0 type, 8 offset, 16 address, 32 size in the file, 48 alignment
 * note     0 size of the owner, 4 size of the data, 8 type; both padded
 *
 * Numbers that do not fit their field stand in section 0: shnum in its size,
 * the index of the names in its link, phnum in its info.
 */

#define HEADER_BYTES  64
#define SECTION_BYTES 64
#define SEGMENT_BYTES 56
#define NOTE_BYTES    12

#define NUMBER_ELSEWHERE 0xffff

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
int elf_view(struct source *s, struct elf_window *w, uint64_t at, size_t n,
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

/* The place of record `number` of a table. False if it is outside the file. */
bool elf_place_of(const struct elf *elf, uint64_t table, uint64_t number, size_t bytes,
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

	if (!elf_place_of(elf, elf->shoff, number, SECTION_BYTES, &at))
		return -EBADMSG;
	return elf_view(elf->source, &elf->table, at, SECTION_BYTES, ret);
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

/* Class, byte order and version. A value that no ELF has is damage, not another processor. */
static int judge_ident(const unsigned char *header, const char **ret_why)
{
	bool has_class = header[4] == 1 || header[4] == 2;
	bool has_order = header[5] == 1 || header[5] == 2;

	if (!has_class || !has_order || header[6] != 1) {
		*ret_why = "its ELF header is damaged";
		return -EBADMSG;
	}
	if (header[4] == 2 && header[5] == 1)
		return 0;
	*ret_why = header[5] == 2 ? "a big-endian ELF file: ROCm has none"
				  : "a 32-bit ELF file: ROCm has none";
	return -EPROTONOSUPPORT;
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
	r = judge_ident(header, ret_why);
	if (r < 0)
		return r;
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
	if (elf_view(elf->source, &elf->names, place, n, &bytes) < 0)
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
	if (!elf_place_of(elf, elf->phoff, number, SEGMENT_BYTES, &at))
		return -EBADMSG;
	r = elf_view(elf->source, &elf->head, at, SEGMENT_BYTES, &raw);
	if (r < 0)
		return r;
	*ret = (struct elf_segment){ .type = endian_u32(raw),
				     .offset = endian_u64(raw + 8),
				     .address = endian_u64(raw + 16),
				     .size = endian_u64(raw + 32),
				     .align = endian_u64(raw + 48) };
	return 0;
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
	if (!elf_place_of(elf, segment->offset, 0, (size_t)0, &at) ||
	    segment->size > elf->source->size - at)
		return -EBADMSG;
	at += place->at;
	left = segment->size - place->at - NOTE_BYTES;
	r = elf_view(elf->source, &elf->table, at, NOTE_BYTES, &raw);
	if (r < 0)
		return r;
	owner = padded(endian_u32(raw), segment->align);
	ret->size = endian_u32(raw + 4);
	ret->type = endian_u32(raw + 8);
	data = padded(ret->size, segment->align);
	if (owner > left || ret->size > left - owner)
		return -EBADMSG;
	shown = owner < sizeof(ret->owner) ? (size_t)owner : sizeof(ret->owner) - 1;
	r = elf_view(elf->source, &elf->table, at + NOTE_BYTES, shown, &raw);
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
