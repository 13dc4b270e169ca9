#include <string.h>

#include "base/array.h"
#include "base/names.h"
#include "kb/compile-internal.h"
#include "kb/lint.h"
#include "kb/words.h"

#define COMPILE_ACTS 3

extern const char data_undo[];

static const char *const remedy_holes[] = { "subject", "value", "user", "group", NULL };

static const struct field remedy_fields[] = {
	{ .key = "remedy", .type = FIELD_SLUG },
	{ .key = "title", .type = FIELD_LINE, .most = COMPILE_LINE_MAX_BYTES },
	{ .key = "risk", .type = FIELD_WORD, .words = words_risk },
	{ .key = "needs", .type = FIELD_LINE, .optional = true, .most = COMPILE_LINE_MAX_BYTES },
	{ .key = "changes", .type = FIELD_LINE, .most = COMPILE_LINE_MAX_BYTES },
	{ .key = "undo", .type = FIELD_SLUG },
	{ .key = "minutes", .type = FIELD_INT, .low = 1, .high = 1440 },
	{ .key = "cures", .type = FIELD_SLUGS, .optional = true, .most = COMPILE_CURES },
	{ .key = "acts", .type = FIELD_SLUGS, .optional = true, .most = COMPILE_ACTS },
	{ .key = "steps", .type = FIELD_TEXT, .most = COMPILE_TEXT_MAX_BYTES },
	{ .key = "windows", .type = FIELD_TEXT, .optional = true, .most = COMPILE_TEXT_MAX_BYTES },
	{ .key = "wsl", .type = FIELD_TEXT, .optional = true, .most = COMPILE_TEXT_MAX_BYTES },
	{ .key = "verify", .type = FIELD_LINE, .most = 400 },
	{ .key = "gate", .type = FIELD_LINE, .optional = true, .most = 400 },
	{ .key = "when", .type = FIELD_TEXT, .optional = true, .most = 20000 },
	{ .key = "apply", .type = FIELD_BLOCK, .optional = true },
	{ .key = "workaround", .type = FIELD_MAP, .optional = true, .most = 3 },
	{ .key = "unchecked",
	  .type = FIELD_LINE,
	  .optional = true,
	  .most = COMPILE_LINE_MAX_BYTES },
	{ .key = "sources", .type = FIELD_LIST, .most = COMPILE_ENTRIES_MAX },
};

/* The steps on another system; "none" where there is nothing to do on it. */
static const char *take_steps_on(struct compiler *c, const struct yaml_node *top,
				 const char *system)
{
	const char *text = compile_text(c, top, system);
	const char *bad = text ? lint_steps(text) : NULL;

	if (!text)
		return NULL;
	compile_check_text(c, top, system);
	if (bad)
		compile_fault(c, yaml_find(top, system), "nothing destructive:", bad);
	return strcmp(text, "none") == 0 ? "" : text;
}

/*
 * The sentences about undoing are one list, because written by hand, one for each remedy, they
 * were wrong more often than any other text.
 */
static const char *take_undo(struct compiler *c, const struct yaml_node *top)
{
	struct span list = span_of(data_undo), word, sentence;

	while (names_next(&list, &word, &sentence))
		if (span_is(word, fields_text(top, "undo")))
			return arena_text(&c->arena, span_trim(sentence));
	compile_fault(c, yaml_find(top, "undo"),
		      "no word of data/undo.txt:", fields_text(top, "undo"));
	return "";
}

/* Blank-separated; NULL: it does the same for every program. */
static const char *take_acts(struct compiler *c, const struct yaml_node *top)
{
	const struct yaml_node *list = yaml_find(top, "acts");
	struct buf acts BUF_SCOPED = { 0 };

	for (const struct yaml_node *n = list ? list->children : NULL; n; n = n->next) {
		if (!words_has(words_act, n->text))
			compile_fault(c, n, "no act:", n->text);
		buf_addf(&acts, acts.len > 0 ? " %s" : "%s", n->text);
	}
	return list ? arena_text(&c->arena, buf_get(&acts)) : NULL;
}

void compile_remedy(struct compiler *c, const struct yaml_node *top)
{
	static const char *const filled[] = { "title", "steps", "windows", "wsl", "verify" };
	const struct yaml_node *steps = yaml_find(top, "steps");
	const struct yaml_node *when = yaml_find(top, "when");
	const char *bad;

	if (!fields_check(top, c->file, remedy_fields, COUNT(remedy_fields), c->faults))
		return;
	compile_check_name(c, top, "remedy");
	compile_check_text(c, top, "title");
	compile_check_text(c, top, "steps");
	bad = lint_steps(steps->text);
	if (bad)
		compile_fault(c, steps, "steps: nothing destructive:", bad);
	if (compile_exists(c, "causes", fields_text(top, "remedy")))
		compile_fault(c, top, "a cause has this name:", fields_text(top, "remedy"));
	for (size_t i = 0; when && i < COUNT(filled); i++)
		if (yaml_find(top, filled[i]))
			compile_check_holes(c, top, filled[i], remedy_holes);
	compile_insert(c, "remedy", "sssssssissssiss", fields_text(top, "remedy"),
		       fields_text(top, "title"), compile_text(c, top, "steps"),
		       fields_text(top, "risk"), fields_text(top, "needs"),
		       fields_text(top, "changes"), take_undo(c, top), fields_int(top, "minutes"),
		       compile_text(c, top, "verify"), take_steps_on(c, top, "windows"),
		       take_steps_on(c, top, "wsl"), compile_text(c, top, "when"),
		       when ? (int)when->line : 0, fields_text(top, "gate"), take_acts(c, top));
	if (yaml_find(top, "apply"))
		compile_apply(c, yaml_find(top, "apply"), fields_text(top, "remedy"));
	compile_workaround(c, yaml_find(top, "workaround"), fields_text(top, "remedy"));
	compile_cures(c, top, fields_text(top, "remedy"));
	compile_unchecked(c, top, fields_text(top, "remedy"));
	compile_sources(c, top, fields_text(top, "remedy"));
}
