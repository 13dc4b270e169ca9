#include "report/check-coverage.h"

#include <string.h>

#include "report/rows.h"

#define ROWS_MAX 400

static const char devices_sql[] = "SELECT effective, max(meant) FROM device WHERE effective IS NOT "
				  "NULL GROUP BY effective ORDER BY 2 DESC, 1";

/* Cells, a library's together; as in enum coverage_cell. */
static const char cells_sql[] =
	"SELECT f.name || coalesce(' ' || f.version, ''), c.environment, c.name, c.main, c.device, c.cell, c.bundles, c.of_bundles FROM ("
	" SELECT environment, framework, name, main, path, device, bundles, of_bundles,"
	"  CASE WHEN bundles IS NULL THEN iif(hidden, 3, 0) WHEN bundles < of_bundles THEN 1 ELSE 2 END AS cell FROM library_fit"
	" UNION ALL SELECT environment, framework, 'rocBLAS kernels', 0, path, device, NULL, NULL,"
	"  CASE WHEN runs IS NULL THEN 3 WHEN runs = 0 THEN 0 WHEN tuned = 0 OR missing > 0 THEN 1 ELSE 2 END FROM blas_fit) c"
	" JOIN framework f ON f.environment = c.environment AND f.name = c.framework"
	" ORDER BY c.environment, f.name, c.main DESC, c.name, c.path";

static const char *text_of(struct arena *a, sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return arena_text(a, span_of(text ? text : ""));
}

static void read_devices(struct facts *f, struct coverage *c)
{
	sqlite3_stmt *stmt = rows_ask(f, devices_sql);

	while (stmt && c->device_count < COVERAGE_DEVICES && sqlite3_step(stmt) == SQLITE_ROW) {
		c->meant[c->device_count] = sqlite3_column_int(stmt, 1) != 0;
		c->devices[c->device_count++] = text_of(&c->arena, stmt, 0);
	}
	sqlite3_finalize(stmt);
}

static struct coverage_row *row_for(struct coverage *c, sqlite3_stmt *stmt)
{
	struct coverage_row row = { .framework = text_of(&c->arena, stmt, 0),
				    .environment = text_of(&c->arena, stmt, 1),
				    .name = text_of(&c->arena, stmt, 2),
				    .main = sqlite3_column_int(stmt, 3) != 0 };
	struct coverage_row *last = c->row_count ? &c->rows[c->row_count - 1] : NULL;

	if (last && strcmp(last->name, row.name) == 0 &&
	    strcmp(last->framework, row.framework) == 0 &&
	    strcmp(last->environment, row.environment) == 0)
		return last;
	if (c->row_count == ROWS_MAX)
		return NULL;
	for (size_t i = 0; i < COVERAGE_DEVICES; i++)
		row.cells[i] = COVERAGE_UNKNOWN;
	c->rows[c->row_count] = row;
	return &c->rows[c->row_count++];
}

static void read_cell(struct coverage *c, sqlite3_stmt *stmt)
{
	const char *device = (const char *)sqlite3_column_text(stmt, 4);
	struct coverage_row *row = row_for(c, stmt);

	for (size_t i = 0; row && device && i < c->device_count; i++)
		if (strcmp(c->devices[i], device) == 0) {
			row->cells[i] = (enum coverage_cell)sqlite3_column_int(stmt, 5);
			row->in[i] = sqlite3_column_int64(stmt, 6);
			row->of[i] = sqlite3_column_int64(stmt, 7);
		}
}

void coverage_read(struct facts *f, struct coverage *ret)
{
	sqlite3_stmt *stmt;

	*ret = (struct coverage){ 0 };
	ret->rows = arena_alloc(&ret->arena, ROWS_MAX * sizeof(*ret->rows));
	read_devices(f, ret);
	stmt = rows_ask(f, cells_sql);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		read_cell(ret, stmt);
	sqlite3_finalize(stmt);
}

void coverage_done(struct coverage *c)
{
	arena_done(&c->arena);
}

const char *coverage_word(enum coverage_cell cell)
{
	static const char *const words[] = { "no code", "partly", "code", "not known" };

	return words[cell];
}
