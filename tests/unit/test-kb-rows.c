#include "kb/rows.h"

#include <string.h>

#include "check-kb.h"
#include "facts/facts.h"
#include "kb/kb.h"

static struct span embedded(void)
{
	return (struct span){ (const char *)kb_embedded, (size_t)(kb_embedded_end - kb_embedded) };
}

static struct facts *beside(struct span bytes)
{
	struct facts *f = facts_new();
	struct kb_info info;

	facts_end(f);
	CHECK_INT(kb_attach(facts_db(f), bytes, &info), 0);
	return f;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_row(const struct kb_rows *carried, const struct kb_rows *asked)
{
	for (int i = 0; i < sqlite3_column_count(asked->stmt); i++)
		if (sqlite3_column_type(asked->stmt, i) == SQLITE_INTEGER
			    ? kb_rows_int(carried, i) != kb_rows_int(asked, i)
			    : !same_text(kb_rows_text(carried, i), kb_rows_text(asked, i)))
			return false;
	return true;
}

/* What was written down while the program was built is what its knowledge answers. */
static void test_same(void)
{
	struct arena arena = { 0 };
	char *copy = arena_text(&arena, embedded());
	struct facts *here = beside(embedded());
	struct facts *there = beside((struct span){ copy, embedded().len });

	for (int i = 0; i < KB_ROWS_KINDS; i++) {
		struct kb_rows carried = kb_rows_of(facts_db(here), i, &arena);
		struct kb_rows asked = kb_rows_of(facts_db(there), i, &arena);
		size_t count = 0;

		CHECK(!carried.stmt && asked.stmt);
		for (; kb_rows_next(&carried); count++)
			if (!CHECK(kb_rows_next(&asked) && same_row(&carried, &asked)))
				break;
		CHECK(!kb_rows_next(&asked));
		CHECK(count > 10);
		CHECK_INT(kb_rows_count(facts_db(here), i), count);
		CHECK_INT(kb_rows_count(facts_db(there), i), count);
		CHECK_INT(kb_rows_done(&carried), 0);
		CHECK_INT(kb_rows_done(&asked), 0);
	}
	facts_free(here);
	facts_free(there);
	arena_done(&arena);
}

int main(void)
{
	test_same();
	return check_end();
}
