#include "explain/symptom-words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "explain/sentence.h"

#define NAMES_MAX    64 /* bits of a set */
#define HITS_MAX     128
#define GAP_MAX      3 /* words that ".." stands for */
#define NOT_BEFORE   3 /* words between "not" and a sign */
#define GUARD_BEHIND 3
#define NEAR         5 /* words between two that "~" joins */

enum kind { SIGN, WORD, NOT, IF, GUARD, OVER, PRINTED, PART, POINTS, ENDS, RULE, KINDS };

static const char *const kinds[KINDS] = { "sign",    "word", "not",    "if",   "guard", "over",
					  "printed", "part", "points", "ends", "rule" };

/* A word of a phrase: "hang*" is its head and its tail. */
struct pattern {
	enum { PLAIN, STAR, NUMBER, GAP } form;
	struct span head, tail;
};

struct phrase {
	struct pattern *patterns;
	size_t count;
	unsigned char name;   /* index in names */
	unsigned char second; /* byte of the first word; 0: any, or none */
};

/* One of a condition: "compile", "compile~hang", "!machine". */
struct term {
	unsigned char first, second;
	char join; /* 0, '~', '>' or '!' */
};

struct worded_rule {
	struct symptom_rule shown;
	struct term *terms;
	bool *begins; /* another condition, of which one is enough */
	size_t count;
};

struct symptom_words {
	struct arena arena;
	struct name {
		struct span text;
		enum kind kind;
	} names[NAMES_MAX];
	size_t name_count;
	struct phrase *phrases[256]; /* by the first byte; 0: any */
	size_t phrase_counts[256];
	struct worded_rule *rules;
	struct symptom_rule *shown;
	size_t rule_count;
	struct span ends;
};

struct hit {
	unsigned char name;
	size_t from, end; /* words */
	bool is_above;    /* in another line, and so beside all of this one */
};

struct hits {
	struct hit list[HITS_MAX];
	size_t count;
};

/* ---- the table ---- */

static bool find_name(struct symptom_words *w, struct span text, enum kind kind, bool adds,
		      unsigned char *ret)
{
	for (size_t i = 0; i < w->name_count; i++)
		if (span_same(w->names[i].text, text)) {
			*ret = (unsigned char)i;
			return true;
		}
	if (!adds || w->name_count == NAMES_MAX)
		return false;
	w->names[w->name_count].text = text;
	w->names[w->name_count].kind = kind;
	*ret = (unsigned char)w->name_count++;
	return true;
}

static struct pattern read_pattern(struct span text)
{
	const char *star = memchr(text.data, '*', text.len);
	struct pattern p = { PLAIN, text, { "", 0 } };

	if (span_is(text, "..")) {
		p.form = GAP;
	} else if (text.data[0] == '#') {
		p.form = NUMBER;
		p.tail = (struct span){ text.data + 1, text.len - 1 };
	} else if (star) {
		p.form = STAR;
		p.head.len = (size_t)(star - text.data);
		p.tail = (struct span){ star + 1, text.len - p.head.len - 1 };
	}
	return p;
}

static struct phrase read_phrase(struct arena *a, struct span text, unsigned char name)
{
	struct phrase phrase = { .name = name };
	const struct pattern *first;
	struct span word;

	while (span_cut(&text, ' ', &word)) {
		phrase.patterns =
			arena_grow(a, phrase.patterns, phrase.count, sizeof(*phrase.patterns));
		phrase.patterns[phrase.count++] =
			word.len > 0 ? read_pattern(word) : (struct pattern){ PLAIN, word, word };
	}
	first = phrase.patterns;
	if (phrase.count > 0 && (first->form == PLAIN || first->form == STAR) &&
	    first->head.len > 1)
		phrase.second = (unsigned char)first->head.data[1];
	return phrase;
}

static bool add_phrases(struct symptom_words *w, enum kind kind, struct span name, struct span rest)
{
	struct span text;
	unsigned char index;

	if (kind != SIGN && kind != WORD)
		name = span_of(kinds[kind]);
	if (!find_name(w, name, kind, true, &index))
		return false;
	while (span_cut(&rest, '|', &text)) {
		unsigned char first;
		struct phrase *list;

		text = span_trim(text);
		if (text.len == 0)
			return false;
		first = strchr("#*.", text.data[0]) ? 0 : (unsigned char)text.data[0];
		list = arena_grow(&w->arena, w->phrases[first], w->phrase_counts[first],
				  sizeof(*list));
		list[w->phrase_counts[first]++] = read_phrase(&w->arena, text, index);
		w->phrases[first] = list;
	}
	return true;
}

