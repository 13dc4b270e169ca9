#include "facts/unit-file.h"

#include <string.h>

#include "door/paths.h"
#include "door/standing.h"
#include "facts/setters.h"

/* Variables, files of them and drop-ins that a unit may have; each is compared with the others. */
#define LIST_MAX 1024

/* The first wins. */
static const char *const places[] = { "/etc/systemd/system", "/run/systemd/transient",
				      "/run/systemd/system", "/usr/lib/systemd/system",
				      "/lib/systemd/system" };
#define PLACES (sizeof(places) / sizeof(places[0]))

static const struct {
	const char *key;
	bool list; /* every line adds to it */
} keys[UNIT_KEYS] = {
	[UNIT_USER] = { "User=", false },
	[UNIT_GROUP] = { "Group=", false },
	[UNIT_SUPPLEMENTARY] = { "SupplementaryGroups=", true },
	[UNIT_PRIVATE_DEVICES] = { "PrivateDevices=", false },
	[UNIT_DEVICE_POLICY] = { "DevicePolicy=", false },
	[UNIT_DEVICE_ALLOW] = { "DeviceAllow=", true },
	[UNIT_MEMLOCK] = { "LimitMEMLOCK=", false },
};

struct unit_reading {
	struct collect *c;
	struct unit_file *unit;
	const char *path;
	unsigned int line;
};

/* ---- one line ---- */

static bool take_key(struct span *line, const char *key)
{
	size_t n = strlen(key);

	if (!span_starts(*line, key))
		return false;
	*line = span_trim((struct span){ line->data + n, line->len - n });
	return true;
}

static void take_value(struct unit_reading *r, enum unit_key key, struct span value)
{
	struct span *old = &r->unit->values[key];

	if (value.len == 0 || !keys[key].list || old->len == 0)
		*old = value;
	else if (old->len <= FACTS_TEXT_MAX) /* a longer one is cut on its way in, with a gap */
		*old = span_of(arena_format(&r->c->arena, "%.*s %.*s", (int)old->len, old->data,
					    (int)value.len, value.data));
}

static void tell_many(struct collect *c, const char *unit, const char *what, const char *source)
{
	facts_gap_said(c->facts, "env", unit, "unasked", what, source);
}

static void keep_variable(struct collect *c, struct unit_file *unit, const struct unit_variable *v)
{
	size_t i = 0;

	while (i < unit->variable_count && !span_same(unit->variables[i].name, v->name))
		i++;
	if (i == LIST_MAX) {
		tell_many(c, unit->name, "too many variables", v->source);
		return;
	}
	if (i == unit->variable_count)
		unit->variables = arena_grow(&c->arena, unit->variables, unit->variable_count++,
					     sizeof(*unit->variables));
	unit->variables[i] = *v;
}

static void take_assign(struct unit_reading *r, const struct assign *assign)
{
	struct row row = row_of("env_setter");
	const char *source = arena_format(&r->c->arena, "%s:%u", r->path, r->line);

	if (!assign->has_value || !paths_watched_variable(assign->name))
		return;
	row_text(&row, "name", assign->name);
	row_text(&row, "value", assign->value);
	row_int(&row, "exported", 1);
	row_string(&row, "scope", r->unit->name);
	row_string(&row, "source", source);
	facts_add(r->c->facts, &row);
	keep_variable(r->c, r->unit,
		      &(struct unit_variable){ assign->name, assign->value, source });
}

static void take_assigns(struct unit_reading *r, enum assign_dialect dialect, struct span line)
{
	struct assign_reader reader = assign_start(dialect, line);
	struct assign assign;

	while (assign_next(&reader, &assign))
		take_assign(r, &assign);
}

static void take_environment_file(struct unit_reading *r, struct span value)
{
	struct unit_file *unit = r->unit;
	struct arena *a = &r->c->arena;

	if (value.len == 0) {
		unit->environment_file_count = 0;
	} else if (unit->environment_file_count == LIST_MAX) {
		tell_many(r->c, unit->name, "too many files of variables", r->path);
	} else {
		unit->environment_files =
			arena_grow(a, unit->environment_files, unit->environment_file_count,
				   sizeof(*unit->environment_files));
		unit->environment_files[unit->environment_file_count++] = arena_text(a, value);
	}
}

/*
 * The door may serve only a middle line of a long Environment=: it has no key of
 * its own and begins with an assignment, quoted or not.
 */
static struct span whole_line(struct unit_reading *r, struct span line)
{
	struct span rest = line;
	struct span name;

	if (line.data[0] != '"' && line.data[0] != '\'' &&
	    !(span_cut(&rest, '=', &name) && paths_watched_variable(name)))
		return line;
	return span_of(arena_format(&r->c->arena, "Environment=%.*s", (int)line.len, line.data));
}

