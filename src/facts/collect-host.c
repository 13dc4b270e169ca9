#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "facts/collect.h"
#include "parse/cmdline.h"
#include "parse/colon.h"
#include "parse/keyeq.h"

static void add_distribution(struct collect *c, struct row *r)
{
	static const struct {
		const char *key;
		const char *column;
	} keys[] = {
		{ "ID", "distribution" },
		{ "VERSION_ID", "distribution_version" },
		{ "PRETTY_NAME", "distribution_name" },
	};
	struct span text;
	struct span value;
	int error = root_read(c->root, "/etc/os-release", &text);

	if (error < 0)
		error = root_read(c->root, "/usr/lib/os-release", &text);
	if (error < 0) {
		facts_gap(c->facts, "host.distribution", "", error, "/etc/os-release");
		return;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keyeq_find(text, keys[i].key, &value) && value.len > 0)
			row_text(r, keys[i].column, value);
}

/* The flags line names the hypervisor bit of CPUID, set in every guest. */
static void add_cpu(struct collect *c, struct row *r)
{
	struct span text;
	struct span value;

	if (!collect_read(c, "host.cpu", "", &text, "/proc/cpuinfo"))
		return;
	if (colon_find(text, "model name", &value))
		row_text(r, "cpu", value);
	if (colon_find(text, "vendor_id", &value))
		row_text(r, "cpu_vendor", value);
	if (colon_find(text, "flags", &value))
		row_int(r, "hypervisor", span_find(value, SPAN_LITERAL(" hypervisor")) != SIZE_MAX);
	else
		facts_gap_said(c->facts, "host.hypervisor", "", "unasked",
			       "no flags line in what was read", "/proc/cpuinfo");
}

/* "0-3,8-11" */
static bool count_ranges(struct span text, uint64_t *ret)
{
	struct span part;
	uint64_t count = 0;

	while (span_cut(&text, ',', &part)) {
		struct span first;
		uint64_t from, to;

		if (!span_cut(&part, '-', &first) || !span_u64(first, &from))
			return false;
		to = from;
		if (part.len > 0 && !span_u64(part, &to))
			return false;
		if (to < from || to > 1u << 20)
			return false;
		count += to - from + 1;
	}
	*ret = count;
	return count > 0;
}

static void add_count(struct collect *c, struct row *r, const char *column, const char *path)
{
	struct span text;
	uint64_t count;
	char topic[64];

	snprintf(topic, sizeof(topic), "host.%s", column);
	if (collect_read(c, topic, "", &text, "%s", path) && count_ranges(text, &count))
		row_u64(r, column, count);
}

static void add_memory(struct collect *c, struct row *r)
{
	static const struct {
		const char *key;
		const char *column;
	} keys[] = {
		{ "MemTotal", "memory_total_bytes" },
		{ "MemAvailable", "memory_available_bytes" },
		{ "SwapTotal", "swap_total_bytes" },
		{ "SwapFree", "swap_free_bytes" },
	};
	struct span text;
	uint64_t bytes;

	if (!collect_read(c, "host.memory_total_bytes", "", &text, "/proc/meminfo"))
		return;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (colon_find_bytes(text, keys[i].key, &bytes))
			row_u64(r, keys[i].column, bytes);
}

/*
 * Counts the names in a directory. One that is not there may mean that there are
 * none; a kernel without a PCI bus, or a container without /sys, was not read.
 */
static void add_names(struct collect *c, struct row *r, const char *column, const char *dir,
		      bool absent_is_none)
{
	struct root_names names;
	int error = root_list(c->root, dir, &names);
	char topic[64];

	snprintf(topic, sizeof(topic), "host.%s", column);
	if (error == 0)
		row_u64(r, column, names.count);
	else if (error == -ENOENT && absent_is_none)
		row_int(r, column, 0);
	else
		facts_gap(c->facts, topic, "", error, dir);
}

static void add_command_line(struct collect *c)
{
	struct cmdline_param param;
	struct span text;

	if (!collect_read(c, "kernel_arg", "", &text, "/proc/cmdline"))
		return;
	for (int64_t i = 0; i < 512 && cmdline_next(&text, &param); i++) {
		struct row r = row_of("kernel_arg");

		row_int(&r, "position", i);
		row_text(&r, "name", param.name);
		if (param.has_value)
			row_text(&r, "value", param.value);
		row_string(&r, "source", "/proc/cmdline");
		facts_add(c->facts, &r);
	}
}

void collect_host(struct collect *c)
{
	static const struct collect_file kernel[] = {
		{ "osrelease", "kernel", FORM_TEXT },
		{ "numa_balancing", "numa_balancing", FORM_U64 },
	};
	static const struct collect_file dmi[] = {
		{ "sys_vendor", "vendor", FORM_TEXT },
		{ "product_name", "product", FORM_TEXT },
		{ "board_name", "board", FORM_TEXT },
		{ "bios_version", "bios_version", FORM_TEXT },
		{ "bios_date", "bios_date", FORM_TEXT },
	};
	struct row r = row_of("host");
	struct span machine;
	int error = root_ask(c->root, "machine", &machine);

	if (error == 0)
		row_text(&r, "architecture", span_trim(machine));
	else
		facts_gap(c->facts, "host.architecture", "", error, "machine");
	collect_files(c, &r, "", "/proc/sys/kernel", kernel, 2);
	collect_files(c, &r, "", "/sys/class/dmi/id", dmi, 5);
	add_distribution(c, &r);
	add_cpu(c, &r);
	add_count(c, &r, "cpus", "/sys/devices/system/cpu/online");
	add_count(c, &r, "numa_nodes", "/sys/devices/system/node/online");
	add_memory(c, &r);
	add_names(c, &r, "iommu_units", "/sys/class/iommu", true);
	add_names(c, &r, "pci_functions", "/sys/bus/pci/devices", false);
	row_string(&r, "source", "/proc, /sys, /etc/os-release");
	facts_add(c->facts, &r);
	add_command_line(c);
}
