#include "report/targets.h"

#include <string.h>

#include "base/json-write.h"
#include "base/sha256.h"
#include "report/targets-words.h"

/* Rules: what they are called, and what they say. Names for life. */
enum rule { LACKS, PARTLY, FALLBACK, UNKNOWN, UNREAD, NOTHING, LOST, RULES };

static const struct {
	const char *id, *says, *more, *level;
} rules[RULES] = {
	[LACKS] = { "target-not-covered", "No code for a required GPU.",
		    "A program fails there with \"no kernel image is available\" or \"invalid device function\".",
		    "error" },
	[PARTLY] = { "target-partly-covered", "Some bundles have no code for a required GPU.",
		     "Each bundle is a source file; its kernels fail where they are used first.",
		     "error" },
	[FALLBACK] = { "target-fallback-only", "A required GPU has fallback kernels only.",
		       "It works, and is slow: no kernel was tuned for this GPU.", "warning" },
	[UNKNOWN] = { "target-not-known", "Whether a required GPU is covered is unclear.",
		      "Something in the file could not be read.", "warning" },
	[UNREAD] = { "file-not-read", "A file could not be read.", "Its content is unknown.",
		     "warning" },
	[NOTHING] = { "no-device-code", "There is no device code.", "No GPU is covered.", "note" },
	[LOST] = { "target-lost", "Code that the last release had is gone.",
		   "Those who have this GPU cannot update.", "error" },
};

static const int rule_of[COVER_VERDICTS] = {
	[COVER_ALL] = -1,          [COVER_FALLBACK] = FALLBACK, [COVER_SLOWER] = -1,
	[COVER_UNKNOWN] = UNKNOWN, [COVER_PART] = PARTLY,       [COVER_NONE] = LACKS,
};

/* ---- the parts that every log has ---- */

static void begin_run(struct json *j)
{
	json_open(j, NULL, '{');
	json_string(
		j, "$schema",
		"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
	json_string(j, "version", "2.1.0");
	json_open(j, "runs", '[');
	json_open(j, NULL, '{');
}

static void end_run(struct json *j)
{
	json_close(j, '}');
	json_close(j, ']');
	json_close(j, '}');
}

/* [text](address) in a message is a link: between the two stands a space without width. */
static void write_message(struct json *j, const char *key, const char *text)
{
	struct buf plain BUF_SCOPED = { 0 };

	for (const char *p = text; *p; p++) {
		buf_char(&plain, *p);
		if (p[0] == ']' && p[1] == '(')
			buf_text(&plain, "\xe2\x80\x8b");
	}
	json_open(j, key, '{');
	json_text(j, "text", buf_get(&plain));
	json_close(j, '}');
}

static void write_invocation(struct json *j, int exit_status)
{
	json_open(j, "invocations", '[');
	json_open(j, NULL, '{');
	json_bool(j, "executionSuccessful", true);
	json_int(j, "exitCode", exit_status);
	json_close(j, '}');
	json_close(j, ']');
}

/* A path as a URI reference: relative ones stay relative, as CI wants them. */
static void add_uri(struct buf *ret, const char *path)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/+@=,";

	if (path[0] == '/')
		buf_text(ret, "file://");
	for (; *path; path++) {
		if (strchr(plain, *path))
			buf_char(ret, *path);
		else
			buf_addf(ret, "%%%02X", (unsigned char)*path);
	}
}

static void physical(struct json *j, const char *file)
{
	struct buf where BUF_SCOPED = { 0 };

	add_uri(&where, file);
	json_open(j, "physicalLocation", '{');
	json_open(j, "artifactLocation", '{');
	json_string(j, "uri", where.data ? where.data : "");
	json_close(j, '}');
	json_close(j, '}');
}

static void logical(struct json *j, const char *name)
{
	json_open(j, "logicalLocations", '[');
	json_open(j, NULL, '{');
	json_string(j, "fullyQualifiedName", name);
	json_string(j, "kind", "resource");
	json_close(j, '}');
	json_close(j, ']');
}

/* A file, and a name within it, or NULL. */
static void write_location(struct json *j, const char *file, const char *name)
{
	json_open(j, "locations", '[');
	json_open(j, NULL, '{');
	physical(j, file);
	if (name)
		logical(j, name);
	json_close(j, '}');
	json_close(j, ']');
}

static void write_tool(struct json *j)
{
	json_open(j, "tool", '{');
	json_open(j, "driver", '{');
	json_string(j, "name", "rocsteady");
	json_string(j, "version", ROCSTEADY_VERSION);
	json_open(j, "rules", '[');
	for (int i = 0; i < RULES; i++) {
		json_open(j, NULL, '{');
		json_string(j, "id", rules[i].id);
		write_message(j, "shortDescription", rules[i].says);
		write_message(j, "fullDescription", rules[i].more);
		json_open(j, "defaultConfiguration", '{');
		json_string(j, "level", rules[i].level);
		json_close(j, '}');
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
	json_close(j, '}');
}

/* ---- results ---- */

/* The same finding in the next run has the same print: rule, file within its container, target. */
static void write_print(struct json *j, enum rule rule, const char *name, const char *target)
{
	struct buf words BUF_SCOPED = { 0 };
	char hex[SHA256_HEX];
	struct sha256 sum;

	buf_addf(&words, "%s %s %s", rules[rule].id, name, target);
	sha256_init(&sum);
	sha256_add(&sum, buf_get(&words));
	sha256_end(&sum, hex);
	json_open(j, "partialFingerprints", '{');
	json_text(j, "rocsteadyTarget/v1", (struct span){ hex, 32 });
	json_close(j, '}');
}

static void open_result(struct json *j, enum rule rule, const char *kind, const char *says)
{
	json_open(j, NULL, '{');
	json_string(j, "ruleId", rules[rule].id);
	json_int(j, "ruleIndex", rule);
	json_string(j, "level", strcmp(kind, "fail") == 0 ? rules[rule].level : "none");
	json_string(j, "kind", kind);
	write_message(j, "message", says);
}

/* SARIF allows a level other than "none" only for what fails: an open question has none. */
static void write_cell(struct json *j, const struct targets *t, const struct targets_row *row,
		       size_t i)
{
	const struct cover_cell *cell = &row->cells[i];
	const char *device = t->devices[i].id;
	int rule = rule_of[cell->cover];
	struct buf says BUF_SCOPED = { 0 };

	if (rule < 0 || !targets_lack(t, row, i, &says))
		return;
	open_result(j, (enum rule)rule, rule == UNKNOWN ? "open" : "fail", says.data);
	write_location(j, row->container ? row->container : row->path, row->member);
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
		write_location(j, notes[i].path, NULL);
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
	write_notes(j, LOST, "fail", t->lost, t->lost_count);
	write_notes(j, UNREAD, "open", t->unread, t->unread_count);
	write_notes(j, NOTHING,
		    targets_weigh_nothing(t) == TARGETS_FAILS ? "fail" : "informational",
		    t->nothing, t->nothing_count);
	json_close(j, ']');
}

void targets_sarif(const struct targets *t, struct buf *ret)
{
	struct json j = json_on(ret);

	begin_run(&j);
	write_tool(&j);
	write_invocation(&j, targets_exit_status(t));
	write_results(&j, t);
	end_run(&j);
}
