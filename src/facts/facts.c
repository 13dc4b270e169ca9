#include "facts/facts.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/debug.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "door/standing.h"
#include "facts/column.h"
#include "facts/functions.h"
#include "facts/select.h"
#include "facts/sql-trace.h"

struct table {
	const char *name;
	const char **columns;
	size_t column_count;
	sqlite3_stmt *insert;
	sqlite3_stmt *clear;
	bool asked;
};

struct facts {
	sqlite3 *db;
	struct arena arena;
	struct table *tables;
	size_t table_count;
	bool is_cleared; /* after each text: what it added is never written for good */
	bool quiet_once;
	struct map quiet; /* gaps of this machine that were told, by all that is told of them */
	struct arena quiet_keys;
	struct buf key;
};

sqlite3 *facts_db(struct facts *f)
{
	return f->db;
}

/* ---- the schema, as SQLite understood it ---- */

static struct table *find_table(struct facts *f, const char *name)
{
	for (size_t i = 0; i < f->table_count; i++)
		if (strcmp(f->tables[i].name, name) == 0)
			return &f->tables[i];
	fprintf(stderr, "rocsteady: no table %s\n", name);
	abort();
}

static int find_column(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->column_count; i++)
		if (strcmp(t->columns[i], name) == 0)
			return (int)i;
	fprintf(stderr, "rocsteady: no column %s.%s\n", t->name, name);
	abort();
}

/* The tables of the schema, made when the program was built, and no rows. */
extern const unsigned char facts_empty[];
extern const unsigned char facts_empty_end[];

static void take_tables(sqlite3 *db)
{
	size_t size = (uintptr_t)facts_empty_end - (uintptr_t)facts_empty;
	unsigned char *copy = sqlite3_malloc64(size);

	if (!copy)
		memory_out();
	memcpy(copy, facts_empty, size);
	if (sqlite3_deserialize(db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
				SQLITE_DESERIALIZE_RESIZEABLE | SQLITE_DESERIALIZE_FREEONCLOSE) !=
	    SQLITE_OK)
		memory_out();
}

struct facts *facts_new(void)
{
	struct facts *f = memory_new(1, sizeof(*f));
	sqlite3_stmt *stmt;

	/*
	 * One thread: no mutex around every malloc. The memory stays counted, or
	 * the heap limit of the knowledge's guard would be silently without effect.
	 * Pages are taken one by one: twenty at once for each table that a statement
	 * keeps for itself are memory that the kernel clears and nobody reads.
	 */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
	f->db = functions_open();
	take_tables(f->db);
#ifdef __wasm__ /* a page has no file for what a view is worked out into */
	sqlite3_exec(f->db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
#endif
	sql_trace(f->db);
	stmt = select_from(f->db, "SELECT name FROM sqlite_schema WHERE type = 'table'");
	while (select_next(stmt)) {
		f->tables = arena_grow(&f->arena, f->tables, f->table_count, sizeof(*f->tables));
		f->tables[f->table_count++].name = column_copy(stmt, 0, &f->arena);
	}
	sqlite3_finalize(stmt);
	select_exec(f->db, "BEGIN");
	return f;
}

static void clear_table(struct facts *f, struct table *t)
{
	if (!t->clear) {
		char *sql = sqlite3_mprintf("DELETE FROM main.%Q", t->name);

		t->clear = select_from(f->db, sql);
		sqlite3_free(sql);
	}
	select_next(t->clear);
	sqlite3_reset(t->clear);
	t->asked = false;
}

void facts_quiet_once(struct facts *f)
{
	f->quiet_once = true;
}

static void forget_quiet(struct facts *f)
{
	map_done(&f->quiet);
	arena_done(&f->quiet_keys);
	f->quiet_keys = (struct arena){ 0 };
}

void facts_next(struct facts *f)
{
	forget_quiet(f);
	if (!sqlite3_get_autocommit(f->db))
		select_exec(f->db, "COMMIT"); /* of a machine that was given up */
	select_exec(f->db, "BEGIN");
	for (size_t i = 0; i < f->table_count; i++)
		clear_table(f, &f->tables[i]);
}

struct facts *facts_free(struct facts *f)
{
	if (!f)
		return NULL;
	for (size_t i = 0; i < f->table_count; i++) {
		sqlite3_finalize(f->tables[i].insert);
		sqlite3_finalize(f->tables[i].clear);
	}
	select_let_go(f->db);
	sqlite3_close(f->db);
	forget_quiet(f);
	buf_done(&f->key);
	arena_done(&f->arena);
	free(f);
	return NULL;
}

/* ---- rows ---- */

/* The cells are filled one by one; clearing all of them would cost more than the rest. */
struct row row_of(const char *table)
{
	struct row r;

