#pragma once

/*
 * check-diagnose - knowledge written down as SQL, beside the facts of a machine
 *
 * kb_with() executes INSERT statements on an empty kb.db and attaches it to the
 * facts through kb_attach, as the program does. CAUSE and RULE are shorter than
 * the columns; a rule's `reads` are written by hand and so can be wrong.
 */

#include "check-facts.h"
#include "kb/kb.h"

#define CAUSE(slug, severity, prior) CAUSE_SHARED(slug, severity, prior, -10)
#define CAUSE_SHARED(slug, severity, prior, share)                              \
	"INSERT INTO cause VALUES ('" slug                                      \
	"', 'cause', 'T {subject} {value}', NULL, NULL, 'S', 'gpu', '" severity \
	"', 'none', NULL, " #prior ", " #share ", 'ask again', NULL, 'f');"
#define RULE(cause, id, weight, sql, reads) \
	RULE_MORE(cause, id, weight, "NULL", sql, 0, "NULL", reads)
#define RULE_MORE(cause, id, weight, group, sql, absence, gate, reads)                     \
	"INSERT INTO evidence VALUES ('" cause "', '" id                                   \
	"', (SELECT count(*) FROM evidence), " #weight ", " group                          \
	", '{subject} is {value} by {source}', '" sql "', " #absence ", " gate ", '" reads \
	"', 1);"

/* The bytes must be freed by sqlite3_free after the facts. */
static inline unsigned char *kb_with(struct facts *facts, const char *inserts)
{
	sqlite3 *db = NULL;
	sqlite3_int64 size = 0;
	unsigned char *bytes;
	struct kb_info info;
	char *error = NULL;

	sqlite3_open(":memory:", &db);
	if (!CHECK(sqlite3_exec(db, kb_schema, NULL, NULL, NULL) == SQLITE_OK) ||
	    !CHECK(sqlite3_exec(db, "INSERT INTO kb VALUES (1, '2026-11-15', '0.1.0', 'd')", NULL,
				NULL, NULL) == SQLITE_OK))
		exit(1);
	if (sqlite3_exec(db, inserts, NULL, NULL, &error) != SQLITE_OK)
		printf("%s\n", error);
	CHECK(!error);
	sqlite3_free(error);
	bytes = sqlite3_serialize(db, "main", &size, 0);
	sqlite3_close(db);
	if (!CHECK(kb_attach(facts_db(facts), (struct span){ (const char *)bytes, (size_t)size },
			     &info) == 0))
		exit(1);
	return bytes;
}
