#include "kb/kb.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "base/text.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/layers.h"
#include "kb/schema-check.h"
#include "parse/needle.h"

#define PAGE   4096
#define BUDGET 4000 /* times 1,000 steps of SQLite, for looking at a whole file */

static const char magic[16] = "SQLite format 3";

static int give_up(void *ctx)
{
	return --*(int *)ctx <= 0;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *format, const char *name)
{
	char *sql = sqlite3_mprintf(format, name);
	sqlite3_stmt *stmt = NULL;

	select_note(db, sql ? sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_NO_VTAB, &stmt, NULL)
			    : SQLITE_NOMEM);
	sqlite3_free(sql);
	return stmt;
}

unsigned char *kb_empty(int64_t *ret_size)
{
	sqlite3 *db = schema_check_fresh();
	sqlite3_int64 size = 0;
	unsigned char *bytes = db ? sqlite3_serialize(db, "main", &size, 0) : NULL;

	sqlite3_close(db);
	*ret_size = size;
	return bytes;
}

/* ---- its rows ---- */

/* Text is clean, so that no printer needs a second thought; numbers are whole. */
static bool good_cell(sqlite3_stmt *stmt, int column)
{
	struct span text;

	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_NULL:
	case SQLITE_INTEGER:
		return true;
	case SQLITE_TEXT:
		text = column_span(stmt, column);
		return text.len <= KB_TEXT_MAX && text_is_clean(text, true);
	default:
		return false;
	}
}

/* Whoever reads a column of numbers asks for a number, and gets one whatever stands there. */
static bool is_of_numbers(sqlite3 *db, const char *schema, const char *table)
{
	char *sql = sqlite3_mprintf("PRAGMA \"%w\".table_info(\"%w\")", schema, table);
	sqlite3_stmt *stmt = sql ? select_from(db, sql) : NULL;
	bool numbers = stmt != NULL;

	while (numbers && select_next(stmt))
		numbers = strcmp(column_text(stmt, 2), "INTEGER") == 0;
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return numbers;
}

/* Of a table of numbers, which may have many, the rows are counted and not read. */
static bool good_rows(sqlite3 *db, const char *schema, const char *table)
{
	bool numbers = is_of_numbers(db, schema, table);
	char *sql = sqlite3_mprintf("SELECT %s FROM \"%w\".\"%w\"", numbers ? "count(*)" : "*",
				    schema, table);
	sqlite3_stmt *stmt = sql ? select_from(db, sql) : NULL;
	bool good = stmt != NULL;
	size_t rows = 0;

	while (good && select_next(stmt)) {
		rows += numbers ? (size_t)sqlite3_column_int64(stmt, 0) : 1;
		good = rows <= KB_ROWS_MAX;
		for (int i = 0; good && i < sqlite3_column_count(stmt); i++)
			good = good_cell(stmt, i);
	}
	good = sqlite3_finalize(stmt) == SQLITE_OK && good;
	sqlite3_free(sql);
	return good;
}

/* Every page is used once and every index fits its table: no circle, no second truth. */
static bool is_whole(sqlite3 *db, const char *schema)
{
	sqlite3_stmt *stmt = prepare(db, "PRAGMA \"%w\".integrity_check(1)", schema);
	bool good = select_next(stmt) && strcmp(column_text(stmt, 0), "ok") == 0;

	sqlite3_finalize(stmt);
	return good;
}

static bool good_tables(sqlite3 *db, const char *schema)
{
	sqlite3_stmt *stmt =
		prepare(db, "SELECT name FROM \"%w\".sqlite_schema WHERE type = 'table'", schema);
	bool good = stmt != NULL;

	while (good && select_next(stmt))
		good = good_rows(db, schema, column_text(stmt, 0));
	return sqlite3_finalize(stmt) == SQLITE_OK && good;
}

static bool sql_is_bounded(sqlite3 *db, const char *schema)
{
	sqlite3_stmt *stmt =
		prepare(db, "SELECT coalesce(sum(length(sql)), 0) FROM \"%w\".evidence", schema);
	bool good = select_next(stmt) && sqlite3_column_int64(stmt, 0) <= KB_SQL_MAX;

	sqlite3_finalize(stmt);
	return good;
}

/* With a shorter one no scan can be made, and none of the others would be looked for either. */
static bool literals_are_long(sqlite3 *db, const char *schema)
{
	sqlite3_stmt *stmt =
		prepare(db, "SELECT min(length(CAST(text AS BLOB))) FROM \"%w\".literal", schema);
	bool good = select_next(stmt) && (sqlite3_column_type(stmt, 0) == SQLITE_NULL ||
					  sqlite3_column_int64(stmt, 0) >= NEEDLE_MIN);

	sqlite3_finalize(stmt);
	return good;
}

/* ---- the one row about itself ---- */

/* 0.10.2 is later than 0.9: number by number. */
static int compare_versions(const char *a, const char *b)
{
	while (*a || *b) {
		char *end_a, *end_b;
		unsigned long left = strtoul(a, &end_a, 10);
		unsigned long right = strtoul(b, &end_b, 10);

		if (left != right)
			return left < right ? -1 : 1;
		if ((end_a == a && *a) || (end_b == b && *b))
			return strcmp(a, b);
		a = end_a + (*end_a == '.');
		b = end_b + (*end_b == '.');
	}
	return 0;
}

