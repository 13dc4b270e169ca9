#include "facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "check.h"

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

int main(void)
{
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
