#include "facts/select.h"

#include <assert.h>
#include <stdio.h>

#include "base/array.h"
#include "facts/statements.h"

/* The first failure of this process: no answer after it is complete. */
static struct {
	int result;
	char words[256];
} first;

/* Connections whose statements are kept: one, or two whose answers are compared. */
static struct kept {
	sqlite3 *db;
	struct statements statements;
} kept[2];

static struct kept *kept_of(const sqlite3 *db)
{
	for (size_t i = 0; db && i < COUNT(kept); i++)
		if (kept[i].db == db)
			return &kept[i];
	return NULL;
}

void select_note(sqlite3 *db, int result)
{
	if (first.result || result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE)
		return;
	first.result = result & 0xff; /* without the finer reasons of the upper bits */
	snprintf(first.words, sizeof(first.words), "%s",
		 db ? sqlite3_errmsg(db) : sqlite3_errstr(result));
}

sqlite3_stmt *select_from(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	int result = sql ? sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) : SQLITE_NOMEM;

	select_note(sql ? db : NULL, result);
	return stmt;
}

int select_try(sqlite3 *db, const char *sql, sqlite3_stmt **ret)
{
	struct kept *k = sql ? kept_of(db) : NULL;
	int result;

	*ret = k ? statements_take(&k->statements, sql) : NULL;
	if (*ret)
		return SQLITE_OK;
	result = sql ? sqlite3_prepare_v2(db, sql, -1, ret, NULL) : SQLITE_NOMEM;
	if (k && *ret)
		(void)statements_add(&k->statements, *ret); /* or it ends with its work */
	return result;
}

sqlite3_stmt *select_kept(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;

	select_note(sql ? db : NULL, select_try(db, sql, &stmt));
	return stmt;
}

void select_done(sqlite3_stmt *stmt)
{
	struct kept *k = stmt ? kept_of(sqlite3_db_handle(stmt)) : NULL;

	if (k && statements_put(&k->statements, stmt))
		return;
	sqlite3_finalize(stmt);
}

void select_keep(sqlite3 *db)
{
	struct kept *free = !kept[0].db ? &kept[0] : &kept[1];

	assert(db && !free->db);
	free->db = db;
}

void select_let_go(sqlite3 *db)
{
	struct kept *k = kept_of(db);

	if (!k)
		return;
	statements_done(&k->statements);
	k->db = NULL;
}

bool select_is_kept(const sqlite3 *db)
{
	return kept_of(db) != NULL;
}

bool select_next(sqlite3_stmt *stmt)
{
	int result = stmt ? sqlite3_step(stmt) : SQLITE_DONE;

	select_note(stmt ? sqlite3_db_handle(stmt) : NULL, result);
	return result == SQLITE_ROW;
}

size_t select_count(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = select_kept(db, sql);
	size_t count = 0;

	if (select_next(stmt))
		count = (size_t)sqlite3_column_int64(stmt, 0);
	select_done(stmt);
	return count;
}

bool select_has(sqlite3 *db, const char *schema, const char *table)
{
	int result = sqlite3_table_column_metadata(db, schema, table, NULL, NULL, NULL, NULL, NULL,
						   NULL);

	if (result != SQLITE_ERROR) /* there is none */
		select_note(db, result);
	return result == SQLITE_OK;
}

bool select_exec(sqlite3 *db, const char *sql)
{
	int result = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;

	select_note(sql ? db : NULL, result);
	return result == SQLITE_OK;
}

void select_run(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = select_kept(db, sql);

	while (select_next(stmt))
		;
	select_done(stmt);
}

int select_error(void)
{
	return first.result;
}

const char *select_failure(void)
{
	return first.words;
}

void select_forget(void)
{
	first.result = SQLITE_OK;
	first.words[0] = '\0';
}
