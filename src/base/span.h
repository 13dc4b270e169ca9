#pragma once

/*
 * span - borrowed bytes with a length
 *
 * What files, logs and snapshots hold is bytes: not NUL-terminated, not UTF-8,
 * not trusted. Parsers take a span and hand out spans into it; nobody copies
 * and nobody reads past the end. The owner is whoever made the bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
	const char *data;
	size_t len;
};

#define SPAN_LITERAL(text) ((struct span){ (text), sizeof(text) - 1 })

struct span span_of(const char *text); /* NULL gives an empty span */
bool span_is(struct span s, const char *text);
bool span_same(struct span a, struct span b);
bool span_starts(struct span s, const char *prefix);
bool span_ends(struct span s, const char *suffix);
struct span span_trim(struct span s); /* white space of both ends */

/* The place of a literal in the span, or SIZE_MAX. */
size_t span_find(struct span s, struct span literal);

/* Whether a word goes on over the place between two bytes of the span; a word is letters, digits and _. */
bool span_inside_word(struct span s, size_t at);

/* Whether a literal stands in the span as whole words: "Device" does not stand in "DeviceFunction". */
bool span_has_words(struct span s, struct span literal);

/* Whether the whole text fits a pattern: `*` stands for any run of bytes, the empty one too. */
bool span_fits(struct span text, struct span pattern);

/*
 * Cut the next line (or the part before `stop`) off the front of *rest.
 * False when nothing is left. The separator itself is dropped.
 */
bool span_line(struct span *rest, struct span *ret_line);
bool span_cut(struct span *rest, char stop, struct span *ret_part);

/* The next run of non-blank bytes; false at the end. */
bool span_word(struct span *rest, struct span *ret_word);

/* Whether it is one of these words. */
bool span_lists(struct span words, const char *word);
bool span_lists_word(struct span words, struct span word);

/*
 * Whole-span numbers. Decimal, or hexadecimal with an optional 0x. False, and
 * *ret untouched, for anything else: empty, sign, trailing bytes, overflow.
 */
bool span_u64(struct span s, uint64_t *ret);
bool span_hex(struct span s, uint64_t *ret);
bool span_i64(struct span s, int64_t *ret); /* decimal with an optional minus */
