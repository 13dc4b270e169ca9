#include "parse/journal.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"
#include "base/siphash.h"

/*
 * The format is systemd's documented JOURNAL_FILE_FORMAT: a header, then
 * objects on 8-byte boundaries, all integers little-endian. Byte positions:
 *
 * header       8 compatible, 12 incompatible flags, 24 file id, 88 header size,
 *              104 data hash table: offset of its first slot, 112 its bytes
 * object       0 type, 1 flags (1 xz, 2 lz4, 4 zstd), 8 size with this head
 * slot         0 first data object, 8 last
 * data         16 hash, 24 next of the slot, 40 first entry, 48 entry array of
 *              the other entries, 56 number of entries, 64 payload (compact: 72)
 * entry        16 seqnum, 24 realtime, 32 monotonic, 40 boot id, 64 items of
 *              16 bytes, offset first (compact: offsets of 4 bytes)
 * entry array  16 next array, 24 offsets of 8 bytes (compact: 4), 0 if unused
 */

#define HEADER_BYTES       208 /* the oldest header; later ones only append */
#define DATA_BYTES         64
#define DATA_BYTES_COMPACT 72
#define ENTRY_BYTES        64
#define ARRAY_BYTES        24
#define OBJECT_BYTES_MAX   (UINT64_C(1) << 40)
#define ITEMS_MAX          128 /* of an entry; the kernel's have about 20 */
#define PREFIX_MAX         16  /* of a payload, enough to tell its field */

enum {
	OBJECT_DATA = 1,
	OBJECT_ENTRY = 3,
	OBJECT_ARRAY = 6,
};

enum {
	FLAG_COMPRESSED = 1 | 2 | 4,
	FILE_KEYED = 4,
	FILE_COMPACT = 16,
	FILE_KNOWN = 1 | 2 | 4 | 8 | 16, /* the others name compressions */
};

static const char wanted[] = "_TRANSPORT=kernel";

static uint32_t rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static void mix(uint32_t s[3])
{
	static const uint8_t turns[] = { 4, 6, 8, 16, 19, 4 };

	for (unsigned int i = 0; i < 6; i++) {
		uint32_t *x = &s[i % 3], *y = &s[(i + 2) % 3];

		*x -= *y;
		*x ^= rotate(*y, turns[i]);
		*y += s[(i + 1) % 3];
	}
}

static void mix_last(uint32_t s[3])
{
	static const uint8_t turns[] = { 14, 11, 25, 16, 4, 14, 24 };

	for (unsigned int i = 0; i < 7; i++) {
		uint32_t *x = &s[(i + 2) % 3], y = s[(i + 1) % 3];

		*x ^= y;
		*x -= rotate(y, turns[i]);
	}
}

/* Bob Jenkins' lookup3, hashlittle2 with both seeds 0: "" gives 0xdeadbeefdeadbeef. */
static uint64_t lookup3(struct span s)
{
	uint32_t start = 0xdeadbeef + (uint32_t)s.len;
	uint32_t state[3] = { start, start, start };

	while (s.len > 0) {
		size_t n = s.len < 12 ? s.len : 12;

		for (size_t i = 0; i < n; i++)
			state[i / 4] += (uint32_t)(unsigned char)s.data[i] << i % 4 * 8;
		s = (struct span){ s.data + n, s.len - n };
		if (s.len > 0)
			mix(state);
		else
			mix_last(state);
	}
	return (uint64_t)state[2] << 32 | state[1];
}

static int read_bytes(struct journal *j, uint64_t offset, void *into, size_t n)
{
	if (offset > INT64_MAX - n)
		return -EBADMSG;
	return j->read_at(j->ctx, offset, into, n);
}

/* Read the first `n` bytes of an object and give its size; -EBADMSG if it is another. */
static int read_object(struct journal *j, uint64_t offset, int type, void *into, size_t n,
		       uint64_t *ret_size)
{
	const uint8_t *head = into;
	uint64_t size;
	int r;

	if (j->objects >= JOURNAL_OBJECTS_MAX)
		return -E2BIG;
	j->objects++;
	if (offset < j->header_bytes || offset % 8 != 0)
		return -EBADMSG;
	r = read_bytes(j, offset, into, n);
	if (r < 0)
		return r;
	size = endian_u64(head + 8);
	if (head[0] != type || size < n || size > OBJECT_BYTES_MAX)
		return -EBADMSG;
	*ret_size = size;
	return 0;
}

static size_t data_bytes(const struct journal *j)
{
	return j->compact ? DATA_BYTES_COMPACT : DATA_BYTES;
}

static size_t offset_bytes(const struct journal *j)
{
	return j->compact ? 4 : 8;
}

