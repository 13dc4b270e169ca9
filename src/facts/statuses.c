#include "facts/statuses.h"

#include <string.h>

struct status {
	struct span call; /* beginning of the name of the calls that give it */
	int64_t number;
	struct span name;
};

static bool parse_line(struct span line, struct status *ret)
{
	struct span number;

	return span_cut(&line, '\t', &ret->call) && span_cut(&line, '\t', &number) &&
	       span_i64(number, &ret->number) && (ret->name = line).len > 0;
}

static bool begins(struct span s, struct span with)
{
	return with.len <= s.len && memcmp(s.data, with.data, with.len) == 0;
}

/*
 * hipblasLt's 3 must not be called by hip's name for it, so a longer beginning
 * counts even if it has no such number.
 */
bool statuses_name(struct span table, struct span call, int64_t number, struct span *ret)
{
	size_t longest = 0;
	bool found = false;
	struct span line;
	struct status s;

	if (call.len == 0)
		return false;
	while (span_line(&table, &line)) {
		if (!parse_line(line, &s) || s.call.len < longest || !begins(call, s.call))
			continue;
		if (s.call.len > longest)
			found = false;
		longest = s.call.len;
		if (s.number == number) {
			*ret = s.name;
			found = true;
		}
	}
	return found;
}
