#include "fleet/merged.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sha256.h"
#include "facts/column.h"
#include "facts/functions.h"
#include "facts/select.h"

/* Statements that make the tables. */
struct merger_sql {
	const char *schema;
	struct buf kept, rest;
};

/* ---- the tables ---- */

/* The tables of one machine. */
#define TABLES "SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY rowid"

/* Its columns, as they are called here. */
#define COLUMNS \
	"SELECT iif(name = 'node', 'kfd_node', name), type FROM pragma_table_info(%Q, 'main')"

/* A table, the view that people ask, and in `kept` a column for the digest. */
static void add_table(struct merger_sql *sql, sqlite3 *facts, const char *name)
{
	char *columns = sqlite3_mprintf(COLUMNS, name);
	sqlite3_stmt *stmt = select_from(facts, columns);
	struct buf names BUF_SCOPED = { 0 };

	buf_addf(&sql->kept, ", %s INTEGER", name);
	buf_addf(
		&sql->rest,
		"CREATE TABLE %s.%s_content (content INTEGER NOT NULL, content_row INTEGER NOT NULL",
		sql->schema, name);
	while (select_next(stmt)) {
		buf_addf(&sql->rest, ", %s %s", column_text(stmt, 0), column_text(stmt, 1));
		buf_addf(&names, ", c.%s AS %s", column_text(stmt, 0), column_text(stmt, 0));
	}
	buf_addf(&sql->rest,
		 ", PRIMARY KEY (content, content_row)) WITHOUT ROWID;\n"
		 "CREATE VIEW %s.%s AS SELECT k.node AS node%s FROM kept k JOIN %s_content c"
		 " ON c.content = k.%s;\n",
		 sql->schema, name, names.data, name, name);
	sqlite3_finalize(stmt);
	sqlite3_free(columns);
}

/* Creates tables like those of `main` in a schema of this or of another connection. */
static bool make_tables(sqlite3 *facts, sqlite3 *db, const char *schema)
{
	struct merger_sql sql = { .schema = schema };
	sqlite3_stmt *stmt = select_from(facts, TABLES);
	bool made;

	buf_addf(&sql.kept,
		 "CREATE TABLE %s.kept (node TEXT NOT NULL PRIMARY KEY, file TEXT NOT NULL,"
		 " error TEXT",
		 schema);
	buf_addf(&sql.rest,
		 ") WITHOUT ROWID;\n"
		 "CREATE VIEW %s.node AS SELECT node, file, error FROM kept;\n",
		 schema);
	while (select_next(stmt))
		add_table(&sql, facts, column_text(stmt, 0));
	sqlite3_finalize(stmt);
	buf_span(&sql.kept, buf_get(&sql.rest));
	made = select_exec(db, sql.kept.data);
	buf_done(&sql.kept);
	buf_done(&sql.rest);
	return made;
}

/* ---- adding machines ---- */

static struct merger_table prepare_table(sqlite3 *db, const char *name)
{
	char *rows = sqlite3_mprintf("SELECT * FROM main.%s", name);
	char *copy = sqlite3_mprintf(
		"INSERT INTO fleet.%s_content SELECT ?1, rowid, * FROM main.%s", name, name);
	struct merger_table t = { select_from(db, rows), select_from(db, copy) };

	sqlite3_free(rows);
	sqlite3_free(copy);
	return t;
}

/* A row for a node: its name, its file, an error, and a digest for each table. */
static void prepare_node(struct merger *m)
{
	struct buf sql BUF_SCOPED = { 0 };

	buf_text(&sql, "INSERT INTO fleet.kept VALUES (?, ?, ?");
	for (size_t i = 0; i < m->count; i++)
		buf_text(&sql, ", ?");
	buf_text(&sql, ")");
	m->node = select_from(m->db, sql.data);
}

