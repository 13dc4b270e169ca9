#include "explain/report-words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/stem.h"
#include "explain/belief.h"
#include "explain/evidence.h"
#include "explain/explain-internal.h"
#include "explain/told-apart.h"
#include "facts/column.h"
#include "facts/select.h"

#define WORDS_MAX    600 /* that are looked up: time, which a long text could ask for */
#define GUESSES      5   /* causes that are spoken for */
#define WORDS_WEIGHT 10  /* decibans of the one that most words speak for */
#define WORDS_SHOWN  5   /* in the sentence that says why */
#define WORDS_LEAST  3   /* of the text itself that fit: "too many values" is no report */

struct guess {
	struct explain_cause *cause;
	int sum;
	struct {
		int weight;
		struct span word;
	} best[WORDS_SHOWN]; /* the strongest first; weight 0: none */
};

struct report {
	struct explainer *x;
	sqlite3_stmt *stmt;
	struct map seen;     /* words that were looked up */
	struct map by_cause; /* to its guess */
	struct guess *guesses;
	size_t count;
	size_t words; /* of the text that speak for any cause */
};

/* ---- what the words say ---- */

static bool is_of_log(const struct explain_fact *f)
{
	return strcmp(f->origin, "log") == 0;
}

/*
 * Whether the text is about an AMD GPU at all: by what was understood of it, or by a word.
 * A GPU that is stated beside the text makes no failed assertion a matter of that GPU.
 */
static bool is_of_gpu(const struct explanation *e)
{
	static const char *const names[] = { "gpu", "gfx", "rocm", "framework" };

	for (size_t i = 0; i < e->fact_count; i++)
		for (size_t k = 0; k < COUNT(names); k++)
			if (is_of_log(&e->facts[i]) && strcmp(e->facts[i].name, names[k]) == 0)
				return true;
	return told_names_gpu(e->failure->words);
}

static void begin(struct explainer *x, struct report *ret)
{
	struct explanation *e = x->e;

	*ret = (struct report){ .x = x };
	ret->guesses = arena_alloc(&e->arena, (e->cause_count + 1) * sizeof(*ret->guesses));
	for (; ret->count < e->cause_count; ret->count++) {
		ret->guesses[ret->count].cause = &e->causes[ret->count];
		map_put(&ret->by_cause, span_of(e->causes[ret->count].cause),
			&ret->guesses[ret->count]);
	}
	ret->stmt = select_kept(x->db, "SELECT causes FROM kb.report_word WHERE word = ?1");
}

static void keep_word(struct guess *g, int weight, struct span word)
{
	size_t at = WORDS_SHOWN;

	while (at > 0 && g->best[at - 1].weight < weight)
		at--;
	if (at == WORDS_SHOWN)
		return;
	memmove(&g->best[at + 1], &g->best[at], (WORDS_SHOWN - 1 - at) * sizeof(g->best[0]));
	g->best[at].weight = weight;
	g->best[at].word = word;
}

/* "cpu-or-cuda-framework 310 no-matching-wheel 122": a stranger's kb.db may hold anything. */
static void take_causes(struct report *r, struct span causes, struct span word)
{
	struct span slug, number;
	uint64_t weight;

	while (span_word(&causes, &slug) && span_word(&causes, &number)) {
		struct guess *g = map_find(&r->by_cause, slug);

		if (!g || !span_u64(number, &weight) || weight > 1000)
			continue;
		g->sum += (int)weight;
		keep_word(g, (int)weight, word);
	}
}

static void take_text(struct report *r, struct span text)
{
	struct stem stem;

	while (r->seen.count < WORDS_MAX && stem_next(&text, &stem)) {
		struct span key = span_of(stem.text);

		if (map_find(&r->seen, key))
			continue;
		map_put(&r->seen, arena_span(&r->x->e->arena, key), r);
		sqlite3_bind_text(r->stmt, 1, stem.text, -1, SQLITE_STATIC);
		if (select_next(r->stmt)) {
			take_causes(r, span_of(column_text(r->stmt, 0)), stem.word);
			r->words++;
		}
		sqlite3_reset(r->stmt);
	}
}

/* ---- what is made of it ---- */

static int by_sum(const void *a, const void *b)
{
	const struct guess *x = a, *y = b;

	return x->sum != y->sum ? y->sum - x->sum : strcmp(x->cause->cause, y->cause->cause);
}

static const char *say_words(struct arena *a, const struct guess *g)
{
	struct buf out BUF_SCOPED = { 0 };

	buf_text(&out, "words of the text that fit: ");
	for (size_t i = 0; i < WORDS_SHOWN && g->best[i].weight > 0; i++) {
		buf_text(&out, i > 0 ? ", " : "");
		buf_span(&out, g->best[i].word);
	}
	return arena_text(a, buf_get(&out));
}

static void add_lines(struct report *r)
{
	struct explanation *e = r->x->e;
	int most = r->guesses[0].sum;

	for (size_t i = 0; i < GUESSES && i < r->count && r->guesses[i].sum > 0; i++) {
		const struct guess *g = &r->guesses[i];

		evidence_add(r->x, g->cause,
			     (struct sign){
				     .id = "report-words",
				     .says = say_words(&e->arena, g),
				     .source = e->failure->file,
				     .weight = (WORDS_WEIGHT * g->sum + most / 2) / most,
				     .in_doubt = true,
			     });
	}
}

static void name_causes(struct report *r)
{
	struct explanation *e = r->x->e;

	qsort(r->guesses, r->count, sizeof(*r->guesses), by_sum);
	if (r->count == 0 || r->guesses[0].sum == 0)
		return;
	add_lines(r);
	belief_share(&r->x->rules->belief, e);
	e->basis = EXPLAIN_BY_WORDS;
}

int report_words(struct explainer *x)
{
	struct explanation *e = x->e;
	const struct failure *f = e->failure;
	struct report r;

	if (!f->words.data || e->family || !is_of_gpu(e))
		return 0;
	begin(x, &r);
	take_text(&r, f->words);
	for (size_t i = 0; r.words >= WORDS_LEAST && i < e->fact_count; i++)
		take_text(&r, span_of(e->facts[i].value));
	select_done(r.stmt);
	if (r.words >= WORDS_LEAST)
		name_causes(&r);
	map_done(&r.seen);
	map_done(&r.by_cause);
	return select_error() ? -EIO : 0;
}
