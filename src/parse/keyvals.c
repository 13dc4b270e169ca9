#include "parse/keyvals.h"

bool keyvals_next(struct span *rest, struct span *ret_key, struct span *ret_value)
{
	struct span line;

	while (span_line(rest, &line)) {
		if (!span_word(&line, ret_key))
			continue;
		*ret_value = span_trim(line);
		return true;
	}
	return false;
}

bool keyvals_find(struct span text, const char *key, struct span *ret_value)
{
	struct span found, value;

	while (keyvals_next(&text, &found, &value)) {
		if (!span_is(found, key))
			continue;
		*ret_value = value;
		return true;
	}
	return false;
}

bool keyvals_u64(struct span text, const char *key, uint64_t *ret)
{
	struct span value;

	return keyvals_find(text, key, &value) && span_u64(value, ret);
}
