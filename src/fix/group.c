#include "fix/group.h"

#include <string.h>

static bool is_same(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static bool names(const char *groups, struct span name)
{
	struct span rest = span_of(groups), one;

	while (span_cut(&rest, ',', &one))
		if (is_same(one, name))
			return true;
	return false;
}

/* name:x:109:ada,bob, and in gshadow name:!::ada,bob: the members stand last. */
static bool is_with_user(struct span old, struct span now, const char *user, const char *groups)
{
	struct span rest = old, name;
	size_t extra = strlen(user);
	bool first = old.len > 0 && old.data[old.len - 1] == ':';

	if (!span_cut(&rest, ':', &name) || !names(groups, name))
		return false;
	if (now.len != old.len + extra + !first || memcmp(now.data, old.data, old.len) != 0)
		return false;
	if (!first && now.data[old.len] != ',')
		return false;
	return memcmp(now.data + now.len - extra, user, extra) == 0;
}

bool group_only_added(struct span old, struct span now, const char *user, const char *groups)
{
	struct span a, b;

	for (;;) {
		bool more = span_line(&old, &a);

		if (more != span_line(&now, &b))
			return false;
		if (!more)
			return true;
		if (!is_same(a, b) && !is_with_user(a, b, user, groups))
			return false;
	}
}
