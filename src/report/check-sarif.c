#include "report/check.h"

#include <string.h>

#include "report/check-sections.h"
#include "report/sarif.h"

static const char *level_of(const char *severity)
{
	if (strcmp(severity, "problem") == 0)
		return "error";
	return strcmp(severity, "warning") == 0 ? "warning" : "note";
}

/* A cause is a rule; the first finding of it describes it. */
static size_t rule_of(const struct diagnosis *d, size_t at)
{
	size_t rule = 0;

	for (size_t i = 0; i < at; i++) {
		bool first = true;

		if (strcmp(d->findings[i].cause, d->findings[at].cause) == 0)
			return rule_of(d, i);
		for (size_t k = 0; k < i; k++)
			first &= strcmp(d->findings[k].cause, d->findings[i].cause) != 0;
		rule += first;
	}
	return rule;
}

static bool is_first(const struct diagnosis *d, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(d->findings[i].cause, d->findings[at].cause) == 0)
			return false;
	return true;
}

static void write_tool(struct json *j, const struct diagnosis *d)
{
	sarif_open_rules(j);
	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (is_first(d, i))
			sarif_rule(j, f->cause, f->title, f->story,
				   level_of(f->acknowledged ? f->severity_before : f->severity));
	}
	sarif_close_rules(j);
}

static const char *kind_of(const struct finding *f)
{
	switch (section_of(f)) {
	case SECTION_CAUSE:
	case SECTION_CONSEQUENCE:
	case SECTION_ACKNOWLEDGED:
		return "fail";
	case SECTION_UNDECIDED:
	case SECTION_SILENT:
		return "open";
	default:
		return "informational";
	}
}

/* Title, then what speaks for it: the first sentence stands alone. */
static void write_message(struct json *j, const struct finding *f)
{
	struct buf text BUF_SCOPED = { 0 };

	section_title(f, &text);
	buf_char(&text, '.');
	for (size_t i = 0; i < f->line_count; i++)
		if (f->lines[i].answer == ANSWER_YES && f->lines[i].counted != 0)
			buf_addf(&text, " %s.", f->lines[i].says);
	if (f->remedy_count > 0)
		buf_addf(&text, " Next: %s.", f->remedies[0]->title);
	sarif_message(j, "message", text.data);
}

/* The file to look at: the subject, if it is one, else the first source of the evidence that is. */
static const char *file_of(const struct finding *f)
{
	if (f->subject[0] == '/')
		return f->subject;
	for (size_t i = 0; i < f->line_count; i++)
		if (f->lines[i].answer == ANSWER_YES && f->lines[i].source[0] == '/')
			return f->lines[i].source;
	return NULL;
}

static void write_suppression(struct json *j, const struct finding *f)
{
	json_open(j, "suppressions", '[');
	if (f->acknowledged) {
		json_open(j, NULL, '{');
		json_string(j, "kind", "external");
		json_string(j, "status", "accepted");
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_result(struct json *j, const struct diagnosis *d, size_t at)
{
	const struct finding *f = &d->findings[at];
	const char *severity = f->acknowledged ? f->severity_before : f->severity;
	struct buf words BUF_SCOPED = { 0 };
	const char *kind = kind_of(f);

	json_open(j, NULL, '{');
	json_string(j, "ruleId", f->cause);
	json_int(j, "ruleIndex", (int64_t)rule_of(d, at));
	json_string(j, "level", strcmp(kind, "fail") == 0 ? level_of(severity) : "none");
	json_string(j, "kind", kind);
	write_message(j, f);
	sarif_location(j, file_of(f), f->subject[0] ? f->subject : "machine");
	buf_addf(&words, "%s %s", f->cause, f->subject);
	sarif_print(j, "rocsteadyFinding/v1", words.data);
	write_suppression(j, f);
	json_open(j, "properties", '{');
	json_string(j, "belief", diagnose_belief_name(f->belief));
	json_string(j, "scope", f->scope);
	json_string(j, "action", f->action);
	json_int(j, "decibans", f->sum);
	json_close(j, '}');
	json_close(j, '}');
}

void check_sarif(const struct check_report *r, struct buf *ret)
{
	struct json j = json_on(ret);

	sarif_begin(&j);
	write_tool(&j, r->diagnosis);
	sarif_invocation(&j, diagnose_exit_status(r->diagnosis->verdict));
	json_open(&j, "results", '[');
	for (size_t i = 0; i < r->diagnosis->finding_count; i++)
		write_result(&j, r->diagnosis, i);
	json_close(&j, ']');
	json_open(&j, "properties", '{');
	json_string(&j, "verdict", diagnose_verdict_name(r->diagnosis->verdict));
	json_string(&j, "knowledge", r->kb_version);
	json_close(&j, '}');
	sarif_end(&j);
}
