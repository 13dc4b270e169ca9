#include "explain/machine-words.h"

#include <string.h>

#include "base/array.h"

extern const char data_machine_words[];

static const char *const kinds[WORD_KINDS] = {
	"label",  "filler",  "none",   "program", "library", "system", "edition",
	"tail",   "engine",  "boxed",  "release", "between", "brand",  "series",
	"behind", "common",  "inside", "chip",    "count",   "cue",    "article",
	"other",  "good",    "bad",    "deny",    "turn",    "change", "after",
	"mine",   "listing", "rival",  "example", "verb",
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

/* FNV-1a. The words are ours, so that nobody can choose ones that fall together. */
static size_t place_of(struct span word)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < word.len; i++)
		hash = (hash ^ (unsigned char)word.data[i]) * 16777619u;
	return (hash ^ hash >> 15) & (MACHINE_WORDS_TABLE - 1);
}

static bool is_whole(enum word_kind kind)
{
	return kind == WORD_LABEL || kind == WORD_NONE;
}

/* Of a label or a value the whole phrase is the key. */
static void cut_phrase(struct span phrase, struct machine_word *word)
{
	const char *blank = is_whole(word->kind) ? NULL : memchr(phrase.data, ' ', phrase.len);
	size_t n = blank ? (size_t)(blank - phrase.data) : phrase.len;

	word->first = (struct span){ phrase.data, n };
	if (blank)
		word->rest = (struct span){ blank + 1, phrase.len - n - 1 };
}

static void put(struct machine_words *w, struct machine_word *word)
{
	struct machine_word **at = &w->table[place_of(word->first)];

	while (*at && !span_same((*at)->first, word->first))
		at = &(*at)->chain;
	if (*at) {
		word->next = (*at)->next;
		(*at)->next = word;
	} else {
		*at = word;
	}
}

static size_t count_rows(const char *text)
{
	size_t n = 0;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

/* False for a comment. */
static bool read_row(struct span line, enum word_kind *kind, struct machine_word *ret,
		     struct span *ret_phrase)
{
	struct span name;

	if (!span_cut(&line, '\t', &name) || !span_cut(&line, '\t', ret_phrase) ||
	    !find_kind(name, kind))
		return false;
	ret->kind = *kind;
	if (line.len > 1 || (line.len == 1 && line.data[0] != '-'))
		ret->means = line;
	return true;
}

void machine_words_load(struct machine_words *ret)
{
	struct span rest = span_of(data_machine_words), line, phrase;
	size_t most = count_rows(data_machine_words), count = 0;
	enum word_kind kind = WORD_LABEL;
	struct machine_word *list;

	*ret = (struct machine_words){ 0 };
	ret->table = arena_alloc(&ret->arena, MACHINE_WORDS_TABLE * sizeof(*ret->table));
	list = arena_alloc(&ret->arena, (most + 1) * sizeof(*list));
	while (count < most && span_line(&rest, &line)) {
		if (!read_row(line, &kind, &list[count], &phrase))
			continue;
		if (kind == WORD_LISTING) {
			ret->listing = phrase;
			continue;
		}
		cut_phrase(phrase, &list[count]);
		put(ret, &list[count++]);
	}
}

void machine_words_done(struct machine_words *w)
{
	arena_done(&w->arena);
	*w = (struct machine_words){ 0 };
}

const struct machine_word *machine_words_find(const struct machine_words *w, struct span word)
{
	const struct machine_word *at = w->table[place_of(word)];

	while (at && !span_same(at->first, word))
		at = at->chain;
	return at;
}

bool machine_words_is(const struct machine_word *list, enum word_kind kind)
{
	for (; list; list = list->next)
		if (list->kind == kind && list->rest.len == 0)
			return true;
	return false;
}

const struct machine_word *machine_words_whole(const struct machine_words *w, struct span phrase,
					       enum word_kind kind)
{
	const struct machine_word *at = machine_words_find(w, phrase);

	while (at && at->kind != kind)
		at = at->next;
	return at;
}
