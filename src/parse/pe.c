#include "parse/pe.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"

/*
 * Byte positions of Microsoft's PE format:
 *
 * header   0 "PE\0\0", 4 machine, 6 number of sections, 12 place of the symbols,
 *          16 their number, 20 size of the optional header, 22 characteristics
 * section  0 name, 8 size in memory, 12 place in memory, 16 size in the file, 20 place in the file
 *
 * The table of strings follows the symbols, of 18 bytes each.
 *
 * optional header   0 magic; 92 number of directories and 96 the first of 32-bit
 *                   files, 108 and 112 of 64-bit ones
 * directory         0 place in memory, 4 size; number 1 is that of imports
 * import            20 bytes for each DLL, 12 place of its name in memory; the
 *                   last one is all zeroes
 */

#define DOS_BYTES     64
#define DOS_PLACE     60
#define HEADER_BYTES  24
#define SECTION_BYTES 40
#define SYMBOL_BYTES  18
#define SHORT_NAME    8

#define IS_LIBRARY 0x2000

#define MAGIC_32        0x10b
#define MAGIC_64        0x20b
#define IMPORTS         1
#define IMPORT_BYTES    20
#define IMPORT_NAME     12
#define IMPORT_NAME_MAX 255
#define SECTIONS_MAX    96 /* that Windows loads */

static int load(struct source *s, struct pe_window *w, uint64_t at)
{
	int64_t got = source_some(s, at, w->bytes, sizeof(w->bytes));

	/* A source with holes may have kept nothing but the page. */
	if (got == -ENODATA && s->kept)
		got = source_some(s, at, w->bytes, sizeof(w->bytes) - at % sizeof(w->bytes));
	w->at = at;
	w->len = got < 0 ? 0 : (size_t)got;
	return got < 0 ? (int)got : 0;
}

/* At most n bytes, fewer at the end of the file: their number, in *ret until the window moves. */
static int64_t view(struct pe *pe, uint64_t at, size_t n, const unsigned char **ret)
{
	struct pe_window *w = &pe->window;
	size_t there;

	if (at < w->at || at - w->at > w->len || n > w->len - (at - w->at)) {
		int r = at > pe->source->size ? -ENODATA : load(pe->source, w, at);

		if (r < 0)
			return r;
	}
	there = w->len - (size_t)(at - w->at);
	*ret = w->bytes + (at - w->at);
	return (int64_t)(n < there ? n : there);
}

static int refuse(int r, const char *why, const char **ret_why)
{
	*ret_why = why;
	return r;
}

int pe_open(struct source *s, struct pe *ret, const char **ret_why)
{
	const unsigned char *raw;
	uint64_t header, symbols;
	int64_t got;

	memset(ret, 0, offsetof(struct pe, window));
	ret->window.at = ret->window.len = 0;
	ret->source = s;
	got = view(ret, 0, DOS_BYTES, &raw);
	if (got < 0)
		return refuse((int)got, "cannot be read", ret_why);
	if (got < 2 || memcmp(raw, "MZ", 2) != 0)
		return refuse(-ENOEXEC, "not a PE file", ret_why);
	if (got < DOS_BYTES)
		return refuse(-EBADMSG, "ends inside its DOS header", ret_why);
	header = endian_u32(raw + DOS_PLACE);
	got = view(ret, header, HEADER_BYTES, &raw);
	if (got < 0 && got != -ENODATA)
		return refuse((int)got, "cannot be read", ret_why);
	if (got >= 4 && memcmp(raw, "PE\0\0", 4) != 0)
		return refuse(-ENOEXEC, "a DOS program and not a PE file", ret_why);
	if (got < HEADER_BYTES)
		return refuse(-EBADMSG, "ends before its PE header does", ret_why);
	ret->machine = endian_u16(raw + 4);
	ret->section_count = endian_u16(raw + 6);
	ret->optional = header + HEADER_BYTES;
	ret->sections = ret->optional + endian_u16(raw + 20);
	ret->library = endian_u16(raw + 22) & IS_LIBRARY;
	symbols = endian_u32(raw + 12);
	if (symbols > 0)
		ret->strings = symbols + (uint64_t)endian_u32(raw + 16) * SYMBOL_BYTES;
	return 0;
}

static void copy_name(char ret[static PE_NAME_MAX], const unsigned char *bytes, size_t n)
{
	n = strnlen((const char *)bytes, n < PE_NAME_MAX - 1 ? n : PE_NAME_MAX - 1);
	memcpy(ret, bytes, n);
	ret[n] = '\0';
}

