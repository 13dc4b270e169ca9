#include "facts/excerpt.h"

bool excerpt_next(struct span *rest, struct span *ret_line, unsigned int *ret_number)
{
	struct span line;
	struct span number;
	uint64_t value;

	while (span_line(rest, &line)) {
		if (!span_cut(&line, ':', &number) || !span_u64(number, &value) ||
		    value > UINT32_MAX)
			continue;
		*ret_line = line;
		*ret_number = (unsigned int)value;
		return true;
	}
	return false;
}
