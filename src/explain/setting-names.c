#include "explain/setting-names.h"

#include <errno.h>
#include <string.h>

#include "facts/column.h"
#include "facts/select.h"

static void add(struct setting_names *n, struct arena *arena, const struct setting_name *from)
{
	struct setting_name *name;

	if (strcmp(from->form, "command") == 0) {
		n->commands =
			arena_grow(arena, n->commands, n->command_count, sizeof(*n->commands));
		n->commands[n->command_count++] = *from;
		return;
	}
	if (map_find(&n->by_name, span_of(from->name)))
		return; /* it is judged */
	name = arena_alloc(arena, sizeof(*name));
	*name = *from;
	map_put(&n->by_name, span_of(name->name), name);
}

static void add_judged(sqlite3 *db, struct setting_names *n, struct arena *arena)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT DISTINCT form, name FROM kb.setting_effect"
				" UNION SELECT 'variable', name FROM kb.env_variable"
				" WHERE is_read = 0"
				" UNION SELECT 'variable', beside FROM kb.setting_effect"
				" WHERE beside NOT NULL"
				" UNION SELECT 'variable', 'HSA_OVERRIDE_GFX_VERSION'"
				" WHERE EXISTS (SELECT 1 FROM kb.gfx_override)");

	while (select_next(stmt))
		add(n, arena,
		    &(struct setting_name){ .form = column_copy(stmt, 0, arena),
					    .name = column_copy(stmt, 1, arena),
					    .is_judged = true });
	sqlite3_finalize(stmt);
}

/* "--dtype float16 --enforce-eager" has two options, "VLLM_ROCM_USE_AITER=0" one variable. */
static void add_words(struct setting_names *n, struct arena *arena, struct span value)
{
	struct span word, name;

	while (span_word(&value, &word)) {
		bool is_flag = span_starts(word, "--");
		bool assigns = span_find(word, SPAN_LITERAL("=")) != SIZE_MAX;

		if (!is_flag && !assigns)
			continue;
		name = word;
		if (assigns)
			span_cut(&word, '=', &name);
		add(n, arena,
		    &(struct setting_name){ .form = is_flag ? "flag" : "variable",
					    .name = arena_text(arena, name) });
	}
}

static void add_read(sqlite3 *db, struct setting_names *n, struct arena *arena)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT name || '=' FROM kb.env_variable WHERE is_read = 1"
				" UNION ALL SELECT value FROM kb.program_act"
				" WHERE way IN ('option', 'variable')");

	while (select_next(stmt))
		add_words(n, arena, span_of(column_text(stmt, 0)));
	sqlite3_finalize(stmt);
}

int setting_names_load(sqlite3 *db, struct arena *arena, struct setting_names *ret)
{
	*ret = (struct setting_names){ 0 };
	add_judged(db, ret, arena);
	add_read(db, ret, arena);
	return select_error() ? -EIO : 0;
}

void setting_names_done(struct setting_names *n)
{
	map_done(&n->by_name);
}
