#pragma once

/*
 * make-code - binaries with device code, made byte by byte
 *
 * Small, whole and readable where a test needs one thing to be wrong: change a
 * byte of what these give. The code objects are headers without code.
 */

#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"

static inline void put16(struct buf *b, uint16_t value)
{
	value = htole16(value);
	buf_add(b, &value, sizeof(value));
}

static inline void put32(struct buf *b, uint32_t value)
{
	value = htole32(value);
	buf_add(b, &value, sizeof(value));
}

static inline void put64(struct buf *b, uint64_t value)
{
	value = htole64(value);
	buf_add(b, &value, sizeof(value));
}

static inline void put_zeroes(struct buf *b, size_t n)
{
	while (n-- > 0)
		buf_char(b, 0);
}

static inline void put_up_to(struct buf *b, size_t align)
{
	put_zeroes(b, (align - b->len % align) % align);
}

/* Overwrite numbers in place: how tests break things. */
static inline void set64(struct buf *b, size_t at, uint64_t value)
{
	value = htole64(value);
	memcpy(b->data + at, &value, sizeof(value));
}

static inline void set32(struct buf *b, size_t at, uint32_t value)
{
	value = htole32(value);
	memcpy(b->data + at, &value, sizeof(value));
}

static inline void set16(struct buf *b, size_t at, uint16_t value)
{
	value = htole16(value);
	memcpy(b->data + at, &value, sizeof(value));
}

/* ---- code objects and bundles ---- */

#define MADE_V3 1 /* ABI versions */
#define MADE_V4 2
#define MADE_V6 4

static inline void make_object(struct buf *b, uint8_t abi_version, uint32_t flags)
{
	char ident[16] = "\177ELF\2\1\1\100";

	ident[8] = (char)abi_version;
	buf_add(b, ident, sizeof(ident));
	put16(b, 3);
	put16(b, 224);
	put32(b, 1);
	put_zeroes(b, 24);
	put32(b, flags);
	put16(b, 64);
	put16(b, 56);
	put16(b, 0);
	put16(b, 64);
	put16(b, 0);
	put16(b, 0);
}

struct made_entry {
	const char *id;
	uint8_t abi_version; /* 0: no code, as of a host */
	uint32_t flags;
};

/* Entries until one without an id. Each object on a boundary of `align` bytes. */
static inline void make_bundle(struct buf *out, const struct made_entry *entries, size_t align)
{
	struct buf table = { 0 }, code = { 0 };
	size_t count = 0, table_bytes = 32;

	for (; entries[count].id; count++)
		table_bytes += 24 + strlen(entries[count].id);
	table_bytes = (table_bytes + align - 1) / align * align;
	buf_text(&table, "__CLANG_OFFLOAD_BUNDLE__");
	put64(&table, count);
	for (size_t i = 0; i < count; i++) {
		size_t at;

		put_up_to(&code, align);
		at = code.len;
		if (entries[i].abi_version)
			make_object(&code, entries[i].abi_version, entries[i].flags);
		put64(&table, table_bytes + at);
		put64(&table, code.len - at);
		put64(&table, strlen(entries[i].id));
		buf_text(&table, entries[i].id);
	}
	put_up_to(&table, align);
	buf_span(out, buf_get(&table));
	buf_span(out, buf_get(&code));
	buf_done(&table);
	buf_done(&code);
}

/* method: 0 zlib, 1 zstd. */
static inline void make_ccob(struct buf *out, unsigned int version, unsigned int method,
			     struct span plain)
{
	static const size_t headers[] = { 0, 20, 24, 32 };
	size_t room = ZSTD_compressBound(plain.len) + compressBound(plain.len), packed;
	char *payload = malloc(room);

	if (method == 1) {
		packed = ZSTD_compress(payload, room, plain.data, plain.len, 3);
	} else {
		uLongf n = room;

		compress((Bytef *)payload, &n, (const Bytef *)plain.data, plain.len);
		packed = n;
	}
	buf_text(out, "CCOB");
	put16(out, (uint16_t)version);
	put16(out, (uint16_t)method);
	if (version == 2)
		put32(out, (uint32_t)(packed + headers[version]));
	if (version == 3)
		put64(out, packed + headers[version]);
	if (version == 3)
		put64(out, plain.len);
	else
		put32(out, (uint32_t)plain.len);
	put64(out, 0x0123456789abcdef);
	buf_add(out, payload, packed);
	free(payload);
}

/* ---- host ELF files ---- */

struct made_section {
	const char *name;
	uint32_t type; /* 1 content, 3 strings, 8 none */
	struct span content;
	uint64_t size; /* 0: of the content */
};

struct made_elf {
	uint16_t type;                       /* 3 shared */
	const struct made_section *sections; /* until one without a name; NULL: no table */
	const char *const *needed;           /* until NULL; NULL: no dynamic segment */
	const char *soname, *rpath, *runpath;
	const char *const *versions; /* until NULL; the first is the file itself */
	bool pie, interpreter;
};

#define MADE_ADDRESS 0x200000 /* the whole file is loaded there */

