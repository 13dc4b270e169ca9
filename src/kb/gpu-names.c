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
	struct span example;  /* a processor that has it; or empty */
	struct span graphics; /* of a processor: what its GPU is called */
	bool is_target;       /* it is the target itself, and not what people say */
	bool is_virtual;      /* of a virtual function */
	bool is_processor;
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
	stmt = select_kept(db, "SELECT gfx, coalesce(names, ''), integrated FROM kb.gfx_target"
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
	select_done(stmt);
}

static void each_model(struct span models, struct gpu_name name, gpu_name_taker *take, void *ctx)
{
	name.is_processor = true;
	name.graphics = name.name;
	while (span_cut(&models, ',', &name.name)) {
		name.name = span_trim(name.name);
		take(ctx, &name);
	}
}

/* The GPU of a processor by what it is called, "Radeon Vega 8", and by the processors that have it. */
static void each_processor(sqlite3 *db, gpu_name_taker *take, void *ctx)
{
	sqlite3_stmt *stmt;

	if (sqlite3_db_readonly(db, "kb") < 0)
		return;
	stmt = select_kept(db, "SELECT gfx, graphics, models FROM kb.processor ORDER BY rowid");
	while (select_next(stmt)) {
		struct gpu_name name = { .name = span_of(column_text(stmt, 1)),
					 .gfx = span_of(column_text(stmt, 0)),
					 .integrated = true };
		struct span models = span_of(column_text(stmt, 2)), rest = models;

		span_cut(&rest, ',', &name.example);
		take(ctx, &name);
		each_model(models, name, take, ctx);
	}
	select_done(stmt);
}

/* ---- how people write them ---- */

/* Words that say nothing: everybody leaves them out. */
static const char *const empty_words[] = { "amd", "radeon", "graphics", "tm",   "r",
					   "gpu", "apu",    "series",   "with", "w" };

static bool is_empty_word(struct span word)
{
	for (size_t i = 0; i < COUNT(empty_words); i++)
		if (span_is(word, empty_words[i]))
			return true;
	return false;
}

/* Letters and digits in lower case; the rest parts words. '+' belongs to a name: Max+. */
static void lower_words(struct buf *out, struct span text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];

		buf_char(out, isalnum(c) ? (char)tolower(c) : ' ');
	}
}

static const char *plain(struct arena *a, struct span text)
{
	struct buf lower BUF_SCOPED = { 0 }, out BUF_SCOPED = { 0 };
	struct span rest, word;

	lower_words(&lower, text);
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

/* "24gb", or the "gb" of "24 gb". */
static bool is_memory(struct span word, struct span next)
{
	size_t n = 0;

	while (n < word.len && isdigit((unsigned char)word.data[n]))
		n++;
	word = (struct span){ word.data + n, word.len - n };
	if (n > 0 && word.len == 0)
		word = next;
	return n > 0 && (span_is(word, "gb") || span_is(word, "gib"));
}

/* People say how much memory a GPU has, and its name does not. */
static const char *without_memory(struct arena *a, struct span words)
{
	struct span rest = words, after, word, next;
	struct buf out BUF_SCOPED = { 0 };

	buf_char(&out, ' ');
	while (span_word(&rest, &word)) {
		after = rest;
		if (!span_word(&after, &next))
			next = (struct span){ NULL, 0 };
		if (!is_memory(word, next))
			buf_addf(&out, "%.*s ", (int)word.len, word.data);
		else if (isdigit((unsigned char)word.data[word.len - 1]))
			rest = after; /* its unit is a word of its own */
	}
	return arena_text(a, buf_get(&out));
}

/* ---- which one is asked for ---- */

struct name_candidate {
	struct gpu_named named;
	const char *plain; /* words in lower case, with a blank before and after each */
	bool is_processor;
};

struct name_candidates {
	struct arena *arena;
	struct name_candidate *list;
	size_t count;
};

/* A processor is asked for with its GPU, too: "8845HS 780M". */
static const char *plain_name(struct arena *a, const struct gpu_name *n)
{
	struct buf words BUF_SCOPED = { 0 };

	buf_span(&words, n->name);
	buf_char(&words, ' ');
	buf_span(&words, n->graphics);
	return plain(a, buf_get(&words));
}

static void add_candidate(void *ctx, const struct gpu_name *n)
{
	struct name_candidates *c = ctx;

	if (n->name.len == 0 || n->is_virtual)
		return;
	c->list = arena_grow(c->arena, c->list, c->count, sizeof(*c->list));
	c->list[c->count++] = (struct name_candidate){
		.named = { arena_text(c->arena, n->name), arena_text(c->arena, n->gfx),
			   n->example.len > 0 ? arena_text(c->arena, n->example) : NULL },
		.plain = plain_name(c->arena, n),
		.is_processor = n->is_processor
	};
}

/* The knowledge's names first: they are what people say. */
static struct name_candidates gather(sqlite3 *db, struct arena *a)
{
	struct name_candidates c = { .arena = a };

	each_target(db, add_candidate, &c);
	each_product(add_candidate, &c);
	each_processor(db, add_candidate, &c);
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

static struct gpu_named *find_listed(struct gpu_named *list, size_t count, const char *gfx)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].gfx, gfx) == 0)
			return &list[i];
	return NULL;
}

