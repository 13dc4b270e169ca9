#include "kb/derive.h"

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

bool derive_is_wanted(const struct derive *d, const char *sql)
{
	for (size_t i = 0; words_derived[i]; i++)
		if (!is_made(d, i) && strstr(sql, words_derived[i]))
			return true;
	return false;
}

/* A view reads only those that stand before it. */
static void make(struct derive *d, sqlite3 *db, size_t i)
{
	struct span text = view_text(words_derived[i]);
	struct buf sql BUF_SCOPED = { 0 };

	if (is_made(d, i))
		return;
	for (size_t k = 0; k < i; k++)
		if (span_find(text, span_of(words_derived[k])) != SIZE_MAX)
			make(d, db, k);
	buf_text(&sql, d->as == DERIVED_TABLES ? "CREATE TEMP TABLE " : begins_view);
	buf_add(&sql, text.data, text.len);
	select_exec(db, sql.data);
	d->made |= 1U << i;
}

void derive_make(struct derive *d, sqlite3 *db, const char *sql)
{
	for (size_t i = 0; words_derived[i]; i++)
		if (!sql || strstr(sql, words_derived[i]))
			make(d, db, i);
}

void derive_drop(struct derive *d, sqlite3 *db)
{
	for (size_t i = 0; words_derived[i]; i++) {
		struct buf sql BUF_SCOPED = { 0 };

		if (!is_made(d, i))
			continue;
		buf_addf(&sql, "DROP %s IF EXISTS temp.%s",
			 d->as == DERIVED_TABLES ? "TABLE" : "VIEW", words_derived[i]);
		select_exec(db, sql.data);
	}
	d->made = 0;
}