static inline uint64_t made_string(struct buf *strings, const char *text)
{
	uint64_t at = strings->len;

	buf_add(strings, text, strlen(text) + 1);
	return at;
}

static inline void made_dynamic(struct buf *out, const struct made_elf *e, size_t *ret_at,
				size_t *ret_bytes)
{
	struct buf strings = { 0 }, entries = { 0 };
	size_t versions_at = 0, count = 0, strings_at;

	buf_char(&strings, 0);
	for (size_t i = 0; e->needed[i]; i++) {
		put64(&entries, 1);
		put64(&entries, made_string(&strings, e->needed[i]));
	}
	if (e->soname) {
		put64(&entries, 14);
		put64(&entries, made_string(&strings, e->soname));
	}
	if (e->rpath) {
		put64(&entries, 15);
		put64(&entries, made_string(&strings, e->rpath));
	}
	if (e->runpath) {
		put64(&entries, 29);
		put64(&entries, made_string(&strings, e->runpath));
	}
	if (e->pie) {
		put64(&entries, 0x6ffffffb);
		put64(&entries, 0x08000001);
	}
	put_up_to(out, 8);
	for (; e->versions && e->versions[count]; count++) {
		versions_at = versions_at ? versions_at : out->len;
		put16(out, 1);
		put16(out, count == 0);
		put16(out, (uint16_t)(count + 1));
		put16(out, 1);
		put32(out, 0);
		put32(out, 20);
		put32(out, e->versions[count + 1] ? 28 : 0);
		put32(out, (uint32_t)made_string(&strings, e->versions[count]));
		put32(out, 0);
	}
	if (count > 0) {
		put64(&entries, 0x6ffffffc);
		put64(&entries, MADE_ADDRESS + versions_at);
		put64(&entries, 0x6ffffffd);
		put64(&entries, count);
	}
	strings_at = out->len;
	buf_span(out, buf_get(&strings));
	put64(&entries, 5);
	put64(&entries, MADE_ADDRESS + strings_at);
	put64(&entries, 10);
	put64(&entries, strings.len);
	put64(&entries, 0);
	put64(&entries, 0);
	put_up_to(out, 8);
	*ret_at = out->len;
	*ret_bytes = entries.len;
	buf_span(out, buf_get(&entries));
	buf_done(&strings);
	buf_done(&entries);
}

static inline void made_segment(struct buf *out, size_t number, uint32_t type, uint64_t at,
				uint64_t bytes)
{
	size_t place = 64 + number * 56;

	set32(out, place, type);
	set64(out, place + 8, at);
	set64(out, place + 16, MADE_ADDRESS + at);
	set64(out, place + 32, bytes);
	set64(out, place + 40, bytes);
	set64(out, place + 48, 4096);
}

static inline void made_table(struct buf *out, const struct made_section *sections)
{
	struct buf names = { 0 }, table = { 0 };
	size_t count = 1;

	buf_char(&names, 0);
	put_zeroes(&table, 64);
	for (; sections[count - 1].name; count++) {
		const struct made_section *x = &sections[count - 1];

		put32(&table, (uint32_t)made_string(&names, x->name));
		put32(&table, x->type);
		put64(&table, 2);
		put64(&table, 0);
		put_up_to(out, 4096);
		put64(&table, out->len);
		put64(&table, x->size ? x->size : x->content.len);
		put_zeroes(&table, 24);
		if (x->type != 8)
			buf_span(out, x->content);
	}
	put32(&table, (uint32_t)made_string(&names, ".shstrtab"));
	put32(&table, 3);
	put_zeroes(&table, 16);
	put64(&table, out->len);
	put64(&table, names.len);
	put_zeroes(&table, 24);
	buf_span(out, buf_get(&names));
	put_up_to(out, 8);
	set64(out, 40, out->len);
	set16(out, 60, (uint16_t)(count + 1));
	set16(out, 62, (uint16_t)count);
	buf_span(out, buf_get(&table));
	buf_done(&names);
	buf_done(&table);
}

#define MADE_SEGMENTS 3

static inline void make_elf(struct buf *out, const struct made_elf *e)
{
	size_t dynamic_at = 0, dynamic_bytes = 0;

	buf_add(out, "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16);
	put16(out, e->type);
	put16(out, 62);
	put32(out, 1);
	put64(out, 0);
	put64(out, 64);
	put64(out, 0);
	put32(out, 0);
	put16(out, 64);
	put16(out, 56);
	put16(out, e->needed ? MADE_SEGMENTS : 0);
	put16(out, 64);
	put16(out, 0);
	put16(out, 0);
	put_zeroes(out, (size_t)MADE_SEGMENTS * 56);
	if (e->needed)
		made_dynamic(out, e, &dynamic_at, &dynamic_bytes);
	if (e->sections)
		made_table(out, e->sections);
	if (!e->needed)
		return;
	made_segment(out, 0, e->interpreter ? 3 : 0, 0, 0);
	made_segment(out, 1, 1, 0, out->len);
	made_segment(out, 2, 2, dynamic_at, dynamic_bytes);
}