/* Each target once, by its first name; a later name may add a processor that has it. */
static size_t list_once(struct gpu_named *list, size_t count, const struct gpu_named *named)
{
	struct gpu_named *there = find_listed(list, count, named->gfx);

	if (!there)
		list[count++] = *named;
	else if (!there->example)
		there->example = named->example;
	return count;
}

/* How a candidate fits: 3 the same words, 2 and other words, 1 written together; 0 not. */
static int fits(struct arena *a, const struct name_candidate *c, const char *asked)
{
	if (strcmp(c->plain, asked) == 0)
		return 3;
	if (has_words(c->plain, asked))
		return 2;
	return strcmp(squeezed(a, c->plain), squeezed(a, asked)) == 0 ||
	       (!c->is_processor && strlen(squeezed(a, asked)) >= 5 &&
		strstr(squeezed(a, c->plain), squeezed(a, asked)));
}

static size_t collect(struct arena *a, const struct name_candidate *list, size_t count,
		      const char *asked, bool processors, struct gpu_named *ret)
{
	for (int want = 3; want > 0; want--) {
		size_t found = 0;

		for (size_t i = 0; i < count; i++)
			if (list[i].is_processor == processors && fits(a, &list[i], asked) == want)
				found = list_once(ret, found, &list[i].named);
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

static bool same_letters(struct span a, struct span b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.len && isdigit((unsigned char)a.data[i]))
			i++;
		while (k < b.len && isdigit((unsigned char)b.data[k]))
			k++;
		if (i == a.len || k == b.len)
			return i == a.len && k == b.len;
		if (a.data[i++] != b.data[k++])
			return false;
	}
}

static bool has_letter(struct span name)
{
	for (size_t i = 0; i < name.len; i++)
		if (isalpha((unsigned char)name.data[i]))
			return true;
	return false;
}

static bool has_digit(struct span word)
{
	for (size_t i = 0; i < word.len; i++)
		if (isdigit((unsigned char)word.data[i]))
			return true;
	return false;
}

/* "5600G" is another product than "5600M": what stands beside digits is no slip. */
static bool keeps_letters(const char *name, const char *asked)
{
	struct span rest = span_of(asked), word;

	while (span_word(&rest, &word)) {
		struct span others = span_of(name), other;
		bool found = !has_digit(word) || !has_letter(word);

		while (!found && span_word(&others, &other))
			found = same_letters(word, other) &&
				(word.len == other.len || !has_digit(other));
		if (!found)
			return false;
	}
	return true;
}

/* The names that differ by a slip: one letter in a short name, two in a long one. */
static size_t similar(struct arena *a, const struct name_candidate *list, size_t count,
		      const char *asked, struct gpu_named *ret)
{
	struct span text = bare(a, asked);
	size_t least = text.len < 4 ? 0 : text.len < 8 ? 1 : 2, found = 0;

	for (size_t i = 0; i < count; i++) {
		size_t d = did_you_mean_distance(text, bare(a, list[i].plain));

		if (d > least || list[i].is_processor || !keeps_letters(list[i].plain, asked))
			continue;
		if (d < least)
			found = 0;
		least = d;
		if (found < 4 || find_listed(ret, found, list[i].named.gfx))
			found = list_once(ret, found, &list[i].named);
	}
	return found;
}

static size_t collect_any(struct arena *a, const struct name_candidates *c, const char *words,
			  struct gpu_named *ret)
{
	size_t found = words[1] ? collect(a, c->list, c->count, words, false, ret) : 0;

	return found > 0 || !words[1] ? found : collect(a, c->list, c->count, words, true, ret);
}

enum gpu_names_answer gpu_names_find(sqlite3 *db, struct arena *a, const char *asked,
				     struct gpu_named **ret, size_t *ret_count)
{
	struct name_candidates c = gather(db, a);
	const char *words = plain(a, span_of(asked));