static bool read_term(struct symptom_words *w, struct span text, struct term *ret)
{
	size_t at = 0;

	text = span_trim(text);
	*ret = (struct term){ 0 };
	if (span_starts(text, "!")) {
		ret->join = '!';
		text = (struct span){ text.data + 1, text.len - 1 };
		return find_name(w, text, WORD, false, &ret->first);
	}
	while (at < text.len && text.data[at] != '~' && text.data[at] != '>')
		at++;
	if (!find_name(w, (struct span){ text.data, at }, WORD, false, &ret->first))
		return false;
	if (at == text.len)
		return true;
	ret->join = text.data[at];
	return find_name(w, (struct span){ text.data + at + 1, text.len - at - 1 }, WORD, false,
			 &ret->second);
}

static bool read_rule(struct symptom_words *w, struct worded_rule *rule)
{
	struct span rest = rule->shown.condition, either, part;

	while (span_cut(&rest, '|', &either)) {
		bool begins = true;

		for (; span_cut(&either, '+', &part); begins = false) {
			rule->terms = arena_grow(&w->arena, rule->terms, rule->count,
						 sizeof(*rule->terms));
			rule->begins = arena_grow(&w->arena, rule->begins, rule->count,
						  sizeof(*rule->begins));
			rule->begins[rule->count] = begins;
			if (!read_term(w, part, &rule->terms[rule->count++]))
				return false;
		}
	}
	return rule->count > 0;
}

static bool add_rule(struct symptom_words *w, struct span symptom, struct span rest,
		     unsigned int line)
{
	struct worded_rule rule = { .shown = { .symptom = symptom, .line = line } };
	struct span rest_of_ends = w->ends, one;

	if (!span_cut(&rest, '\t', &rule.shown.condition) ||
	    !span_cut(&rest, '\t', &rule.shown.example) || rest.len == 0)
		return false;
	if (!span_is(rest, "-"))
		rule.shown.near_miss = rest;
	while (span_cut(&rest_of_ends, '|', &one))
		rule.shown.ends = rule.shown.ends || span_same(one, symptom);
	if (!read_rule(w, &rule))
		return false;
	w->rules = arena_grow(&w->arena, w->rules, w->rule_count, sizeof(*w->rules));
	w->shown = arena_grow(&w->arena, w->shown, w->rule_count, sizeof(*w->shown));
	w->rules[w->rule_count] = rule;
	w->shown[w->rule_count++] = rule.shown;
	return true;
}

static bool take_row(struct symptom_words *w, struct span line, unsigned int number)
{
	struct span kind, name;

	if (!span_cut(&line, '\t', &kind) || !span_cut(&line, '\t', &name) || line.len == 0)
		return false;
	for (size_t i = 0; i < KINDS; i++) {
		if (!span_is(kind, kinds[i]))
			continue;
		if (i == RULE)
			return add_rule(w, name, line, number);
		if (i == ENDS)
			w->ends = line;
		return i == ENDS || add_phrases(w, (enum kind)i, name, line);
	}
	return false;
}

struct symptom_words *symptom_words_new(struct span table, unsigned int *ret_line)
{
	struct symptom_words *w = memory_new(1, sizeof(*w));
	struct span line;
	unsigned int number = 0;

	while (span_line(&table, &line)) {
		number++;
		if (line.len == 0 || line.data[0] == '#' || take_row(w, line, number))
			continue;
		if (ret_line)
			*ret_line = number;
		return symptom_words_free(w);
	}
	return w;
}

struct symptom_words *symptom_words_free(struct symptom_words *w)
{
	if (w)
		arena_done(&w->arena);
	free(w);
	return NULL;
}

const struct symptom_rule *symptom_words_rules(const struct symptom_words *w, size_t *ret_count)
{
	*ret_count = w->rule_count;
	return w->shown;
}

/* ---- phrases in a sentence ---- */

