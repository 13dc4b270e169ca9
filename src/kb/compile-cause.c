#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "kb/compile-internal.h"
#include "kb/scale.h"
#include "kb/words.h"

static const char *const title_holes[] = { "subject", "value", NULL };
static const char *const headline_holes[] = { "program", "seen", NULL };
static const char *const says_holes[] = { "subject", "value", "source", NULL };

static const struct field cause_fields[] = {
	{ .key = "cause", .type = FIELD_SLUG },
	{ .key = "kind", .type = FIELD_WORD, .optional = true, .words = words_kind },
	{ .key = "title", .type = FIELD_LINE, .most = COMPILE_LINE_MAX_BYTES },
	{ .key = "plain", .type = FIELD_LINE, .optional = true, .most = COMPILE_LINE_MAX_BYTES },
	{ .key = "headline", .type = FIELD_LINE, .optional = true, .most = COMPILE_LINE_MAX_BYTES },
	{ .key = "story", .type = FIELD_TEXT, .most = COMPILE_TEXT_MAX_BYTES },
	{ .key = "scope", .type = FIELD_WORD, .words = words_scope },
	{ .key = "severity", .type = FIELD_WORD, .words = words_severity },
	{ .key = "action", .type = FIELD_WORD, .words = words_action },
	{ .key = "repair", .type = FIELD_WORD, .optional = true, .words = words_repair },
	{ .key = "prior", .type = FIELD_LINE, .optional = true, .most = 20 },
	{ .key = "share", .type = FIELD_LINE, .optional = true, .most = 20 },
	{ .key = "explained-by",
	  .type = FIELD_SLUGS,
	  .optional = true,
	  .most = COMPILE_ENTRIES_MAX },
	{ .key = "never-alone", .type = FIELD_TEXT, .optional = true, .most = 600 },
	{ .key = "evidence", .type = FIELD_LIST, .optional = true, .most = COMPILE_ENTRIES_MAX },
	{ .key = "rules-out", .type = FIELD_LIST, .optional = true, .most = COMPILE_ENTRIES_MAX },
	{ .key = "undecided", .type = FIELD_TEXT, .optional = true, .most = 600 },
	{ .key = "tells", .type = FIELD_TEXT, .optional = true, .most = 600 },
	{ .key = "remedies", .type = FIELD_SLUGS, .optional = true, .most = COMPILE_ENTRIES_MAX },
	{ .key = "sources", .type = FIELD_LIST, .most = COMPILE_ENTRIES_MAX },
};

/* The same for evidence and rules-out. */
static const struct field evidence_fields[] = {
	{ .key = "id", .type = FIELD_SLUG },
	{ .key = "weight", .type = FIELD_LINE, .most = 20 },
	{ .key = "group", .type = FIELD_SLUG, .optional = true },
	{ .key = "says", .type = FIELD_LINE, .most = 400 },
	{ .key = "when", .type = FIELD_TEXT, .most = 20000 },
	{ .key = "absence", .type = FIELD_FLAG, .optional = true },
	{ .key = "gate", .type = FIELD_LINE, .optional = true, .most = 400 },
};

/* Tables of what a text says, or what is stated beside it. */
static const char *const text_tables[] = { "statement", "event", "event_value", NULL };

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* What a text says is worth what a line of it is: never as much as what is read from a machine. */
static enum strength_scale scale_of(const char *sql)
{
	for (const char *at = sql; *at;) {
		size_t n = 0;

		while (is_name_byte(at[n]))
			n++;
		for (size_t i = 0; n > 0 && text_tables[i]; i++)
			if (span_is((struct span){ at, n }, text_tables[i]))
				return STRENGTH_SAID;
		at += n > 0 ? n : 1;
	}
	return STRENGTH_FACT;
}

/* The greatest weight of what a machine shows, or 0: `check` sees nothing else. */
static int take_evidence(struct compiler *c, const struct yaml_node *list, const char *cause,
			 int sign, int *position)
{
	int strongest = 0;

	for (const struct yaml_node *n = list ? list->children : NULL; n; n = n->next) {
		enum strength_scale scale;
		int weight;

		if (!fields_check(n, c->file, evidence_fields, COUNT(evidence_fields), c->faults))
			continue;
		compile_check_holes(c, n, "says", says_holes);
		scale = scale_of(fields_text(n, "when"));
		weight = compile_strength(c, yaml_find(n, "weight"), scale, sign);
		if (scale == STRENGTH_FACT && weight > strongest)
			strongest = weight;
		if (compile_insert(c, "evidence", "ssiisssissi", cause, fields_text(n, "id"),
				   *position, weight, fields_text(n, "group"),
				   fields_text(n, "says"), compile_text(c, n, "when"),
				   fields_flag(n, "absence"), fields_text(n, "gate"), "",
				   (int)yaml_find(n, "when")->line) == -EEXIST)
			compile_fault(c, n, "id given twice:", fields_text(n, "id"));
		++*position;
	}
	return strongest;
}

