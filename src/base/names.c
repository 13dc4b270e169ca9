#include "base/names.h"

#include <string.h>

static bool fits(struct span pattern, const char *name)
{
	if (span_ends(pattern, "*"))
		return strncmp(name, pattern.data, pattern.len - 1) == 0;
	return span_is(pattern, name);
}

bool names_has(const char *list, const char *name)
{
	struct span rest = span_of(list), line;

	while (span_line(&rest, &line))
		if (line.len > 0 && line.data[0] != '#' && fits(line, name))
			return true;
	return false;
}
