#include "facts/collect.h"

#include <stdio.h>
#include <string.h>

#include "door/standing.h"
#include "parse/ras.h"

/* One file of a directory of a GPU. */
struct item {
	struct collect *c;
	const struct collect_gpu *g;
	const char *path;
	struct span name; /* of the file, without the ending that was asked for */
};

/* Call for each file of g->dir/below that ends in `ending`; a gap if there is no such directory. */
static void each_file(struct collect *c, const struct collect_gpu *g, const char *below,
		      const char *ending, const char *table, void (*add)(const struct item *item))
{
	const char *dir = arena_format(&c->arena, "%s/%s", g->dir, below);
	struct root_names names = { NULL, 0 };
	int r = root_list(c->root, dir, &names);

	if (r < 0)
		facts_gap(c->facts, table, g->address, r, dir);
	for (size_t i = 0; i < names.count; i++) {
		struct item item = { .c = c, .g = g, .name = span_of(names.names[i]) };

		if (!span_ends(item.name, ending) || strchr(names.names[i], '/'))
			continue;
		item.path = arena_format(&c->arena, "%s/%s", dir, names.names[i]);
		item.name.len -= strlen(ending);
		add(&item);
	}
}

static struct row row_for(const struct item *item, const char *table, const char *column)
{
	struct row row = row_of(table);

	row_string(&row, "address", item->g->address);
	row_text(&row, column, item->name);
	row_string(&row, "source", item->path);
	return row;
}

static bool is_expected(const struct item *item)
{
	return collect_is_expected(item->c, arena_format(&item->c->arena, "firmware.%.*s",
							 (int)item->name.len, item->name.data));
}

/* "0x0000001b"; firmware that is not loaded has no file. */
static void add_firmware(const struct item *item)
{
	struct row row = row_for(item, "firmware", "name");
	struct span version;

	if (item->c->hardware && !is_expected(item))
		return;
	if (!collect_read(item->c, "firmware", item->g->address, &version, "%s", item->path))
		return;
	if (version.len == 0) {
		facts_gap(item->c->facts, "firmware", item->g->address, -ENODATA, item->path);
		return;
	}
	row_text(&row, "version", version);
	facts_add(item->c->facts, &row);
}

/* During a reset a counter says "Query currently inaccessible". */
static void add_ras(const struct item *item)
{
	struct row row = row_for(item, "ras", "block");
	struct ras_counts counts;
	struct span text;

	if (!collect_read(item->c, "ras", item->g->address, &text, "%s", item->path))
		return;
	if (!ras_counts_parse(text, &counts)) {
		bool busy = span_starts(text, "Query currently inaccessible");

		facts_gap(item->c->facts, "ras", item->g->address, busy ? -EBUSY : -EBADMSG,
			  item->path);
		return;
	}
	row_u64(&row, "correctable", counts.correctable);
	row_u64(&row, "uncorrectable", counts.uncorrectable);
	if (counts.has_deferred)
		row_u64(&row, "deferred", counts.deferred);
	facts_add(item->c->facts, &row);
}

/* ---- sensors ---- */

/* Temperatures are thousandths of a degree, powers millionths of a watt. */
struct sensor {
	const char *file;     /* the reading */
	const char *fallback; /* another file for it: some chips have an average, some a moment */
	const char *label;    /* the file with its name, or NULL */
	const char *name;     /* its name without a label */
	const char *critical; /* the file with its limit, or NULL */
	const char *unit;
	double scale;
};

static const struct sensor sensors[] = {
	{ "temp1_input", NULL, "temp1_label", "temp1", "temp1_crit", "C", 1e3 },
	{ "temp2_input", NULL, "temp2_label", "temp2", "temp2_crit", "C", 1e3 },
	{ "temp3_input", NULL, "temp3_label", "temp3", "temp3_crit", "C", 1e3 },
	{ "power1_average", "power1_input", NULL, "power", NULL, "W", 1e6 },
	{ "power1_cap", NULL, NULL, "power_cap", NULL, "W", 1e6 },
	{ "power1_cap_default", NULL, NULL, "power_cap_default", NULL, "W", 1e6 },
};

struct monitor {
	struct collect *c;
	const struct collect_gpu *g;
	const char *dir;
	struct root_names files;
};

static const char *find_file(const struct monitor *m, const char *name)
{
	for (size_t i = 0; name && i < m->files.count; i++)
		if (strcmp(m->files.names[i], name) == 0)
			return arena_format(&m->c->arena, "%s/%s", m->dir, name);
	return NULL;
}

static bool read_number(const struct monitor *m, const char *topic, const char *path, double scale,
			double *ret)
{
	struct span text;
	int64_t number;

	if (!collect_read(m->c, topic, m->g->address, &text, "%s", path))
		return false;
	if (!span_i64(text, &number)) { /* power1_cap is an empty line where the SMU does not say */
		facts_gap(m->c->facts, topic, m->g->address, text.len ? -EBADMSG : -ENODATA, path);
		return false;
	}
	*ret = (double)number / scale;
	return true;
}

static void add_sensor(const struct monitor *m, const struct sensor *s)
{
	struct row row = row_of("sensor");
	const char *path = find_file(m, s->file);
	const char *limit = find_file(m, s->critical), *label = find_file(m, s->label);
	struct span name = { "", 0 };
	double value;

	if (!path)
		path = find_file(m, s->fallback);
	if (!path || !read_number(m, "sensor", path, s->scale, &value))
		return;
	row_string(&row, "address", m->g->address);
	/* edge, junction, mem; the kernel gives labels since 5.3. */
	if (label && root_read(m->c->root, label, &name) < 0)
		name.len = 0;
	name = span_trim(name);
	row_text(&row, "name", name.len > 0 ? name : span_of(s->name));
	row_real(&row, "value", value);
	row_string(&row, "unit", s->unit);
	row_string(&row, "source", path);
	if (limit && read_number(m, "sensor.critical", limit, s->scale, &value))
		row_real(&row, "critical", value);
	facts_add(m->c->facts, &row);
}

static void add_sensors(struct collect *c, const struct collect_gpu *g)
{
	struct monitor m = { .c = c, .g = g };
	const char *dir = arena_format(&c->arena, "%s/hwmon", g->dir);
	struct root_names monitors = { NULL, 0 };
	int r = root_list(c->root, dir, &monitors);

	if (r == 0 && monitors.count == 0)
		r = -ENOENT;
	if (r == 0 && strchr(monitors.names[0], '/'))
		r = -EBADMSG;
	if (r == 0) {
		dir = arena_format(&c->arena, "%s/%s", dir, monitors.names[0]);
		r = root_list(c->root, dir, &m.files);
	}
	m.dir = dir;
	if (r < 0)
		facts_gap(c->facts, "sensor", g->address, r, dir);
	for (size_t i = 0; r == 0 && i < sizeof(sensors) / sizeof(sensors[0]); i++)
		add_sensor(&m, &sensors[i]);
}

void collect_firmware(struct collect *c)
{
	for (size_t i = 0; i < c->gpu_count; i++)
		each_file(c, &c->gpus[i], "fw_version", "_fw_version", "firmware", add_firmware);
}

void collect_ras(struct collect *c)
{
	for (size_t i = 0; i < c->gpu_count; i++)
		each_file(c, &c->gpus[i], "ras", "_err_count", "ras", add_ras);
}

void collect_sensors(struct collect *c)
{
	for (size_t i = 0; i < c->gpu_count; i++)
		add_sensors(c, &c->gpus[i]);
}