static uint64_t offset_at(const struct journal *j, const uint8_t *at)
{
	return j->compact ? endian_u32(at) : endian_u64(at);
}

int journal_init(struct journal *ret, journal_read_at *read_at, void *ctx)
{
	uint8_t h[HEADER_BYTES];
	struct journal *j = ret;
	uint32_t flags;
	int r;

	r = read_at(ctx, 0, h, sizeof(h));
	if (r < 0)
		return r;
	if (memcmp(h, "LPKSHHRH", 8) != 0 || endian_u64(h + 88) < sizeof(h))
		return -EBADMSG;
	flags = endian_u32(h + 12);
	if (flags & ~(uint32_t)FILE_KNOWN)
		return -EPROTONOSUPPORT;

	memset(j, 0, sizeof(*j));
	j->read_at = read_at;
	j->ctx = ctx;
	j->compact = flags & FILE_COMPACT;
	j->keyed = flags & FILE_KEYED;
	memcpy(j->file_id, h + 24, sizeof(j->file_id));
	j->header_bytes = endian_u64(h + 88);
	j->hash_offset = endian_u64(h + 104);
	j->hash_slots = endian_u64(h + 112) / 16;
	return 0;
}

/* The data object of the kernel's entries: 1, 0 if the file has none, -errno. */
static int find_kernel(struct journal *j, uint8_t data[static DATA_BYTES_COMPACT])
{
	struct siphash_key key = { endian_u64(j->file_id), endian_u64(j->file_id + 8) };
	struct span name = { wanted, sizeof(wanted) - 1 };
	uint64_t hash = j->keyed ? siphash(key, name) : lookup3(name);
	uint8_t whole[DATA_BYTES_COMPACT + sizeof(wanted)];
	uint64_t offset, last = 0, size;
	uint8_t slot[8];
	int r;

	if (j->hash_slots == 0)
		return 0;
	if (j->hash_offset > INT64_MAX)
		return -EBADMSG;
	r = read_bytes(j, j->hash_offset + hash % j->hash_slots * 16, slot, sizeof(slot));
	if (r < 0)
		return r;
	for (offset = endian_u64(slot); offset != 0; offset = endian_u64(whole + 24)) {
		if (offset <= last)
			return -EBADMSG;
		last = offset;
		r = read_object(j, offset, OBJECT_DATA, whole, data_bytes(j), &size);
		if (r < 0)
			return r;
		if (endian_u64(whole + 16) != hash || size != data_bytes(j) + sizeof(wanted) - 1)
			continue;
		r = read_bytes(j, offset, whole, size);
		if (r < 0)
			return r;
		if (!(whole[1] & FLAG_COMPRESSED) &&
		    memcmp(whole + data_bytes(j), wanted, sizeof(wanted) - 1) == 0) {
			memcpy(data, whole, data_bytes(j));
			return 1;
		}
	}
	return 0;
}

/* Learn where the arrays of a chain are, and how many entries they have room for. */
static int walk_arrays(struct journal *j, uint64_t offset)
{
	uint64_t first = 1, last = 0, size;
	uint8_t head[ARRAY_BYTES];

	for (; offset != 0; offset = endian_u64(head + 16)) {
		int r = offset <= last ? -EBADMSG : 0;

		if (r == 0)
			r = read_object(j, offset, OBJECT_ARRAY, head, sizeof(head), &size);
		if (r == -E2BIG)
			return r;
		if (r < 0) {
			j->broken++; /* a file cut short still has its older entries */
			break;
		}
		size = (size - sizeof(head)) / offset_bytes(j);
		if (j->arrays_len == JOURNAL_ARRAYS_MAX) { /* the newest ones are kept */
			memmove(j->arrays, j->arrays + 1, sizeof(j->arrays) - sizeof(j->arrays[0]));
			j->arrays_len--;
		}
		j->arrays[j->arrays_len++] = (struct journal_array){ offset, first, size };
		first += size;
		last = offset;
	}
	if (j->total > first)
		j->total = first;
	return 0;
}

int journal_seek_kernel(struct journal *journal, uint64_t last)
{
	uint8_t data[DATA_BYTES_COMPACT];
	struct journal *j = journal;
	int r;

	j->arrays_len = 0;
	j->at = j->total = 0;
	r = find_kernel(j, data);
	if (r <= 0)
		return r;
	j->inline_entry = endian_u64(data + 40);
	j->total = endian_u64(data + 56);
	r = walk_arrays(j, endian_u64(data + 48));
	if (r < 0)
		return r;
	j->at = j->total > last ? j->total - last : 0;
	if (j->arrays_len == JOURNAL_ARRAYS_MAX && j->at < j->arrays[0].first)
		j->at = j->arrays[0].first;
	return 0;
}

