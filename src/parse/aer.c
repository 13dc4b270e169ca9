#include "parse/aer.h"

#include <string.h>

static bool read_line(struct span line, struct aer_error *ret)
{
	const char *blank = line.len > 0 ? memrchr(line.data, ' ', line.len) : NULL;
	struct aer_error e;

	if (!blank)
		return false;
	e.name = span_trim((struct span){ line.data, (size_t)(blank - line.data) });
	if (e.name.len == 0 || span_starts(e.name, "TOTAL_") ||
	    !span_u64((struct span){ blank + 1, line.len - (size_t)(blank + 1 - line.data) },
		      &e.count))
		return false;
	*ret = e;
	return true;
}

bool aer_next(struct span *rest, struct aer_error *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (read_line(span_trim(line), ret))
			return true;
	return false;
}