bool merger_begin(struct merger *m, struct facts *facts)
{
	sqlite3_stmt *stmt;

	*m = (struct merger){ .db = facts_db(facts) };
	facts_quiet_once(facts);
	facts_end(facts); /* nothing can be attached within a transaction */
	if (!select_exec(m->db, "ATTACH ':memory:' AS fleet") ||
	    !make_tables(m->db, m->db, "fleet"))
		return false;
	stmt = select_from(m->db, TABLES);
	while (select_next(stmt)) {
		m->tables = arena_grow(&m->arena, m->tables, m->count, sizeof(*m->tables));
		m->tables[m->count++] = prepare_table(m->db, column_text(stmt, 0));
	}
	sqlite3_finalize(stmt);
	prepare_node(m);
	return !select_error();
}

void merger_done(struct merger *m)
{
	for (size_t i = 0; i < m->count; i++) {
		sqlite3_finalize(m->tables[i].rows);
		sqlite3_finalize(m->tables[i].copy);
		map_done(&m->tables[i].known);
	}
	sqlite3_finalize(m->node);
	buf_done(&m->bytes);
	arena_done(&m->arena);
}

/* The kind of a value before it: NULL is not empty, and 1 is not '1'. */
static void add_value(struct buf *ret, sqlite3_stmt *stmt, int column)
{
	int type = sqlite3_column_type(stmt, column);
	struct span text = { 0 };
	int64_t number = 0;
	double real;

	if (type == SQLITE_INTEGER) {
		number = sqlite3_column_int64(stmt, column);
	} else if (type == SQLITE_FLOAT) {
		real = sqlite3_column_double(stmt, column);
		memcpy(&number, &real, sizeof(real));
	} else if (type != SQLITE_NULL) {
		text = column_span(stmt, column);
		number = (int64_t)text.len;
	}
	buf_char(ret, (char)type);
	if (type != SQLITE_NULL)
		buf_add(ret, &number, sizeof(number));
	buf_span(ret, text);
}

/* All rows in their order. */
static void write_rows(sqlite3_stmt *rows, struct buf *ret)
{
	while (select_next(rows))
		for (int c = 0; c < sqlite3_column_count(rows); c++)
			add_value(ret, rows, c);
	sqlite3_reset(rows);
}

/*
 * Sixty bits, a number of SQLite. Among a million different contents of a table
 * two are the same by chance once in two million fleets. Who makes two that are
 * meets only his own: to hit a content of somebody else takes 2^60 trials.
 */
static int64_t digest(struct span bytes)
{
	char hex[SHA256_HEX];
	struct sha256 sum;

	sha256_init(&sum);
	sha256_add(&sum, bytes);
	sha256_end(&sum, hex);
	hex[15] = '\0';
	return (int64_t)strtoull(hex, NULL, 16);
}

static void run_once(sqlite3_stmt *stmt)
{
	select_next(stmt);
	sqlite3_reset(stmt);
	sqlite3_clear_bindings(stmt);
}

/* The digest under which this content is kept, from now on. */
static const int64_t *keep_content(struct merger *m, struct merger_table *t)
{
	int64_t *number = arena_alloc(&m->arena, sizeof(*number));

	*number = digest(buf_get(&m->bytes));
	map_put(&t->known, arena_span(&m->arena, buf_get(&m->bytes)), number);
	sqlite3_bind_int64(t->copy, 1, *number);
	run_once(t->copy);
	return number;
}

static void keep_table(struct merger *m, size_t table)
{
	struct merger_table *t = &m->tables[table];
	const int64_t *number;

	buf_clear(&m->bytes);
	write_rows(t->rows, &m->bytes);
	if (m->bytes.len == 0)
		return;
	number = map_find(&t->known, buf_get(&m->bytes));
	if (!number)
		number = keep_content(m, t);
	sqlite3_bind_int64(m->node, (int)table + 4, *number);
}

void merger_add(struct merger *m, const char *node, const char *file, const char *error)
{
	for (size_t i = 0; !error && i < m->count; i++)
		keep_table(m, i);
	sqlite3_bind_text(m->node, 1, node, -1, SQLITE_STATIC);
	sqlite3_bind_text(m->node, 2, file, -1, SQLITE_STATIC);
	sqlite3_bind_text(m->node, 3, error, -1, SQLITE_STATIC);
	run_once(m->node);
}