/* "/123": the name stands in the table of strings. One that is not there keeps its number. */
static void read_name(struct pe *pe, char name[static PE_NAME_MAX])
{
	const unsigned char *bytes;
	uint64_t place;
	int64_t got;

	if (name[0] != '/' || pe->strings == 0 || !span_u64(span_of(name + 1), &place))
		return;
	got = view(pe, pe->strings + place, PE_NAME_MAX - 1, &bytes);
	if (got > 0)
		copy_name(name, bytes, (size_t)got);
}

int pe_section(struct pe *pe, uint32_t number, struct pe_section *ret)
{
	uint64_t at = pe->sections + (uint64_t)number * SECTION_BYTES;
	uint32_t in_memory, in_file;
	const unsigned char *raw;
	int64_t got;

	if (number >= pe->section_count)
		return -ENOENT;
	got = view(pe, at, SECTION_BYTES, &raw);
	if (got < SECTION_BYTES)
		return got < 0 && got != -ENODATA ? (int)got : -EBADMSG;
	in_memory = endian_u32(raw + 8);
	in_file = endian_u32(raw + 16);
	/* In the file it is padded, and in memory it may go on with zeroes. */
	ret->size = in_memory > 0 && in_memory < in_file ? in_memory : in_file;
	ret->offset = endian_u32(raw + 20);
	ret->address = endian_u32(raw + 12);
	copy_name(ret->name, raw, SHORT_NAME);
	read_name(pe, ret->name);
	return 0;
}

/* ---- imports ---- */

static int read_at(struct pe *pe, uint64_t at, unsigned char *bytes, size_t n)
{
	return source_read(pe->source, at, bytes, n) < 0 ? -EBADMSG : 0;
}

/* A place in memory as one in the file. */
static int place_of(struct pe *pe, uint64_t address, uint64_t *ret)
{
	struct pe_section x;

	for (uint32_t i = 0; i < SECTIONS_MAX && pe_section(pe, i, &x) == 0; i++)
		if (address >= x.address && address - x.address < x.size) {
			*ret = x.offset + (address - x.address);
			return 0;
		}
	return -EBADMSG;
}

/* *ret_address is 0 for a file that imports nothing. */
static int find_table(struct pe *pe, uint64_t *ret_address)
{
	unsigned char bytes[8];
	uint64_t count;
	int r = read_at(pe, pe->optional, bytes, 2);

	if (r < 0)
		return r;
	switch (endian_u16(bytes)) {
	case MAGIC_32:
		count = pe->optional + 92;
		break;
	case MAGIC_64:
		count = pe->optional + 108;
		break;
	default:
		return -EBADMSG;
	}
	*ret_address = 0;
	r = read_at(pe, count, bytes, 4);
	if (r < 0 || endian_u32(bytes) <= IMPORTS)
		return r;
	r = read_at(pe, count + 4 + (uint64_t)8 * IMPORTS, bytes, 8);
	if (r == 0)
		*ret_address = endian_u32(bytes);
	return r;
}

static int read_import_name(struct pe *pe, uint64_t address, struct arena *arena, const char **ret)
{
	char bytes[IMPORT_NAME_MAX + 1];
	uint64_t place;
	int64_t got;
	int r = place_of(pe, address, &place);

	if (r < 0)
		return r;
	got = source_some(pe->source, place, bytes, IMPORT_NAME_MAX);
	if (got <= 0)
		return -EBADMSG;
	*ret = arena_text(arena, (struct span){ bytes, strnlen(bytes, (size_t)got) });
	return 0;
}

int pe_imports(struct pe *pe, struct arena *arena, struct pe_imports *ret)
{
	unsigned char entry[IMPORT_BYTES];
	uint64_t address, table, name;
	int r = find_table(pe, &address);

	*ret = (struct pe_imports){ 0 };
	if (r < 0 || address == 0)
		return r;
	r = place_of(pe, address, &table);
	for (; r == 0; table += IMPORT_BYTES) {
		r = read_at(pe, table, entry, sizeof(entry));
		name = r == 0 ? endian_u32(entry + IMPORT_NAME) : 0;
		if (name == 0)
			break;
		if (ret->count == PE_IMPORTS_MAX) {
			ret->cut = true;
			break;
		}
		r = read_import_name(pe, name, arena, &ret->names[ret->count]);
		if (r == 0)
			ret->count++;
	}
	return r;
}
