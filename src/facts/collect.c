#include "facts/collect.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "door/standing.h"
#include "facts/registry.h"
#include "facts/select.h"
#include "parse/pci.h"

#define ALWAYS ""
#define NEVER  NULL

/*
 * A collector's tables count as asked once it has run; what it could not learn
 * it has said in gaps of its own.
 */
static const struct collector {
	void (*collect)(struct collect *c); /* NULL: this system has nothing of it */
	const char *gives;                  /* blank-separated */
	/*
	 * For the gate, which asks the kernel alone, and that little: ALWAYS, NEVER, or only
	 * where one of these names is expected.
	 */
	const char *hardware;
} collectors[] = {
	{ collect_run, "run", ALWAYS },
	{ collect_host, "host kernel_arg", ALWAYS },
	{ collect_expected, "expected", ALWAYS },
	{ collect_identity, "identity identity_group known_group", NEVER },
	{ collect_container, "container", NEVER },
	{ collect_driver, "driver module_parameter module_rule", "driver" },
	{ collect_kfd, "agent agent_link", ALWAYS },
	{ collect_gpus, "gpu other_gpu", ALWAYS },
	{ collect_pcie, "pcie", "pcie_width pcie_gts" },
	{ collect_nics, "nic rdma_port", ALWAYS },
	{ collect_pcie_errors, "pcie_error pcie_path", ALWAYS },
	{ collect_memory_errors, "memory_controller", ALWAYS },
	{ collect_firmware, "firmware", "firmware.*" },
	{ collect_ras, "ras", ALWAYS },
	{ collect_sensors, "sensor", NEVER },
	{ collect_nodes, "device_node", NEVER },
	{ collect_env, "env env_setter", NEVER },
	{ collect_services, "service", NEVER },
	{ collect_limits, "resource_limit", NEVER },
	{ collect_vram, "vram_owner", NEVER },
	{ collect_kernel_log, "kernel_log", ALWAYS },
	{ collect_rocm, "rocm_install", NEVER },
	{ collect_headers, "cxx_headers", NEVER },
	{ collect_environments, "", NEVER },
	{ collect_frameworks, "environment framework package", NEVER },
	{ collect_loads, "load", NEVER },
	{ collect_libraries, "library target_set kernel_dir", NEVER },
	{ NULL, "wsl_host wsl_distribution", ALWAYS },
	{ collect_probe, "", ALWAYS }, /* tells by itself whether there was a walk; asks nothing */
};

/* The collectors of Windows. Bus errors, sensors and the log cannot be read there: gaps. */
static const struct collector windows_collectors[] = {
	{ collect_run, "run", ALWAYS },
	{ collect_windows_host, "host resource_limit", ALWAYS },
	{ collect_expected, "expected", ALWAYS },
	{ collect_windows_identity, "identity", NEVER },
	{ NULL,
	  "kernel_arg module_parameter module_rule identity_group known_group container agent_link "
	  "device_node cxx_headers",
	  ALWAYS },
	{ collect_windows_unasked,
	  "pcie pcie_path pcie_error nic rdma_port memory_controller firmware ras sensor service "
	  "vram_owner kernel_log",
	  ALWAYS },
	{ collect_windows_gpus, "gpu other_gpu agent", ALWAYS },
	{ collect_windows_driver, "driver", ALWAYS },
	{ collect_windows_env, "env env_setter", NEVER },
	{ collect_windows_settings, "", NEVER },
	{ collect_windows_rocm, "rocm_install", NEVER },
	{ collect_windows_wsl, "wsl_host wsl_distribution", NEVER },
	{ collect_environments, "", NEVER },
	{ collect_frameworks, "environment framework package", NEVER },
	{ collect_loads, "load", NEVER },
	{ collect_libraries, "library target_set kernel_dir", NEVER },
	{ collect_probe, "", ALWAYS },
};

static void mark_asked(struct facts *facts, const char *tables)
{
	struct span rest = span_of(tables);
	struct span word;
	char name[64];

	while (span_word(&rest, &word)) {
		snprintf(name, sizeof(name), "%.*s", (int)word.len, word.data);
		facts_asked(facts, name);
	}
}

static bool is_asked(const struct collect *c, const char *hardware)
{
	return !c->hardware || (hardware && (!hardware[0] || collect_is_expected(c, hardware)));
}

static void run_collectors(struct collect *c, const struct collector *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_asked(c, list[i].hardware))
			continue;
		if (list[i].collect)
			list[i].collect(c);
		mark_asked(c->facts, list[i].gives);
	}
}

static void collect_some(struct root *root, struct facts *facts, bool hardware)
{
	struct collect *c = memory_new(1, sizeof(*c));

	c->root = root;
	c->facts = facts;
	c->hardware = hardware;
	c->windows = registry_is_there(root);
	if (c->windows)
		run_collectors(c, windows_collectors, COUNT(windows_collectors));
	else
		run_collectors(c, collectors, COUNT(collectors));
	mark_asked(facts,
		   "statement setting event event_value"); /* a machine says nothing of itself */
	facts_end(facts);
	arena_done(&c->arena);
	free(c);
}

void collect_all(struct root *root, struct facts *facts)
{
	collect_some(root, facts, false);
}

void collect_questions(struct root *root)
{
	collect_all(root, NULL);
}