/* The offset of the entry with this number; 0 if its array has lost it. */
static int entry_offset(struct journal *j, uint64_t number, uint64_t *ret)
{
	uint8_t item[8];

	*ret = number == 0 ? j->inline_entry : 0;
	for (size_t i = 0; number > 0 && i < j->arrays_len; i++) {
		struct journal_array *a = &j->arrays[i];
		int r;

		if (number < a->first || number - a->first >= a->count)
			continue;
		r = read_bytes(j, a->offset + ARRAY_BYTES + (number - a->first) * offset_bytes(j),
			       item, offset_bytes(j));
		if (r == 0)
			*ret = offset_at(j, item);
		return r;
	}
	return 0;
}

/* The payload of a data object after its "FIELD=", cut to `max`. */
static int read_text(struct journal *j, uint64_t at, uint64_t size, size_t max, char *into,
		     struct span *ret)
{
	size_t n = size < max ? (size_t)size : max;
	int r = n > 0 ? read_bytes(j, at, into, n) : 0;

	if (r == 0)
		*ret = (struct span){ into, n };
	return r;
}

static int read_field(struct journal *j, const char *prefix, uint64_t at, uint64_t size,
		      struct journal_entry *e)
{
	struct span text = { 0 };
	char digits[2];
	uint64_t value;
	int r;

	if (prefix[0] == 'M') {
		e->cut = size > sizeof(j->message);
		return read_text(j, at, size, sizeof(j->message), j->message, &e->message);
	}
	if (prefix[0] == '_')
		return read_text(j, at, size, sizeof(j->device), j->device, &e->device);
	r = read_text(j, at, size, sizeof(digits), digits, &text);
	if (r == 0 && span_u64(text, &value) && value < 8)
		e->priority = (int)value;
	return r;
}

static int read_item(struct journal *j, uint64_t offset, struct journal_entry *e)
{
	static const char *const prefixes[] = { "MESSAGE=", "PRIORITY=", "_KERNEL_DEVICE=" };
	uint8_t data[DATA_BYTES_COMPACT + PREFIX_MAX];
	size_t head = data_bytes(j);
	struct span payload;
	uint64_t size;
	int r;

	r = read_object(j, offset, OBJECT_DATA, data, head, &size);
	if (r < 0)
		return r;
	if (data[1] & FLAG_COMPRESSED) {
		j->compressed++;
		return 0;
	}
	payload.data = (const char *)data + head;
	payload.len = size - head < PREFIX_MAX ? (size_t)(size - head) : PREFIX_MAX;
	r = read_bytes(j, offset + head, data + head, payload.len);
	for (unsigned int i = 0; r == 0 && i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i]);

		if (span_starts(payload, prefixes[i]))
			return read_field(j, prefixes[i], offset + head + n, size - head - n, e);
	}
	return r;
}

static int read_items(struct journal *j, uint64_t offset, uint64_t size, struct journal_entry *e)
{
	size_t item = j->compact ? 4 : 16;
	uint64_t count = (size - ENTRY_BYTES) / item;
	uint8_t items[ITEMS_MAX * 16];
	int r;

	if (count > ITEMS_MAX)
		count = ITEMS_MAX;
	r = read_bytes(j, offset + ENTRY_BYTES, items, (size_t)count * item);
	for (size_t i = 0; r == 0 && i < count; i++) {
		int broken = read_item(j, offset_at(j, items + i * item), e);

		if (broken == -E2BIG)
			return broken;
		j->broken += broken < 0;
	}
	return r;
}

static int read_entry(struct journal *j, uint64_t number, struct journal_entry *ret)
{
	struct journal_entry e = { .priority = -1 };
	uint8_t head[ENTRY_BYTES];
	uint64_t offset, size;
	int r;

	if (j->objects++ >= JOURNAL_OBJECTS_MAX)
		return -E2BIG;
	r = entry_offset(j, number, &offset);
	if (r < 0)
		return r;
	r = read_object(j, offset, OBJECT_ENTRY, head, sizeof(head), &size);
	if (r < 0)
		return r;
	e.seqnum = endian_u64(head + 16);
	e.realtime_us = endian_u64(head + 24);
	e.since_boot_us = endian_u64(head + 32);
	memcpy(e.boot_id, head + 40, sizeof(e.boot_id));
	r = read_items(j, offset, size, &e);
	if (r < 0)
		return r;
	*ret = e;
	return 0;
}

int journal_next(struct journal *journal, struct journal_entry *ret)
{
	while (journal->at < journal->total) {
		int r = read_entry(journal, journal->at, ret);

		if (r == -E2BIG)
			return r;
		journal->at++;
		if (r == 0)
			return 1;
		journal->broken++;
	}
	return 0;
}