/* "hang*", "utili*ation", "#" and "#%" beside plain words. */
static bool fits(const struct pattern *p, struct span word)
{
	size_t n = 0;

	switch (p->form) {
	case NUMBER:
		while (n < word.len && (isdigit((unsigned char)word.data[n]) ||
					(n > 0 && strchr(".,", word.data[n]))))
			n++;
		return n > 0 && (p->tail.len == 0 ||
				 span_same(p->tail, (struct span){ word.data + n, word.len - n }));
	case STAR:
		return word.len >= p->head.len + p->tail.len &&
		       memcmp(word.data, p->head.data, p->head.len) == 0 &&
		       memcmp(word.data + word.len - p->tail.len, p->tail.data, p->tail.len) == 0;
	default:
		return span_same(p->head, word);
	}
}

/* How many words from `at` on the phrase takes, or 0. */
static size_t phrase_length(const struct person_sentence *s, size_t at, const struct phrase *p)
{
	size_t from = at;
	bool gap = false;

	for (size_t i = 0; i < p->count; i++) {
		if (at > from && s->words[at - 1].colon)
			return 0; /* "GPU use: 0%" is no sentence */
		if (p->patterns[i].form == GAP) {
			gap = true;
			continue;
		}
		for (size_t skipped = 0;; skipped++, at++) {
			if (at == s->count || skipped > (gap ? GAP_MAX : 0))
				return 0;
			if (fits(&p->patterns[i], s->words[at].text))
				break;
			if (s->words[at].colon)
				return 0;
		}
		gap = false;
		at++;
	}
	return at - from;
}

/* Most phrases that begin with the same letter go on otherwise. */
static bool may_begin(const struct phrase *p, struct span word)
{
	if (p->patterns[0].form == NUMBER)
		return isdigit((unsigned char)word.data[0]);
	return p->second == 0 || (word.len > 1 && p->second == (unsigned char)word.data[1]);
}

static void take_hits(const struct symptom_words *w, const struct person_sentence *s, size_t at,
		      unsigned char first, struct hits *hits)
{
	for (size_t i = 0; i < w->phrase_counts[first] && hits->count < HITS_MAX; i++) {
		const struct phrase *p = &w->phrases[first][i];
		size_t n = may_begin(p, s->words[at].text) ? phrase_length(s, at, p) : 0;

		if (n > 0)
			hits->list[hits->count++] = (struct hit){ p->name, at, at + n, false };
	}
}

static void find_hits(const struct symptom_words *w, const struct person_sentence *s,
		      struct hits *hits)
{
	hits->count = 0;
	for (size_t at = 0; at < s->count; at++) {
		take_hits(w, s, at, (unsigned char)s->words[at].text.data[0], hits);
		take_hits(w, s, at, 0, hits);
	}
}

/* ---- what takes a sign back ---- */

static enum kind kind_of(const struct symptom_words *w, const struct hit *h)
{
	return w->names[h->name].kind;
}

/* Whether a comma or a word like "but" stands between two words. */
static bool is_parted(const struct symptom_words *w, const struct person_sentence *s,
		      const struct hits *hits, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (i > 0 && s->words[i - 1].breaks && i > from)
			return true;
	for (size_t i = 0; i < hits->count; i++)
		if (kind_of(w, &hits->list[i]) == PART && hits->list[i].from >= from &&
		    hits->list[i].from < to)
			return true;
	return to > from && s->words[to - 1].breaks && to < s->count;
}

static bool takes_back(const struct symptom_words *w, const struct person_sentence *s,
		       const struct hits *hits, const struct hit *by, const struct hit *sign)
{
	switch (kind_of(w, by)) {
	case NOT:
		return by->end <= sign->from && sign->from - by->end <= NOT_BEFORE &&
		       !is_parted(w, s, hits, by->end, sign->from) && !s->words[by->end - 1].breaks;
	case IF:
		return by->end <= sign->from && !is_parted(w, s, hits, by->end, sign->from);
	case GUARD:
		return by->from >= sign->end && by->from - sign->end < GUARD_BEHIND &&
		       !s->words[sign->end - 1].breaks &&
		       !is_parted(w, s, hits, sign->end, by->from);
	default:
		return false;
	}
}

/* "memory grows: False" names a setting. */
static bool is_setting(const struct person_sentence *s, const struct hit *sign)
{
	return s->words[sign->end - 1].colon && sign->end < s->count;
}

