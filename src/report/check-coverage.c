#include "report/check-coverage.h"

#include <assert.h>
#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "report/rows.h"

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

static void read_devices(struct facts *f, struct coverage *c)
{
	sqlite3_stmt *stmt = rows_ask(f, devices_sql);

	while (select_next(stmt)) {
		c->devices =
			arena_grow(&c->arena, c->devices, c->device_count, sizeof(*c->devices));
		c->devices[c->device_count++] =
			(struct coverage_device){ column_copy(stmt, 0, &c->arena),
						  sqlite3_column_int(stmt, 1) != 0 };
	}
	sqlite3_finalize(stmt);
}

static struct coverage_row *row_for(struct coverage *c, sqlite3_stmt *stmt)
{
	struct coverage_row row = { .framework = column_copy(stmt, 0, &c->arena),
				    .environment = column_copy(stmt, 1, &c->arena),
				    .name = column_copy(stmt, 2, &c->arena),
				    .main = sqlite3_column_int(stmt, 3) != 0 };
	struct coverage_row *last = c->row_count ? &c->rows[c->row_count - 1] : NULL;

	if (last && strcmp(last->name, row.name) == 0 &&
	    strcmp(last->framework, row.framework) == 0 &&
	    strcmp(last->environment, row.environment) == 0)
		return last;
	row.at = arena_alloc(&c->arena, (c->device_count + 1) * sizeof(*row.at));
	for (size_t i = 0; i < c->device_count; i++)
		row.at[i].cell = COVERAGE_UNKNOWN;
	c->rows = arena_grow(&c->arena, c->rows, c->row_count, sizeof(*c->rows));
	c->rows[c->row_count] = row;
	return &c->rows[c->row_count++];
}

static void read_cell(struct coverage *c, sqlite3_stmt *stmt)
{
	const char *device = column_text_or_null(stmt, 4);
	struct coverage_row *row = row_for(c, stmt);

	for (size_t i = 0; device && i < c->device_count; i++)
		if (strcmp(c->devices[i].name, device) == 0)
			row->at[i] = (struct coverage_at){
				(enum coverage_cell)sqlite3_column_int(stmt, 5),
				sqlite3_column_int64(stmt, 6), sqlite3_column_int64(stmt, 7)
			};
}

void coverage_read(struct facts *f, struct coverage *ret)
{
	sqlite3_stmt *stmt;

	*ret = (struct coverage){ 0 };
	read_devices(f, ret);
	stmt = rows_ask(f, cells_sql);
	while (select_next(stmt))
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

	assert(cell <= COVERAGE_UNKNOWN);
	return words[cell];
}
