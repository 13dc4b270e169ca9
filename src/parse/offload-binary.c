#include "parse/offload-binary.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"

/*
 * header  0 magic, 4 version, 8 size, 16 place of the entries, 24 their number
 *         (version 1: size of the one entry), 32 size if unpacked (version 3)
 * entry   0 kind of image, 2 producer, 4 flags, 8 place of the string map,
 *         16 its length, 24 place of the image, 32 its size
 * string  0 place of the key, 8 place of the value, 16 size of the value (from
 *         version 2); keys end with NUL, in version 1 values too
 *
 * Places count from the header's first byte.
 * Source: llvm/include/llvm/Object/OffloadBinary.h.
 */

#define HEADER_BYTES  32
#define HEADER3_BYTES 40
#define ENTRY_BYTES   40

/* Do n bytes at this place lie in the binary, and among those we have? */
static int reach(struct span bytes, const struct offload_binary *b, uint64_t at, uint64_t n)
{
	if (at > b->size || n > b->size - at)
		return -EBADMSG;
	return at > bytes.len || n > bytes.len - at ? -ENODATA : 0;
}

bool offload_binary_is(struct span bytes)
{
	return bytes.len >= 4 && memcmp(bytes.data, "\x10\xff\x10\xad", 4) == 0;
}

int offload_binary_parse(struct span bytes, struct offload_binary *ret)
{
	struct offload_binary b;

	if (!offload_binary_is(bytes))
		return -ENOEXEC;
	if (bytes.len < HEADER_BYTES)
		return -ENODATA;
	b = (struct offload_binary){ .version = (unsigned int)endian_u32(bytes.data + 4),
				     .size = endian_u64(bytes.data + 8),
				     .entries_at = endian_u64(bytes.data + 16),
				     .count = 1 };
	if (b.version == 0 || b.version > 3 || b.size < HEADER_BYTES)
		return -EBADMSG;
	if (b.version >= 2)
		b.count = endian_u64(bytes.data + 24);
	if (b.version == 3) {
		if (bytes.len < HEADER3_BYTES)
			return -ENODATA;
		b.compressed = endian_u64(bytes.data + 32) != 0;
	}
	if (!b.compressed && b.count > OFFLOAD_BINARY_ENTRIES_MAX)
		return -EBADMSG;
	*ret = b;
	return 0;
}

static int text_at(struct span bytes, const struct offload_binary *b, uint64_t at, struct span *ret)
{
	int r = reach(bytes, b, at, 1);

	if (r < 0)
		return r;
	ret->data = bytes.data + at;
	ret->len = strnlen(ret->data, bytes.len - at);
	return ret->len == bytes.len - at ? -ENODATA : 0;
}

static int string_at(struct span bytes, const struct offload_binary *b, uint64_t at,
		     struct offload_entry *entry)
{
	size_t record = b->version == 1 ? 16 : 24;
	struct span key, value = { 0 };
	uint64_t place;
	int r = reach(bytes, b, at, record);

	if (r == 0)
		r = text_at(bytes, b, endian_u64(bytes.data + at), &key);
	if (r < 0)
		return r;
	place = endian_u64(bytes.data + at + 8);
	if (b->version == 1) {
		r = text_at(bytes, b, place, &value);
	} else {
		uint64_t size = endian_u64(bytes.data + at + 16);

		r = reach(bytes, b, place, size);
		if (r == 0)
			value = (struct span){ bytes.data + place, (size_t)size };
	}
	if (r < 0)
		return r;
	if (span_is(key, "arch"))
		entry->arch = value;
	else if (span_is(key, "triple"))
		entry->triple = value;
	return 0;
}

int offload_binary_entry(struct span bytes, const struct offload_binary *binary, uint64_t number,
			 struct offload_entry *ret)
{
	struct offload_entry entry = { 0 };
	uint64_t at = binary->entries_at, strings, count;
	size_t record = binary->version == 1 ? 16 : 24;
	int r;

	if (number >= binary->count || binary->compressed)
		return -ENOENT;
	if (__builtin_add_overflow(at, number * ENTRY_BYTES, &at))
		return -EBADMSG;
	r = reach(bytes, binary, at, ENTRY_BYTES);
	if (r < 0)
		return r;
	entry.image = (unsigned int)endian_u16(bytes.data + at);
	entry.producer = (unsigned int)endian_u16(bytes.data + at + 2);
	strings = endian_u64(bytes.data + at + 8);
	count = endian_u64(bytes.data + at + 16);
	entry.image_at = endian_u64(bytes.data + at + 24);
	entry.image_size = endian_u64(bytes.data + at + 32);
	if (count > OFFLOAD_BINARY_STRINGS_MAX)
		return -EBADMSG;
	for (uint64_t i = 0; i < count; i++) {
		if (__builtin_add_overflow(strings, i * record, &at))
			return -EBADMSG;
		r = string_at(bytes, binary, at, &entry);
		if (r < 0)
			return r;
	}
	*ret = entry;
	return 0;
}