	r.table = table;
	r.count = 0;
	return r;
}

static struct row_cell *new_cell(struct row *r, const char *column)
{
	assert(r->count < ROW_CELLS_MAX);
	r->cells[r->count] = (struct row_cell){ .column = column };
	return &r->cells[r->count++];
}

void row_text(struct row *r, const char *column, struct span value)
{
	struct row_cell *cell = new_cell(r, column);

	cell->type = ROW_TEXT;
	cell->text = value;
}

void row_string(struct row *r, const char *column, const char *value)
{
	if (value)
		row_text(r, column, span_of(value));
}

void row_int(struct row *r, const char *column, int64_t value)
{
	struct row_cell *cell = new_cell(r, column);

	cell->type = ROW_INT;
	cell->number = value;
}

void row_u64(struct row *r, const char *column, uint64_t value)
{
	if (value <= INT64_MAX)
		row_int(r, column, (int64_t)value);
	else
		new_cell(r, column)->type = ROW_UNFIT;
}

void row_real(struct row *r, const char *column, double value)
{
	struct row_cell *cell = new_cell(r, column);

	cell->type = ROW_REAL;
	cell->real = value;
}

/* Every column a parameter; one that has a default keeps it when no value comes. */
static void prepare_insert(struct facts *f, struct table *t)
{
	char *names = sqlite3_mprintf("SELECT name FROM pragma_table_info(%Q)", t->name);
	sqlite3_stmt *stmt = select_from(f->db, names);
	struct buf sql BUF_SCOPED = { 0 };

	while (select_next(stmt)) {
		t->columns =
			arena_grow(&f->arena, t->columns, t->column_count, sizeof(*t->columns));
		t->columns[t->column_count++] = column_copy(stmt, 0, &f->arena);
	}
	sqlite3_finalize(stmt);
	sqlite3_free(names);
	buf_addf(&sql, "INSERT INTO \"%s\" VALUES (", t->name);
	for (size_t i = 0; i < t->column_count; i++)
		buf_addf(&sql,
			 strcmp(t->columns[i], "origin") == 0 ? "%scoalesce(?%zu, 'observed')"
							      : "%s?%zu",
			 i ? ", " : "", i + 1);
	buf_text(&sql, ")");
	t->insert = select_from(f->db, sql.data);
}

static void bind_text(sqlite3_stmt *stmt, int at, struct span text)
{
	struct buf clean BUF_SCOPED = { 0 };

	text = text_cut(text, FACTS_TEXT_MAX);
	if (text_is_clean(text, false)) {
		sqlite3_bind_text(stmt, at, text.data ? text.data : "", (int)text.len,
				  SQLITE_TRANSIENT);
		return;
	}
	text_clean(&clean, text, false);
	text = text_cut(buf_get(&clean), FACTS_TEXT_MAX);
	sqlite3_bind_text(stmt, at, text.data, (int)text.len, SQLITE_TRANSIENT);
}

/* Cleaning makes up to four bytes of one. */
static bool may_be_shortened(const struct row_cell *cell)
{
	return cell->type == ROW_TEXT &&
	       (cell->text.len > FACTS_TEXT_MAX ||
		(cell->text.len > FACTS_TEXT_MAX / 4 && !text_is_clean(cell->text, false)));
}

/* The part that was cut off is unknown: the gap reports it to rules that read the column. */
static void tell_shortened(struct facts *f, const struct row *r)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct row_cell *cell = &r->cells[i];
		char topic[128];

		if (!may_be_shortened(cell) || strcmp(r->table, "gap") == 0)
			continue;
		snprintf(topic, sizeof(topic), "%s.%s", r->table, cell->column);
		facts_gap(f, topic, NULL, -EFBIG, NULL);
	}
}

/* A number that no column can hold is not known, and a rule that reads the column must know that. */
static void tell_unfit(struct facts *f, const struct row *r)
{
	for (size_t i = 0; i < r->count; i++) {
		char topic[128];

		if (r->cells[i].type != ROW_UNFIT)
			continue;
		snprintf(topic, sizeof(topic), "%s.%s", r->table, r->cells[i].column);
		facts_gap(f, topic, NULL, -EBADMSG, NULL);
	}
}

static void bind_cell(sqlite3_stmt *stmt, int at, const struct row_cell *cell)
{
	if (cell->type == ROW_TEXT)
		bind_text(stmt, at, cell->text);
	else if (cell->type == ROW_INT)
		sqlite3_bind_int64(stmt, at, cell->number);
	else if (cell->type == ROW_REAL)
		sqlite3_bind_double(stmt, at, cell->real);
}

