#include "kb/gate.h"

#include <stdlib.h>
#include <string.h>

#include "facts/column.h"
#include "facts/select.h"

#define PATTERN_MAX 64

/* The values of a column, or of a table whether it has any. */
struct gate_column {
	bool unreadable;
	bool rows;
	bool null;
	bool number;
	double least, most;  /* of its numbers */
	const char **values; /* as text, sorted, each once */
	size_t count;
};

bool gate_next_of(struct span *rest, struct span *ret)
{
	return span_cut(rest, '|', ret);
}

bool gate_next(struct span *rest, struct gate_term *ret)
{
	struct span part;
	const char *dot;

	do {
		if (!span_cut(rest, ';', &part))
			return false;
		*ret = (struct gate_term){ .words = part };
	} while (!span_word(&ret->words, &ret->name));
	ret->words = span_trim(ret->words);
	dot = memchr(ret->name.data, '.', ret->name.len);
	ret->table = ret->name;
	ret->column = (struct span){ "", 0 };
	if (dot) {
		ret->table.len = (size_t)(dot - ret->name.data);
		ret->column = (struct span){ dot + 1, ret->name.len - ret->table.len - 1 };
	}
	return true;
}

/* ---- what is there ---- */

/* The name goes into SQL: letters only. */
static bool is_name(struct span s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

	for (size_t i = 0; i < s.len; i++)
		if (!memchr(letters, s.data[i], sizeof(letters) - 1))
			return false;
	return s.len > 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_value(struct gates *g, sqlite3_stmt *stmt, struct gate_column *c)
{
	int type = sqlite3_column_type(stmt, 0);
	double n;

	c->rows = true;
	if (type == SQLITE_NULL) {
		c->null = true;
		return;
	}
	if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
		n = sqlite3_column_double(stmt, 0);
		c->least = !c->number || n < c->least ? n : c->least;
		c->most = !c->number || n > c->most ? n : c->most;
		c->number = true;
	}
	if (c->count > 0 && strcmp(c->values[c->count - 1], column_text(stmt, 0)) == 0)
		return; /* most columns say the same row after row */
	c->values = arena_grow(&g->arena, c->values, c->count, sizeof(*c->values));
	c->values[c->count++] = column_copy(stmt, 0, &g->arena);
}

/*
 * "table"."column" with the table named once more: a column that there is not
 * would be taken for a text.
 */
static char *sql_of(const struct gate_term *t)
{
	int table = (int)t->table.len;
	int column = (int)t->column.len;

	if (column == 0)
		return sqlite3_mprintf("SELECT 1 FROM \"%.*s\" LIMIT 1", table, t->table.data);
	return sqlite3_mprintf("SELECT \"%.*s\".\"%.*s\" FROM \"%.*s\"", table, t->table.data,
			       column, t->column.data, table, t->table.data);
}

/* Here and not by DISTINCT, for which SQLite makes a table: most columns have few rows or none. */
static void sort_values(struct gate_column *c)
{
	size_t kept = 0;

	if (c->count > 1)
		qsort(c->values, c->count, sizeof(*c->values), compare);
	for (size_t i = 0; i < c->count; i++)
		if (kept == 0 || strcmp(c->values[kept - 1], c->values[i]) != 0)
			c->values[kept++] = c->values[i];
	c->count = kept;
}

static struct gate_column *read_column(struct gates *g, sqlite3 *db, const struct gate_term *t)
{
	struct gate_column *c = arena_alloc(&g->arena, sizeof(*c));
	bool named = is_name(t->table) && (t->column.len == 0 || is_name(t->column));
	char *sql = named ? sql_of(t) : NULL;
	sqlite3_stmt *stmt = NULL;
	int r = !named ? SQLITE_ERROR : select_try(db, sql, &stmt);

	while (r == SQLITE_OK && (r = sqlite3_step(stmt)) == SQLITE_ROW) {
		add_value(g, stmt, c);
		r = SQLITE_OK;
	}
	select_done(stmt);
	sqlite3_free(sql);
	if (r != SQLITE_ERROR) /* a table of another age is no fault: its gate is open */
		select_note(r == SQLITE_NOMEM ? NULL : db, r);
	c->unreadable = r != SQLITE_DONE;
	sort_values(c);
	return c;
}

static struct gate_column *find_column(struct gates *g, sqlite3 *db, const struct gate_term *t)
{
	struct gate_column *c = map_find(&g->columns, t->name);

	if (c)
		return c;
	c = map_find(&g->empty, t->table);
	if (!c)
		c = read_column(g, db, t);
	map_put(&g->columns, arena_span(&g->arena, t->name), c);
	if (!c->rows && !c->unreadable)
		map_put(&g->empty, arena_span(&g->arena, t->table), c);
	return c;
}

/* ---- what is waited for ---- */

/*
 * Is there a value that begins with the bytes, or is them? The first of those
 * that begin so is the shortest: the value itself, if that is there.
 */
static bool has(const struct gate_column *c, struct span bytes, bool whole)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strncmp(c->values[middle], bytes.data, bytes.len) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->count && strncmp(c->values[low], bytes.data, bytes.len) == 0 &&
	       (!whole || c->values[low][bytes.len] == '\0');
}

/* ">0", "<17179869184"; a number that is none fits everything. */
static bool fits_number(const struct gate_column *c, char sign, struct span text)
{
	int64_t n;

	if (!span_i64(text, &n))
		return true;
	return c->number && (sign == '>' ? c->most > (double)n : c->least < (double)n);
}

/* As LIKE finds it in a statement. */
static bool has_inside(const struct gate_column *c, struct span bytes)
{
	char pattern[PATTERN_MAX];
	bool found = false;

	sqlite3_snprintf(sizeof(pattern), pattern, "%%%.*s%%", (int)bytes.len, bytes.data);
	for (size_t i = 0; !found && i < c->count; i++)
		found = sqlite3_strlike(pattern, c->values[i], 0) == 0;
	return found;
}

static bool fits(const struct gate_column *c, struct span word)
{
	struct span rest = { word.data + 1, word.len - 1 };

	if (span_is(word, "NULL"))
		return c->null;
	if (word.data[0] == '!')
		return c->count > (has(c, rest, true) ? 1U : 0U);
	if (word.data[0] == '~')
		return rest.len + sizeof("%%") > PATTERN_MAX || has_inside(c, rest);
	if (word.data[0] == '>' || word.data[0] == '<')
		return fits_number(c, word.data[0], rest);
	if (word.data[word.len - 1] == '*')
		return has(c, (struct span){ word.data, word.len - 1 }, false);
	return has(c, word, true);
}

bool gates_shut(struct gates *g, sqlite3 *db, const struct gate_term *term)
{
	struct gate_column *c = find_column(g, db, term);
	struct span rest = term->words;
	struct span word;

	if (c->unreadable || (term->column.len == 0 && rest.len > 0))
		return false;
	if (term->column.len == 0)
		return !c->rows;
	while (span_word(&rest, &word))
		if (fits(c, word))
			return false;
	return true;
}

static bool is_one_open(struct gates *g, sqlite3 *db, struct span gate)
{
	struct gate_term term;

	while (gate_next(&gate, &term))
		if (gates_shut(g, db, &term))
			return false;
	return true;
}

bool gates_open(struct gates *g, sqlite3 *db, struct span gate)
{
	struct span one;
	bool any = false;

	while (gate_next_of(&gate, &one)) {
		any = true;
		if (is_one_open(g, db, one))
			return true;
	}
	return !any;
}

void gates_done(struct gates *g)
{
	map_done(&g->empty);
	map_done(&g->columns);
	arena_done(&g->arena);
}
