/*
 * Facts about Windows itself: its release, the CPU, memory, and the variables of
 * user and machine. Only where there is a registry.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "door/paths.h"
#include "facts/registry.h"
#include "parse/keyvals.h"

#define VERSION  REGISTRY "/HKLM/SOFTWARE/Microsoft/Windows NT/CurrentVersion"
#define HARDWARE REGISTRY "/HKLM/HARDWARE/DESCRIPTION/System"

#define WINDOWS_11_BUILD 22000 /* its registry still says Windows 10 */

void collect_statement(struct collect *c, const char *name, struct span value, struct span version,
		       const char *source)
{
	struct row r = row_of("statement");

	row_string(&r, "name", name);
	row_text(&r, "value", value);
	if (version.len > 0)
		row_text(&r, "version", version);
	row_string(&r, "source", source);
	row_string(&r, "origin", "observed");
	facts_add(c->facts, &r);
}

/* "Windows 10 Pro" of a build from 22000 on is Windows 11 Pro. */
static const char *product_name(struct collect *c, struct span name, uint64_t build)
{
	static const char old[] = "Windows 10";

	if (build < WINDOWS_11_BUILD || !span_starts(name, old))
		return arena_text(&c->arena, name);
	return arena_format(&c->arena, "Windows 11%.*s", (int)(name.len - strlen(old)),
			    name.data + strlen(old));
}

/* 10.0.26100.4652, as `ver` prints it. */
static const char *release(struct collect *c, uint64_t build)
{
	uint64_t major = 10, minor = 0, revision;

	if (registry_number(c, VERSION, "CurrentMajorVersionNumber", &major) < 0 ||
	    registry_number(c, VERSION, "CurrentMinorVersionNumber", &minor) < 0)
		return NULL;
	if (registry_number(c, VERSION, "UBR", &revision) < 0)
		return arena_format(&c->arena, "%u.%u.%u", (unsigned int)major, (unsigned int)minor,
				    (unsigned int)build);
	return arena_format(&c->arena, "%u.%u.%u.%u", (unsigned int)major, (unsigned int)minor,
			    (unsigned int)build, (unsigned int)revision);
}

static void add_release(struct collect *c, struct row *r)
{
	const char *source = VERSION "/CurrentBuildNumber";
	struct span name;
	uint64_t build;
	int error = registry_number(c, VERSION, "CurrentBuildNumber", &build);

	row_string(r, "distribution", "windows");
	if (error < 0) {
		facts_gap(c->facts, "host.distribution_version", "", error, source);
		return;
	}
	row_string(r, "distribution_version", release(c, build));
	if (registry_text(c, VERSION, "ProductName", &name) == 0)
		row_string(r, "distribution_name", product_name(c, name, build));
}

static void add_processor(struct collect *c, struct row *r)
{
	static const struct collect_file files[] = {
		{ "ProcessorNameString", "cpu", FORM_TEXT },
		{ "VendorIdentifier", "cpu_vendor", FORM_TEXT },
	};
	struct root_names names;
	int error = root_list(c->root, HARDWARE "/CentralProcessor", &names);

	collect_files(c, r, "", HARDWARE "/CentralProcessor/0", files, 2);
	if (error == 0)
		row_u64(r, "cpus", names.count);
	else
		facts_gap(c->facts, "host.cpus", "", error, HARDWARE "/CentralProcessor");
}

/*
 * The largest size of all page files, each on a line of "C:\\pagefile.sys 2048 4096", in
 * MiB. False if Windows manages one of them: it has no size, zeroes or a ? for its drive.
 */
static bool page_files_max(struct collect *c, uint64_t *ret)
{
	struct span text, line, word, last;
	uint64_t size;

	*ret = 0;
	if (registry_text(c, REGISTRY_CONTROL "/Session Manager/Memory Management", "PagingFiles",
			  &text) < 0)
		return false;
	while (span_line(&text, &line)) {
		last = (struct span){ NULL, 0 };
		while (span_word(&line, &word))
			last = word;
		if (last.len == 0)
			continue;
		if (!span_u64(last, &size) || size == 0 || size > UINT32_MAX)
			return false;
		*ret += size << 20;
	}
	return true;
}

