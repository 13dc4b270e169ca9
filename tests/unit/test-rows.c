#include "report/rows.h"

#include "check.h"

static struct buf out;

static const char *asked(const char *sql, bool json)
{
	sqlite3 *db;
	sqlite3_stmt *stmt = NULL;

	buf_clear(&out);
	buf_text(&out, "");
	CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK);
	if (CHECK(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK)) {
		if (json)
			rows_json(stmt, &out);
		else
			rows_text(stmt, &out, 0);
	}
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return out.data;
}

static void check_only_one(void)
{
	struct json j;
	sqlite3 *db;
	sqlite3_stmt *stmt;

	buf_clear(&out);
	j = json_on(&out);
	CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK);
	json_open(&j, NULL, '{');
	sqlite3_prepare_v2(db, "SELECT 1 AS a, 'x' AS b", -1, &stmt, NULL);
	rows_write(stmt, &j, "one", true);
	sqlite3_finalize(stmt);
	sqlite3_prepare_v2(db, "SELECT 1 WHERE 0", -1, &stmt, NULL);
	rows_write(stmt, &j, "none", true);
	sqlite3_finalize(stmt);
	json_close(&j, '}');
	sqlite3_close(db);
	CHECK_TEXT(out.data,
		   "{\n  \"one\": {\n    \"a\": 1,\n    \"b\": \"x\"\n  },\n  \"none\": null\n}\n");
}

static void check_columns(void)
{
	struct buf sql BUF_SCOPED = { 0 };

	buf_text(&sql, "SELECT 0 AS c0");
	for (int i = 1; i < 150; i++)
		buf_addf(&sql, ", %d AS c%d", i, i);
	CHECK(strstr(asked(sql.data, false), "c149") != NULL); /* the last of many is there */
}

int main(void)
{
	CHECK_TEXT(
		asked("SELECT 1 AS a, 'x' AS b, NULL AS c, 1.5 AS d UNION ALL SELECT 20, 'y', 'z', 2",
		      false),
		" a  b  c    d\n 1  x     1.5\n20  y  z    2\n");
	CHECK_TEXT(asked("SELECT 1 AS a, 'x\"' AS b, NULL AS c, 1.5 AS d", true),
		   "[\n  {\"a\": 1, \"b\": \"x\\\"\", \"c\": null, \"d\": 1.5}\n]\n");
	CHECK_TEXT(asked("SELECT 1 WHERE 0", false), "");
	CHECK_TEXT(asked("SELECT 1 WHERE 0", true), "[]\n");
	/* Bytes that a query can make and no table holds. */
	CHECK_TEXT(asked("SELECT char(27) || '[31m' AS \"\033[1m\"", false),
		   "\\x1b[1m\n\\x1b[31m\n");
	CHECK_TEXT(asked("SELECT char(27) AS a, x'00ff' AS b", true),
		   "[\n  {\"a\": \"\\u001b\", \"b\": \"\\u0000\\u00ff\"}\n]\n");
	CHECK_TEXT(asked("SELECT 9e999 AS a, 9223372036854775807 AS b", true),
		   "[\n  {\"a\": null, \"b\": 9223372036854775807}\n]\n");
	check_only_one();
	check_columns();
	buf_done(&out);
	return check_end();
}