void collect_hardware(struct root *root, struct facts *facts)
{
	collect_some(root, facts, true);
}

void collect_hardware_questions(struct root *root)
{
	collect_hardware(root, NULL);
}

/* ---- again ---- */

/* The first says only whose numbers of processes are meant. */
static void collect_passing(struct root *root, struct facts *facts)
{
	struct collect *c = memory_new(1, sizeof(*c));

	c->root = root;
	collect_container(c);
	c->facts = facts;
	collect_kfd(c);
	collect_gpus(c);
	collect_vram(c);
	arena_done(&c->arena);
	free(c);
}

void collect_again_questions(struct root *root)
{
	collect_passing(root, NULL);
}

#define PASSING  "('agent', 'agent_link', 'gpu', 'other_gpu', 'vram_owner')"
#define ITS_GAPS " FROM main.gap WHERE substr(topic, 1, instr(topic || '.', '.') - 1) IN " PASSING

bool collect_again(struct root *root, struct facts *facts)
{
	sqlite3 *db = facts_db(facts);
	sqlite3_stmt *stuck;
	bool whole;

	if (!select_exec(db, "SAVEPOINT again; DELETE FROM main.agent; DELETE FROM main.agent_link;"
			     "DELETE FROM main.gpu; DELETE FROM main.other_gpu;"
			     "DELETE FROM main.vram_owner; DELETE" ITS_GAPS))
		return false;
	collect_passing(root, facts);
	stuck = select_from(db,
			    "SELECT 1 FROM (SELECT standing" ITS_GAPS ") WHERE standing = 'stuck'");
	whole = !select_next(stuck) && !select_error();
	sqlite3_finalize(stuck);
	select_exec(db, whole ? "RELEASE again" : "ROLLBACK TO again; RELEASE again");
	return whole;
}

bool collect_read(struct collect *c, const char *topic, const char *subject, struct span *ret,
		  const char *format, ...)
{
	char path[1024];
	va_list args;
	int r;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	r = root_read(c->root, path, ret);
	if (r < 0) {
		facts_gap(c->facts, topic, subject, r, path);
		return false;
	}
	*ret = span_trim(*ret);
	return true;
}

static bool row_hex(struct collect *c, struct row *r, const char *column, struct span value,
		    int digits)
{
	uint64_t number;

	if (!span_hex(value, &number))
		return false;
	row_string(r, column,
		   arena_format(&c->arena, "%0*llx", digits, (unsigned long long)number));
	return true;
}

static bool row_number(struct row *r, const char *column, struct span value)
{
	int64_t number;
	uint64_t large;

	if (span_i64(value, &number)) {
		row_int(r, column, number);
		return true;
	}
	return span_u64(value, &large); /* too large for a column: no value, no fault */
}

static bool row_id(struct collect *c, struct row *r, const char *column, struct span value)
{
	uint64_t id;

	if (!span_hex(value, &id))
		return false;
	if (id != 0)
		row_string(r, column, arena_format(&c->arena, "%016llx", (unsigned long long)id));
	return true;
}

static bool row_speed(struct row *r, const char *column, struct span value)
{
	uint32_t tenths;

	if (!pci_link_speed(value, &tenths))
		return false;
	row_real(r, column, tenths / 10.0);
	return true;
}

static bool row_value(struct collect *c, struct row *r, const char *column, struct span value,
		      enum collect_form form)
{
	switch (form) {
	case FORM_TEXT:
		if (value.len > 0)
			row_text(r, column, value);
		return true;
	case FORM_U64:
	case FORM_I64:
		return row_number(r, column, value);
	case FORM_HEX2:
		return row_hex(c, r, column, value, 2);
	case FORM_HEX4:
		return row_hex(c, r, column, value, 4);
	case FORM_HEX6:
		return row_hex(c, r, column, value, 6);
	case FORM_ID64:
		return row_id(c, r, column, value);
	case FORM_SPEED:
		return row_speed(r, column, value);
	}
	return false;
}

bool collect_value(struct collect *c, struct row *r, const char *subject, struct span value,
		   const struct collect_file *file, const char *source)
{
	char topic[96];

	if (row_value(c, r, file->column, value, file->form))
		return true;
	snprintf(topic, sizeof(topic), "%s.%s", r->table, file->column);
	facts_gap_said(c->facts, topic, subject, "broken",
		       arena_format(&c->arena, "not a value: %.*s",
				    (int)(value.len < 60 ? value.len : 60),
				    value.data ? value.data : ""),
		       source);
	return false;
}

void collect_files(struct collect *c, struct row *r, const char *subject, const char *dir,
		   const struct collect_file *files, size_t count)
{
	struct span value;
	char topic[96];

	for (size_t i = 0; i < count; i++) {
		const char *path = arena_format(&c->arena, "%s/%s", dir, files[i].file);

		snprintf(topic, sizeof(topic), "%s.%s", r->table, files[i].column);
		if (collect_read(c, topic, subject, &value, "%s", path))
			collect_value(c, r, subject, value, &files[i], path);
	}
}

struct collect_gpu *collect_find_gpu(struct collect *c, const char *address)
{
	for (size_t i = 0; address && i < c->gpu_count; i++)
		if (strcmp(c->gpus[i].address, address) == 0)
			return &c->gpus[i];
	return NULL;
}
