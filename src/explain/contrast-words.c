#include "explain/contrast-words.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const char *const kinds[CONTRAST_KINDS] = { "work", "fail",  "turned", "flip",   "not",
						   "no",   "quiet", "part",   "prep",   "unit",
						   "turn", "from",  "to",     "onward", "subject",
						   "near", "model", "update", "fails",  "works",
						   "alone" };

struct phrase {
	enum contrast_kind kind;
	struct span name, text;
};

struct contrast_words {
	struct arena arena;
	struct phrase *phrases[256]; /* by the first byte */
	size_t counts[256];
};

static bool add_phrases(struct contrast_words *w, enum contrast_kind kind, struct span name,
			struct span rest)
{
	struct span text;

	while (span_cut(&rest, '|', &text)) {
		unsigned char first;

		text = span_trim(text);
		if (text.len == 0)
			return false;
		first = (unsigned char)text.data[0];
		w->phrases[first] = arena_grow(&w->arena, w->phrases[first], w->counts[first],
					       sizeof(struct phrase));
		w->phrases[first][w->counts[first]++] = (struct phrase){ kind, name, text };
	}
	return true;
}

static bool take_row(struct contrast_words *w, struct span line)
{
	struct span kind, name;

	if (!span_cut(&line, '\t', &kind) || !span_cut(&line, '\t', &name) || line.len == 0)
		return false;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (span_is(kind, kinds[i]))
			return add_phrases(w, (enum contrast_kind)i, name, line);
	return false;
}

struct contrast_words *contrast_words_new(struct span table, unsigned int *ret_line)
{
	struct contrast_words *w = calloc(1, sizeof(*w));
	struct span line;
	unsigned int number = 0;

	while (w && span_line(&table, &line)) {
		number++;
		if (line.len == 0 || line.data[0] == '#' || take_row(w, line))
			continue;
		if (ret_line)
			*ret_line = number;
		return contrast_words_free(w);
	}
	return w;
}

struct contrast_words *contrast_words_free(struct contrast_words *w)
{
	if (w)
		arena_done(&w->arena);
	free(w);
	return NULL;
}

static bool fits(struct span pattern, struct span word)
{
	if (pattern.len == 0 || pattern.data[pattern.len - 1] != '*')
		return span_same(pattern, word);
	pattern.len--;
	return word.len >= pattern.len && memcmp(word.data, pattern.data, pattern.len) == 0;
}

/* How many words from `at` on the phrase takes, or 0. */
static size_t phrase_length(const struct person_sentence *s, size_t at, struct span phrase)
{
	size_t from = at;
	struct span word;

	for (; span_cut(&phrase, ' ', &word); at++)
		if (at == s->count || (at > from && s->words[at - 1].breaks) ||
		    !fits(word, s->words[at].text))
			return 0;
	return at - from;
}

void contrast_words_find(const struct contrast_words *w, const struct person_sentence *s,
			 struct contrast_hits *ret)
{
	ret->count = 0;
	for (size_t at = 0; at < s->count; at++) {
		unsigned char first = (unsigned char)s->words[at].text.data[0];

		for (size_t i = 0; i < w->counts[first] && ret->count < CONTRAST_HITS; i++) {
			const struct phrase *p = &w->phrases[first][i];
			size_t n = phrase_length(s, at, p->text);

			if (n > 0)
				ret->list[ret->count++] =
					(struct contrast_hit){ p->kind, p->name, at, at + n };
		}
	}
}
