#include "explain/pasted.h"

#include <string.h>

#include "base/buf.h"
#include "facts/column.h"
#include "facts/products.h"
#include "facts/select.h"

extern const char data_pasted_facts[], data_pasted_views[];

/* lspci -nn has the id, which names one product; lspci alone has the names of several. */
void pasted_products(struct state *s)
{
	sqlite3_stmt *stmt = select_kept(
		facts_db(s->facts),
		"SELECT d.value, coalesce(r.value, '-'), d.source FROM main.event_value d"
		" LEFT JOIN main.event_value r ON r.signature = d.signature AND r.nth = d.nth"
		"  AND r.name = 'revision'"
		" WHERE d.signature = 'pasted-gpu' AND d.name = 'device' ORDER BY d.nth");
	struct product p;

	while (select_next(stmt))
		if (products_find(span_of(data_products), span_of(column_text(stmt, 0)),
				  span_of(column_text(stmt, 1)), &p) &&
		    span_starts(p.gfx, "gfx")) {
			state_say(s, &(struct said){ "gpu", p.name, column_text(stmt, 2), "log" });
			state_say(s, &(struct said){ "gfx", p.gfx, column_text(stmt, 2), "log" });
		}
	select_done(stmt);
}

/* Most texts hold none, and to prepare the statements takes longer than to look. */
static bool is_any(struct state *s)
{
	sqlite3_stmt *stmt = select_kept(
		facts_db(s->facts),
		"SELECT 1 FROM main.event WHERE signature GLOB 'pasted-*' OR signature IN"
		" ('dev-kfd-missing', 'fact-partitioned', 'torch-out-of-memory', 'torch-out-of-memory-old')"
		" UNION ALL SELECT 1 FROM main.statement WHERE name = 'kernel'");
	bool any = select_next(stmt);

	select_done(stmt);
	return any;
}

/* Our own statements, each of which ends with a semicolon and its line. */
static void run(sqlite3 *db, const char *sql)
{
	struct buf text BUF_SCOPED = { 0 };
	const char *end;

	for (; (end = strstr(sql, ";\n")); sql = end + 2) {
		buf_clear(&text);
		buf_add(&text, sql, (size_t)(end - sql));
		select_run(db, text.data);
	}
}

bool pasted_views(sqlite3 *db)
{
	return select_exec(db, data_pasted_views);
}

void pasted_rows(struct state *s)
{
	sqlite3 *db = facts_db(s->facts);

	if (!s->has_gpu && is_any(s) && pasted_views(db))
		run(db, data_pasted_facts);
}
