#include "parse/colon.h"

static const struct unit {
	const char *name;
	uint64_t bytes;
} units[] = {
	{ "", 1 },
	{ "B", 1 },
	{ "kB", 1024 },
	{ "KiB", 1024 },
	{ "MiB", (uint64_t)1 << 20 },
	{ "GiB", (uint64_t)1 << 30 },
};

bool colon_next(struct span *rest, struct span *ret_key, struct span *ret_value)
{
	struct span line, key;

	while (span_line(rest, &line)) {
		struct span tail = line;

		if (!span_cut(&tail, ':', &key) || key.len == line.len)
			continue;
		key = span_trim(key);
		if (key.len == 0)
			continue;
		*ret_key = key;
		*ret_value = span_trim(tail);
		return true;
	}
	return false;
}

bool colon_find(struct span text, const char *key, struct span *ret_value)
{
	struct span found, value;

	while (colon_next(&text, &found, &value)) {
		if (!span_is(found, key))
			continue;
		*ret_value = value;
		return true;
	}
	return false;
}

bool colon_find_u64(struct span text, const char *key, uint64_t *ret)
{
	struct span value;

	return colon_find(text, key, &value) && span_u64(value, ret);
}

bool colon_find_bytes(struct span text, const char *key, uint64_t *ret)
{
	struct span value;

	return colon_find(text, key, &value) && colon_bytes(value, ret);
}

bool colon_bytes(struct span value, uint64_t *ret)
{
	struct span number;
	uint64_t count, bytes;

	if (!span_word(&value, &number) || !span_u64(number, &count))
		return false;
	value = span_trim(value);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!span_is(value, units[i].name))
			continue;
		if (__builtin_mul_overflow(count, units[i].bytes, &bytes))
			return false;
		*ret = bytes;
		return true;
	}
	return false;
}
