#include "report/targets.h"

#include <string.h>

#include "report/sarif.h"

/* Rules: what they are called, and what they say. Names for life. */
enum rule { LACKS, PARTLY, FALLBACK, UNKNOWN, UNREAD, NOTHING, RULES };

static const struct {
	const char *id, *says, *more, *level;
} rules[RULES] = {
	[LACKS] = { "target-not-covered", "There is no code for a required GPU.",
		    "A program fails there with \"no kernel image is available\" or \"invalid device function\".",
		    "error" },
	[PARTLY] = { "target-partly-covered", "Some bundles have no code for a required GPU.",
		     "Each bundle is a source file; its kernels fail where they are used first.",
		     "error" },
	[FALLBACK] = { "target-fallback-only", "A required GPU has fallback kernels only.",
		       "It works, and is slow: no kernel was tuned for this GPU.", "warning" },
	[UNKNOWN] = { "target-not-known", "Whether a required GPU is covered could not be decided.",
		      "Something in the file could not be read.", "warning" },
	[UNREAD] = { "file-not-read", "A file could not be read.", "What it holds is not known.",
		     "warning" },
	[NOTHING] = { "no-device-code", "There is no device code.", "No GPU is covered.", "note" },
};

static const int rule_of[COVER_VERDICTS] = {
	[COVER_ALL] = -1,          [COVER_FALLBACK] = FALLBACK, [COVER_SLOWER] = -1,
	[COVER_UNKNOWN] = UNKNOWN, [COVER_PART] = PARTLY,       [COVER_NONE] = LACKS,
};

static void write_tool(struct json *j)
{
	sarif_open_rules(j);
	for (int i = 0; i < RULES; i++)
		sarif_rule(j, rules[i].id, rules[i].says, rules[i].more, rules[i].level);
	sarif_close_rules(j);
}

/* ---- results ---- */

/* The same finding in the next run has the same print: rule, file within its container, target. */
static void write_print(struct json *j, enum rule rule, const char *name, const char *target)
{
	struct buf words BUF_SCOPED = { 0 };

	buf_addf(&words, "%s %s %s", rules[rule].id, name, target);
	sarif_print(j, "rocsteadyTarget/v1", words.data);
}

static void open_result(struct json *j, enum rule rule, const char *kind, const char *says)
{
	json_open(j, NULL, '{');
	json_string(j, "ruleId", rules[rule].id);
	json_int(j, "ruleIndex", rule);
	json_string(j, "level", strcmp(kind, "fail") == 0 ? rules[rule].level : "none");
	json_string(j, "kind", kind);
	sarif_message(j, "message", says);
}

/* SARIF allows a level other than "none" only for what fails: an open question has none. */
static void write_cell(struct json *j, const struct targets *t, const struct targets_row *row,
		       size_t i)
{
	const struct cover_cell *cell = &row->cells[i];
	const char *device = t->devices[i].id;
	int rule = rule_of[cell->cover];
	struct buf says BUF_SCOPED = { 0 };

	if (rule < 0)
		return;
	if (rule == PARTLY)
		buf_addf(&says, "%s has code for %s in %u of %u %s.", row->label, device, cell->in,
			 cell->of, row->code ? "bundles" : "files");
	else if (rule == FALLBACK)
		buf_addf(&says, "%s has only fallback kernels for %s.", row->label, device);
	else if (rule == UNKNOWN)
		buf_addf(&says, "Whether %s has code for %s is not known.", row->label, device);
	else
		buf_addf(&says, "%s has no code for %s.", row->label, device);
	if (row->code && rule == UNKNOWN && row->code->problem_count > 0)
		buf_addf(&says, " %s", row->code->problems[0]);
	open_result(j, (enum rule)rule, rule == UNKNOWN ? "open" : "fail", says.data);
	sarif_location(j, row->container ? row->container : row->path, row->member);
	write_print(j, (enum rule)rule, row->member ? row->member : row->path, device);
	json_close(j, '}');
}

static void write_notes(struct json *j, enum rule rule, const char *kind,
			const struct targets_note *notes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct buf says BUF_SCOPED = { 0 };

		buf_addf(&says, "%s: %s.", notes[i].path, notes[i].says);
		open_result(j, rule, kind, says.data);
		sarif_location(j, notes[i].path, NULL);
		write_print(j, rule, notes[i].path, "");
		json_close(j, '}');
	}
}

static void write_results(struct json *j, const struct targets *t)
{
	json_open(j, "results", '[');
	for (size_t i = 0; t->required && i < t->row_count; i++)
		for (size_t k = 0; t->rows[i].judged && k < t->device_count; k++)
			write_cell(j, t, &t->rows[i], k);
	write_notes(j, UNREAD, "open", t->unread, t->unread_count);
	write_notes(j, NOTHING, t->required ? "fail" : "informational", t->nothing,
		    t->nothing_count);
	json_close(j, ']');
}

void targets_sarif(const struct targets *t, struct buf *ret)
{
	struct json j = json_on(ret);

	sarif_begin(&j);
	write_tool(&j);
	sarif_invocation(&j, targets_exit_status(t));
	write_results(&j, t);
	sarif_end(&j);
}
