#include "parse/lines.h"

static bool goes_on(struct span line)
{
	size_t n = 0;

	while (n < line.len && line.data[line.len - 1 - n] == '\\')
		n++;
	return n % 2 == 1;
}

bool lines_next(struct lines *lines, struct span *ret_line, unsigned int *ret_number)
{
	struct span whole, more;

	if (!span_line(&lines->rest, &whole))
		return false;
	*ret_number = ++lines->count;
	more = whole;
	while (goes_on(more) && span_line(&lines->rest, &more)) {
		whole.len = (size_t)(more.data + more.len - whole.data);
		lines->count++;
	}
	*ret_line = whole;
	return true;
}
