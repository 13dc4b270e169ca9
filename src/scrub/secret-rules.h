#pragma once

/*
 * secret-rules - what data/secrets.tsv says of secrets, for the scrubber
 *
 * Loaded once for a scrubber. Rows that begin a word (marks, labels, URLs) are
 * found by its first letter, places of names by the byte they begin with.
 */

#include "base/arena.h"
#include "door/secret-names.h"

enum secret_kind {
	SECRET_USER,
	SECRET_HOST,
	SECRET_SERIAL,
	SECRET_TOKEN,
	SECRET_UUID,
	SECRET_ID,
	SECRET_KINDS,
};

enum rule_form {
	RULE_MARK,
	RULE_SCHEME,
	RULE_URL,
	RULE_BLOCK,
	RULE_DIGEST,
	RULE_LABEL,
	RULE_PLACE,
	RULE_HEADER,
	RULE_SETTER,
	RULE_BEHIND,
	RULE_JOINER,
	RULE_ARGUMENT,
	RULE_OPTION,
	RULE_VALUE,
	RULE_HARMLESS,
	RULE_NAMED,
	RULE_NOBODY,
	RULE_WRAPPER,
	RULE_SEVERAL,
	RULE_PAIR,
	RULE_PHRASE,
	RULE_LOGIN,
	RULE_PIPED,
	RULE_FORMS,
};

struct secret_rule {
	struct span text;
	struct span more;
	enum rule_form form;
	enum secret_kind kind;
	uint64_t least;   /* of a mark: bytes behind it; of an argument: its number */
	const char *also; /* of a mark: what besides letters and digits */
	bool top;         /* of a place: only at the beginning of a path */
	bool blanks;      /* of a place: names may have some */
	struct secret_rule *next;
};

struct secret_rules {
	struct arena arena;
	struct secret_names names;
	struct secret_rule *by_first[256];       /* that begin a word or a path, in lower case */
	struct secret_rule *by_form[RULE_FORMS]; /* the rest */
};

/* Into a zeroed struct. False: the table is not what we know. */
bool secret_rules_load(struct secret_rules *ret);
void secret_rules_done(struct secret_rules *r);

/* Whether the text at a place is the rule's, letter by letter; marks alone tell capitals. */
bool secret_rule_is_at(const struct secret_rule *r, struct span text, size_t at);