/* The commit limit is RAM and page files together; what is promised may not pass it. */
static void add_memory(struct collect *c, struct row *r)
{
	struct row limit = row_of("resource_limit");
	uint64_t total, available, commit, left, page_files;
	struct span text;
	int error = root_ask(c->root, "memory", &text);

	if (error == 0 &&
	    (!keyvals_u64(text, "total", &total) || !keyvals_u64(text, "available", &available) ||
	     !keyvals_u64(text, "commit_limit", &commit) ||
	     !keyvals_u64(text, "commit_left", &left)))
		error = -EBADMSG;
	if (error < 0) {
		facts_gap(c->facts, "host.memory_total_bytes", "", error, "memory");
		facts_gap(c->facts, "resource_limit", "", error, "memory");
		return;
	}
	row_u64(r, "memory_total_bytes", total);
	row_u64(r, "memory_available_bytes", available);
	row_u64(r, "swap_total_bytes", commit > total ? commit - total : 0);
	row_string(&limit, "name", "commit");
	row_u64(&limit, "soft", commit);
	if (page_files_max(c, &page_files))
		row_u64(&limit, "hard", total + page_files);
	row_u64(&limit, "used", commit > left ? commit - left : 0);
	row_string(&limit, "unit", "bytes");
	row_string(&limit, "source", "memory");
	facts_add(c->facts, &limit);
}

void collect_windows_host(struct collect *c)
{
	static const struct collect_file bios[] = {
		{ "SystemManufacturer", "vendor", FORM_TEXT },
		{ "SystemProductName", "product", FORM_TEXT },
		{ "BaseBoardProduct", "board", FORM_TEXT },
		{ "BIOSVersion", "bios_version", FORM_TEXT },
		{ "BIOSReleaseDate", "bios_date", FORM_TEXT },
	};
	struct row r = row_of("host");
	struct root_names devices;
	struct span machine;

	if (root_ask(c->root, "machine", &machine) == 0)
		row_text(&r, "architecture", span_trim(machine));
	add_release(c, &r);
	add_processor(c, &r);
	collect_files(c, &r, "", HARDWARE "/BIOS", bios, 5);
	add_memory(c, &r);
	if (root_list(c->root, REGISTRY_DEVICES "/PCI", &devices) == 0)
		row_u64(&r, "pci_functions", devices.count);
	row_string(&r, "source", VERSION);
	facts_add(c->facts, &r);
	collect_statement(c, "system", SPAN_LITERAL("windows"), (struct span){ NULL, 0 }, VERSION);
}

/* ---- what is not asked ---- */

/* Windows has these too, and no question of ours for them: a rule that reads one decides nothing. */
void collect_windows_unasked(struct collect *c)
{
	static const char *const tables[] = { "pcie",     "pcie_path",  "pcie_error",
					      "nic",      "rdma_port",  "memory_controller",
					      "firmware", "ras",        "sensor",
					      "service",  "vram_owner", "kernel_log" };

	for (size_t i = 0; i < COUNT(tables); i++)
		facts_gap_said(c->facts, tables[i], "", "unasked", "NOT ON WINDOWS", NULL);
}

/* ---- who is judged ---- */

void collect_windows_identity(struct collect *c)
{
	static const char *const keys[] = { "how", "user", "home" };
	struct row r = row_of("identity");
	struct span text, value;
	int error = root_ask(c->root, "identity", &text);

	if (error < 0) {
		facts_gap(c->facts, "identity", "", error, "identity");
		return;
	}
	for (size_t i = 0; i < COUNT(keys); i++)
		if (keyvals_find(text, keys[i], &value))
			row_text(&r, keys[i], span_trim(value));
	row_string(&r, "source", "identity");
	facts_add(c->facts, &r);
}

/* ---- variables that are set for every program of the user or the machine ---- */

