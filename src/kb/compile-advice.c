#include <string.h>

#include "base/array.h"
#include "kb/compile-internal.h"
#include "kb/lint.h"
#include "kb/words.h"

static const struct field advice_fields[] = {
	{ .key = "advice", .type = FIELD_SLUG },
	{ .key = "application", .type = FIELD_LINE, .most = 40 },
	{ .key = "rank", .type = FIELD_INT, .low = 1, .high = 99 },
	{ .key = "kind", .type = FIELD_WORD, .words = words_way },
	{ .key = "systems", .type = FIELD_LINE, .most = 40 },
	{ .key = "when", .type = FIELD_TEXT, .most = 20000 },
	{ .key = "sources", .type = FIELD_LIST, .most = 10 },
};

void compile_advice(struct compiler *c, const struct yaml_node *top)
{
	const struct yaml_node *when = yaml_find(top, "when"), *systems;
	struct span rest, word;
	const char *bad;

	if (!fields_check(top, c->file, advice_fields, COUNT(advice_fields), c->faults))
		return;
	compile_check_name(c, top, "advice");
	systems = yaml_find(top, "systems");
	rest = span_of(systems->text);
	while (span_word(&rest, &word))
		if (!words_has(words_system, arena_text(&c->arena, word)))
			compile_fault(c, systems, "systems are of: linux windows wsl", NULL);
	bad = lint_steps(when->text);
	if (bad)
		compile_fault(c, when, "nothing destructive:", bad);
	compile_insert(c, "advice", "ssisssi", fields_text(top, "advice"),
		       fields_text(top, "application"), fields_int(top, "rank"),
		       fields_text(top, "kind"), fields_text(top, "systems"),
		       compile_text(c, top, "when"), (int)when->line);
	compile_sources(c, top, fields_text(top, "advice"));
}
