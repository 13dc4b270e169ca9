#include "kb/gpu-names.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/did-you-mean.h"
#include "facts/column.h"
#include "facts/products.h"
#include "facts/select.h"

/* A name of the tables, and what it is a name of. */
struct gpu_name {
	struct span name;
	struct span gfx;
	bool is_target;  /* it is the target itself, and not what people say */
	bool is_virtual; /* of a virtual function */
	bool integrated;
};

typedef void gpu_name_taker(void *ctx, const struct gpu_name *name);

/* ---- the names that are known ---- */

static void each_product(gpu_name_taker *take, void *ctx)
{
	struct span rest = span_of(data_products);
	struct product p;

	while (products_next(&rest, &p))
		if (span_starts(p.gfx, "gfx"))
			take(ctx, &(struct gpu_name){ .name = span_trim(p.name),
						      .gfx = p.gfx,
						      .is_virtual = p.virtual_function == 1,
						      .integrated = p.integrated == 1 });
}

/* What a taker keeps of these it copies. */
static void each_target(sqlite3 *db, gpu_name_taker *take, void *ctx)
{
	sqlite3_stmt *stmt;

	if (sqlite3_db_readonly(db, "kb") < 0) /* not attached */
		return;
	stmt = select_from(db, "SELECT gfx, coalesce(names, ''), integrated FROM kb.gfx_target"
			       " ORDER BY rowid");
	while (select_next(stmt)) {
		struct gpu_name name = { .gfx = span_of(column_text(stmt, 0)),
					 .integrated = sqlite3_column_int(stmt, 2) == 1 };
		struct span names = span_of(column_text(stmt, 1));

		name.name = name.gfx;
		name.is_target = true;
		take(ctx, &name);
		name.is_target = false;
		while (span_cut(&names, ',', &name.name)) {
			name.name = span_trim(name.name);
			take(ctx, &name);
		}
	}
	sqlite3_finalize(stmt);
}

/* ---- how people write them ---- */

/* Words that say nothing: everybody leaves them out. */
static const char *const empty_words[] = { "amd", "radeon", "graphics", "tm",
					   "r",   "gpu",    "apu",      "series" };

static bool is_empty_word(struct span word)
{
	for (size_t i = 0; i < COUNT(empty_words); i++)
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

/* Letters and digits alone, in lower case: people write RX 7900XTX, rx 7900 xtx, 7900-XTX. */
static void squeeze(struct buf *out, struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (isalnum((unsigned char)text.data[i]))
			buf_char(out, (char)tolower((unsigned char)text.data[i]));
}

static const char *squeezed(struct arena *a, const char *text)
{
	struct buf out BUF_SCOPED = { 0 };

	squeeze(&out, span_of(text));
	return arena_text(a, buf_get(&out));
}

static struct span without(struct span name, const char *first)
{
	size_t n = strlen(first);

	return span_starts(name, first) ? (struct span){ name.data + n, name.len - n } : name;
}

/* ---- which one is asked for ---- */

struct name_candidate {
	struct gpu_named named;
	const char *plain; /* words in lower case, with a blank before and after each */
};

struct name_candidates {
	struct arena *arena;
	struct name_candidate *list;
	size_t count;
};

static void add_candidate(void *ctx, const struct gpu_name *n)
{
	struct name_candidates *c = ctx;

	if (n->name.len == 0 || n->is_virtual)
		return;
	c->list = arena_grow(c->arena, c->list, c->count, sizeof(*c->list));
	c->list[c->count++] = (struct name_candidate){ .named = { arena_text(c->arena, n->name),
								  arena_text(c->arena, n->gfx) },
						       .plain = plain(c->arena, n->name) };
}

/* The knowledge's names first: they are what people say. */
static struct name_candidates gather(sqlite3 *db, struct arena *a)
{
	struct name_candidates c = { .arena = a };

	each_target(db, add_candidate, &c);
	each_product(add_candidate, &c);
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
	return strcmp(squeezed(a, c->plain), squeezed(a, asked)) == 0 ||
	       (strlen(squeezed(a, asked)) >= 5 &&
		strstr(squeezed(a, c->plain), squeezed(a, asked)));
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
	return without(without(span_of(squeezed(a, text)), "rx"), "instinct");
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

/* ---- which one is said in a text ---- */

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
	for (size_t i = 0; i < COUNT(ends); i++) {
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

struct said_search {
	struct arena *arena;
	struct span said; /* squeezed */
	struct gpu_said found;
	size_t best; /* how long its name is; 0: none yet */
	bool is_one;
};

static void consider(void *ctx, const struct gpu_name *n)
{
	struct buf name BUF_SCOPED = { 0 };
	struct said_search *s = ctx;

	if (n->is_target) /* it is read by itself, wherever it stands */
		return;
	squeeze(&name, said_name(n->name));
	if (name.len < s->best || name.len < 4 || !is_named(s->said, buf_get(&name)))
		return;
	s->is_one = name.len > s->best || (s->is_one && span_same(n->gfx, s->found.gfx));
	s->best = name.len;
	s->found = (struct gpu_said){ arena_span(s->arena, n->gfx), n->integrated };
}

bool gpu_names_said(sqlite3 *db, struct arena *a, struct span text, struct gpu_said *ret)
{
	struct buf letters BUF_SCOPED = { 0 };
	struct said_search s = { .arena = a };

	squeeze(&letters, text);
	s.said = buf_get(&letters);
	each_product(consider, &s);
	if (s.best == 0)
		each_target(db, consider, &s);
	if (s.best > 0 && s.is_one)
		*ret = s.found;
	return s.best > 0 && s.is_one;
}
