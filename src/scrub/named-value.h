#pragma once

/*
 * named-value - where a name stands, what parts it from its value, where that ends
 *
 * Looked for at what parts them, looking back for the name: so a name may be as
 * long as it likes. A blank and a quote may be escaped, since words of journals
 * and snapshots are: Authorization:\x20Bearer\x20x.
 */

#include "base/span.h"
#include "scrub/secret-rules.h"

#define NAMED_VALUE_BACK ((size_t)256) /* how far back is looked */

struct named_value {
	struct span name; /* without dashes, each letter as ASCII has it */
	size_t at, end;   /* where it stands in the text */
	bool spelled; /* one of its letters was an escape, an entity, or hidden between others */
	size_t dashes;
	size_t head;  /* where the option begins, with its dashes and what stands before a dot */
	bool dotted;  /* --logger.password */
	bool bracket; /* environ["NAME"] */
	size_t start; /* of the value */
	size_t quote; /* where an opening quote around name and value stands; SIZE_MAX: none */
	bool spaced;  /* blanks stand before the '=' */
	bool told;    /* a joiner stands between them: "the password is x" */
	size_t unsure; /* what parts them also stands between others: letters of a value, which must be mixed */
	bool behind_quote;            /* a quote stands before the value */
	char plain[NAMED_VALUE_BACK]; /* the name, if it was spelled */
};

/* The name that ends at a place; its value is not looked for. */
bool named_value_find(struct span text, size_t at, struct named_value *ret);

/* The start of the value after the separator, 0 for none. */
size_t named_value_begin(const struct secret_rules *rules, struct span text, size_t at,
			 struct named_value *n);

/* Whether the name is that of an option: --api-key, -p. */
bool named_value_is_option(struct span text, const struct named_value *n);

/* The bytes of a quote, escaped or not; 0: there is none. */
size_t named_value_quote(struct span text, size_t at);

/* Behind the blanks at a place, escaped or not. */
size_t named_value_blanks(struct span text, size_t at);

/* Whether what begins here stands apart: after a blank, a bracket or at the start. */
bool named_value_is_apart(struct span text, size_t end);
