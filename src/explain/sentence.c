#include "explain/sentence.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

/* Signs that people write in several ways, as one byte: a blank parts words. */
static const struct {
	const char *glyph;
	char means;
} glyphs[] = {
	{ "’", '\'' }, { "‘", '\'' }, { "“", ' ' }, { "”", ' ' }, { "„", ' ' },
	{ "…", ' ' },  { "—", ',' },  { "–", ',' }, { "→", ',' },
};

/* The next byte in small letters; *at goes behind it. */
static char take_byte(struct span text, size_t *at)
{
	struct span rest = { text.data + *at, text.len - *at };
	bool is_ascii = (unsigned char)rest.data[0] < 0x80;

	for (size_t i = 0; !is_ascii && i < COUNT(glyphs); i++)
		if (span_starts(rest, glyphs[i].glyph)) {
			*at += strlen(glyphs[i].glyph);
			return glyphs[i].means;
		}
	return (char)tolower((unsigned char)text.data[(*at)++]);
}

static bool is_closing(char c)
{
	return strchr(".!?,;:\"')]}>*`", c) != NULL;
}

/* "GGGG" and "!!!!" are words; a single dash or bracket is none. */
static bool is_run(struct span word)
{
	size_t n = 1;

	while (n < word.len && word.data[n] == word.data[0])
		n++;
	return word.len >= 4 && n == word.len;
}

/* Takes quotes and stops off. True if the sentence ends with it. */
static bool trim_word(struct sentence_word *word)
{
	size_t stops = 0;
	struct span t = word->text;

	if (is_run(t))
		return false;
	while (t.len > 0 && strchr("\"'([{<*`~", t.data[0])) {
		t.data++;
		t.len--;
	}
	while (t.len > 0 && is_closing(t.data[t.len - 1])) {
		char c = t.data[--t.len];

		stops += strchr(".!?", c) ? 1 : 0;
		word->colon = word->colon || c == ':';
		word->breaks = word->breaks || strchr(",;:)]", c);
	}
	word->text = t;
	return stops > 0 && stops < 3 && !word->breaks; /* "group...", ends nothing */
}

static bool has_letter(struct span t)
{
	for (size_t i = 0; i < t.len; i++)
		if (isalnum((unsigned char)t.data[i]))
			return true;
	return is_run(t);
}

/* A level is written INFO or [info]. */
static bool is_level(struct span raw)
{
	return raw.len > 2 && (raw.data[0] == '[' || (isupper((unsigned char)raw.data[0]) &&
						      isupper((unsigned char)raw.data[1])));
}

/* "test of hangs ... ok": what stands behind the dots is about what stands before them. */
static bool is_ellipsis(struct span text)
{
	return text.len == 3 && span_starts(text, "...");
}

/* True if the sentence ends with this word. */
static bool add_word(struct person_sentence *s, struct span text, struct span raw)
{
	struct sentence_word word = { .text = text, .is_level = is_level(raw) };
	bool ends = trim_word(&word);

	if (has_letter(word.text))
		s->words[s->count++] = word;
	else if (s->count > 0 && !is_ellipsis(text))
		s->words[s->count - 1].breaks = true;
	return ends && s->count > 0;
}

/* One word from *at on, in small letters. True if the sentence ends with it. */
static bool take_word(struct span text, size_t *at, struct person_sentence *s, size_t *used)
{
	size_t from = *used, raw = *at, next = *at;
	char c = 0;

	while (*at < text.len && *used < SENTENCE_BYTES) {
		c = take_byte(text, &next);
		if (isspace((unsigned char)c))
			break;
		s->bytes[(*used)++] = c;
		*at = next;
	}
	if (*at < text.len && *used < SENTENCE_BYTES)
		*at = next; /* behind the blank */
	return *used > from && add_word(s, (struct span){ s->bytes + from, *used - from },
					(struct span){ text.data + raw, *at - raw });
}

bool sentence_next(struct span *rest, struct person_sentence *ret)
{
	size_t at = 0, used = 0;
	bool ends = false;

	ret->count = 0;
	if (rest->len == 0)
		return false; /* an empty span may point nowhere */
	while (!ends && at < rest->len && ret->count < SENTENCE_WORDS) {
		if (used == SENTENCE_BYTES) {
			if (ret->count > 0)
				break;
			used = 0; /* a long run of signs that are no words */
		}
		ends = take_word(*rest, &at, ret, &used);
	}
	*rest = (struct span){ rest->data + at, rest->len - at };
	return ret->count > 0;
}

bool sentence_is_dated(struct span line)
{
	line = span_trim(line);
	if (line.len > 0 && strchr("(<^#", line.data[0]))
		return false;
	for (size_t i = 1; i + 2 < line.len; i++)
		if (line.data[i] == ':' && isdigit((unsigned char)line.data[i - 1]) &&
		    isdigit((unsigned char)line.data[i + 1]) &&
		    isdigit((unsigned char)line.data[i + 2]))
			return true;
	return false;
}
