#include "kb/gpu-names.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/did-you-mean.h"
#include "facts/column.h"
#include "facts/products.h"
#include "facts/select.h"

struct name_candidate {
	struct gpu_named named;
	const char *plain; /* words in lower case, with a blank before and after each */
};

/* Words that say nothing: everybody leaves them out. */
static const char *const empty_words[] = { "amd", "radeon", "graphics", "tm",
					   "r",   "gpu",    "apu",      "series" };

static bool is_empty_word(struct span word)
{
	for (size_t i = 0; i < sizeof(empty_words) / sizeof(empty_words[0]); i++)
		if (span_is(word, empty_words[i]))
			return true;
	return false;
}

/* Letters and digits in lower case; the rest parts words. '+' belongs to a name: Max+. */
static const char *plain(struct arena *a, struct span text)
{
	struct buf lower BUF_SCOPED = { 0 }, out BUF_SCOPED = { 0 };
	struct span rest, word;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];

		buf_char(&lower, isalnum(c) ? (char)tolower(c) : ' ');
	}
	rest = buf_get(&lower);
	buf_char(&out, ' ');
	while (span_word(&rest, &word))
		if (!is_empty_word(word)) {
			buf_span(&out, word);
			buf_char(&out, ' ');
		}
	return arena_text(a, buf_get(&out));
}

struct name_candidates {
	struct name_candidate *list;
	size_t count;
};

static void add(struct arena *a, struct name_candidates *c, struct span name, const char *gfx)
{
	name = span_trim(name);
	if (name.len == 0)
		return;
	c->list = arena_grow(a, c->list, c->count, sizeof(*c->list));
	c->list[c->count++] = (struct name_candidate){ .named = { arena_text(a, name), gfx },
						       .plain = plain(a, name) };
}

/* The knowledge's names first: they are what people say. */
static struct name_candidates gather(sqlite3 *db, struct arena *a)
{
	struct span rest = span_of(data_products), name;
	struct product product;
	sqlite3_stmt *stmt = select_from(
		db, "SELECT gfx, coalesce(names, '') FROM kb.gfx_target ORDER BY rowid");
	struct name_candidates c = { 0 };

	while (select_next(stmt)) {
		const char *gfx = column_copy(stmt, 0, a);
		struct span names = span_of(column_text(stmt, 1));

		add(a, &c, span_of(gfx), gfx);
		while (span_cut(&names, ',', &name))
			add(a, &c, name, gfx);
	}
	sqlite3_finalize(stmt);
	while (products_next(&rest, &product))
		if (!span_is(product.gfx, "-") && product.virtual_function != 1)
			add(a, &c, product.name, arena_text(a, product.gfx));
	return c;
}

/* All words of `asked` are in the name. */
static bool has_words(const char *name, const char *asked)
{
	struct span rest = span_of(asked), word;
	char text[80];

	while (span_word(&rest, &word)) {
		if (word.len + 3 > sizeof(text))
			return false;
		text[0] = ' ';
		memcpy(text + 1, word.data, word.len);
		memcpy(text + 1 + word.len, " ", 2);
		if (!strstr(name, text))
			return false;
	}
	return true;
}

static const char *squeeze(struct arena *a, const char *text)
{
	struct buf out BUF_SCOPED = { 0 };

	for (; *text; text++)
		if (*text != ' ')
			buf_char(&out, *text);
	return arena_text(a, buf_get(&out));
}

static bool is_listed(const struct gpu_named *list, size_t count, const char *gfx)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].gfx, gfx) == 0)
			return true;
	return false;
}

/* How a candidate fits: 3 the same words, 2 and other words, 1 written together; 0 not. */
static int fits(struct arena *a, const struct name_candidate *c, const char *asked)
{
	if (strcmp(c->plain, asked) == 0)
		return 3;
	if (has_words(c->plain, asked))
		return 2;
	return strcmp(squeeze(a, c->plain), squeeze(a, asked)) == 0 ||
	       (strlen(squeeze(a, asked)) >= 5 && strstr(squeeze(a, c->plain), squeeze(a, asked)));
}

static size_t collect(struct arena *a, const struct name_candidate *list, size_t count,
		      const char *asked, struct gpu_named *ret)
{
	for (int want = 3; want > 0; want--) {
		size_t found = 0;

		for (size_t i = 0; i < count; i++)
			if (fits(a, &list[i], asked) == want &&
			    !is_listed(ret, found, list[i].named.gfx))
				ret[found++] = list[i].named;
		if (found > 0)
			return found;
	}
	return 0;
}

/* Written together, and without what is left out as often as said: "7900xtx", "mi300x". */
static struct span bare(struct arena *a, const char *text)
{
	static const char *const first[] = { "rx", "instinct" };
	struct span name = span_of(squeeze(a, text));

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		if (span_starts(name, first[i]))
			name = (struct span){ name.data + strlen(first[i]),
					      name.len - strlen(first[i]) };
	return name;
}

/* The names that differ by a slip: one letter in a short name, two in a long one. */
static size_t similar(struct arena *a, const struct name_candidate *list, size_t count,
		      const char *asked, struct gpu_named *ret)
{
	struct span text = bare(a, asked);
	size_t least = text.len < 4 ? 0 : text.len < 8 ? 1 : 2, found = 0;

	for (size_t i = 0; i < count; i++) {
		size_t d = did_you_mean_distance(text, bare(a, list[i].plain));

		if (d > least)
			continue;
		if (d < least)
			found = 0;
		least = d;
		if (found < 4 && !is_listed(ret, found, list[i].named.gfx))
			ret[found++] = list[i].named;
	}
	return found;
}

enum gpu_names_answer gpu_names_find(sqlite3 *db, struct arena *a, const char *asked,
				     struct gpu_named **ret, size_t *ret_count)
{
	struct name_candidates c = gather(db, a);
	const char *words = plain(a, span_of(asked));

	*ret = arena_alloc(a, (c.count + 1) * sizeof(**ret)); /* it may be any of them */
	*ret_count = words[1] ? collect(a, c.list, c.count, words, *ret) : 0;
	if (*ret_count == 1)
		return GPU_NAMES_ONE;
	if (*ret_count > 1)
		return GPU_NAMES_SEVERAL;
	*ret_count = words[1] ? similar(a, c.list, c.count, words, *ret) : 0;
	return GPU_NAMES_NONE;
}

void gpu_names_tell(enum gpu_names_answer answer, const char *asked, const struct gpu_named *list,
		    size_t count, struct buf *ret)
{
	const char *what = answer == GPU_NAMES_SEVERAL ? "matches several GPUs:"
			   : count > 0
				   ? "is not a known GPU; did you mean:"
				   : "is not a known AMD GPU; write it as gfx1100 or \"7900 xtx\"";

	buf_addf(ret, "%s %s", asked, what);
	for (size_t i = 0; i < count; i++)
		buf_addf(ret, "%s%s (%s)", i > 0 ? ", " : " ", list[i].name, list[i].gfx);
}
