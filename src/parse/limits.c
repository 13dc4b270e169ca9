#include "parse/limits.h"

static bool read_value(struct span word, uint64_t *ret, bool *ret_unlimited)
{
	bool unlimited = span_is(word, "unlimited");

	if (unlimited)
		*ret = UINT64_MAX;
	else if (!span_u64(word, ret))
		return false;
	*ret_unlimited = unlimited;
	return true;
}

static bool read_line(struct span line, struct limit *ret)
{
	struct limit limit = { 0 };
	struct span rest = line, word, second;

	while (span_word(&rest, &word)) {
		struct span tail = rest;

		if (!read_value(word, &limit.soft, &limit.soft_unlimited) ||
		    !span_word(&tail, &second) ||
		    !read_value(second, &limit.hard, &limit.hard_unlimited))
			continue;
		limit.name = span_trim((struct span){ line.data, (size_t)(word.data - line.data) });
		limit.unit = span_trim(tail);
		if (limit.name.len == 0)
			return false;
		*ret = limit;
		return true;
	}
	return false;
}

bool limits_next(struct span *rest, struct limit *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (read_line(line, ret))
			return true;
	return false;
}

bool limits_find(struct span text, const char *name, struct limit *ret)
{
	struct limit limit;

	while (limits_next(&text, &limit)) {
		if (!span_is(limit.name, name))
			continue;
		*ret = limit;
		return true;
	}
	return false;
}
