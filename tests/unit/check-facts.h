#pragma once

/*
 * check-facts - a machine written down as records, its tables read by SQL
 *
 * facts_of() lets every collector loose on a snapshot; answer_of() gives the
 * rows of a statement, columns apart by '|', rows by a newline, NULL as "-".
 */

#include <stdlib.h>

#include "check.h"
#include "facts/collect.h"

static inline struct facts *facts_of(const char *records)
{
	struct buf text = { 0 };
	struct root *root;
	struct facts *facts = facts_new();

	buf_text(&text, "rocsteady-snapshot 1\n");
	buf_text(&text, records);
	if (!CHECK(facts) || !CHECK(root_new_text(&text, &root) == 0))
		exit(1);
	collect_all(root, facts);
	root_free(root);
	return facts;
}

static inline int answer_row(void *data, int count, char **values, char **names)
{
	struct buf *out = data;

	(void)names;
	if (out->len > 0)
		buf_char(out, '\n');
	for (int i = 0; i < count; i++)
		buf_addf(out, "%s%s", i ? "|" : "", values[i] ? values[i] : "-");
	return 0;
}

/* Valid until the next call; one without a statement lets go of the last answer. */
static inline const char *answer_of(struct facts *facts, const char *sql)
{
	static struct buf out;
	char *error = NULL;

	buf_done(&out);
	out = (struct buf){ 0 };
	if (!sql)
		return NULL;
	buf_text(&out, "");
	if (sqlite3_exec(facts_db(facts), sql, answer_row, &out, &error) != SQLITE_OK)
		buf_addf(&out, "%s", error);
	sqlite3_free(error);
	return out.data;
}

/* One machine, one question, and why it is asked. */
struct facts_case {
	const char *why;
	const char *records;
	const char *sql;
	const char *want;
};

static inline void check_facts(const struct facts_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct facts *facts = facts_of(cases[i].records);
		const char *got = answer_of(facts, cases[i].sql);

		if (!check_note(strcmp(got, cases[i].want) == 0, __FILE__, __LINE__, cases[i].why))
			printf("  got  \"%s\"\n  want \"%s\"\n", got, cases[i].want);
		facts_free(facts);
	}
	answer_of(NULL, NULL);
}
