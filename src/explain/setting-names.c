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
	name = arena_alloc(arena, sizeof(*name));
	*name = *from;
	map_put(&n->by_name, span_of(name->name), name);
}

int setting_names_load(sqlite3 *db, struct arena *arena, struct setting_names *ret)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT DISTINCT form, name FROM kb.setting_effect"
				" UNION SELECT 'variable', name FROM kb.env_variable"
				" WHERE is_read = 0"
				" UNION SELECT 'variable', beside FROM kb.setting_effect"
				" WHERE beside NOT NULL"
				" UNION SELECT 'variable', 'HSA_OVERRIDE_GFX_VERSION'"
				" WHERE EXISTS (SELECT 1 FROM kb.gfx_override)");

	*ret = (struct setting_names){ 0 };
	while (select_next(stmt))
		add(ret, arena,
		    &(struct setting_name){ .form = column_copy(stmt, 0, arena),
					    .name = column_copy(stmt, 1, arena) });
	sqlite3_finalize(stmt);
	return select_error() ? -EIO : 0;
}

void setting_names_done(struct setting_names *n)
{
	map_done(&n->by_name);
}
