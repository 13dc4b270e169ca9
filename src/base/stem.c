#include "base/stem.h"

#include <string.h>

#define STEM_LEAST 4 /* bytes that are left of a word without its ending */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_inner(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9');
}

/* The next run of letters and digits, from its first letter on; empty: there is none. */
static struct span cut_word(struct span *rest)
{
	struct span word;

	while (rest->len > 0 && !is_letter(rest->data[0])) {
		rest->data++;
		rest->len--;
	}
	word = (struct span){ rest->data, 0 };
	while (rest->len > 0 && is_inner(rest->data[0])) {
		rest->data++;
		rest->len--;
		word.len++;
	}
	return word;
}

static size_t without_ending(const char *text, size_t len)
{
	static const char *const endings[] = { "ing", "ed", "es", "s" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t ending = strlen(endings[i]);

		if (len >= STEM_LEAST + ending &&
		    memcmp(text + len - ending, endings[i], ending) == 0)
			return len - ending;
	}
	return len;
}

bool stem_next(struct span *rest, struct stem *ret)
{
	struct span word;

	do
		word = cut_word(rest);
	while (word.len == 1 || word.len > STEM_MAX);
	if (word.len == 0)
		return false;
	ret->word = word;
	for (size_t i = 0; i < word.len; i++) {
		char c = word.data[i];

		ret->text[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	ret->text[without_ending(ret->text, word.len)] = '\0';
	return true;
}
