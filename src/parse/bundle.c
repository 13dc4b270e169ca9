#include "parse/bundle.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"

/*
 * 0 magic, 24 number of entries, 32 entries without padding: offset, size,
 * length of the id (8 bytes each), the id.
 * Source: clang/lib/Driver/OffloadBundler.cpp.
 */

#define HEADER_BYTES (BUNDLE_MAGIC_BYTES + 8)
#define ENTRY_BYTES  24

/* The end of the entry at this place: 0 with *ret, or -errno. */
static int end_of_entry(struct span bytes, size_t at, size_t *ret)
{
	uint64_t id_bytes;

	if (bytes.len - at < ENTRY_BYTES)
		return -ENODATA;
	id_bytes = endian_u64(bytes.data + at + 16);
	if (id_bytes > BUNDLE_ID_BYTES)
		return -EBADMSG;
	at += ENTRY_BYTES;
	if (bytes.len - at < id_bytes)
		return -ENODATA;
	*ret = at + (size_t)id_bytes;
	return 0;
}

/* With `cut`, bytes that end too early end the table. */
static int open_table(struct span bytes, bool cut, struct bundle *ret)
{
	size_t at = HEADER_BYTES,
	       magic = bytes.len < BUNDLE_MAGIC_BYTES ? bytes.len : BUNDLE_MAGIC_BYTES;
	uint64_t count;

	if (bytes.len > 0 && memcmp(bytes.data, BUNDLE_MAGIC, magic) != 0)
		return -ENOEXEC;
	if (bytes.len < HEADER_BYTES)
		return -ENODATA;
	count = endian_u64(bytes.data + BUNDLE_MAGIC_BYTES);
	if (count > BUNDLE_ENTRIES_MAX)
		return -EBADMSG;
	for (uint64_t i = 0; i < count; i++) {
		int r = end_of_entry(bytes, at, &at);

		if (r == -ENODATA && cut)
			count = i;
		else if (r < 0)
			return r;
		if (at > BUNDLE_TABLE_MAX)
			return -EBADMSG;
	}
	*ret = (struct bundle){ .table = { bytes.data, at }, .count = count, .at = HEADER_BYTES };
	return 0;
}

int bundle_open(struct span bytes, struct bundle *ret)
{
	return open_table(bytes, false, ret);
}

int bundle_open_cut(struct span bytes, struct bundle *ret)
{
	return open_table(bytes, true, ret);
}

bool bundle_next(struct bundle *bundle, struct bundle_entry *ret)
{
	struct span table = bundle->table;
	size_t at = bundle->at, id_bytes;

	if (bundle->number >= bundle->count)
		return false;
	id_bytes = (size_t)endian_u64(table.data + at + 16);
	*ret = (struct bundle_entry){ .offset = endian_u64(table.data + at),
				      .size = endian_u64(table.data + at + 8),
				      .id = { table.data + at + ENTRY_BYTES, id_bytes } };
	bundle->at = at + ENTRY_BYTES + id_bytes;
	bundle->number++;
	return true;
}
