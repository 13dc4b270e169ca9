#include "kb/gate.h"

#include "check.h"

static const char schema[] = "CREATE TABLE t (name TEXT, n INTEGER, x REAL);"
			     "CREATE TABLE none (name TEXT);"
			     "CREATE TABLE one (name TEXT);"
			     "CREATE VIEW v AS SELECT name FROM t;"
			     "INSERT INTO one VALUES ('only');"
			     "INSERT INTO t VALUES ('HSA_A', 0, 1.5), ('HSA_AB', 7, NULL),"
			     " ('', -3, NULL), (NULL, 7, NULL);";

#define LONG "0123456789012345678901234567890123456789"

/* 'o' open, 's' shut: one letter for each term. */
static const struct {
	const char *gate;
	const char *terms;
	const char *why;
} cases[] = {
	{ "t", "o", "a table with rows" },
	{ "none", "s", "one without" },
	{ "v", "o", "a view counts as a table" },
	{ "missing", "o", "what cannot be looked into is open" },
	{ "t; none;one", "oso", "terms are looked at one by one" },
	{ " ; t ;; ", "o", "empty terms are none" },
	{ "", "", "nothing" },
	{ "t.name HSA_A", "o", "a value" },
	{ "t.name HSA_", "s", "the beginning of one is none" },
	{ "t.name HSA_ABC", "s", "and a longer one neither" },
	{ "t.name x HSA_AB", "o", "one of the words is enough" },
	{ "t.name HSA_*", "o", "begins so" },
	{ "t.name HSA_B*", "s", "nothing begins so" },
	{ "t.name *", "o", "anything" },
	{ "none.name *", "s", "but something" },
	{ "one.name ~nl", "o", "in the middle" },
	{ "one.name ~ONLY", "o", "however it is written" },
	{ "one.name ~lonely", "s", "not in it" },
	{ "none.name ~x", "s", "of no value" },
	{ "one.name ~" LONG LONG, "o", "too long to be looked for" },
	{ "t.name NULL", "o", "a row without a value" },
	{ "t.n NULL", "s", "none such" },
	{ "t.name !", "o", "any but the empty text" },
	{ "one.name !only", "s", "nothing else there" },
	{ "one.name !other", "o", "something else" },
	{ "none.name !x", "s", "no value is no other value" },
	{ "t.n 7", "o", "a number as text" },
	{ "t.n >6", "o", "greater" },
	{ "t.n >7", "s", "equal is not greater" },
	{ "t.n <-2", "o", "less" },
	{ "t.n <-3", "s", "equal is not less" },
	{ "t.x >1", "o", "one and a half" },
	{ "t.name >0", "s", "texts are no numbers" },
	{ "t.n >many", "o", "a number that is none" },
	{ "t.colour red", "o", "a column that there is not" },
	{ "none.colour red", "s", "of a table without rows none is looked for" },
	{ "t.name", "s", "nothing is waited for: lint refuses it" },
	{ "t red", "o", "words without a column: lint refuses it" },
	{ "t.a\"b x", "o", "no name" },
	{ "t.name x'y", "s", "words never become SQL" },
};

/* Of a whole gate, which may be several. */
static const struct {
	const char *gate;
	bool open;
	const char *why;
} several[] = {
	{ "", true, "none" },
	{ "t; one", true, "each term holds" },
	{ "t; none", false, "one does not" },
	{ "none | t", true, "one of two is enough" },
	{ "none; t | one", true, "a bar parts whole gates" },
	{ "none | t; none", false, "neither is open" },
};

static void check_several(struct gates *gates, sqlite3 *db)
{
	for (size_t i = 0; i < sizeof(several) / sizeof(several[0]); i++) {
		if (gates_open(gates, db, span_of(several[i].gate)) != several[i].open)
			printf("%s (%s)\n", several[i].gate, several[i].why);
		CHECK(gates_open(gates, db, span_of(several[i].gate)) == several[i].open);
	}
}

int main(void)
{
	sqlite3 *db = NULL;
	struct gates gates = { 0 };

	CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK);
	CHECK(sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct span rest = span_of(cases[i].gate);
		struct gate_term term;
		char got[8] = "";

		for (size_t n = 0; n < sizeof(got) - 1 && gate_next(&rest, &term); n++)
			got[n] = gates_shut(&gates, db, &term) ? 's' : 'o';
		if (strcmp(got, cases[i].terms) != 0)
			printf("%s (%s)\n", cases[i].gate, cases[i].why);
		CHECK_TEXT(got, cases[i].terms);
	}
	check_several(&gates, db);
	gates_done(&gates);
	sqlite3_close(db);
	return check_end();
}