static void take_links(struct compiler *c, const struct yaml_node *top, const char *cause)
{
	const struct yaml_node *by = yaml_find(top, "explained-by");
	const struct yaml_node *remedies = yaml_find(top, "remedies");
	int position = 0;

	for (const struct yaml_node *n = by ? by->children : NULL; n; n = n->next) {
		if (!compile_exists(c, "causes", n->text) || strcmp(n->text, cause) == 0)
			compile_fault(c, n, "no other cause", n->text);
		else if (compile_insert(c, "explained_by", "ss", cause, n->text) == -EEXIST)
			compile_fault(c, n, "given twice:", n->text);
	}
	for (const struct yaml_node *n = remedies ? remedies->children : NULL; n; n = n->next) {
		if (!compile_exists(c, "remedies", n->text))
			compile_fault(c, n, "no remedy", n->text);
		compile_insert(c, "cause_remedy", "sis", cause, position++, n->text);
	}
}

/* For such a cause the gate takes a node out of service: the same question as in rows.c. */
static bool closes_node(const struct yaml_node *top)
{
	static const char *const scopes[] = { "node", "gpu", "link", "nic", NULL };
	static const char *const actions[] = { "reset-gpu", "reboot", "drain", "replace", NULL };

	return words_has(scopes, fields_text(top, "scope")) &&
	       words_has(actions, fields_text(top, "action"));
}

/* A controller reads one word and no prose, so there is one wherever it may be asked. */
static void check_repair(struct compiler *c, const struct yaml_node *top)
{
	bool has = fields_text(top, "repair") != NULL;

	if (closes_node(top) && !has)
		compile_fault(c, top, "a cause that takes a node out of service has a repair",
			      NULL);
	if (has && !closes_node(top))
		compile_fault(c, top, "a repair, though it takes no node out of service", NULL);
}

/* A cause that alarms says what to do about it, and what would decide it. */
static void check_whole(struct compiler *c, const struct yaml_node *top)
{
	const char *kind = fields_text(top, "kind");
	const struct yaml_node *remedies = yaml_find(top, "remedies");
	bool calm = strcmp(fields_text(top, "severity"), "info") == 0 ||
		    (kind && strcmp(kind, "cause") != 0);

	if (kind && strcmp(kind, "myth") == 0 && strcmp(fields_text(top, "severity"), "info") != 0)
		compile_fault(c, top, "a myth is info: it alarms nobody", NULL);
	if (!calm && (!remedies || remedies->count == 0))
		compile_fault(c, top, "a warning or problem needs remedies", NULL);
	if (!calm && !yaml_find(top, "undecided"))
		compile_fault(c, top, "a warning or problem says what would decide it: undecided",
			      NULL);
}

/*
 * One piece of evidence is enough for `check` to name a cause, or the cause says why not: a
 * sum that falls short by mistake looks like a healthy machine. A cause without evidence of
 * a machine (strongest is 0) is found in texts alone.
 */
static void check_alone(struct compiler *c, const struct yaml_node *top, int prior, int strongest)
{
	const struct yaml_node *reason = yaml_find(top, "never-alone");
	bool enough = strongest == 0 || prior + strongest >= SCALE_LIKELY;

	if (!enough && !reason)
		compile_fault(
			c, top,
			"its strongest evidence alone is never likely: raise its weight, or say why"
			" in never-alone",
			NULL);
	if (reason && enough)
		compile_fault(c, reason, "never-alone, though one piece of evidence is enough",
			      NULL);
}

/* Where the table of belief has no number for "usual": one in twenty, and one in a hundred. */
#define SHARE_DEFAULT (-13)
#define PRIOR_DEFAULT (-20)

void compile_cause(struct compiler *c, const struct yaml_node *top)
{
	const char *slug, *kind;
	int position = 0, prior, strongest;

	if (!fields_check(top, c->file, cause_fields, COUNT(cause_fields), c->faults))
		return;
	compile_check_name(c, top, "cause");
	compile_check_holes(c, top, "title", title_holes);
	compile_check_holes(c, top, "headline", headline_holes);
	compile_check_text(c, top, "title");
	compile_check_text(c, top, "story");
	compile_check_text(c, top, "undecided");
	compile_check_text(c, top, "tells");
	check_whole(c, top);
	check_repair(c, top);
	slug = fields_text(top, "cause");
	kind = fields_text(top, "kind");
	prior = compile_usual(c, top, "prior", STRENGTH_PRIOR, PRIOR_DEFAULT);
	compile_insert(c, "cause", "ssssssssssiisss", slug, kind ? kind : "cause",
		       fields_text(top, "title"), fields_text(top, "plain"),
		       fields_text(top, "headline"), compile_text(c, top, "story"),
		       fields_text(top, "scope"), fields_text(top, "severity"),
		       fields_text(top, "action"), fields_text(top, "repair"), prior,
		       compile_usual(c, top, "share", STRENGTH_SHARE, SHARE_DEFAULT),
		       compile_text(c, top, "undecided"), compile_text(c, top, "tells"), c->file);
	strongest = take_evidence(c, yaml_find(top, "evidence"), slug, 1, &position);
	take_evidence(c, yaml_find(top, "rules-out"), slug, -1, &position);
	check_alone(c, top, prior, strongest);
	take_links(c, top, slug);
	compile_sources(c, top, slug);
}
