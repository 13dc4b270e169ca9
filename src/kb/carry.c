#include "kb/carry.h"

#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/map.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/kb.h"
#include "kb/rows.h"
#include "parse/needle.h"

struct carrying {
	struct buf head, cells, texts, needle;
	struct map places; /* of the texts, plus one */
	struct arena arena;
};

static void put(struct buf *b, size_t number)
{
	uint32_t raw = htole32((uint32_t)number);

	buf_add(b, &raw, sizeof(raw));
}

/* Each text once, however many rows have it. */
static size_t place_of(struct carrying *c, struct span text)
{
	void *place = map_find(&c->places, text);

	if (!place) {
		place = (void *)(c->texts.len + 1);
		map_put(&c->places, arena_span(&c->arena, text), place);
		buf_span(&c->texts, text);
		buf_char(&c->texts, '\0');
	}
	return (size_t)place;
}

static int add_row(struct carrying *c, sqlite3_stmt *stmt)
{
	for (int i = 0; i < sqlite3_column_count(stmt); i++)
		switch (sqlite3_column_type(stmt, i)) {
		case SQLITE_NULL:
			put(&c->cells, 0);
			break;
		case SQLITE_INTEGER:
			if (sqlite3_column_int64(stmt, i) != sqlite3_column_int(stmt, i))
				return -EIO; /* more than a cell holds */
			put(&c->cells, (size_t)sqlite3_column_int(stmt, i));
			break;
		default:
			put(&c->cells, place_of(c, column_span(stmt, i)));
		}
	return 0;
}

static int add_kind(struct carrying *c, sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = select_from(db, sql);
	size_t begins = 4 * (size_t)KB_ROWS_HEAD + c->cells.len;
	size_t rows = 0;
	int r = 0;

	for (; r == 0 && select_next(stmt); rows++)
		r = add_row(c, stmt);
	put(&c->head, rows);
	put(&c->head, (size_t)sqlite3_column_count(stmt));
	put(&c->head, begins);
	sqlite3_finalize(stmt);
	return select_error() ? -EIO : r;
}

/* At a place that is even for its numbers. */
static int add_needle(struct carrying *c, sqlite3 *db)
{
	struct kb_rows rows = kb_rows_of(db, KB_ROWS_LITERALS, &c->arena);
	struct needle_tables *made;
	struct span *literals = NULL;
	size_t count = 0, size = 0;

	while (kb_rows_next(&rows)) {
		literals = arena_grow(&c->arena, literals, count, sizeof(*literals));
		literals[count++] = span_of(kb_rows_text(&rows, 1));
	}
	made = needle_make(literals, count, &size);
	if (made)
		buf_add(&c->needle, made, size);
	free(made);
	return kb_rows_done(&rows) == 0 && made ? 0 : -EIO;
}

static void join(struct carrying *c, struct buf *ret)
{
	size_t texts = 4 * (size_t)KB_ROWS_HEAD + c->cells.len;

	while ((texts + c->texts.len) % 16 != 0)
		buf_char(&c->texts, '\0');
	put(&c->head, texts);
	put(&c->head, texts + c->texts.len);
	buf_span(ret, buf_get(&c->head));
	buf_span(ret, buf_get(&c->cells));
	buf_span(ret, buf_get(&c->texts));
	buf_span(ret, buf_get(&c->needle));
}

int carry_rows(struct span kb, struct buf *ret)
{
	struct carrying c = { 0 };
	struct kb_info info;
	sqlite3 *db = NULL;
	int r = sqlite3_open(":memory:", &db) == SQLITE_OK ? kb_attach_as(db, "kb", kb, &info)
							   : -EIO;

	for (size_t i = 0; r == 0 && i < KB_ROWS_KINDS; i++)
		r = add_kind(&c, db, kb_rows_sql[i]);
	if (r == 0)
		r = add_needle(&c, db);
	join(&c, ret);
	buf_done(&c.head);
	buf_done(&c.cells);
	buf_done(&c.texts);
	buf_done(&c.needle);
	map_done(&c.places);
	arena_done(&c.arena);
	sqlite3_close(db);
	return r;
}