static bool is_denied(const struct symptom_words *w, const struct person_sentence *s,
		      const struct hits *hits, const struct hit *sign)
{
	if (is_setting(s, sign))
		return true;
	for (size_t i = 0; i < hits->count; i++)
		if (takes_back(w, s, hits, &hits->list[i], sign))
			return true;
	return false;
}

/* "not fixed" mends nothing. */
static bool is_over(const struct symptom_words *w, const struct person_sentence *s,
		    const struct hits *hits)
{
	for (size_t i = 0; i < hits->count; i++) {
		const struct hit *over = &hits->list[i];
		bool denied = false;

		if (kind_of(w, over) == PRINTED && s->words[over->from].is_level)
			return true;
		if (kind_of(w, over) != OVER)
			continue;
		for (size_t k = 0; k < hits->count; k++)
			denied = denied || (kind_of(w, &hits->list[k]) == NOT &&
					    hits->list[k].end <= over->from &&
					    over->from - hits->list[k].end <= NOT_BEFORE);
		if (!denied)
			return true;
	}
	return false;
}

/* Keeps words and the signs that stand. */
static void drop_denied(const struct symptom_words *w, const struct person_sentence *s,
			struct hits *hits)
{
	struct hits kept = { .count = 0 };

	for (size_t i = 0; i < hits->count; i++) {
		const struct hit *h = &hits->list[i];

		if (kind_of(w, h) == WORD || (kind_of(w, h) == SIGN && !is_denied(w, s, hits, h)))
			kept.list[kept.count++] = *h;
	}
	*hits = kept;
}

/* ---- rules ---- */

static bool is_near(const struct hit *a, const struct hit *b, char join)
{
	if (a->is_above || b->is_above)
		return true;
	if (b->from >= a->end)
		return b->from - a->end <= NEAR;
	return join == '~' && a->from >= b->end && a->from - b->end <= NEAR;
}

static bool has_term(const struct hits *hits, const struct term *t)
{
	for (size_t i = 0; i < hits->count; i++) {
		if (hits->list[i].name != t->first)
			continue;
		if (t->join == 0)
			return true;
		if (t->join == '!')
			return false;
		for (size_t k = 0; k < hits->count; k++)
			if (hits->list[k].name == t->second &&
			    is_near(&hits->list[i], &hits->list[k], t->join))
				return true;
	}
	return t->join == '!';
}

static bool rule_holds(const struct worded_rule *rule, const struct hits *hits)
{
	bool holds = false;

	for (size_t i = 0; i < rule->count; i++) {
		if (rule->begins[i] && holds)
			return true;
		holds = (rule->begins[i] || holds) && has_term(hits, &rule->terms[i]);
	}
	return holds;
}

static bool has_kind(const struct symptom_words *w, const struct hits *hits, enum kind kind)
{
	for (size_t i = 0; i < hits->count; i++)
		if (kind_of(w, &hits->list[i]) == kind)
			return true;
	return false;
}

/* Of lines above only what they are about: signs are in the remark. */
static void add_above(const struct symptom_words *w, struct span above, struct hits *hits)
{
	struct person_sentence s;
	struct hits found;

	while (sentence_next(&above, &s)) {
		find_hits(w, &s, &found);
		for (size_t i = 0; i < found.count && hits->count < HITS_MAX; i++) {
			if (kind_of(w, &found.list[i]) != WORD)
				continue;
			found.list[i].is_above = true;
			hits->list[hits->count++] = found.list[i];
		}
	}
}

const struct symptom_rule *symptom_words_find(const struct symptom_words *w, struct span line,
					      struct span above)
{
	size_t best = w->rule_count;
	struct person_sentence s;
	struct hits hits;
	bool points;

	if (sentence_is_dated(line))
		return NULL;
	while (sentence_next(&line, &s)) {
		find_hits(w, &s, &hits);
		if (is_over(w, &s, &hits))
			continue;
		points = has_kind(w, &hits, POINTS);
		drop_denied(w, &s, &hits);
		if (points && has_kind(w, &hits, SIGN))
			add_above(w, above, &hits);
		for (size_t i = 0; i < best; i++)
			if (rule_holds(&w->rules[i], &hits))
				best = i;
	}
	return best < w->rule_count ? &w->shown[best] : NULL;
}
