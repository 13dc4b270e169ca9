#include "explain/said-product.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "facts/column.h"
#include "facts/products.h"
#include "facts/select.h"

/* Letters and digits alone, in lower case: people write RX 7900XTX, rx 7900 xtx, 7900-XTX. */
static void squeeze(struct buf *out, struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (isalnum((unsigned char)text.data[i]))
			buf_char(out, (char)tolower((unsigned char)text.data[i]));
}

static struct span without(struct span name, const char *first)
{
	size_t n = strlen(first);

	return span_starts(name, first) ? (struct span){ name.data + n, name.len - n } : name;
}

static bool has_letter(struct span name)
{
	for (size_t i = 0; i < name.len; i++)
		if (isalpha((unsigned char)name.data[i]))
			return true;
	return false;
}

/* What of a name of the table everybody says: "7900 XTX", "780M", "Strix Halo"; but "RX 6600". */
static struct span said_name(struct span name)
{
	static const char *const ends[] = { " / ", " [", " Graphics" };
	bool is_chip = false;

	name = without(without(without(name, "AMD "), "Radeon "), "Instinct ");
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t cut = span_find(name, span_of(ends[i]));

		is_chip |= cut != SIZE_MAX && i == 1;
		if (cut != SIZE_MAX && cut > 0)
			name.len = cut;
	}
	if (is_chip && name.len < 6)
		return SPAN_LITERAL(""); /* "Strix" is a board's name, too */
	return has_letter(without(name, "RX ")) ? without(name, "RX ") : name;
}

/* A number that goes on is another one: MI25 in MI250X. */
static bool is_named(struct span said, struct span name)
{
	size_t at = span_find(said, name);
	size_t end = at + name.len;

	return at != SIZE_MAX && (end == said.len || !isdigit((unsigned char)said.data[end]) ||
				  !isdigit((unsigned char)said.data[end - 1]));
}

struct product_search {
	struct span said; /* squeezed */
	struct said_product found;
	size_t best; /* how long its name is; 0: none yet */
	bool is_one;
};

static void consider(struct product_search *s, struct span full, struct said_product p)
{
	struct buf name BUF_SCOPED = { 0 };

	squeeze(&name, said_name(full));
	if (name.len < s->best || name.len < 4 || !is_named(s->said, buf_get(&name)))
		return;
	s->is_one = name.len > s->best || (s->is_one && span_same(p.gfx, s->found.gfx));
	s->best = name.len;
	s->found = p;
}

static void search_products(struct product_search *s)
{
	struct span rest = span_of(data_products);
	struct product p;

	while (products_next(&rest, &p))
		if (span_starts(p.gfx, "gfx"))
			consider(s, p.name, (struct said_product){ p.gfx, p.integrated == 1 });
}

static void search_targets(struct product_search *s, sqlite3 *db, struct arena *a)
{
	sqlite3_stmt *stmt;

	if (sqlite3_db_readonly(db, "kb") < 0) /* not attached */
		return;
	stmt = select_from(db,
			   "SELECT gfx, names, integrated FROM kb.gfx_target WHERE names != ''");
	while (select_next(stmt)) {
		struct said_product p = { span_of(column_copy(stmt, 0, a)),
					  sqlite3_column_int(stmt, 2) == 1 };
		struct span names = span_of(column_text(stmt, 1)), name;

		while (span_cut(&names, ',', &name))
			consider(s, span_trim(name), p);
	}
	sqlite3_finalize(stmt);
}

bool said_product(struct span said, sqlite3 *db, struct arena *a, struct said_product *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct product_search s = { 0 };

	squeeze(&text, said);
	s.said = buf_get(&text);
	search_products(&s);
	if (s.best == 0)
		search_targets(&s, db, a);
	if (s.best > 0 && s.is_one)
		*ret = s.found;
	return s.best > 0 && s.is_one;
}
