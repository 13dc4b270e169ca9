#include "explain/said-product.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"

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

/* The longest name of the table that is said counts; one that is sold as two targets does not. */
bool said_product(struct span said, struct product *ret)
{
	struct span rest = span_of(data_products);
	struct buf text BUF_SCOPED = { 0 };
	struct product p, found = { 0 };
	size_t best = 0;
	bool is_one = true;

	squeeze(&text, said);
	while (products_next(&rest, &p)) {
		struct buf name BUF_SCOPED = { 0 };

		if (!span_starts(p.gfx, "gfx"))
			continue;
		squeeze(&name, said_name(p.name));
		if (name.len < best || name.len < 4 || !is_named(buf_get(&text), buf_get(&name)))
			continue;
		is_one = name.len > best || (is_one && span_same(p.gfx, found.gfx));
		best = name.len;
		found = p;
	}
	if (best > 0 && is_one)
		*ret = found;
	return best > 0 && is_one;
}
