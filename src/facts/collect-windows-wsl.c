/*
 * WSL as Windows has it registered: the service, the package, and the
 * distributions of the judged user. What runs inside of one is no fact here: a
 * rocsteady for Linux tells it there.
 *
 * The keys are those of WSL's own source: DistributionRegistration.h,
 * package.wix.in, and IsVirtualMachinePlatformInstalled() of wslutil.cpp.
 */

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "facts/registry.h"

#define DISTRIBUTIONS REGISTRY "/HKCU/Software/Microsoft/Windows/CurrentVersion/Lxss"
#define PACKAGE       REGISTRY "/HKLM/SOFTWARE/Microsoft/Windows/CurrentVersion/Lxss/MSI"

#define DISTRIBUTIONS_MAX 64
#define IS_DISABLED       4 /* Start: nobody may start the service */
#define IS_INSTALLED      1 /* State of a distribution; others are on their way in or out */
#define VERSION_UNSAID    2 /* what WSL takes where Version is absent */

/* 1: a service of the name is registered, 0: none is; else the error. */
static int has_service(struct collect *c, const char *name, uint64_t *ret_start)
{
	const char *key = arena_format(&c->arena, REGISTRY_DRIVERS "/%s", name);
	int r = registry_number(c, key, "Start", ret_start);

	return r == -ENOENT ? 0 : r < 0 ? r : 1;
}

/* The package brings WSLService; LxssManager is that of the WSL which is a part of Windows. */
static int add_service(struct collect *c, struct row *r)
{
	static const char *const names[] = { "WSLService", "LxssManager" };
	uint64_t start;

	for (size_t i = 0; i < COUNT(names); i++) {
		int there = has_service(c, names[i], &start);

		if (there < 0)
			facts_gap(c->facts, "wsl_host", names[i], there, REGISTRY_DRIVERS);
		if (there == 0)
			continue;
		if (there == 1) {
			row_string(r, "service", names[i]);
			row_int(r, "disabled", start == IS_DISABLED);
		}
		return there;
	}
	return 0;
}

static void add_host(struct collect *c)
{
	struct row r = row_of("wsl_host");
	struct span version;
	uint64_t start;
	int machines;

	if (add_service(c, &r) != 1)
		return;
	if (registry_text(c, PACKAGE, "Version", &version) == 0 && version.len > 0)
		row_text(&r, "version", version);
	machines = has_service(c, "vmcompute", &start);
	if (machines >= 0)
		row_int(&r, "virtual_machines", machines);
	else
		facts_gap(c->facts, "wsl_host.virtual_machines", "", machines,
			  REGISTRY_DRIVERS "/vmcompute");
	row_string(&r, "source", REGISTRY_DRIVERS);
	facts_add(c->facts, &r);
}

/* ---- distributions ---- */

static void add_text(struct collect *c, struct row *r, const char *key, const char *value,
		     const char *column)
{
	struct span text;

	if (registry_text(c, key, value, &text) == 0 && text.len > 0)
		row_text(r, column, text);
}

/* A name is the user's own word, and so is not asked: WSL keeps the system in it since 2.4. */
static void add_distribution(struct collect *c, const char *id, struct span default_id)
{
	const char *key = arena_format(&c->arena, DISTRIBUTIONS "/%s", id);
	struct row r = row_of("wsl_distribution");
	uint64_t version = VERSION_UNSAID, state;
	int error = registry_number(c, key, "State", &state);

	if (error == -ENOENT || (error == 0 && state != IS_INSTALLED))
		return; /* WSL does not start it */
	if (error == 0)
		error = registry_number(c, key, "Version", &version);
	if (error < 0 && error != -ENOENT) {
		facts_gap(c->facts, "wsl_distribution", id, error, key);
		return;
	}
	row_u64(&r, "wsl_version", version);
	row_int(&r, "is_default", span_same(span_of(id), default_id));
	add_text(c, &r, key, "Flavor", "flavor");
	add_text(c, &r, key, "OsVersion", "os_version");
	row_string(&r, "source", key);
	facts_add(c->facts, &r);
}

static void add_distributions(struct collect *c)
{
	struct span default_id = { NULL, 0 };
	struct root_names names;
	int r = root_list(c->root, DISTRIBUTIONS, &names);

	if (r == -ENOENT)
		return; /* nobody has ever registered one */
	if (r == 0)
		r = registry_text(c, DISTRIBUTIONS, "DefaultDistribution", &default_id);
	if (r == -ENOENT)
		r = 0; /* none is the default */
	if (r < 0)
		facts_gap(c->facts, "wsl_distribution", "", r, DISTRIBUTIONS);
	for (size_t i = 0, n = 0; r == 0 && i < names.count; i++) {
		if (names.names[i][0] != '{')
			continue; /* DiskMounts, AppxInstallerCache */
		if (n++ == DISTRIBUTIONS_MAX) {
			facts_gap_said(c->facts, "wsl_distribution", "", "unasked",
				       "more distributions than rocsteady looks at", DISTRIBUTIONS);
			return;
		}
		add_distribution(c, names.names[i], default_id);
	}
}

void collect_windows_wsl(struct collect *c)
{
	add_host(c);
	add_distributions(c);
}
