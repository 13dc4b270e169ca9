#include "facts/setters.h"

#include "door/paths.h"

bool setters_line(struct span *rest, unsigned int *number, struct span *ret_line)
{
	struct span line;
	struct span behind;
	struct span first;
	uint64_t value;

	if (!span_line(rest, &line))
		return false;
	behind = line;
	++*number;
	if (span_cut(&behind, ':', &first) && span_u64(first, &value) && value < 1000000000) {
		*number = (unsigned int)value;
		line = behind;
	}
	*ret_line = line;
	return true;
}

struct setters setters_start(enum assign_dialect dialect, struct span text)
{
	return (struct setters){ .dialect = dialect, .rest = text };
}

bool setters_next(struct setters *s, struct assign *ret)
{
	struct span line;
	struct assign assign;

	for (;;) {
		while (s->reading && assign_next(&s->reader, &assign))
			if (!assign.one_shot && paths_watched_variable(assign.name)) {
				*ret = assign;
				return true;
			}
		s->reading = setters_line(&s->rest, &s->number, &line);
		if (!s->reading)
			return false;
		s->reader = assign_start(s->dialect, line);
	}
}