/* The pages of a schema; want of memory is kept for whoever answers. */
static void add_pages(sqlite3 *db, const char *schema, struct buf *ret)
{
	sqlite3_int64 size = 0;
	unsigned char *bytes = sqlite3_serialize(db, schema, &size, 0);

	if (bytes)
		buf_add(ret, bytes, (size_t)size);
	else
		select_note(NULL, SQLITE_NOMEM);
	sqlite3_free(bytes);
}

void merger_bytes(struct merger *m, struct buf *ret)
{
	add_pages(m->db, "fleet", ret);
}

/* ---- all of them ---- */

sqlite3 *merged_new(void)
{
	struct facts *facts = facts_new();
	sqlite3 *db = functions_open();

	if (!make_tables(facts_db(facts), db, "main"))
		memory_out();
	facts_free(facts);
	return db;
}

bool merged_is_database(struct span bytes)
{
	return bytes.len > 15 && memcmp(bytes.data, "SQLite format 3", 15) == 0;
}

/* Every statement that made it, in order. */
static void write_schema(sqlite3 *db, struct buf *ret)
{
	sqlite3_stmt *stmt = NULL;

	/* A file of somebody else may not even have a schema, which is no fault of ours. */
	if (sqlite3_exec(db, "PRAGMA trusted_schema = OFF", NULL, NULL, NULL) == SQLITE_OK)
		stmt = select_from(db, "SELECT type, name, sql FROM main.sqlite_schema"
				       " ORDER BY type, name");
	while (select_next(stmt))
		buf_addf(ret, "%s %s %s\n", column_text(stmt, 0), column_text(stmt, 1),
			 column_text(stmt, 2));
	sqlite3_finalize(stmt);
}

/* A view or a trigger of somebody else's would run when it is read: the tables are ours by letter. */
static bool is_ours(sqlite3 *db)
{
	struct buf theirs BUF_SCOPED = { 0 }, ours BUF_SCOPED = { 0 };
	sqlite3 *empty = merged_new();

	write_schema(empty, &ours);
	sqlite3_close(empty);
	write_schema(db, &theirs);
	return ours.len > 0 && span_same(buf_get(&ours), buf_get(&theirs));
}

sqlite3 *merged_read(struct span bytes)
{
	sqlite3 *db = merged_is_database(bytes) ? functions_open() : NULL;

	if (db &&
	    sqlite3_deserialize(db, "main", (unsigned char *)(uintptr_t)bytes.data,
				(sqlite3_int64)bytes.len, (sqlite3_int64)bytes.len,
				SQLITE_DESERIALIZE_READONLY) == SQLITE_OK &&
	    is_ours(db))
		return db;
	sqlite3_close(db);
	select_forget(); /* it is the file that is damaged */
	return NULL;
}

/* Contents that an earlier part has brought are there already. */
static bool copy_part(sqlite3 *db)
{
	struct buf sql BUF_SCOPED = { 0 };
	sqlite3_stmt *stmt = select_from(db, TABLES);

	buf_text(&sql, "BEGIN;");
	while (select_next(stmt))
		buf_addf(&sql, "INSERT OR IGNORE INTO main.%s SELECT * FROM part.%s;",
			 column_text(stmt, 0), column_text(stmt, 0));
	sqlite3_finalize(stmt);
	buf_text(&sql, "COMMIT");
	return select_exec(db, sql.data);
}

bool merged_take(sqlite3 *db, struct span part)
{
	bool whole;

	if (!select_exec(db, "ATTACH ':memory:' AS part"))
		return false;
	whole = sqlite3_deserialize(db, "part", (unsigned char *)(uintptr_t)part.data,
				    (sqlite3_int64)part.len, (sqlite3_int64)part.len,
				    SQLITE_DESERIALIZE_READONLY) == SQLITE_OK &&
		copy_part(db);
	return select_exec(db, "DETACH part") && whole;
}

size_t merged_nodes(sqlite3 *db)
{
	return select_count(db, "SELECT count(*) FROM main.node");
}

size_t merged_unread(sqlite3 *db)
{
	return select_count(db, "SELECT count(*) FROM main.node WHERE error IS NOT NULL");
}

void merged_bytes(sqlite3 *db, struct buf *ret)
{
	add_pages(db, "main", ret);
}
