#include "survey/site.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "door/standing.h"

#define NAMES_MAX 16384

const char *site_join(struct site *s, const char *dir, struct span name)
{
	return arena_format(&s->arena, "%s/%.*s", dir, (int)name.len, name.data);
}

static int by_name(const void *a, const void *b)
{
	return door_natural_order(*(const char *const *)a, *(const char *const *)b);
}

int site_list(struct site *s, const char *dir, struct site_names *ret)
{
	struct buf list BUF_SCOPED = { 0 };
	struct dirent *e;
	int fd = as_user_dir(&s->user, dir);
	DIR *d = door_dir(fd);

	if (!d)
		return fd < 0 ? fd : -ENOMEM;
	ret->count = 0;
	while ((e = readdir(d)) && ret->count < NAMES_MAX)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
			const char *name = arena_text(&s->arena, span_of(e->d_name));

			buf_add(&list, &name, sizeof(name));
			ret->count++;
		}
	if (e)
		site_problem(s, dir, "it has more names than are looked at");
	closedir(d);
	ret->names = arena_alloc(&s->arena, list.len + 1);
	if (ret->count > 0) {
		memcpy(ret->names, list.data, list.len);
		qsort(ret->names, ret->count, sizeof(*ret->names), by_name);
	}
	return 0;
}

bool site_read(struct site *s, const char *dir, struct span name, size_t max, struct buf *ret)
{
	const char *path = site_join(s, dir, name);
	size_t before = ret->len;

	if (as_user_read(&s->user, path, max, ret) < 0)
		return false;
	if (max == SITE_SMALL_MAX && ret->len - before == max)
		site_problem(s, path, "it is longer than is read");
	return ret->len > 0;
}

void site_failed(struct site *s, const char *name, const char *path, int error)
{
	struct buf what BUF_SCOPED = { 0 };

	if (error >= 0 || strcmp(standing_of(error), "absent") == 0)
		return;
	text_word(&what, span_of(path));
	buf_addf(&what, " answers %s", standing_error_name(error));
	site_problem(s, name, what.data);
}

void site_line(struct site *s, const char *key, const char *name, struct span value)
{
	buf_addf(s->out, "%s ", key);
	text_word(s->out, span_of(name));
	buf_char(s->out, ' ');
	text_clean(s->out, value, false);
	buf_char(s->out, '\n');
}

void site_problem(struct site *s, const char *name, const char *what)
{
	buf_text(s->out, "problem ");
	text_clean(s->out, span_of(name), false);
	buf_addf(s->out, ": %s\n", what);
}

struct span site_plain_address(struct site *s, struct span url)
{
	size_t at = span_find(url, SPAN_LITERAL("://"));
	const char *query = memchr(url.data, '?', url.len);
	const char *who, *slash;
	struct span host;

	if (query)
		url.len = (size_t)(query - url.data);
	if (at == SIZE_MAX || at + 3 > url.len)
		return url;
	host = (struct span){ url.data + at + 3, url.len - at - 3 };
	slash = memchr(host.data, '/', host.len);
	who = memrchr(host.data, '@', slash ? (size_t)(slash - host.data) : host.len);
	if (!who)
		return url;
	return span_of(arena_format(&s->arena, "%.*s%.*s", (int)(at + 3), url.data,
				    (int)(host.len - (size_t)(who + 1 - host.data)), who + 1));
}
