#include "facts/collect.h"

#include <string.h>

#include "door/paths.h"
#include "door/standing.h"
#include "facts/unit-file.h"
#include "parse/colon.h"

#define UNITS_MAX 64

extern const char data_services[];

/* Where systemd keeps the processes of system services, by version of cgroups. */
static const char *const slices[] = { "/sys/fs/cgroup/system.slice",
				      "/sys/fs/cgroup/systemd/system.slice" };

struct services {
	struct collect *c;
	const char *names[UNITS_MAX];
	const char *groups[UNITS_MAX]; /* directory of its processes; NULL: it does not run */
	size_t count;
	bool told; /* that unit files were not asked for */
};

/* ---- the table of names ---- */

/* The next line that is no comment: its pattern, and the units behind it. */
static bool next_pattern(struct span *rest, struct span *ret_pattern, struct span *ret_units)
{
	struct span line;

	while (span_line(rest, &line))
		if (line.len > 0 && line.data[0] != '#' && span_word(&line, ret_pattern)) {
			*ret_units = line;
			return true;
		}
	return false;
}

static bool is_wanted(struct span name)
{
	struct span rest = span_of(data_services);
	struct span pattern;
	struct span units;

	while (next_pattern(&rest, &pattern, &units))
		if (paths_glob(pattern, name))
			return true;
	return false;
}

static void add_name(struct services *s, const char *name, const char *group)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->names[i], name) == 0)
			return;
	if (s->count == UNITS_MAX || strchr(name, '/'))
		return;
	s->names[s->count] = name;
	s->groups[s->count++] = group;
}

/* ---- services that run ---- */

static bool without_ending(const char *name, const char *ending, struct span *ret)
{
	struct span s = span_of(name);

	if (!span_ends(s, ending))
		return false;
	*ret = (struct span){ s.data, s.len - strlen(ending) };
	return true;
}

static void look_into(struct services *s, const char *dir, bool inner);

/* Instances of a template stand a level deeper: system-vllm.slice/vllm@7b.service. */
static void look_at(struct services *s, const char *dir, const char *name, bool inner)
{
	const char *path = arena_format(&s->c->arena, "%s/%s", dir, name);
	struct span bare;

	if (without_ending(name, ".service", &bare) && is_wanted(bare))
		add_name(s, name, path);
	if (!inner && span_starts(span_of(name), "system-") &&
	    without_ending(name, ".slice", &bare) &&
	    is_wanted((struct span){ bare.data + 7, bare.len - 7 }))
		look_into(s, path, true);
}

static void look_into(struct services *s, const char *dir, bool inner)
{
	struct root_names units;

	if (root_list(s->c->root, dir, &units) < 0)
		return;
	for (size_t i = 0; i < units.count; i++)
		look_at(s, dir, units.names[i], inner);
}

/* A container has no system.slice: nothing runs there, and that is no gap. */
static void find_running(struct services *s)
{
	struct root_names units;

	for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++) {
		int r = root_list(s->c->root, slices[i], &units);

		if (r == 0) {
			look_into(s, slices[i], false);
			return;
		}
		if (r != -ENOENT && r != -ENOTDIR) {
			facts_gap(s->c->facts, "service", "", r, slices[i]);
			return;
		}
	}
}

static void find_named(struct services *s)
{
	struct span rest = span_of(data_services);
	struct span pattern;
	struct span units;
	struct span unit;

	while (next_pattern(&rest, &pattern, &units))
		while (span_word(&units, &unit))
			add_name(s, arena_text(&s->c->arena, unit), NULL);
}

/* ---- rows ---- */

static bool effective(struct span status, const char *key, uint64_t *ret)
{
	struct span value;
	struct span word;

	return colon_find(status, key, &value) && span_word(&value, &word) &&
	       span_word(&value, &word) && span_u64(word, ret);
}

/* The kernel may name the first group among the further ones, too. */
static struct span without(struct arena *a, struct span groups, uint64_t id)
{
	struct buf out BUF_SCOPED = { 0 };
	struct span word;
	uint64_t n;