static void add_setters(struct collect *c, const char *key, const char *scope)
{
	struct root_names names;
	struct span value;
	int r = root_list(c->root, key, &names);

	if (r < 0) {
		facts_gap(c->facts, "env_setter", scope, r, key);
		return;
	}
	for (size_t i = 0; i < names.count; i++) {
		struct row row = row_of("env_setter");

		if (!paths_watched_variable(span_of(names.names[i])) ||
		    registry_text(c, key, names.names[i], &value) < 0)
			continue;
		row_string(&row, "name", names.names[i]);
		row_text(&row, "value", value);
		row_int(&row, "exported", 1);
		row_string(&row, "scope", scope);
		row_string(&row, "source", arena_format(&c->arena, "%s/%s", key, names.names[i]));
		facts_add(c->facts, &row);
	}
}

void collect_windows_env(struct collect *c)
{
	collect_variables(c);
	add_setters(c, REGISTRY "/HKCU/Environment", "user");
	add_setters(c, REGISTRY_CONTROL "/Session Manager/Environment", "system");
}

/* ---- settings that bound a job ---- */

static void add_limit(struct collect *c, const char *name, uint64_t soft, const char *unit,
		      const char *source)
{
	struct row r = row_of("resource_limit");

	row_string(&r, "name", name);
	row_u64(&r, "soft", soft);
	row_string(&r, "unit", unit);
	row_string(&r, "source", source);
	facts_add(c->facts, &r);
}

/* A value that is not there has its default. */
static bool setting(struct collect *c, const char *key, const char *value, uint64_t otherwise,
		    uint64_t *ret)
{
	int r = registry_number(c, key, value, ret);

	if (r == -ENOENT)
		*ret = otherwise;
	else if (r < 0)
		facts_gap(c->facts, "resource_limit", value, r, key);
	return r == 0 || r == -ENOENT;
}

/* Windows resets a GPU that does not answer for so many seconds; level 0 switches that off. */
static void add_gpu_timeout(struct collect *c)
{
	static const char key[] = REGISTRY_CONTROL "/GraphicsDrivers";
	uint64_t level, delay;

	if (setting(c, key, "TdrLevel", 3, &level) && setting(c, key, "TdrDelay", 2, &delay) &&
	    level > 0)
		add_limit(c, "gpu-timeout", delay, "seconds", key);
}

static void add_path_length(struct collect *c)
{
	static const char key[] = REGISTRY_CONTROL "/FileSystem";
	uint64_t enabled;

	if (setting(c, key, "LongPathsEnabled", 0, &enabled))
		add_limit(c, "path-length", enabled ? 32767 : 260, "characters", key);
}

/* "v14.44.35211.00" */
static void add_vc_runtime(struct collect *c)
{
	static const char key[] =
		REGISTRY "/HKLM/SOFTWARE/Microsoft/VisualStudio/14.0/VC/Runtimes/x64";
	uint64_t installed;
	struct span version;

	if (registry_number(c, key, "Installed", &installed) < 0 || installed == 0 ||
	    registry_text(c, key, "Version", &version) < 0)
		return;
	if (version.len > 0 && version.data[0] == 'v')
		version = (struct span){ version.data + 1, version.len - 1 };
	collect_statement(c, "vc_runtime", version, version, key);
}

void collect_windows_settings(struct collect *c)
{
	add_path_length(c);
	add_gpu_timeout(c);
	add_vc_runtime(c);
}

/* ---- releases of the HIP SDK ---- */

void collect_windows_rocm(struct collect *c)
{
	static const char dir[] = "/C:/Program Files/AMD/ROCm";
	struct root_names names;
	int r = root_list(c->root, dir, &names);

	if (r < 0) {
		facts_gap(c->facts, "rocm_install", "", r, dir);
		return;
	}
	for (size_t i = 0; i < names.count; i++) {
		struct row row = row_of("rocm_install");

		if (names.names[i][0] < '0' || names.names[i][0] > '9')
			continue;
		row_string(&row, "prefix",
			   arena_format(&c->arena, "%s/%s", dir + 1, names.names[i]));
		row_string(&row, "version", names.names[i]);
		row_string(&row, "kind", "hip-sdk");
		row_string(&row, "source", dir);
		facts_add(c->facts, &row);
		collect_install(
			c, "hip-sdk", arena_format(&c->arena, "%s/%s", dir + 1, names.names[i]),
			arena_format(&c->arena, "%s/%s/bin", dir + 1, names.names[i]), NULL);
	}
}
