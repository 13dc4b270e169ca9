/* Rows of our own statements: where there are none, and where they could not be read. */

#include "facts/select.h"

#include "check-kb.h"
#include "facts/column.h"
#include "kb/guard.h"

static size_t count_rows(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = select_from(db, sql);
	size_t count = 0;

	while (select_next(stmt))
		count++;
	sqlite3_finalize(stmt);
	return count;
}

static sqlite3 *open_with(const char *sql)
{
	sqlite3 *db = NULL;

	CHECK_INT(sqlite3_open(":memory:", &db), SQLITE_OK);
	CHECK(select_exec(db, sql));
	return db;
}

/* A table of many pages, of which one in the middle holds what no page may. */
static sqlite3 *open_damaged(void)
{
	sqlite3 *db =
		open_with("PRAGMA page_size = 4096; CREATE TABLE t (x TEXT, y TEXT);"
			  "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
			  " INSERT INTO t SELECT i, printf('%100d', i) FROM n");
	sqlite3_int64 size;
	unsigned char *bytes = sqlite3_serialize(db, "main", &size, 0);

	sqlite3_close(db);
	memset(bytes + 20 * 4096, 0xee, 4096);
	CHECK_INT(sqlite3_open(":memory:", &db), SQLITE_OK);
	CHECK_INT(
		sqlite3_deserialize(db, "main", bytes, size, size, SQLITE_DESERIALIZE_FREEONCLOSE),
		SQLITE_OK);
	return db;
}

static const struct {
	const char *why, *sql;
	size_t rows;
	int error;
} cases[] = {
	{ "rows", "SELECT x FROM t", 2, SQLITE_OK },
	{ "no row is no failure", "SELECT x FROM t WHERE x = 'c'", 0, SQLITE_OK },
	{ "a table that is not there", "SELECT x FROM u", 0, SQLITE_ERROR },
	{ "a statement that does not fit into memory", NULL, 0, SQLITE_NOMEM },
	{ "rows until one fails", "SELECT iif(x = 'a', 1, abs(-9223372036854775808)) FROM t", 1,
	  SQLITE_ERROR },
};

static void test_cases(void)
{
	sqlite3 *db = open_with("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('a'), ('b')");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_INT(count_rows(db, cases[i].sql), cases[i].rows);
		CHECK_INT(select_error(), cases[i].error);
		if (!CHECK((select_failure()[0] != '\0') == (cases[i].error != 0)))
			printf("  %s: %s\n", cases[i].why, select_failure());
		select_forget();
	}
	CHECK(select_has(db, "main", "t") && !select_has(db, "main", "u") && !select_error());
	CHECK(!select_exec(db, NULL));
	CHECK_INT(select_error(), SQLITE_NOMEM);
	CHECK_INT(count_rows(db, "SELECT x FROM u"), 0);
	CHECK_INT(select_error(), SQLITE_NOMEM); /* the first one stays */
	select_forget();
	sqlite3_close(db);
}

static void test_damage(void)
{
	sqlite3 *db = open_damaged();
	size_t count = count_rows(db, "SELECT y FROM t ORDER BY rowid");

	CHECK(count > 0 && count < 2000);
	CHECK_INT(select_error(), SQLITE_CORRUPT);
	select_forget();
	sqlite3_close(db);
}

/* Somebody else's statement may be wrong; that what it reads is damaged is not its fault. */
static void test_guarded(void)
{
	static const struct {
		const char *value;
		int error;
	} statements[] = {
		{ "max(y)", SQLITE_CORRUPT },
		{ "abs(-9223372036854775808)", SQLITE_OK },
	};

	for (size_t i = 0; i < 2; i++) {
		sqlite3 *db = open_damaged();
		struct buf sql BUF_SCOPED = { 0 };
		sqlite3_stmt *stmt;
		const char *why = "";
		struct guard g;

		buf_addf(&sql,
			 "SELECT '' AS subject, %s AS value, '' AS source, '' AS origin FROM t",
			 statements[i].value);
		guard_on(&g, db);
		stmt = guard_prepare(&g, sql.data, &why);
		if (CHECK(stmt))
			CHECK_INT(guard_step(&g, stmt), -EIO);
		sqlite3_finalize(stmt);
		guard_off(&g);
		CHECK_INT(select_error(), statements[i].error);
		select_forget();
		sqlite3_close(db);
	}
}

/* On the connection that keeps them, a text is prepared once, and comes back as new. */
static void test_kept(void)
{
	static const char sql[] = "SELECT x FROM t WHERE ?1 IS NULL OR x = ?1 ORDER BY x";
	sqlite3 *db = open_with("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('a'), ('b')");
	sqlite3 *other = open_with("CREATE TABLE t (x TEXT)");
	sqlite3_stmt *first, *second, *again;

	select_keep(db);
	first = select_kept(db, sql);
	sqlite3_bind_text(first, 1, "b", -1, SQLITE_STATIC);
	CHECK(select_next(first));
	second = select_kept(db, sql);
	CHECK(second && second != first); /* that one is at work */
	CHECK(select_next(second));
	CHECK_TEXT(column_text(second, 0), "a");
	CHECK_TEXT(column_text(first, 0), "b");
	select_done(second);
	select_done(first);
	again = select_kept(db, sql);
	CHECK(again == first);
	CHECK(select_next(again)); /* from the first row on, and without the value */
	CHECK_TEXT(column_text(again, 0), "a");
	CHECK_INT(sqlite3_stmt_status(again, SQLITE_STMTSTATUS_REPREPARE, 0), 0);
	select_done(again);
	again = select_kept(other, sql);
	CHECK(again && sqlite3_db_handle(again) == other);
	CHECK(!select_next(again));
	select_done(again);
	select_done(NULL);
	select_let_go(other); /* which keeps none */
	CHECK(select_kept(db, sql) == first);
	select_done(first);
	CHECK_INT(select_error(), SQLITE_OK);
	select_let_go(db);
	CHECK_INT(sqlite3_close(db), SQLITE_OK); /* nothing of it is left */
	CHECK_INT(sqlite3_close(other), SQLITE_OK);
}

int main(void)
{
	test_kept();
	test_cases();
	test_damage();
	test_guarded();
	return check_end();
}
