#include "facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "check.h"
#include "facts/select.h"

static long long number(struct facts *f, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	long long n = -1;

	if (sqlite3_prepare_v2(facts_db(f), sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		n = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return n;
}

/* A text of `count` times `unit`, in a fresh database. */
static struct facts *with(const char *unit, size_t count)
{
	struct facts *f = facts_new();
	struct buf text BUF_SCOPED = { 0 };
	struct row r = row_of("env");

	for (size_t i = 0; i < count; i++)
		buf_text(&text, unit);
	row_string(&r, "subject", "identity");
	row_string(&r, "name", "X");
	row_text(&r, "value", buf_get(&text));
	row_string(&r, "source", "environment");
	facts_add(f, &r);
	return f;
}

static const struct {
	const char *unit;
	size_t count;
	int bytes;
	int gaps;
	const char *why;
} cases[] = {
	{ "a", 8192, 8192, 0, "as long as may be" },
	{ "a", 8193, 8192, 1, "one more" },
	{ "a", 1000000, 8192, 1, "far too long" },
	{ "\xe2\x82\xac", 3000, 8190, 1, "no half character is left" },
	{ "\x01", 2048, 8192, 0, "cleaned, and just short enough" },
	{ "\x01", 2049, 8192, 1, "cleaned, and then too long" },
};

static void add_variable(struct facts *f, const char *name)
{
	struct row r = row_of("env");

	row_string(&r, "subject", "identity");
	row_string(&r, "name", name);
	row_string(&r, "value", "1");
	row_string(&r, "source", "environment");
	facts_add(f, &r);
}

/* Nothing of one text is there for the next, also where SQLite has gone back by itself. */
static void test_clear(void)
{
	struct facts *f = facts_new();
	long long gaps = -1;

	facts_keep(f);
	for (int i = 0; i < 4; i++) {
		CHECK_INT(number(f, "SELECT count(*) FROM env"), 0);
		CHECK_INT(number(f, "SELECT count(*) FROM gap"), 0);
		if (i != 2)
			facts_asked(f, "env");
		add_variable(f, "X");
		facts_end(f);
		gaps = i == 0 ? number(f, "SELECT count(*) FROM gap") : gaps;
		CHECK(gaps > 10);
		CHECK_INT(number(f, "SELECT count(*) FROM gap"), gaps + (i == 2));
		CHECK_INT(number(f, "SELECT count(*) FROM env"), 1);
		if (i == 1) { /* as SQLite does where a statement finds no memory */
			sqlite3_exec(facts_db(f), "ROLLBACK", NULL, NULL, NULL);
			add_variable(f, "Y");
		}
		facts_clear(f);
	}
	CHECK_INT(select_error(), SQLITE_OK);
	facts_free(f);
}

int main(void)
{
	test_clear();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct facts *f = with(cases[i].unit, cases[i].count);

		if (number(f, "SELECT length(CAST(value AS BLOB)) FROM env") != cases[i].bytes)
			printf("%s\n", cases[i].why);
		CHECK_INT(number(f, "SELECT length(CAST(value AS BLOB)) FROM env"), cases[i].bytes);
		CHECK_INT(number(f, "SELECT count(*) FROM gap WHERE topic = 'env.value' AND"
				    " standing = 'broken'"),
			  cases[i].gaps);
		facts_free(f);
	}
	return check_end();
}
