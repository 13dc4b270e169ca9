#include "explain/fingerprint.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/sha256.h"
#include "parse/log-line.h"
#include "parse/rank.h"

#define FORM   "1 " /* another one where the rule for the words changes */
#define DIGITS 16

#define BEFORE_LETTERS 1 /* numbers in a name that somebody gave */

static bool is_inner(char c)
{
	return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Quotes, brackets and marks around a word are none of it. */
static struct span strip(struct span word)
{
	while (word.len > 0 && !is_inner(word.data[0]))
		word = (struct span){ word.data + 1, word.len - 1 };
	while (word.len > 0 && !is_inner(word.data[word.len - 1]))
		word.len--;
	return word;
}

/* Of a path its last name, for the rest is where somebody has it. */
static struct span last_name(struct span word)
{
	for (size_t i = word.len; i-- > 0;)
		if (word.data[i] == '/' || word.data[i] == '\\')
			return (struct span){ word.data + i + 1, word.len - i - 1 };
	return word;
}

/*
 * "tmp0q3u5h9c" was made up: numbers stand before letters in it, as they do not in
 * "libamdhip64.so.4". 0x7f2a and 0000:0b:00.0 have no letter but those of a number.
 */
static bool is_chance(struct span word)
{
	size_t before_letters = 0, letters = 0;
	bool has_digit = false;

	for (size_t i = 0; i < word.len; i++) {
		bool digit = isdigit((unsigned char)word.data[i]);

		has_digit = has_digit || digit;
		before_letters +=
			digit && i + 1 < word.len && isalpha((unsigned char)word.data[i + 1]);
		letters += is_inner(word.data[i]) && !strchr("abcdefxABCDEF", word.data[i]);
	}
	return before_letters > BEFORE_LETTERS || (has_digit && letters == 0);
}

static void add_word(struct span word, struct buf *ret)
{
	for (size_t i = 0; i < word.len; i++)
		if (!isdigit((unsigned char)word.data[i]))
			buf_char(ret, (char)tolower((unsigned char)word.data[i]));
}

/* "Tried to allocate 2.00 GiB" and "512.00 MiB" are one failure. */
static bool is_unit(struct span word)
{
	static const char *const units[] = { "B",   "KB",  "kB",  "MB", "GB", "TB",    "KiB",
					     "MiB", "GiB", "TiB", "ms", "us", "bytes", "MHz" };

	for (size_t i = 0; i < COUNT(units); i++)
		if (span_is(word, units[i]))
			return true;
	return false;
}

/*
 * Behind what the kernel's log, a rank or a logger put in front. An exception begins with its
 * name, whatever stands before it.
 */
static struct span message(struct span line)
{
	struct log_line parsed;
	struct span rest, word;
	long rank;

	log_line_parse(line, &parsed);
	line = parsed.text;
	(void)rank_parse(line, &rank, &line);
	rest = line;
	while (span_word(&rest, &word))
		if (span_ends(word, "Error:") || span_ends(word, "Exception:"))
			return (struct span){ word.data,
					      (size_t)(line.data + line.len - word.data) };
	return line;
}

void fingerprint_words(struct span line, struct buf *ret)
{
	size_t begins = ret->len;
	struct span word;
	bool bracket = false;

	line = message(line);
	while (span_word(&line, &word)) {
		bool in_front = bracket || (ret->len == begins && word.data[0] == '[');
		struct span name = last_name(word), kept = strip(name);

		bracket = in_front && !memchr(word.data, ']', word.len);
		if (in_front || kept.len == 0 || is_chance(name) || is_unit(kept))
			continue;
		if (ret->len > begins)
			buf_char(ret, ' ');
		add_word(kept, ret);
	}
}

/*
 * The last error that says what happened; in a text without one, what is known to fail, and then
 * the sentence of a person. "### Steps to reproduce" stands in every report of a form.
 */
static const char *line_of(const struct explanation *e)
{
	const struct failure *f = e->failure && e->failure->counts ? e->failure : NULL;

	if (e->word == BELIEF_NOTHING)
		return NULL;
	if (f && !f->is_told)
		return f->last.text;
	if (e->first)
		return e->first->text;
	return f && f->last.text[0] != '#' ? f->last.text : NULL;
}

const char *fingerprint(struct arena *a, const struct explanation *e)
{
	const char *line = line_of(e);
	struct buf words BUF_SCOPED = { 0 };
	char hex[SHA256_HEX];
	struct sha256 sum;

	buf_text(&words, FORM);
	fingerprint_words(span_of(line ? line : ""), &words);
	if (words.len == strlen(FORM))
		return NULL;
	sha256_init(&sum);
	sha256_add(&sum, buf_get(&words));
	sha256_end(&sum, hex);
	return arena_text(a, (struct span){ hex, DIGITS });
}
