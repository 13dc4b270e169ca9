#include "parse/cgroup.h"

static bool read_line(struct span line, struct cgroup_line *ret)
{
	struct cgroup_line l = { 0 };
	struct span number;

	if (!span_cut(&line, ':', &number) || !span_u64(number, &l.hierarchy) ||
	    !span_cut(&line, ':', &l.controllers) || !span_starts(line, "/"))
		return false;
	l.path = line;
	l.unified = l.hierarchy == 0 && l.controllers.len == 0;
	*ret = l;
	return true;
}

bool cgroup_next(struct span *rest, struct cgroup_line *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (read_line(line, ret))
			return true;
	return false;
}

bool cgroup_has_controller(const struct cgroup_line *line, const char *controller)
{
	struct span rest = line->controllers, one;

	while (span_cut(&rest, ',', &one))
		if (span_is(one, controller))
			return true;
	return false;
}

bool cgroup_find(struct span text, const char *controller, struct cgroup_line *ret)
{
	struct cgroup_line line, found;
	bool any = false;

	while (cgroup_next(&text, &line)) {
		bool own = cgroup_has_controller(&line, controller);

		if (!own && !line.unified)
			continue;
		found = line;
		any = true;
		if (own)
			break;
	}
	if (any)
		*ret = found;
	return any;
}
