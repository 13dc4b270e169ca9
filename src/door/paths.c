#include "door/paths.h"

#include <assert.h>
#include <string.h>

#include "base/names.h"
#include "door/secret-names.h"

extern const char data_variables[];

/* Most rules part ways with a path within their first bytes. */
static bool begins_alike(const char *pattern, struct span dir)
{
	for (size_t i = 0; pattern[i] && pattern[i] != '*'; i++)
		if (i >= dir.len || pattern[i] != dir.data[i])
			return false;
	return true;
}

static bool dir_fits(struct span pattern, struct span dir)
{
	struct span want;
	struct span have;

	if (!begins_alike(pattern.data, dir))
		return false;
	while (pattern.len > 0 && dir.len > 0) {
		span_cut(&pattern, '/', &want);
		span_cut(&dir, '/', &have);
		if (!span_fits(have, want))
			return false;
	}
	return pattern.len == 0 && dir.len == 0;
}

/*
 * The rules of one directory. Files are asked for directory by directory, so
 * the last answer is nearly always the next one too.
 */
struct dir_rules {
	char dir[512];
	size_t len;
	size_t count;
	const struct path_rule *rules[32];
};

#define RULES_MAX 256

static unsigned char depth_of(struct span dir)
{
	unsigned int depth = 0;

	for (size_t i = 0; i < dir.len; i++)
		depth += dir.data[i] == '/';
	return depth < 255 ? (unsigned char)depth : 255;
}

static void find_dir_rules(struct dir_rules *d, struct span dir)
{
	static unsigned char depths[RULES_MAX]; /* a path has as many segments as its rule */
	unsigned char depth = depth_of(dir);

	assert(paths_rule_count <= RULES_MAX);
	if (!depths[0])
		for (size_t i = 0; i < paths_rule_count; i++)
			depths[i] = depth_of(span_of(paths_rules[i].dir));
	d->len = 0;
	d->count = 0;
	for (size_t i = 0; i < paths_rule_count; i++)
		if (depths[i] == depth && d->count < 32 &&
		    dir_fits(span_of(paths_rules[i].dir), dir))
			d->rules[d->count++] = &paths_rules[i];
	if (dir.len > sizeof(d->dir))
		return;
	memcpy(d->dir, dir.data, dir.len);
	d->len = dir.len;
}

static const struct path_rule *find(struct dir_rules *memo, struct span dir, struct span name)
{
	if (dir.len != memo->len || memcmp(memo->dir, dir.data, dir.len) != 0)
		find_dir_rules(memo, dir);
	for (size_t i = 0; i < memo->count; i++) {
		struct span rest = span_of(memo->rules[i]->names), want;

		while (span_word(&rest, &want))
			if (span_fits(name, want))
				return memo->rules[i];
	}
	return NULL;
}

const struct path_rule *paths_find(struct span path)
{
	static _Thread_local struct dir_rules files, dirs;
	const struct path_rule *rule;
	size_t cut = path.len;

	while (cut > 0 && path.data[cut - 1] != '/')
		cut--;
	rule = find(&files, (struct span){ path.data, cut > 1 ? cut - 1 : cut },
		    (struct span){ path.data + cut, path.len - cut });
	return rule ? rule : find(&dirs, path, SPAN_LITERAL("."));
}

bool paths_of_windows(struct span path)
{
	return span_is(path, "/reg") || span_starts(path, "/reg/") ||
	       (path.len > 3 && path.data[2] == ':' && path.data[3] == '/');
}

const struct path_rule *paths_table(size_t *ret_count)
{
	*ret_count = paths_rule_count;
	return paths_rules;
}

const char *path_class_name(enum path_class class)
{
	static const char *const names[] = { "static", "device", "wakes" };

	assert(class <= PATH_WAKES);
	return names[class];
}

/* The next pattern of data/variables.txt, and whether it is only of a session. */
static bool next_variable(struct span *rest, struct span *ret, bool *ret_session)
{
	struct span words;

	if (!names_next(rest, ret, &words))
		return false;
	*ret_session = span_is(span_trim(words), "session");
	return true;
}

static bool is_variable(struct span name, bool of_sessions)
{
	struct span rest = span_of(data_variables), pattern;
	bool session;

	while (next_variable(&rest, &pattern, &session))
		if ((of_sessions || !session) && span_fits(name, pattern))
			return true;
	return false;
}

bool paths_watched_variable(struct span name)
{
	return is_variable(name, false);
}

bool paths_watched_part(struct span name)
{
	struct span rest = span_of(data_variables), pattern, part;
	bool session;

	while (next_variable(&rest, &pattern, &session))
		while (!session && span_cut(&pattern, '_', &part))
			if (part.len == name.len &&
			    strncasecmp(part.data, name.data, name.len) == 0)
				return true;
	return false;
}

bool paths_secret_variable(struct span name)
{
	struct secret_names names;

	return !secret_names_load(&names) || secret_names_any(&names, name);
}

bool paths_kept_variable(struct span name)
{
	return is_variable(name, true);
}
