#include "explain/setting-notes.h"

#include <errno.h>
#include <string.h>

#include "facts/select.h"

#define STEP_PLACE 2 /* so many steps come before that which takes settings back */

static const struct rule all = {
	.id = "settings",
	.sql = "SELECT what AS subject, says AS value, source, origin FROM setting_note",
};

static const struct rule bad = {
	.id = "settings that harm",
	.sql = "SELECT what AS subject, says AS value, source, origin FROM setting_note"
	       " WHERE effect IN ('harmful', 'masks')",
};

static const struct rule undo = {
	.id = "settings to take back",
	.sql = "SELECT kinds AS subject, undo AS value, source, origin FROM setting_undo",
};

/* Most texts show none, and no view need be worked out for them. */
static bool shows_any(sqlite3 *db)
{
	sqlite3_stmt *stmt =
		select_kept(db, "SELECT 1 FROM main.setting UNION ALL SELECT 1 FROM main.kernel_arg"
				" UNION ALL SELECT 1 FROM main.module_rule"
				" UNION ALL SELECT 1 FROM main.env_setter"
				" UNION ALL SELECT 1 FROM main.env WHERE origin <> 'log' LIMIT 1");
	bool any = select_next(stmt);

	select_done(stmt);
	return any;
}

static void add_notes(struct explanation *e, const struct asked *asked)
{
	e->settings = arena_alloc(&e->arena, (asked->count + 1) * sizeof(*e->settings));
	for (size_t i = 0; i < asked->count; i++)
		e->settings[e->setting_count++] = (struct explain_setting){
			.what = arena_text(&e->arena, span_of(asked->facts[i].subject)),
			.says = arena_text(&e->arena, span_of(asked->facts[i].value)),
			.source = arena_text(&e->arena, span_of(asked->facts[i].source)),
		};
}

static void add_undo(struct explanation *e, const struct fact *fact)
{
	size_t at = e->step_count < STEP_PLACE ? e->step_count : STEP_PLACE;

	e->steps = arena_grow(&e->arena, e->steps, e->step_count, sizeof(*e->steps));
	memmove(e->steps + at + 1, e->steps + at, (e->step_count - at) * sizeof(*e->steps));
	e->step_count++;
	e->steps[at] = (struct explain_step){
		.says = arena_format(&e->arena,
				     "Undo the settings that hide the error or do harm: %s",
				     fact->value),
		.kinds = arena_text(&e->arena, span_of(fact->subject)),
	};
	if (e->look > at)
		e->look++;
}

int setting_notes(struct explainer *x)
{
	struct explanation *e = x->e;
	struct asked asked = { 0 };
	int r;

	if (!shows_any(x->db))
		return select_error() ? -EIO : 0;
	r = explain_ask(x, e->word == BELIEF_NOTHING ? &bad : &all, &asked);
	if (r < 0)
		return r;
	add_notes(e, &asked);
	if (e->word == BELIEF_NOTHING || asked.count == 0)
		return 0;
	r = explain_ask(x, &undo, &asked);
	if (r == 0 && asked.count > 0)
		add_undo(e, asked.facts);
	return r;
}
