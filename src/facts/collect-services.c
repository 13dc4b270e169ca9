#include "facts/collect.h"

#include <string.h>

#include "base/map.h"
#include "base/names.h"
#include "door/standing.h"
#include "facts/unit-file.h"
#include "parse/colon.h"

#define UNITS_MAX 4096 /* a hub has a unit for each user; each costs some ten questions */

extern const char data_services[];

/* The cgroup directories of systemd's system services, by version of cgroups. */
static const char *const slices[] = { "/sys/fs/cgroup/system.slice",
				      "/sys/fs/cgroup/systemd/system.slice" };

struct services {
	struct collect *c;
	struct service {
		const char *name;
		const char *group; /* directory of its processes; NULL: it does not run */
	} * list;
	size_t count;
	struct map seen; /* their names */
	bool told;       /* that unit files were not asked for */
	bool told_many;
};

/* ---- services that are looked at ---- */

static void add_name(struct services *s, const char *name, const char *group)
{
	static const char *const tables[] = { "service", "env", "env_setter" };

	if (strchr(name, '/') || map_find(&s->seen, span_of(name)))
		return;
	if (s->count == UNITS_MAX) {
		for (size_t i = 0; !s->told_many && i < sizeof(tables) / sizeof(tables[0]); i++)
			facts_gap_said(s->c->facts, tables[i], "", "unasked", "too many services",
				       NULL);
		s->told_many = true;
		return;
	}
	map_put(&s->seen, span_of(name), s);
	s->list = arena_grow(&s->c->arena, s->list, s->count, sizeof(*s->list));
	s->list[s->count++] = (struct service){ name, group };
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

/* Instances of a template stand a level deeper: system-vllm.slice/vllm@7b.service. */
static void look_into(struct services *s, const char *dir, bool inner)
{
	struct root_names units;

	if (root_list(s->c->root, dir, &units) < 0)
		return;
	for (size_t i = 0; i < units.count; i++) {
		const char *name = units.names[i];
		const char *path = arena_format(&s->c->arena, "%s/%s", dir, name);
		struct span bare;

		if (without_ending(name, ".service", &bare) &&
		    names_has_as(data_services, bare, NULL))
			add_name(s, name, path);
		if (!inner && span_starts(span_of(name), "system-") &&
		    without_ending(name, ".slice", &bare) &&
		    names_has_as(data_services, (struct span){ bare.data + 7, bare.len - 7 }, NULL))
			look_into(s, path, true);
	}
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

static void row_process(struct collect *c, struct row *row, const char *unit, const char *group)
{
	struct span text, line, groups = { "", 0 };
	uint64_t pid, id;

	if (!collect_read(c, "service.pid", unit, &text, "%s/cgroup.procs", group))
		return;
	if (!span_line(&text, &line) || !span_u64(line, &pid)) {
		facts_gap(c->facts, "service.pid", unit, -ESRCH, group);
		return;
	}
	row_u64(row, "pid", pid);
	if (!collect_read(c, "service.uid", unit, &text, "/proc/%llu/status",
			  (unsigned long long)pid))
		return;
	if (effective(text, "Uid", &id))
		row_u64(row, "uid", id);
	(void)colon_find(text, "Groups", &groups);
	if (!effective(text, "Gid", &id))
		return;
	groups = without(&c->arena, groups, id);
	row_string(row, "groups",
		   arena_format(&c->arena, "%llu%.*s", (unsigned long long)id, (int)groups.len,
				groups.data));
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

static void add_service(struct services *s, const struct service *service)
{
	struct row row = row_of("service");
	struct unit_file unit;

	unit_file_read(s->c, service->name, &unit);
	if (unit.unasked && !unit.path && service->group) {
		unit_file_gap(s->c, unit.name, DOOR_UNASKED, unit.unasked);
	} else if (unit.unasked && !unit.path && !s->told) {
		facts_gap(s->c->facts, "service", "", DOOR_UNASKED, unit.unasked);
		s->told = true;
	}
	if (!service->group && !unit.path)
		return;
	row_string(&row, "unit", service->name);
	if (service->group)
		row_process(s->c, &row, service->name, service->group);
	row_unit(&row, &unit);
	row_string(&row, "source", service->group ? service->group : unit.path);
	facts_add(s->c->facts, &row);
	for (size_t i = 0; i < unit.variable_count; i++) {
		struct row env = row_of("env");

		row_string(&env, "subject", unit.name);
		row_text(&env, "name", unit.variables[i].name);
		row_text(&env, "value", unit.variables[i].value);
		row_string(&env, "source", unit.variables[i].source);
		facts_add(s->c->facts, &env);
	}
}

void collect_services(struct collect *c)
{
	struct services s = { .c = c };
	struct span rest = span_of(data_services), pattern, units, unit;

	find_running(&s);
	while (names_next(&rest, &pattern, &units))
		while (span_word(&units, &unit))
			add_name(&s, arena_text(&c->arena, unit), NULL);
	for (size_t i = 0; i < s.count; i++)
		add_service(&s, &s.list[i]);
	map_done(&s.seen);
}
