#include "facts/statements.h"

#include <stdlib.h>

#include "base/memory.h"

struct statement {
	sqlite3_stmt *stmt; /* its text is the key */
	bool at_work;
	struct statement *next;
};

/* As sqlite3_sql() will have it: SQLite keeps nothing behind the semicolon, as the newline of a file. */
static struct span key_of(const char *text)
{
	struct span whole = span_of(text), trimmed = span_trim(whole);

	if (!span_ends(trimmed, ";"))
		return whole;
	return (struct span){ whole.data, (size_t)(trimmed.data + trimmed.len - whole.data) };
}

/* The bytes of its pointer: a text of SQL is long. */
static struct span handle_of(sqlite3_stmt *const *stmt)
{
	return (struct span){ (const char *)stmt, sizeof(*stmt) };
}

sqlite3_stmt *statements_take(struct statements *s, const char *text)
{
	struct statement *kept = map_find(&s->by_text, key_of(text));

	if (!kept || kept->at_work)
		return NULL;
	kept->at_work = true;
	return kept->stmt;
}

bool statements_add(struct statements *s, sqlite3_stmt *stmt)
{
	struct span text = span_of(sqlite3_sql(stmt));
	size_t bytes = (size_t)sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_MEMUSED, 0);
	struct statement *kept;

	if (s->count == STATEMENTS_MAX || s->bytes + bytes > STATEMENTS_BYTES ||
	    map_find(&s->by_text, text))
		return false;
	kept = memory_new(1, sizeof(*kept));
	*kept = (struct statement){ .stmt = stmt, .at_work = true, .next = s->first };
	s->first = kept;
	s->count++;
	s->bytes += bytes;
	map_put(&s->by_text, text, kept);
	map_put(&s->by_handle, handle_of(&kept->stmt), kept);
	return true;
}

bool statements_put(struct statements *s, sqlite3_stmt *stmt)
{
	struct statement *kept = map_find(&s->by_handle, handle_of(&stmt));

	if (!kept)
		return false;
	sqlite3_reset(stmt);
	sqlite3_clear_bindings(stmt);
	kept->at_work = false;
	return true;
}

void statements_done(struct statements *s)
{
	for (struct statement *kept = s->first, *next; kept; kept = next) {
		next = kept->next;
		sqlite3_finalize(kept->stmt);
		free(kept);
	}
	map_done(&s->by_text);
	map_done(&s->by_handle);
	*s = (struct statements){ 0 };
}
