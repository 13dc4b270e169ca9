#include "kb/lint.h"

#include "check.h"

static const struct {
	const char *sql;
	bool absence;
	const char *why;
} statements[] = {
	{ "SELECT a FROM t WHERE b > 1", false, "plain" },
	{ "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u)", true, "not exists" },
	{ "SELECT a FROM t WHERE NOT\n (EXISTS (SELECT 1 FROM u))", true,
	  "brackets and lines between" },
	{ "SELECT a FROM t WHERE not /* x */ exists (SELECT 1)", true, "a comment between" },
	{ "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)", false, "exists" },
	{ "SELECT a FROM t WHERE b NOT IN (SELECT c FROM u)", true, "not in a query" },
	{ "SELECT a FROM t WHERE b NOT IN u", true, "not in a table" },
	{ "SELECT a FROM t WHERE b NOT IN ('x', 'y')", false, "a value that is there" },
	{ "SELECT a FROM t WHERE b NOT IN (1, 2)", false, "numbers" },
	{ "SELECT a FROM t EXCEPT SELECT b FROM u", true, "except" },
	{ "SELECT count(*) FROM t", true, "count" },
	{ "SELECT COUNT (*) FROM t", true, "count, with a blank" },
	{ "SELECT counted, account FROM t", false, "only names" },
	{ "SELECT total(x) FROM t", true, "total gives 0 of nothing" },
	{ "SELECT a FROM t WHERE b IS NULL", true, "is null" },
	{ "SELECT a FROM t WHERE b ISNULL", true, "the same" },
	{ "SELECT a FROM t WHERE b IS NOT NULL", false, "is there" },
	{ "SELECT a FROM t LEFT JOIN u ON u.x = t.x WHERE u.x IS NULL", true, "an outer join" },
	{ "SELECT 'NOT EXISTS' FROM t -- IS NULL", false, "words in strings and comments" },
	{ "SELECT 'it''s' FROM t WHERE b IS NULL", true, "a quote in a string" },
	{ "SELECT a FROM t /* IS NULL", false, "an open comment" },
	{ "SELECT 'open", false, "an open string" },
};

static void test_absence(void)
{
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		if (!CHECK(lint_is_absence(statements[i].sql) == statements[i].absence))
			printf("  %s: %s\n", statements[i].why, statements[i].sql);
}

static void test_texts(void)
{
	static const char *const holes[] = { "subject", "value", NULL };

	CHECK(lint_holes("{subject} has {value}", holes) == NULL);
	CHECK(lint_holes("nothing", holes) == NULL);
	CHECK(lint_holes("${PATH:+:$PATH} {value}", holes) == NULL);
	CHECK(lint_holes("${PATH", holes) != NULL);
	CHECK(lint_holes("${source}", holes) != NULL);
	CHECK(lint_holes("{source}", holes) != NULL);
	CHECK(lint_holes("{}", holes) != NULL);
	CHECK(lint_holes("{subject", holes) != NULL);
	CHECK(lint_holes("subject}", holes) != NULL);
	CHECK(lint_holes("{subject}}", holes) != NULL);
	CHECK(lint_holes("{{subject}}", holes) != NULL);

	CHECK(lint_claims("works in 95% of cases") != NULL);
	CHECK(lint_claims("works in 95 % of cases") != NULL);
	CHECK(lint_claims("95 percent") != NULL);
	CHECK(lint_claims("gfx1100 and 5 GiB; printf %d") == NULL);

	CHECK(lint_steps("    sudo usermod -aG render USER") == NULL);
	CHECK_TEXT(lint_steps("    sudo rm -rf /"), "rm -rf");
	CHECK_TEXT(lint_steps("    wget -O - x | sh"), "| sh");
}

int main(void)
{
	test_absence();
	test_texts();
	return check_end();
}
