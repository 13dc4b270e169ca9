#include "parse/metadata.h"

#include <string.h>
#include <strings.h>

bool metadata_next(struct span *rest, struct span *ret_name, struct span *ret_value)
{
	struct span line;
	const char *colon;

	while (span_line(rest, &line)) {
		if (line.len > 0 && line.data[line.len - 1] == '\r')
			line.len--;
		if (line.len == 0) {
			*rest = (struct span){ rest->data, 0 };
			return false;
		}
		colon = memchr(line.data, ':', line.len);
		if (line.data[0] == ' ' || line.data[0] == '\t' || !colon || colon == line.data)
			continue; /* it continues a value, or says nothing */
		*ret_name = (struct span){ line.data, (size_t)(colon - line.data) };
		*ret_value = span_trim(
			(struct span){ colon + 1, line.len - (size_t)(colon - line.data) - 1 });
		return true;
	}
	return false;
}

bool metadata_is(struct span name, const char *wanted)
{
	return name.len == strlen(wanted) && strncasecmp(name.data, wanted, name.len) == 0;
}

bool metadata_find(struct span text, const char *name, struct span *ret_value)
{
	struct span key;
	struct span value;

	while (metadata_next(&text, &key, &value))
		if (metadata_is(key, name)) {
			*ret_value = value;
			return true;
		}
	return false;
}

bool metadata_egg_requirement(struct span *rest, struct span *ret)
{
	struct span line;

	while (span_line(rest, &line)) {
		line = span_trim(line);
		if (line.len > 0 && line.data[0] == '[') {
			*rest = (struct span){ rest->data, 0 };
			return false;
		}
		if (line.len > 0 && line.data[0] != '#') {
			*ret = line;
			return true;
		}
	}
	return false;
}
