#include "parse/pe.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"

/*
 * Byte positions of Microsoft's PE format:
 *
 * header   0 "PE\0\0", 4 machine, 6 number of sections, 12 place of the symbols,
 *          16 their number, 20 size of the optional header, 22 characteristics
 * section  0 name, 8 size in memory, 16 size in the file, 20 place in the file
 *
 * The table of strings follows the symbols, of 18 bytes each.
 */

#define DOS_BYTES     64
#define DOS_PLACE     60
#define HEADER_BYTES  24
#define SECTION_BYTES 40
#define SYMBOL_BYTES  18
#define SHORT_NAME    8

#define IS_LIBRARY 0x2000

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
	ret->sections = header + HEADER_BYTES + endian_u16(raw + 20);
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
	copy_name(ret->name, raw, SHORT_NAME);
	read_name(pe, ret->name);
	return 0;
}
