#include "door/accounts.h"

#include <errno.h>
#include <stdio.h>

/* Field n of a line "name:x:1000:1000:...". */
static struct span field(struct span line, int n)
{
	struct span part = { line.data, 0 };

	while (n-- >= 0)
		if (!span_cut(&line, ':', &part))
			return (struct span){ line.data, 0 };
	return part;
}

/* By name, or by number if name is NULL. */
static bool passwd_line(struct span text, const char *name, unsigned int uid, struct span *ret)
{
	uint64_t number;
	struct span line;

	while (span_line(&text, &line)) {
		if (name ? span_is(field(line, 0), name)
			 : span_u64(field(line, 2), &number) && number == uid) {
			*ret = line;
			return true;
		}
	}
	return false;
}

static const char *keep_field(struct door *d, struct span line, int n)
{
	struct span value = field(line, n);

	return value.len > 0 ? arena_text(&d->arena, value) : NULL;
}

static bool lists_member(struct span members, const char *user)
{
	struct span one;

	while (span_cut(&members, ',', &one))
		if (span_is(span_trim(one), user))
			return true;
	return false;
}

/*
 * Images of Fedora's ostree kind keep the users and groups of the system below
 * /usr/lib and only the administrator's below /etc.
 */
static int read_accounts(struct door *d, const char *name, struct buf *ret)
{
	char path[64];
	int r;

	snprintf(path, sizeof(path), "/etc/%s", name);
	r = door_read(d, path, DOOR_FILE_MAX, ret);
	if (r == -EFBIG)
		return r; /* half of it would make members of nobody */
	if (ret->len > 0 && ret->data[ret->len - 1] != '\n')
		buf_char(ret, '\n');
	snprintf(path, sizeof(path), "/usr/lib/%s", name);
	return door_read(d, path, 2 * DOOR_FILE_MAX, ret) == 0 ? 0 : r;
}

int accounts_find(struct door *d, const char *name, unsigned int uid, struct subject *s)
{
	struct buf passwd BUF_SCOPED = { 0 };
	struct buf group BUF_SCOPED = { 0 };
	struct span line, rest;
	uint64_t number;
	int r = read_accounts(d, "passwd", &passwd);

	if (r < 0)
		return r;
	if (!passwd_line(buf_get(&passwd), name, uid, &line))
		return -ENOENT;
	s->user = keep_field(d, line, 0);
	s->home = keep_field(d, line, 5);
	if (span_u64(field(line, 2), &number))
		s->uid = (unsigned int)number;
	if (span_u64(field(line, 3), &number))
		s->gid = (unsigned int)number;
	if (s->process[0] != '\0' || !s->user || read_accounts(d, "group", &group) < 0)
		return 0;
	for (rest = buf_get(&group); span_line(&rest, &line);)
		if (span_u64(field(line, 2), &number) && lists_member(field(line, 3), s->user))
			subject_add_group(d, s, number);
	return 0;
}

int accounts_group(struct door *d, struct span argument, struct buf *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	const char *name = arena_text(&d->arena, argument);
	struct span rest;
	struct span line;
	int r = read_accounts(d, "group", &text);

	if (r < 0)
		return r;
	rest = buf_get(&text);
	while (span_line(&rest, &line))
		if (span_is(field(line, 0), name)) {
			buf_span(ret, field(line, 2));
			buf_char(ret, '\n');
			return 0;
		}
	return -ENOENT;
}