/*
 * A value of the machine can break a rule of the schema: two rows of one name, a
 * number out of range. Then there is no row, and a gap on its table says so. Any
 * other error is want of memory, which is kept for the command that answers.
 */
static void refuse_row(struct facts *f, const struct row *r, int result)
{
	DEBUG(DEBUG_SQL, 0, "a row of %s is refused: %s", r->table, sqlite3_errmsg(f->db));
	if (result == SQLITE_CONSTRAINT && strcmp(r->table, "gap") != 0)
		facts_gap(f, r->table, NULL, -EBADMSG, NULL);
	else
		select_note(f->db, result);
}

void facts_add(struct facts *f, const struct row *r)
{
	struct table *t;
	int result;

	if (!f)
		return;
	t = find_table(f, r->table);
	if (!t->insert)
		prepare_insert(f, t);
	if (!t->insert)
		return; /* want of memory, which select_from() has kept */
	for (size_t i = 0; i < r->count; i++)
		bind_cell(t->insert, find_column(t, r->cells[i].column) + 1, &r->cells[i]);
	result = sqlite3_step(t->insert);
	if (result != SQLITE_DONE)
		refuse_row(f, r, result);
	sqlite3_reset(t->insert);
	sqlite3_clear_bindings(t->insert);
	tell_unfit(f, r);
	tell_shortened(f, r);
}

/* ---- gaps ---- */

static bool is_quiet(const char *standing)
{
	return strcmp(standing, "absent") == 0 || strcmp(standing, "unasked") == 0;
}

/* Whether the same was told before; from now on it was. */
static bool is_told(struct facts *f, const char *topic, const char *standing, const char *detail)
{
	struct span key;

	buf_clear(&f->key);
	buf_text(&f->key, topic);
	buf_char(&f->key, '\n');
	buf_text(&f->key, standing);
	buf_char(&f->key, detail ? '\n' : '\0');
	buf_text(&f->key, detail ? detail : "");
	if (map_find(&f->quiet, buf_get(&f->key)))
		return true;
	key = arena_span(&f->quiet_keys, buf_get(&f->key));
	map_put(&f->quiet, key, f);
	return false;
}

void facts_gap_said(struct facts *f, const char *topic, const char *subject, const char *standing,
		    const char *detail, const char *source)
{
	struct row r = row_of("gap");

	if (f && f->quiet_once && is_quiet(standing)) {
		if (is_told(f, topic, standing, detail))
			return;
		subject = source = NULL;
	}
	row_string(&r, "topic", topic);
	row_string(&r, "subject", subject ? subject : "");
	row_string(&r, "standing", standing);
	row_string(&r, "detail", detail);
	row_string(&r, "source", source);
	facts_add(f, &r);
}

void facts_gap(struct facts *f, const char *topic, const char *subject, int error,
	       const char *source)
{
	assert(topic && error < 0);
	facts_gap_said(f, topic, subject, standing_of(error), standing_error_name(error), source);
}

void facts_asked(struct facts *f, const char *table)
{
	if (f)
		find_table(f, table)->asked = true;
}

void facts_end(struct facts *f)
{
	assert(!f || !sqlite3_get_autocommit(f->db)); /* once, or each gap would be there twice */
	for (size_t i = 0; f && i < f->table_count; i++) {
		const char *name = f->tables[i].name;

		if (!f->tables[i].asked && strcmp(name, "gap") != 0 && strcmp(name, "run") != 0)
			facts_gap_said(f, name, "", "unasked", NULL, NULL);
	}
	if (f && !f->is_cleared)
		select_exec(f->db, "COMMIT");
}

/* ---- one text after the other ---- */

void facts_keep(struct facts *f)
{
	assert(!f->is_cleared);
	f->is_cleared = true;
	if (!sqlite3_get_autocommit(f->db))
		select_exec(f->db, "COMMIT");
	select_exec(f->db, "BEGIN");
}

void facts_clear(struct facts *f)
{
	assert(f->is_cleared);
	if (sqlite3_get_autocommit(f->db)) { /* SQLite has gone back by itself after a failure, */
		facts_next(f);               /* and what was added since then stands */
		select_run(f->db, "COMMIT");
	} else {
		for (size_t i = 0; i < f->table_count; i++)
			f->tables[i].asked = false;
		select_run(f->db, "ROLLBACK");
	}
	select_run(f->db, "BEGIN");
}
