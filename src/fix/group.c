#include "fix/group.h"

#include <string.h>

static bool names(const char *groups, struct span name)
{
	struct span rest = span_of(groups), one;

	while (span_cut(&rest, ',', &one))
		if (span_same(one, name))
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
		if (!span_same(a, b) && !is_with_user(a, b, user, groups))
			return false;
	}
}

/* ---- one member out of lines of others ---- */

/* The members stand after the third colon; what has no three is left alone. */
static bool split(struct span line, struct span *ret_name, struct span *ret_members)
{
	struct span rest = line, part;

	for (int i = 0; i < 3; i++) {
		if (!span_cut(&rest, ':', &part) || part.data + part.len == line.data + line.len)
			return false;
		if (i == 0)
			*ret_name = part;
	}
	*ret_members = rest;
	return true;
}

static bool had(struct span old, struct span group, const char *user)
{
	struct span line, name, members, one;

	while (span_line(&old, &line))
		if (split(line, &name, &members) && span_same(name, group))
			while (span_cut(&members, ',', &one))
				if (span_is(one, user))
					return true;
	return false;
}

static void without(struct buf *ret, struct span line, struct span members, const char *user)
{
	const char *between = "";
	struct span one;

	buf_add(ret, line.data, line.len - members.len);
	while (span_cut(&members, ',', &one)) {
		if (span_is(one, user))
			continue;
		buf_text(ret, between);
		buf_span(ret, one);
		between = ",";
	}
}

void group_take_out(struct span old, struct span now, const char *user, const char *groups,
		    struct buf *ret)
{
	const char *end = now.data + now.len;
	struct span line, name, members;

	while (span_line(&now, &line)) {
		if (split(line, &name, &members) && names(groups, name) && !had(old, name, user))
			without(ret, line, members, user);
		else
			buf_span(ret, line);
		if (line.data + line.len < end) /* the last line may have no end */
			buf_char(ret, '\n');
	}
}
