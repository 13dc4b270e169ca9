#include "parse/ld-cache.h"

#include <string.h>

#include "base/endian.h"

#define OLD_MAGIC   "ld.so-1.7.0"
#define OLD_HEADER  16
#define OLD_ENTRY   12
#define NEW_MAGIC   "glibc-ld.so.cache1.1"
#define NEW_HEADER  48
#define NEW_ENTRY   24
#define ENTRIES_MAX (1u << 20)

bool ld_cache_open(struct span file, struct ld_cache *ret)
{
	struct span s = file;

	if (span_starts(s, OLD_MAGIC) && s.len >= OLD_HEADER) {
		size_t skip = OLD_HEADER + (size_t)endian_u32(s.data + 12) * OLD_ENTRY;

		skip = (skip + 7) & ~(size_t)7;
		if (skip > s.len)
			return false;
		s = (struct span){ s.data + skip, s.len - skip };
	}
	if (!span_starts(s, NEW_MAGIC) || s.len < NEW_HEADER)
		return false;
	*ret = (struct ld_cache){ s, endian_u32(s.data + 20) };
	return ret->count <= ENTRIES_MAX && (uint64_t)ret->count * NEW_ENTRY <= s.len - NEW_HEADER;
}

static bool string_at(struct span s, uint32_t at, struct span *ret)
{
	const char *end;

	if (at >= s.len)
		return false;
	end = memchr(s.data + at, '\0', s.len - at);
	if (!end)
		return false;
	*ret = (struct span){ s.data + at, (size_t)(end - (s.data + at)) };
	return true;
}

bool ld_cache_entry(const struct ld_cache *c, uint32_t number, struct ld_cache_entry *ret)
{
	size_t at = NEW_HEADER + (size_t)number * NEW_ENTRY;
	struct ld_cache_entry e;

	if (number >= c->count)
		return false;
	e.flags = endian_u32(c->bytes.data + at);
	e.hwcap = endian_u64(c->bytes.data + at + 16);
	if (!string_at(c->bytes, endian_u32(c->bytes.data + at + 4), &e.name) ||
	    !string_at(c->bytes, endian_u32(c->bytes.data + at + 8), &e.path))
		return false;
	*ret = e;
	return true;
}

static int byte_at(struct span s, size_t i)
{
	return i < s.len ? (unsigned char)s.data[i] : 0;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* Its value modulo 2^32, as glibc's int has it; leading zeros do not count. */
static uint32_t number_at(struct span s, size_t *i)
{
	uint32_t value = 0;

	while (is_digit(byte_at(s, *i)))
		value = value * 10 + (uint32_t)(byte_at(s, (*i)++) - '0');
	return value;
}

int ld_cache_compare(struct span a, struct span b)
{
	size_t i = 0, j = 0;

	while (i < a.len) {
		int x = byte_at(a, i), y = byte_at(b, j);

		if (is_digit(x) != is_digit(y))
			return is_digit(x) ? 1 : -1;
		if (is_digit(x)) {
			uint32_t one = number_at(a, &i), other = number_at(b, &j);

			if (one != other)
				return (int32_t)(one - other) < 0 ? -1 : 1;
		} else if (x != y) {
			return x - y;
		} else {
			i++;
			j++;
		}
	}
	return j < b.len ? -1 : 0;
}

/* The first of the entries that are equal to a name, or count. */
static uint32_t first_of(const struct ld_cache *c, struct span name)
{
	uint32_t low = 0, high = c->count;
	struct ld_cache_entry e;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (!ld_cache_entry(c, middle, &e))
			return c->count;
		if (ld_cache_compare(name, e.name) < 0) /* the list goes down */
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool ld_cache_find(const struct ld_cache *c, struct span name, uint32_t flags,
		   struct span *ret_path)
{
	struct ld_cache_entry e;

	for (uint32_t i = first_of(c, name);
	     ld_cache_entry(c, i, &e) && ld_cache_compare(name, e.name) == 0; i++)
		if (e.flags == flags && e.hwcap == 0) {
			*ret_path = e.path;
			return true;
		}
	return false;
}

uint32_t ld_cache_flags(unsigned int elf_machine)
{
	static const struct {
		unsigned int machine;
		uint32_t flags;
	} kinds[] = {
		{ 62, 0x0303 },  /* x86-64 */
		{ 183, 0x0a03 }, /* AArch64 */
		{ 21, 0x0503 },  /* PowerPC64 */
		{ 243, 0x1003 }, /* RISC-V, double floats */
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].machine == elf_machine)
			return kinds[i].flags;
	return 0;
}
