#include "parse/keyeq.h"

#include "parse/quote.h"

bool keyeq_next(struct span *rest, struct span *ret_key, struct span *ret_value)
{
	struct span line, key;

	while (span_line(rest, &line)) {
		struct span tail = line = span_trim(line);

		if (span_starts(line, "#") || !span_cut(&tail, '=', &key) || key.len == line.len)
			continue;
		key = span_trim(key);
		if (key.len == 0)
			continue;
		tail = span_trim(tail);
		quote_strip(&tail);
		*ret_key = key;
		*ret_value = tail;
		return true;
	}
	return false;
}

bool keyeq_find(struct span text, const char *key, struct span *ret_value)
{
	struct span found, value;
	bool any = false;

	while (keyeq_next(&text, &found, &value)) {
		if (!span_is(found, key))
			continue;
		*ret_value = value;
		any = true;
	}
	return any;
}
