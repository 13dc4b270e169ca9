#include "explain/machine-words.h"

#include "base/array.h"

extern const char data_machine_words[];

static const char *const kinds[WORD_KINDS] = {
	"label",  "filler", "none",    "program", "library", "system",  "edition", "tail",
	"engine", "boxed",  "release", "between", "brand",   "series",  "behind",  "common",
	"inside", "chip",   "count",   "cue",     "article", "other",   "good",    "bad",
	"deny",   "turn",   "change",  "after",   "mine",    "listing", "rival",
};

/* Rows of a kind stand together: *ret is that of the row before. */
static bool find_kind(struct span name, enum word_kind *ret)
{
	if (span_is(name, kinds[*ret]))
		return true;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (span_is(name, kinds[i])) {
			*ret = (enum word_kind)i;
			return true;
		}
	return false;
}

/* Of a label or a value the whole phrase is the key. */
static void put(struct machine_words *w, struct span phrase, struct machine_word *word)
{
	struct span first;

	if (word->kind == WORD_LISTING) {
		w->listing = phrase;
		return;
	}
	if (word->kind == WORD_LABEL || word->kind == WORD_NONE) {
		map_put(word->kind == WORD_LABEL ? &w->labels : &w->nones, phrase, word);
		return;
	}
	word->rest = phrase;
	if (!span_word(&word->rest, &first))
		return;
	word->rest = span_trim(word->rest);
	word->next = map_find(&w->first, first);
	map_put(&w->first, first, word);
}

void machine_words_load(struct machine_words *ret)
{
	struct span rest = span_of(data_machine_words), line, name, phrase;
	enum word_kind kind = WORD_LABEL;

	*ret = (struct machine_words){ 0 };
	while (span_line(&rest, &line)) {
		struct machine_word *word;

		if (!span_cut(&line, '\t', &name) || !span_cut(&line, '\t', &phrase) ||
		    !find_kind(name, &kind))
			continue;
		word = arena_alloc(&ret->arena, sizeof(*word));
		word->kind = kind;
		if (!span_is(line, "-"))
			word->means = line;
		put(ret, phrase, word);
	}
}

void machine_words_done(struct machine_words *w)
{
	map_done(&w->first);
	map_done(&w->labels);
	map_done(&w->nones);
	arena_done(&w->arena);
}

const struct machine_word *machine_words_find(const struct machine_words *w, struct span word)
{
	return map_find(&w->first, word);
}

bool machine_words_is(const struct machine_word *list, enum word_kind kind)
{
	for (; list; list = list->next)
		if (list->kind == kind && list->rest.len == 0)
			return true;
	return false;
}
