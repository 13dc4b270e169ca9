#include "code/runs.h"

#include <assert.h>
#include <stdio.h>

#include "parse/gfx.h"
#include "parse/target-id.h"

#define ROWS_MAX     256
#define FIELDS       6
#define PARTS_MAX    6          /* numbers of a version that are compared */
#define VERSION_UNIT 1000       /* 6.4 is 6004 */
#define PART_MAX     1000000000 /* larger numbers are equal */

enum kind { ISA, FEATURE, GENERIC, FAMILY, FORM, KINDS };

static const char *const kinds[KINDS] = {
	[ISA] = "isa",       [FEATURE] = "feature", [GENERIC] = "generic",
	[FAMILY] = "family", [FORM] = "form",
};

struct loader_row {
	enum kind kind;
	struct span name, of, value, says;
	unsigned int since; /* of value; 0: always */
};

/* Read once from the text the program carries. */
static struct {
	bool read;
	struct loader_row rows[ROWS_MAX];
	size_t count;
	struct span fault; /* the first line that is no row */
	char said[160];
} table;

static const char *const features[] = { "sramecc", "xnack" };

#define FEATURES 2

/* ---- versions ---- */

/* The next number of a version, 0 past its end. */
static uint64_t next_part(struct span *s)
{
	uint64_t value = 0;

	while (s->len > 0 && s->data[0] >= '0' && s->data[0] <= '9') {
		if (value < PART_MAX)
			value = value * 10 + (uint64_t)(s->data[0] - '0');
		s->data++;
		s->len--;
	}
	if (s->len > 1 && s->data[0] == '.' && s->data[1] >= '0' && s->data[1] <= '9') {
		s->data++;
		s->len--;
	} else {
		s->len = 0;
	}
	return value < PART_MAX ? value : PART_MAX;
}

static bool is_version(struct span s)
{
	return s.len > 0 && s.data[0] >= '0' && s.data[0] <= '9';
}

bool version_cmp(struct span a, struct span b, int *ret)
{
	int order = 0;

	if (!is_version(a) || !is_version(b))
		return false;
	for (int i = 0; i < PARTS_MAX && order == 0; i++) {
		uint64_t x = next_part(&a), y = next_part(&b);

		order = (x > y) - (x < y);
	}
	*ret = order;
	return true;
}

/* Major and minor in one number, which may be 0; -1 if it is none. */
static int line_of(struct span version)
{
	uint64_t major, minor;

	if (!is_version(version))
		return -1;
	major = next_part(&version);
	minor = next_part(&version);
	if (major >= VERSION_UNIT || minor >= VERSION_UNIT)
		return -1;
	return (int)(major * VERSION_UNIT + minor);
}

static bool is_older(struct span version, unsigned int since)
{
	int line = line_of(version);

	return line >= 0 && (unsigned int)line < since;
}

/* ---- the table ---- */

static bool parse_row(struct span line, struct loader_row *ret)
{
	struct span fields[FIELDS];
	enum kind kind = ISA;
	int since = 0;
	size_t n = 0;

	while (n < FIELDS && span_cut(&line, '\t', &fields[n]))
		n++;
	while (kind < KINDS && !span_is(fields[0], kinds[kind]))
		kind++;
	if (n < FIELDS || line.len > 0 || kind == KINDS || fields[FIELDS - 1].len == 0)
		return false;
	if (kind == ISA || kind == GENERIC || kind == FORM)
		since = line_of(fields[3]);
	*ret = (struct loader_row){ .kind = kind,
				    .name = fields[1],
				    .of = fields[2],
				    .value = fields[3],
				    .says = fields[4],
				    .since = (unsigned int)since };
	return since >= 0;
}

static void read_table(void)
{
	struct span rest = span_of(data_loader), line;

	while (span_line(&rest, &line)) {
		if (line.len == 0 || line.data[0] == '#')
			continue;
		if (table.count < ROWS_MAX && parse_row(line, &table.rows[table.count]))
			table.count++;
		else if (!table.fault.data)
			table.fault = line;
	}
	table.read = true;
}

/* The next row of a kind after `after`, which is NULL at first. */
static const struct loader_row *next_row(enum kind kind, const struct loader_row *after)
{
	const struct loader_row *row;

	if (!table.read)
		read_table();
	for (row = after ? after + 1 : table.rows; row < table.rows + table.count; row++)
		if (row->kind == kind)
			return row;
	return NULL;
}

/* The first row of a kind with this name, or with this name and this `of`. */
static const struct loader_row *find_row(enum kind kind, struct span name, struct span of)
{
	const struct loader_row *row = NULL;

	while ((row = next_row(kind, row)))
		if (span_same(row->name, name) && (!of.data || span_same(row->of, of)))
			return row;
	return NULL;
}

const char *runs_table_fault(void)
{
	(void)next_row(ISA, NULL);
	if (!table.fault.data)
		return NULL;
	snprintf(table.said, sizeof(table.said), "%.*s", (int)table.fault.len, table.fault.data);
	return table.said;
}