static void take_line(struct unit_reading *r, struct span line)
{
	struct span value;

	for (enum unit_key key = 0; key < UNIT_KEYS; key++) {
		value = line;
		if (take_key(&value, keys[key].key)) {
			take_value(r, key, value);
			return;
		}
	}
	value = line;
	if (take_key(&value, "EnvironmentFile=")) {
		take_environment_file(r, value);
		return;
	}
	value = line;
	if (take_key(&value, "Environment=") && value.len == 0)
		r->unit->variable_count = 0;
	else
		take_assigns(r, ASSIGN_SYSTEMD, whole_line(r, line));
}

/* ---- files ---- */

void unit_file_gap(struct collect *c, const char *unit, int error, const char *path)
{
	facts_gap(c->facts, "service", unit, error, path);
	facts_gap(c->facts, "env", unit, error, path);
	facts_gap(c->facts, "env_setter", unit, error, path);
}

/* True if the file is there, readable or not. */
static bool take_file(struct collect *c, struct unit_file *unit, const char *path)
{
	struct unit_reading reading = { c, unit, path, 0 };
	struct span text, line;
	int r = root_read(c->root, path, &text);

	if (r == -ENOENT || r == -ENOTDIR)
		return false;
	if (r == DOOR_UNASKED) {
		unit->unasked = path;
		return false;
	}
	if (r < 0)
		unit_file_gap(c, unit->name, r, path);
	while (r == 0 && setters_line(&text, &reading.line, &line)) {
		line = span_trim(line);
		if (line.len > 0 && line.data[0] != '#' && line.data[0] != ';')
			take_line(&reading, line);
	}
	return true;
}

/* "jupyter@bob.service" -> "jupyter@.service"; NULL for a plain name. */
static const char *template_of(struct collect *c, const char *name)
{
	const char *at = strchr(name, '@');
	const char *dot = strrchr(name, '.');

	if (!at || !dot || dot <= at + 1)
		return NULL;
	return arena_format(&c->arena, "%.*s%s", (int)(at + 1 - name), name, dot);
}

static void take_main(struct collect *c, struct unit_file *unit, const char *name)
{
	for (size_t i = 0; name && !unit->path && i < PLACES; i++) {
		const char *path = arena_format(&c->arena, "%s/%s", places[i], name);

		if (take_file(c, unit, path))
			unit->path = path;
	}
}

struct drop_ins {
	struct drop_in {
		const char *name;
		const char *path;
	} * list;
	size_t count;
};

/* Sorted by name; of two with one name the first found stays. */
static void insert(struct collect *c, struct drop_ins *d, const char *unit,
		   const struct drop_in *one)
{
	size_t i = d->count;

	for (size_t k = 0; k < d->count; k++)
		if (strcmp(d->list[k].name, one->name) == 0)
			return;
	if (d->count == LIST_MAX) {
		facts_gap_said(c->facts, "service", unit, "unasked", "too many drop-ins",
			       one->path);
		tell_many(c, unit, "too many drop-ins", one->path);
		return;
	}
	d->list = arena_grow(&c->arena, d->list, d->count++, sizeof(*d->list));
	for (; i > 0 && strcmp(d->list[i - 1].name, one->name) > 0; i--)
		d->list[i] = d->list[i - 1];
	d->list[i] = *one;
}

static void find_drop_ins(struct collect *c, const char *unit, const char *name, struct drop_ins *d)
{
	struct root_names files;

	for (size_t i = 0; name && i < PLACES; i++) {
		const char *dir = arena_format(&c->arena, "%s/%s.d", places[i], name);

		if (root_list(c->root, dir, &files) < 0)
			continue; /* most have none; one that may not be listed was not asked */
		for (size_t k = 0; k < files.count; k++)
			if (span_ends(span_of(files.names[k]), ".conf"))
				insert(c, d, unit,
				       &(struct drop_in){ files.names[k],
							  arena_format(&c->arena, "%s/%s", dir,
								       files.names[k]) });
	}
}

/* They override Environment=, wherever it stands. A leading '-' excuses a missing one. */
static void take_environment_files(struct collect *c, struct unit_file *unit)
{
	for (size_t i = 0; i < unit->environment_file_count; i++) {
		const char *path = unit->environment_files[i];
		struct unit_reading reading = { c, unit, path + (path[0] == '-'), 0 };
		struct span text;
		struct span line;
		int r = root_read(c->root, reading.path, &text);

		if (r < 0 && r != -ENOENT)
			facts_gap(c->facts, "env", unit->name, r, reading.path);
		while (r == 0 && setters_line(&text, &reading.line, &line))
			take_assigns(&reading, ASSIGN_PLAIN, line);
	}
}

void unit_file_read(struct collect *c, const char *name, struct unit_file *ret)
{
	struct unit_file unit = { .name = name };
	struct drop_ins d = { 0 };

	take_main(c, &unit, name);
	take_main(c, &unit, template_of(c, name));
	if (unit.path) {
		find_drop_ins(c, name, name, &d);
		find_drop_ins(c, name, template_of(c, name), &d);
	}
	for (size_t i = 0; i < d.count; i++)
		take_file(c, &unit, d.list[i].path);
	take_environment_files(c, &unit);
	*ret = unit;
}
