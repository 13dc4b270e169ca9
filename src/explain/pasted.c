#include "explain/pasted.h"

#include <string.h>

#include "base/buf.h"
#include "facts/column.h"
#include "facts/products.h"
#include "facts/select.h"
#include "kb/gate.h"

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

bool pasted_views(sqlite3 *db)
{
	return select_exec(db, data_pasted_views);
}

/* A statement stands below its gate. */
static struct span gate_of(struct span sql)
{
	static const char mark[] = "-- gate: ";
	struct span line;

	while (span_line(&sql, &line))
		if (span_starts(line, mark))
			return (struct span){ line.data + sizeof(mark) - 1,
					      line.len - (sizeof(mark) - 1) };
	return (struct span){ "", 0 };
}

/* Our own statements, each of which ends with a semicolon and its line. */
static void run_open(sqlite3 *db, struct gates *gates, const char *sql)
{
	struct buf text BUF_SCOPED = { 0 };
	bool has_views = false;
	const char *end;

	for (; (end = strstr(sql, ";\n")); sql = end + 2) {
		struct span one = { sql, (size_t)(end - sql) };

		if (!gates_open(gates, db, gate_of(one)))
			continue;
		has_views = has_views || pasted_views(db);
		buf_clear(&text);
		buf_span(&text, one);
		select_run(db, text.data);
	}
}

void pasted_rows(struct state *s)
{
	struct gates gates = { 0 };

	if (!s->has_gpu)
		run_open(facts_db(s->facts), &gates, data_pasted_facts);
	gates_done(&gates);
}