	*ret = arena_alloc(a, (c.count + 1) * sizeof(**ret)); /* it may be any of them */
	*ret_count = collect_any(a, &c, words, *ret);
	if (*ret_count == 0) {
		words = without_memory(a, span_of(words));
		*ret_count = collect_any(a, &c, words, *ret);
	}
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
	for (size_t i = 0; i < count; i++) {
		bool shows = answer == GPU_NAMES_SEVERAL && list[i].example;

		buf_addf(ret, "%s%s%s%s (%s)", i > 0 ? ", " : " ", list[i].name,
			 shows ? " as in " : "", shows ? list[i].example : "", list[i].gfx);
	}
}

/* ---- which one is said in a text ---- */

#define SHORT_NAME (sizeof("Radeon VII") - 1)

/* "PRO W7900" and "AI PRO R9700" are known by their number alone; "Pro 555" is not. */
static struct span without_pro(struct span name)
{
	struct span rest = without(without(without(name, "AI "), "PRO "), "Pro ");

	return rest.len > 0 && isalpha((unsigned char)rest.data[0]) && has_digit(rest) ? rest
										       : name;
}

/* What of a name of the table everybody says: "7900 XTX", "780M", "Strix Halo"; but "RX 6600". */
static struct span said_name(struct span name)
{
	static const char *const ends[] = { " / ", " [", " Graphics" };
	bool is_chip = false;

	name = without(name, "AMD ");
	if (name.len > SHORT_NAME) /* "VII" alone is a number */
		name = without(without(name, "Radeon "), "Instinct ");
	for (size_t i = 0; i < COUNT(ends); i++) {
		size_t cut = span_find(name, span_of(ends[i]));

		is_chip |= cut != SIZE_MAX && i == 1;
		if (cut != SIZE_MAX && cut > 0)
			name.len = cut;
	}
	name = without_pro(name);
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

/* The word of a processor's name that stands for it: 5700G, 8845HS; else all of it. */
static struct span model_number(struct span name)
{
	struct span rest = name, word;

	while (span_word(&rest, &word))
		if (word.len >= 5 && has_digit(word) && has_letter(word))
			return word;
	return name;
}

struct said_search {
	struct arena *arena;
	struct span said; /* squeezed */
	struct gpu_said found;
	size_t best; /* how long its name is; 0: none yet */
	bool is_one;
};

/* The first number of a name. One behind " [" or " / " need not be said. */
static struct span first_number(struct span name)
{
	size_t from = 0, end;

	while (from < name.len && !isdigit((unsigned char)name.data[from]))
		if (strchr("[/", name.data[from++]))
			return SPAN_LITERAL("");
	for (end = from; end < name.len && isdigit((unsigned char)name.data[end]);)
		end++;
	return (struct span){ name.data + from, end - from };
}

static void consider(void *ctx, const struct gpu_name *n)
{
	struct buf name BUF_SCOPED = { 0 };
	struct said_search *s = ctx;
	size_t len;

	/* A target is read by itself. Most names end here: their number is not said. */
	if (n->is_target ||
	    (!n->is_processor && span_find(s->said, first_number(n->name)) == SIZE_MAX))
		return;
	squeeze(&name, n->is_processor ? model_number(n->name) : said_name(n->name));
	len = name.len -
	      (span_starts(buf_get(&name), "rx") ? 2 : 0); /* "6800m" says more than "rx6800" */
	if (len < s->best || name.len < 4 || !is_named(s->said, buf_get(&name)) ||
	    !plain(s->arena, n->name)[1]) /* says nothing; few names come so far */
		return;
	s->is_one = len > s->best || (s->is_one && span_same(n->gfx, s->found.gfx));
	s->best = len;
	s->found = (struct gpu_said){ arena_span(s->arena, n->gfx), n->integrated };
}

/* "Vega 8" is the GPU of processors with two targets, of which products name one. */
static void consider_graphics(void *ctx, const struct gpu_name *n)
{
	if (!n->is_processor)
		consider(ctx, n);
}

bool gpu_names_said(sqlite3 *db, struct arena *a, struct span text, struct gpu_said *ret)
{
	struct buf words BUF_SCOPED = { 0 };
	struct said_search s = { .arena = a };

	lower_words(&words, text);
	s.said = span_of(squeezed(a, without_memory(a, buf_get(&words))));
	if (span_find(s.said, SPAN_LITERAL("000series")) != SIZE_MAX)
		return false; /* "RX 9000 series" is a generation, and no product */
	each_product(consider, &s);
	each_processor(db, consider_graphics, &s);
	if (s.best == 0 || !s.is_one) /* "Vega" is in more names than "Vega 56" */
		each_target(db, consider, &s);
	if (s.best == 0)
		each_processor(db, consider, &s);
	if (s.best > 0 && s.is_one)
		*ret = s.found;
	return s.best > 0 && s.is_one;
}