/* ---- target ids ---- */

static enum target_feature *feature_of(struct target_id *id, int feature)
{
	return feature == 0 ? &id->sramecc : &id->xnack;
}

static const struct loader_row *feature_row(struct span processor, int feature)
{
	return find_row(FEATURE, processor, span_of(features[feature]));
}

static bool features_fit(struct target_id *code, struct target_id *device)
{
	for (int f = 0; f < FEATURES; f++) {
		enum target_feature wanted = *feature_of(code, f);
		enum target_feature has = *feature_of(device, f);

		if (wanted == TARGET_ANY || wanted == has)
			continue;
		if (has != TARGET_ANY || !feature_row(device->processor, f))
			return false;
	}
	return true;
}

/* ---- the rule ---- */

static bool form_known(const char *form, struct span hip)
{
	const struct loader_row *row = find_row(FORM, span_of(form), SPAN_LITERAL("hip"));

	return !row || !is_older(hip, row->since);
}

static bool is_known(struct span processor, struct span hip)
{
	const struct loader_row *row = find_row(ISA, processor, (struct span){ 0 });

	return !row || !is_older(hip, row->since);
}

static bool is_covered(struct span code, struct span processor, struct span hip)
{
	const struct loader_row *row = find_row(GENERIC, code, processor);

	if (row)
		return !is_older(hip, row->since) && form_known("generic", hip);
	return find_row(FAMILY, code, processor) != NULL;
}

enum runs gfx_runs(struct span code, struct span device, struct span hip)
{
	struct target_id c, d;

	if (!target_id_parse(code, &c) || !target_id_parse(device, &d) ||
	    !span_starts(d.processor, "gfx") || !is_known(d.processor, hip))
		return RUNS_NOT;
	if (span_is(c.processor, "amdgcnspirv"))
		return form_known("spirv", hip) ? RUNS_SPIRV : RUNS_NOT;
	if (!features_fit(&c, &d))
		return RUNS_NOT;
	if (span_same(c.processor, d.processor))
		return RUNS_EXACT;
	return is_covered(c.processor, d.processor, hip) ? RUNS_GENERIC : RUNS_NOT;
}

const char *runs_name(enum runs r)
{
	static const char *const names[] = {
		[RUNS_NOT] = NULL,
		[RUNS_EXACT] = "exact",
		[RUNS_GENERIC] = "generic",
		[RUNS_SPIRV] = "spirv",
	};

	assert(r <= RUNS_SPIRV);
	return names[r];
}

bool runs_refusal(unsigned int ccob_version, unsigned int cov, struct span hip, struct span comgr,
		  char *ret, size_t size)
{
	const struct loader_row *row = NULL;
	char ccob_form[24], cov_form[24];

	snprintf(ccob_form, sizeof(ccob_form), "ccob%u", ccob_version);
	snprintf(cov_form, sizeof(cov_form), "cov%u", cov);
	while ((row = next_row(FORM, row))) {
		struct span runtime = span_is(row->of, "comgr") ? comgr : hip;

		if (!span_is(row->name, ccob_form) && !span_is(row->name, cov_form))
			continue;
		if (!is_older(runtime, row->since))
			continue;
		snprintf(ret, size, "%.*s", (int)row->says.len, row->says.data);
		return true;
	}
	return false;
}

/* ---- devices ---- */

static enum target_feature state_of(struct span processor, int feature, int state)
{
	const struct loader_row *row = feature_row(processor, feature);

	if (!row)
		return TARGET_ANY;
	if (state < 0)
		return span_is(row->value, "-") ? TARGET_OFF : TARGET_ANY;
	return state ? TARGET_ON : TARGET_OFF;
}

bool gfx_device(struct span processor, int sramecc, int xnack, char ret[static TARGET_ID_MAX])
{
	struct target_id id;

	if (!target_id_parse(processor, &id) || !span_starts(processor, "gfx"))
		return false;
	id.sramecc = state_of(id.processor, 0, sramecc);
	id.xnack = state_of(id.processor, 1, xnack);
	target_id_write(&id, ret);
	return true;
}

/*
 * 0.0.0 is how ROCR says that there is no override: the device stays itself.
 * Source: ROCR amd_gpu_agent.cpp, OverrideEngineId.Value.
 */
bool gfx_effective(struct span device, struct span override, char ret[static TARGET_ID_MAX])
{
	static const int states[] = { [TARGET_ANY] = -1, [TARGET_OFF] = 0, [TARGET_ON] = 1 };
	struct gfx_override version;
	char name[GFX_NAME_MAX];
	struct target_id id;

	if (!target_id_parse(device, &id) || !gfx_override_parse(override, &version))
		return false;
	if (version.major == 0 && version.minor == 0 && version.stepping == 0) {
		target_id_write(&id, ret);
		return true;
	}
	return gfx_override_name(&version, name) == 0 &&
	       gfx_device(span_of(name), states[id.sramecc], states[id.xnack], ret);
}
