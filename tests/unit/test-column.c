#include "facts/column.h"

#include "check.h"

static sqlite3_stmt *row_of(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;

	sqlite3_prepare_v2(db, "SELECT NULL, '', 'text', 7, CAST(x'610062' AS TEXT), x''", -1,
			   &stmt, NULL);
	CHECK_INT(sqlite3_step(stmt), SQLITE_ROW);
	return stmt;
}

/* NULL is "" or NULL, as the name says, and what is empty is never NULL. */
static void check_null(sqlite3_stmt *stmt, struct arena *a)
{
	CHECK_TEXT(column_text(stmt, 0), "");
	CHECK(!column_text_or_null(stmt, 0));
	CHECK_TEXT(column_copy(stmt, 0, a), "");
	CHECK(!column_copy_or_null(stmt, 0, a));
	CHECK(!column_span(stmt, 0).data && column_span(stmt, 0).len == 0);
	for (int i = 1; i < 6; i += 4) {
		CHECK_TEXT(column_text_or_null(stmt, i), "");
		CHECK_TEXT(column_copy_or_null(stmt, i, a), "");
		CHECK(column_span(stmt, i).data && column_span(stmt, i).len == 0);
	}
}

static void check_text(sqlite3_stmt *stmt, struct arena *a)
{
	const char *kept = column_copy(stmt, 2, a);
	struct span bytes = column_span(stmt, 4);

	CHECK_TEXT(column_text(stmt, 2), "text");
	CHECK_TEXT(column_text(stmt, 3), "7"); /* a number is converted */
	CHECK_INT(column_span(stmt, 3).len, 1);
	CHECK_INT(bytes.len, 3);
	CHECK(bytes.data[1] == '\0' && bytes.data[2] == 'b');
	CHECK_INT(sqlite3_step(stmt), SQLITE_DONE);
	CHECK_TEXT(kept, "text"); /* a copy outlives the row */
}

int main(void)
{
	struct arena arena = { 0 };
	sqlite3_stmt *stmt;
	sqlite3 *db;

	sqlite3_open(":memory:", &db);
	stmt = row_of(db);
	check_null(stmt, &arena);
	check_text(stmt, &arena);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	arena_done(&arena);
	return check_end();
}
