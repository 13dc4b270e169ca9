#pragma once

/*
 * value-text - how far the value behind a name goes
 *
 * A word, a text in quotes, the rest of a line, or what a list, a tuple or a
 * constructor holds: ['x', 'y'], SecretStr('x'), Some("x"), !vault x.
 */

#include "scrub/named-value.h"

/* Up to the quote that was opened, before the name or at the value; else as far as words go. */
struct span value_text(struct span text, const struct named_value *n);

/* Whether a text in quotes stands at a place, of Python too: b'x'. */
bool value_is_quoted(struct span text, size_t at);

/* The rest of the line; of a word whose blanks are escaped, the rest of the word. */
struct span value_line(struct span text, const struct named_value *n);

/* Further words behind the value of an option, up to the next option; `all`: also such as look like words. */
struct span value_with_more(struct span text, struct span value, bool all);

/* Whether a value without quotes ends here. */
bool value_ends(struct span text, size_t at);

/* ---- what is wrapped ---- */

struct value_wrap {
	size_t start, end; /* what the first bracket holds */
	bool call;         /* a constructor holds it */
};

/* Behind tags and anchors of YAML: !vault x, &name x. */
size_t value_behind_tags(struct span text, size_t at);

/* Whether a bracket or a constructor stands at a place. */
bool value_is_wrapped(const struct secret_rules *rules, struct span text, size_t at,
		      struct value_wrap *ret);

/* One thing that a bracket holds, and how it stands there. */
struct value_part {
	struct span text; /* without its quotes */
	bool quoted;
	bool key; /* another follows behind '=' or ':' */
};

/* The next one from *at on, which goes behind it. False: there is none before the end. */
bool value_part_next(struct span text, size_t end, size_t *at, struct value_part *ret);
