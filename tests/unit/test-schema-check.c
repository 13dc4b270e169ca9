#include "kb/schema-check.h"

#include "check.h"

static const struct {
	const char *sql;
	bool plain;
} tables[] = {
	{ "CREATE TABLE a (b TEXT)", true },
	{ "CREATE TABLE a(b TEXT NOT NULL PRIMARY KEY, c INTEGER DEFAULT 0)", true },
	{ "CREATE TABLE a ( -- it's (so) \"said\"\n\tb TEXT, -- CHECK (x)\n\tPRIMARY KEY (b)\n)",
	  true },
	{ "CREATE TABLE a (\"group\" TEXT, PRIMARY KEY (\"group\", b))", true },
	{ "", false },
	{ "CREATE TABLE ", false },
	{ "CREATE TABLE a", false },
	{ "CREATE TABLE a (", false },
	{ "CREATE TABLE a (b TEXT", false },
	{ "CREATE TABLE a (b TEXT -- )", false },
	{ "CREATE TABLE a (b TEXT) STRICT", false },
	{ "CREATE TABLE a AS SELECT 1", false },
	{ "CREATE TABLE a (b CHECK (b > 0))", false },
	{ "CREATE TABLE a (b, c AS (b))", false },
	{ "CREATE TABLE a (b DEFAULT (random()))", false },
	{ "CREATE TABLE a (b DEFAULT 'x')", false },
	{ "CREATE TABLE a (b /* c */)", false },
	{ "CREATE TABLE a ([b] TEXT)", false },
	{ "CREATE TABLE a (\"b\"\"c\" TEXT)", false },
	{ "CREATE TABLE a (\"b TEXT)", false },
	{ "CREATE TABLE a (b, PRIMARY KEY (abs(b)))", false },
	{ "CREATE TABLE a (b, PRIMARY KEY (b)", false },
	{ "CREATE VIRTUAL TABLE a USING fts5(b)", false },
	{ "CREATE TABLE \"a\" (b)", false },
};

/* Ours are, or no later program could read them. */
static void test_own(void)
{
	sqlite3 *db = schema_check_fresh();
	sqlite3_stmt *stmt = NULL;
	int count = 0;

	sqlite3_prepare_v2(db, "SELECT name, sql FROM sqlite_schema WHERE type = 'table'", -1,
			   &stmt, NULL);
	for (; sqlite3_step(stmt) == SQLITE_ROW; count++)
		if (!CHECK(schema_check_is_plain((const char *)sqlite3_column_text(stmt, 1))))
			printf("  %s\n", sqlite3_column_text(stmt, 0));
	CHECK(count > 20);
	sqlite3_finalize(stmt);
	CHECK_INT(schema_check_of(db, "main"), SCHEMA_CHECK_SAME);
	sqlite3_close(db);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!CHECK(schema_check_is_plain(tables[i].sql) == tables[i].plain))
			printf("  %s\n", tables[i].sql);
	test_own();
	return check_end();
}
