#include "kb/derive.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "facts/select.h"
#include "kb/view-columns.h"
#include "kb/words.h"

extern const char kb_derived_views[];

static const char begins_view[] = "CREATE TEMP VIEW IF NOT EXISTS ";

/* Of the view of this name, from its name up to the next view. */
static struct span view_text(const char *name)
{
	const char *from = kb_derived_views, *end;
	size_t len = strlen(name);

	while ((from = strstr(from, begins_view))) {
		from += strlen(begins_view);
		if (strncmp(from, name, len) == 0 && from[len] == ' ')
			break;
	}
	if (!from)
		return (struct span){ 0 };
	end = strstr(from, begins_view);
	return (struct span){ from, end ? (size_t)(end - from) : strlen(from) };
}

static bool is_made(const struct derive *d, size_t i)
{
	return d->made >> i & 1;
}

/* Of the first `count` views, or `count`. */
static size_t find_view(struct span name, size_t count)
{
	size_t i = 0;

	while (i < count && !span_is(name, words_derived[i]))
		i++;
	return i;
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Those that a text names, of the first `count`. Each has a '_' in its name, as few other words have. */
static unsigned int named_in(struct span text, size_t count)
{
	const char *end = text.data + text.len, *from, *at = text.data;
	unsigned int mask = 0;
	size_t found;

	while (at < end && (at = memchr(at, '_', (size_t)(end - at)))) {
		for (from = at; from > text.data && is_of_name(from[-1]);)
			from--;
		while (at < end && is_of_name(*at))
			at++;
		found = find_view((struct span){ from, (size_t)(at - from) }, count);
		mask |= found < count ? 1U << found : 0;
	}
	return mask;
}

static size_t count_all(void)
{
	size_t count = 0;

	while (words_derived[count])
		count++;
	assert(count <= DERIVED_MAX);
	return count;
}

/* To look for every name in a statement takes longer than most statements run. */
static unsigned int named_by(struct derive *d, const char *sql)
{
	unsigned int *mask = map_find(&d->names, span_of(sql));

	if (!mask) {
		mask = arena_alloc(&d->arena, sizeof(*mask));
		*mask = named_in(span_of(sql), count_all());
		map_put(&d->names, span_of(arena_text(&d->arena, span_of(sql))), mask);
	}
	return *mask;
}

bool derive_is_wanted(struct derive *d, const char *sql)
{
	return (named_by(d, sql) & ~d->made) != 0;
}

/* ---- gates ---- */

static void work_out(struct derive *d, sqlite3 *db, size_t i);
static bool is_open(struct derive *d, sqlite3 *db, size_t i);

/* Its terms may name views: one that is not shut itself is worked out to be looked at. */
static bool is_gate_open(struct derive *d, sqlite3 *db, struct span gate)
{
	struct span rest = gate;
	struct gate_term term;

	while (gate_next(&rest, &term)) {
		size_t view = find_view(term.table, count_all());

		if (!words_derived[view])
			continue;
		if (!is_open(d, db, view))
			return false;
		work_out(d, db, view);
	}
	return gates_open(&d->gates, db, gate);
}

/* Whether it may have rows: one of its gates is open, or it has none. */
static bool is_open(struct derive *d, sqlite3 *db, size_t i)
{
	static const char mark[] = "-- gate: ";
	size_t length = sizeof(mark) - 1;
	struct span text = view_text(words_derived[i]), line;
	bool any = false;

	span_line(&text, &line);
	while (span_line(&text, &line) && span_starts(line, mark)) {
		any = true;
		if (is_gate_open(d, db, (struct span){ line.data + length, line.len - length }))
			return true;
	}
	return !any;
}

/* ---- as views, or as tables of one log ---- */

static void make(struct derive *d, sqlite3 *db, size_t i);

/* A view reads only those that stand before it. */
static void make_read(struct derive *d, sqlite3 *db, size_t i, struct span text)
{
	unsigned int reads = named_in(text, i);

	for (size_t k = 0; k < i; k++)
		if (reads >> k & 1)
			make(d, db, k);
}

static void make(struct derive *d, sqlite3 *db, size_t i)
{
	bool as_table = d->as == DERIVED_TABLES;
	struct span text = view_text(words_derived[i]);
	struct buf sql BUF_SCOPED = { 0 };

	if (is_made(d, i))
		return;
	buf_text(&sql, as_table ? "CREATE TEMP TABLE " : begins_view);
	if (as_table && !is_open(d, db, i)) {
		buf_text(&sql, words_derived[i]);
		view_columns(&sql, text);
	} else {
		make_read(d, db, i, text);
		buf_span(&sql, text);
	}
	select_exec(db, sql.data);
	d->made |= 1U << i;
}

/* ---- as tables that are kept ---- */

/* "NAME AS -- what it is, SELECT ...;" as its statement alone. */
static struct span statement_of(struct span text)
{
	struct span line;

	span_line(&text, &line);
	text = span_trim(text);
	assert(span_ends(text, ";")); /* no comment behind it */
	text.len--;
	return text;
}

static void keep(struct derive *d, sqlite3 *db, size_t i)
{
	const char *name = words_derived[i];
	struct span text = view_text(name), sql = statement_of(text);
	struct kept_view *view = &d->kept[i];

	view->reads = named_in(text, i);
	view->empty = arena_format(&d->arena, "DELETE FROM temp.%s", name);
	view->fill =
		arena_format(&d->arena, "INSERT INTO temp.%s %.*s", name, (int)sql.len, sql.data);
	select_exec(db, arena_format(&d->arena,
				     "CREATE TEMP TABLE %s AS SELECT * FROM (%.*s\n) LIMIT 0", name,
				     (int)sql.len, sql.data));
}

void derive_keep(struct derive *d, sqlite3 *db)
{
	d->as = DERIVED_KEPT;
	for (size_t i = 0; words_derived[i]; i++)
		keep(d, db, i);
}

void derive_forget(struct derive *d)
{
	gates_done(&d->gates);
	if (d->as == DERIVED_KEPT)
		d->made = 0;
}

static void fill(struct derive *d, sqlite3 *db, size_t i)
{
	if (is_made(d, i))
		return;
	select_run(db, d->kept[i].empty);
	if (is_open(d, db, i)) {
		for (size_t k = 0; k < i; k++)
			if (d->kept[i].reads >> k & 1)
				fill(d, db, k);
		select_run(db, d->kept[i].fill);
	}
	d->made |= 1U << i;
}

static void work_out(struct derive *d, sqlite3 *db, size_t i)
{
	if (d->as == DERIVED_KEPT)
		fill(d, db, i);
	else
		make(d, db, i);
}

bool derive_is_shut(struct derive *d, sqlite3 *db, struct span name)
{
	size_t i = find_view(name, count_all());

	if (!words_derived[i])
		return false;
	if (!is_open(d, db, i))
		return true;
	work_out(d, db, i);
	return false;
}

void derive_make(struct derive *d, sqlite3 *db, const char *sql)
{
	unsigned int wanted = sql ? named_by(d, sql) : ~0U;

	for (size_t i = 0; words_derived[i]; i++)
		if (wanted >> i & 1)
			work_out(d, db, i);
}

void derive_drop(struct derive *d, sqlite3 *db)
{
	for (size_t i = 0; words_derived[i]; i++) {
		struct buf sql BUF_SCOPED = { 0 };

		if (d->as != DERIVED_KEPT && !is_made(d, i))
			continue;
		buf_addf(&sql, "DROP %s IF EXISTS temp.%s",
			 d->as == DERIVED_VIEWS ? "VIEW" : "TABLE", words_derived[i]);
		select_exec(db, sql.data);
	}
	gates_done(&d->gates);
	map_done(&d->names);
	arena_done(&d->arena);
	*d = (struct derive){ .as = d->as };
}