static int read_info(sqlite3 *db, const char *schema, struct kb_info *ret)
{
	sqlite3_stmt *stmt =
		prepare(db, "SELECT format, version, needs, digest FROM \"%w\".kb", schema);
	int r = -EBADMSG;

	if (select_next(stmt)) {
		*ret = (struct kb_info){ .format = sqlite3_column_int(stmt, 0) };
		snprintf(ret->version, sizeof(ret->version), "%s", column_text(stmt, 1));
		snprintf(ret->needs, sizeof(ret->needs), "%s", column_text(stmt, 2));
		snprintf(ret->digest, sizeof(ret->digest), "%s", column_text(stmt, 3));
		ret->newer = compare_versions(ret->needs, ROCSTEADY_VERSION) > 0;
		r = ret->format >= 1 && !select_next(stmt) ? 0 : -EBADMSG;
	}
	sqlite3_finalize(stmt);
	return r;
}

/* ---- attaching ---- */

void kb_detach(sqlite3 *db, const char *name)
{
	char *sql = sqlite3_mprintf("DETACH %Q", name);

	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
}

static int examine(sqlite3 *db, const char *name, bool examined, struct kb_info *ret)
{
	enum schema_check shape = SCHEMA_CHECK_SAME;
	struct kb_info info;

	if (read_info(db, name, &info) < 0)
		return -EBADMSG;
	if (info.format > KB_FORMAT)
		return -ENOTSUP;
	if (!examined)
		shape = schema_check_of(db, name);
	if (!examined &&
	    (shape == SCHEMA_CHECK_NONE || !is_whole(db, name) || !good_tables(db, name) ||
	     !sql_is_bounded(db, name) || !literals_are_long(db, name)))
		return -EBADMSG;
	info.near = shape == SCHEMA_CHECK_NEAR;
	*ret = info;
	return 0;
}

/* Our page size, and as many pages as the header says: not cut, nothing after them. */
static bool is_ours(struct span bytes)
{
	if (bytes.len < PAGE || bytes.len > KB_SIZE_MAX || memcmp(bytes.data, magic, 16) != 0)
		return false;
	return endian_big(bytes.data + 16, 2) == PAGE &&
	       endian_big(bytes.data + 28, 4) * PAGE == bytes.len;
}

/* Its pages are read where they lie; without this SQLite copies each into its cache. */
static void read_in_place(sqlite3 *db, const char *name, size_t size)
{
	char *sql = sqlite3_mprintf("PRAGMA %Q.mmap_size = %llu", name, (unsigned long long)size);

	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
}

static int deserialize(sqlite3 *db, const char *name, struct span bytes)
{
	char *sql = sqlite3_mprintf("ATTACH ':memory:' AS %Q", name);
	int r = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	if (r != SQLITE_OK)
		return -ENOMEM;
	/* READONLY keeps SQLite from writing to bytes that are not its own. */
	r = sqlite3_deserialize(db, name, (unsigned char *)(uintptr_t)bytes.data,
				(sqlite3_int64)bytes.len, (sqlite3_int64)bytes.len,
				SQLITE_DESERIALIZE_READONLY);
	if (r == SQLITE_OK)
		read_in_place(db, name, bytes.len);
	return r == SQLITE_OK ? 0 : -EBADMSG;
}

/* What fails while somebody's file is looked at is the file's fault, but for memory. */
static int blame_file(int r)
{
	int error = select_error();

	if (error)
		select_forget();
	return error == SQLITE_NOMEM ? -ENOMEM : error && r == 0 ? -EBADMSG : r;
}

static int attach(sqlite3 *db, const char *name, struct span bytes, bool examined,
		  struct kb_info *ret)
{
	bool failed = select_error();
	int budget = BUDGET;
	int length, trusted;
	int r;

	assert(name[0] && strcmp(name, "main") != 0); /* that is the machine's */
	if (!is_ours(bytes))
		return -EBADMSG;
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, -1, &trusted);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	length = sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 4 * KB_TEXT_MAX);
	sqlite3_progress_handler(db, 1000, give_up, &budget);
	r = deserialize(db, name, bytes);
	if (r == 0)
		r = examine(db, name, examined, ret);
	if (!failed)
		r = blame_file(r);
	sqlite3_progress_handler(db, 0, NULL, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, length);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, trusted, NULL);
	if (r < 0)
		kb_detach(db, name);
	return r;
}

int kb_attach_as(sqlite3 *db, const char *name, struct span bytes, struct kb_info *ret)
{
	/* Our tests have examined what the program carries. */
	return attach(db, name, bytes, bytes.data == (const char *)kb_embedded, ret);
}

int kb_attach_examined(sqlite3 *db, const char *name, struct span bytes, struct kb_info *ret)
{
	return attach(db, name, bytes, true, ret);
}

int kb_attach(sqlite3 *db, struct span bytes, struct kb_info *ret)
{
	return layers_attach(db, &(struct layers){ .base = bytes }, ret, NULL);
}
