#include "kb/derive.h"

#include <assert.h>
#include <string.h>

#include "base/buf.h"
#include "facts/select.h"
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

/* Those that a text names, of the first `count`. */
static unsigned int named_in(struct span text, size_t count)
{
	unsigned int mask = 0;

	for (size_t i = 0; i < count; i++)
		if (span_find(text, span_of(words_derived[i])) != SIZE_MAX)
			mask |= 1U << i;
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

/* ---- as views, or as tables of one log ---- */

/* A view reads only those that stand before it. */
static void make(struct derive *d, sqlite3 *db, size_t i)
{
	struct span text = view_text(words_derived[i]);
	unsigned int reads = named_in(text, i);
	struct buf sql BUF_SCOPED = { 0 };

	if (is_made(d, i))
		return;
	for (size_t k = 0; k < i; k++)
		if (reads >> k & 1)
			make(d, db, k);
	buf_text(&sql, d->as == DERIVED_TABLES ? "CREATE TEMP TABLE " : begins_view);
	buf_add(&sql, text.data, text.len);
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
	if (d->as == DERIVED_KEPT)
		d->made = 0;
}

static void fill(struct derive *d, sqlite3 *db, size_t i)
{
	if (is_made(d, i))
		return;
	for (size_t k = 0; k < i; k++)
		if (d->kept[i].reads >> k & 1)
			fill(d, db, k);
	select_run(db, d->kept[i].empty);
	select_run(db, d->kept[i].fill);
	d->made |= 1U << i;
}

void derive_make(struct derive *d, sqlite3 *db, const char *sql)
{
	unsigned int wanted = sql ? named_by(d, sql) : ~0U;

	for (size_t i = 0; words_derived[i]; i++)
		if (!(wanted >> i & 1))
			continue;
		else if (d->as == DERIVED_KEPT)
			fill(d, db, i);
		else
			make(d, db, i);
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
	map_done(&d->names);
	arena_done(&d->arena);
	*d = (struct derive){ .as = d->as };
}