	while (span_word(&groups, &word)) {
		if (span_u64(word, &n) && n == id)
			continue;
		buf_char(&out, ' ');
		buf_span(&out, word);
	}
	return arena_span(a, buf_get(&out));
}

static void row_status(struct collect *c, struct row *row, struct span status)
{
	struct span groups = { "", 0 };
	uint64_t id;

	if (effective(status, "Uid", &id))
		row_u64(row, "uid", id);
	(void)colon_find(status, "Groups", &groups);
	if (!effective(status, "Gid", &id))
		return;
	groups = without(&c->arena, groups, id);
	row_string(row, "groups",
		   arena_format(&c->arena, "%llu%.*s", (unsigned long long)id, (int)groups.len,
				groups.data));
}

static void row_process(struct collect *c, struct row *row, const char *unit, const char *group)
{
	struct span text;
	struct span line;
	uint64_t pid;

	if (!collect_read(c, "service.pid", unit, &text, "%s/cgroup.procs", group))
		return;
	if (!span_line(&text, &line) || !span_u64(line, &pid)) {
		facts_gap(c->facts, "service.pid", unit, -ESRCH, group);
		return;
	}
	row_u64(row, "pid", pid);
	if (collect_read(c, "service.uid", unit, &text, "/proc/%llu/status",
			 (unsigned long long)pid))
		row_status(c, row, text);
}

static void row_unit(struct row *row, const struct unit_file *unit)
{
	static const char *const columns[UNIT_KEYS] = {
		[UNIT_USER] = "user",
		[UNIT_GROUP] = "group_name",
		[UNIT_SUPPLEMENTARY] = "supplementary",
		[UNIT_DEVICE_POLICY] = "device_policy",
		[UNIT_DEVICE_ALLOW] = "device_allow",
		[UNIT_MEMLOCK] = "memlock",
	};
	static const char *const yes[] = { "yes", "true", "on", "1" };
	bool hidden = false;

	for (enum unit_key key = 0; key < UNIT_KEYS; key++)
		if (columns[key] && unit->values[key].len > 0)
			row_text(row, columns[key], unit->values[key]);
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		hidden |= span_is(unit->values[UNIT_PRIVATE_DEVICES], yes[i]);
	if (unit->path)
		row_int(row, "private_devices", hidden);
}

static void add_variables(struct collect *c, const struct unit_file *unit)
{
	for (size_t i = 0; i < unit->variable_count; i++) {
		struct row row = row_of("env");

		row_string(&row, "subject", unit->name);
		row_text(&row, "name", unit->variables[i].name);
		row_text(&row, "value", unit->variables[i].value);
		row_string(&row, "source", unit->variables[i].source);
		facts_add(c->facts, &row);
	}
}

static void tell_unasked(struct services *s, const struct unit_file *unit, bool runs)
{
	if (runs)
		unit_file_gap(s->c, unit->name, ROOT_UNASKED, unit->unasked);
	else if (!s->told)
		facts_gap(s->c->facts, "service", "", ROOT_UNASKED, unit->unasked);
	s->told |= !runs;
}

static void add_service(struct services *s, size_t i)
{
	struct row row = row_of("service");
	struct unit_file unit;

	unit_file_read(s->c, s->names[i], &unit);
	if (unit.unasked && !unit.path)
		tell_unasked(s, &unit, s->groups[i] != NULL);
	if (!s->groups[i] && !unit.path)
		return;
	row_string(&row, "unit", s->names[i]);
	if (s->groups[i])
		row_process(s->c, &row, s->names[i], s->groups[i]);
	row_unit(&row, &unit);
	row_string(&row, "source", s->groups[i] ? s->groups[i] : unit.path);
	facts_add(s->c->facts, &row);
	add_variables(s->c, &unit);
}

void collect_services(struct collect *c)
{
	struct services s = { .c = c };

	find_running(&s);
	find_named(&s);
	for (size_t i = 0; i < s.count; i++)
		add_service(&s, i);
}
