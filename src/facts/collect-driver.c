#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "door/standing.h"
#include "facts/collect.h"
#include "facts/excerpt.h"
#include "parse/cmdline.h"
#include "parse/modprobe.h"

/* amdttm and amdkcl come with the DKMS driver, beside or instead of ttm. */
static const char *const modules[] = { "amdgpu", "ttm", "amdttm" };

static bool is_ours(struct span module)
{
	static const char *const names[] = { "amdgpu", "ttm",    "amdttm",
					     "amdkcl", "radeon", "vfio_pci" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (modprobe_is(module, names[i]))
			return true;
	return false;
}

/* ---- driver ---- */

static void add_kfd_version(struct collect *c, struct row *r)
{
	struct span text;
	struct span word;
	uint64_t major, minor;
	int error = root_ask(c->root, "kfd-version", &text);

	if (error < 0)
		facts_gap(c->facts, "driver.kfd_major", "amdgpu", error, "kfd-version");
	else if (span_word(&text, &word) && span_u64(word, &major) && span_word(&text, &word) &&
		 span_u64(word, &minor)) {
		row_u64(r, "kfd_major", major);
		row_u64(r, "kfd_minor", minor);
	}
}

/*
 * A loadable module has initstate, one that is part of the kernel has not. Only
 * the out-of-tree build of amdgpu says a version.
 */
static void add_state(struct collect *c, struct row *r, const char *dir, const char *name)
{
	struct span value;
	int state = root_read(c->root, arena_format(&c->arena, "%s/initstate", dir), &value);
	int version;

	if (state == 0)
		row_text(r, "state", span_trim(value));
	if (state == 0 || state == -ENOENT)
		row_int(r, "builtin", state != 0);
	else
		facts_gap(c->facts, "driver.builtin", name, state, dir);

	version = root_read(c->root, arena_format(&c->arena, "%s/version", dir), &value);
	if (version == 0)
		row_text(r, "version", span_trim(value));
	if (version == 0 || version == -ENOENT)
		row_string(r, "packaging", version == 0 ? "dkms" : "in-tree");
	else
		facts_gap(c->facts, "driver.packaging", name, version, dir);

	if (root_read(c->root, arena_format(&c->arena, "%s/srcversion", dir), &value) == 0)
		row_text(r, "srcversion", span_trim(value));
}

/* "6.10.5" of "6.10.5-2084815.22.04": the build number is not in the module. */
static struct span release_of(struct span version)
{
	struct span release;

	return span_cut(&version, '-', &release) ? release : version;
}

/* /var/lib/dkms/amdgpu/kernel-5.15.0-130-generic-x86_64 -> 6.10.5-2084815.22.04/5.15.0-130-generic/x86_64 */
static void add_installed(struct collect *c, struct row *r, const char *link)
{
	struct span target, version;
	int error = root_link(c->root, link, &target);

	if (error < 0)
		facts_gap(c->facts, "driver.dkms_version", "amdgpu", error, link);
	else if (span_cut(&target, '/', &version) && version.len > 0)
		row_text(r, "dkms_version", release_of(version));
}

/* The releases in DKMS, and the one installed for this kernel: it is loaded at the next boot. */
static void add_dkms(struct collect *c, struct row *r)
{
	static const char dir[] = "/var/lib/dkms/amdgpu";
	struct buf sources BUF_SCOPED = { 0 };
	struct span release = { "", 0 };
	struct root_names names;
	int error = root_list(c->root, dir, &names);
	const char *kernel;

	if (error == -ENOENT)
		return;
	if (error < 0 || root_read(c->root, "/proc/sys/kernel/osrelease", &release) < 0) {
		facts_gap(c->facts, "driver.dkms_version", "amdgpu", error < 0 ? error : -ENODATA,
			  dir);
		return;
	}
	release = span_trim(release);
	kernel = arena_format(&c->arena, "kernel-%.*s-", (int)release.len, release.data);
	for (size_t i = 0; i < names.count; i++) {
		struct span name = span_of(names.names[i]);

		if (span_starts(name, kernel))
			add_installed(c, r, arena_format(&c->arena, "%s/%s", dir, names.names[i]));
		else if (name.data[0] >= '0' && name.data[0] <= '9') {
			buf_text(&sources, sources.len ? " " : "");
			buf_span(&sources, release_of(name));
		}
	}
	if (sources.len > 0)
		row_text(r, "dkms_sources", arena_span(&c->arena, buf_get(&sources)));
}

static void add_parameters(struct collect *c, const char *dir, const char *module)
{
	const char *path = arena_format(&c->arena, "%s/parameters", dir);
	struct root_names names;
	struct span value;
	int error = c->hardware ? DOOR_UNASKED : root_list(c->root, path, &names);

	if (error < 0) {
		facts_gap(c->facts, "module_parameter", module, error, path);
		return;
	}
	for (size_t i = 0; i < names.count; i++) {
		const char *file = arena_format(&c->arena, "%s/%s", path, names.names[i]);
		const char *subject = arena_format(&c->arena, "%s.%s", module, names.names[i]);
		struct row r = row_of("module_parameter");

		if (!collect_read(c, "module_parameter.value", subject, &value, "%s", file))
			continue;
		row_string(&r, "module", module);
		row_string(&r, "name", names.names[i]);
		row_text(&r, "value", value);
		row_string(&r, "source", file);
		facts_add(c->facts, &r);
	}
}

static void add_driver(struct collect *c, const char *name)
{
	const char *dir = arena_format(&c->arena, "/sys/module/%s", name);
	struct row r = row_of("driver");
	struct door_node node;
	int error = root_stat(c->root, dir, &node);

	if (error < 0 && error != -ENOENT) {
		facts_gap(c->facts, "driver", name, error, dir);
		return;
	}
	row_string(&r, "name", name);
	row_int(&r, "loaded", error == 0);
	row_string(&r, "source", dir);
	if (error == 0) {
		add_state(c, &r, dir, name);
		if (strcmp(name, "amdgpu") == 0)
			add_kfd_version(c, &r);
		if (strcmp(name, "amdgpu") == 0 && !c->hardware)
			add_dkms(c, &r);
		add_parameters(c, dir, name);
	}
	facts_add(c->facts, &r);
}

/* ---- module_rule ---- */

static void add_rule(struct collect *c, const char *kind, struct span module, struct span value,
		     const char *source)
{
	char name[MODPROBE_NAME_MAX];
	struct row r = row_of("module_rule");

	modprobe_name(module, name);
	row_string(&r, "kind", kind);
	row_string(&r, "module", name);
	if (value.len > 0)
		row_text(&r, "value", value);
	row_string(&r, "source", source);
	facts_add(c->facts, &r);
}

static void add_file_rules(struct collect *c, const char *path)
{
	unsigned int number;
	struct span text;
	struct span line;

	if (!collect_read(c, "module_rule", path, &text, "%s", path))
		return;
	while (excerpt_next(&text, &line, &number)) {
		struct modprobe_reader reader = { .rest = line };
		struct modprobe_entry entry;

		while (modprobe_next(&reader, &entry))
			if (is_ours(entry.module))
				add_rule(c, modprobe_verb_name(entry.verb), entry.module,
					 entry.rest,
					 arena_format(&c->arena, "%s:%u", path, number));
	}
}

/* A file in an earlier directory hides one of the same name in a later one. */
static void add_directory_rules(struct collect *c)
{
	static const char *const dirs[] = { "/etc/modprobe.d", "/run/modprobe.d",
					    "/usr/lib/modprobe.d" };
	struct map seen = { 0 };
	struct root_names names;

	for (size_t d = 0; d < sizeof(dirs) / sizeof(dirs[0]); d++) {
		int error = root_list(c->root, dirs[d], &names);

		if (error < 0 && error != -ENOENT)
			facts_gap(c->facts, "module_rule", dirs[d], error, dirs[d]);
		for (size_t i = 0; error == 0 && i < names.count; i++) {
			struct span name = span_of(names.names[i]);

			if (!span_ends(name, ".conf") || map_find(&seen, name))
				continue;
			map_put(&seen, name, &seen);
			add_file_rules(c,
				       arena_format(&c->arena, "%s/%s", dirs[d], names.names[i]));
		}
	}
	map_done(&seen);
}

/* modprobe.blacklist=a,b and module_blacklist=a,b keep a module out as well. */
static void add_command_line_rules(struct collect *c)
{
	struct cmdline_param param;
	struct span text;
	struct span module;

	if (root_read(c->root, "/proc/cmdline", &text) < 0)
		return; /* collect_host says so */
	while (cmdline_next(&text, &param)) {
		if (!span_is(param.name, "modprobe.blacklist") &&
		    !span_is(param.name, "module_blacklist") &&
		    !span_is(param.name, "rd.driver.blacklist"))
			continue;
		while (span_cut(&param.value, ',', &module))
			if (is_ours(module))
				add_rule(c, "blacklist", module, param.name, "/proc/cmdline");
	}
}

void collect_driver(struct collect *c)
{
	struct door_node node;
	int error = root_stat(c->root, "/sys/module", &node);

	/* Without /sys/module nothing can be said, least of all that a driver is missing. */
	if (error < 0)
		facts_gap(c->facts, "driver", "", error, "/sys/module");
	for (size_t i = 0; error == 0 && i < sizeof(modules) / sizeof(modules[0]); i++)
		add_driver(c, modules[i]);
	if (c->hardware) {
		facts_gap(c->facts, "module_rule", "", DOOR_UNASKED, "/etc/modprobe.d");
		return;
	}
	add_directory_rules(c);
	add_command_line_rules(c);
}
