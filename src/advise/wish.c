#include "advise/wish.h"

#include <string.h>

#include "facts/column.h"
#include "facts/products.h"
#include "facts/select.h"

/* KFD tells the instruction set; where it is silent the product does, as it is sold. */
static const char gpus_of_kfd[] =
	"SELECT d.gfx, max(g.product) FROM device d LEFT JOIN gpu g ON g.address = d.address"
	" WHERE d.meant = 1 GROUP BY d.gfx ORDER BY min(d.node)";
static const char gpus_of_bus[] =
	"SELECT device_id, coalesce(revision, ''), product FROM gpu"
	" WHERE device_id IS NOT NULL AND coalesce(virtual_function, 0) = 0"
	" ORDER BY coalesce(integrated, 0), address";
/* WSL is a fact of the container table; Windows says it of itself. */
static const char system_of[] =
	"SELECT CASE WHEN EXISTS (SELECT 1 FROM container WHERE wsl_version > 0) THEN 'wsl'"
	" WHEN EXISTS (SELECT 1 FROM statement WHERE name = 'system' AND value = 'windows' AND origin = 'observed')"
	" THEN 'windows' ELSE 'linux' END";
static const char python_of[] =
	"SELECT python FROM environment WHERE python IS NOT NULL"
	" ORDER BY coalesce(active, 0) DESC, kind = 'system' DESC, prefix LIMIT 1";
static const char nothing_there[] =
	"SELECT 1 WHERE EXISTS (SELECT 1 FROM device WHERE meant = 1)"
	" AND NOT EXISTS (SELECT 1 FROM framework)"
	" AND NOT EXISTS (SELECT 1 FROM gap WHERE topic IN ('environment', 'framework', 'package')"
	"  AND standing <> 'absent')";

static const char *ask_one(sqlite3 *db, const char *sql, struct arena *a)
{
	sqlite3_stmt *stmt = select_from(db, sql);
	const char *text = NULL;

	if (select_next(stmt))
		text = column_copy_or_null(stmt, 0, a);
	sqlite3_finalize(stmt);
	return text;
}

static void add(struct arena *a, struct advise_wish *wish, const char *gfx, const char *name)
{
	for (size_t i = 0; gfx && i < wish->gpu_count; i++)
		if (strcmp(wish->gpus[i].gfx, gfx) == 0)
			return;
	if (!gfx)
		return;
	wish->gpus = arena_grow(a, wish->gpus, wish->gpu_count, sizeof(*wish->gpus));
	wish->gpus[wish->gpu_count++] = (struct advise_gpu){ gfx, name };
}

static void take_kfd(sqlite3 *db, struct arena *a, struct advise_wish *ret)
{
	sqlite3_stmt *stmt = select_from(db, gpus_of_kfd);

	while (select_next(stmt))
		if (column_text_or_null(stmt, 0))
			add(a, ret, column_copy_or_null(stmt, 0, a),
			    column_copy_or_null(stmt, 1, a));
	sqlite3_finalize(stmt);
}

/* A card before the processor's own: the first kind of them is all that is taken. */
static void take_bus(sqlite3 *db, struct arena *a, struct advise_wish *ret)
{
	sqlite3_stmt *stmt = select_from(db, gpus_of_bus);
	struct product product;

	while (ret->gpu_count == 0 && select_next(stmt))
		if (products_find(span_of(data_products), span_of(column_copy_or_null(stmt, 0, a)),
				  span_of(column_copy_or_null(stmt, 1, a)), &product) &&
		    !span_is(product.gfx, "-"))
			add(a, ret, arena_text(a, product.gfx), column_copy_or_null(stmt, 2, a));
	sqlite3_finalize(stmt);
}

void wish_of_machine(sqlite3 *db, struct arena *a, struct advise_wish *ret)
{
	ret->gpu_count = 0;
	take_kfd(db, a, ret);
	if (ret->gpu_count == 0)
		take_bus(db, a, ret);
	ret->system = ask_one(db, system_of, a);
	ret->python = ask_one(db, python_of, a);
}

bool wish_for_a_framework(sqlite3 *db, struct advice *ret)
{
	struct advise_wish wish = { .application = "torch" };
	struct arena a = { 0 };
	bool found = false;

	if (ask_one(db, nothing_there, &a)) {
		wish_of_machine(db, &a, &wish);
		wish.most = 1; /* a check shows the best way alone */
		found = wish.gpu_count > 0 && advise(db, &wish, ret) == 0;
	}
	arena_done(&a);
	return found;
}
