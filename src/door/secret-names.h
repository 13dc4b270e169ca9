#pragma once

/*
 * secret-names - names that say that their value is a secret
 *
 * The rows "word" and "except" of data/secrets.tsv, for variables, options and
 * keys alike: HF_TOKEN, --wandb-key, secretKey. The scrubber reads the rest of
 * that table (scrub/secret-rules.h).
 */

#include "base/span.h"

enum secret_name {
	SECRET_NAME_NONE,
	SECRET_NAME_WEAK, /* "key": a secret only if the value looks like one */
	SECRET_NAME_SURE,
};

/* A row of data/secrets.tsv: its fields are empty where the row has fewer. False at the end. */
struct secret_row {
	struct span kind, text, more;
};
bool secret_rows_next(struct span *rest, struct secret_row *ret);

#define SECRET_WORDS_MAX 160

struct secret_names {
	struct secret_word {
		struct span text;
		char where;     /* a(ny), l(ast), w(eak), o(nly), e(xcept) */
		uint8_t before; /* the place of the word with the same last letter, from 1; 0: none */
	} words[SECRET_WORDS_MAX];
	size_t count;
	uint8_t by_end[32]; /* by the last letter */
};

/* False: the table has more rows than there is room. */
bool secret_names_load(struct secret_names *ret);

/* Only the last 256 bytes of a name are judged: its noun stands at the end. */
enum secret_name secret_names_judge(const struct secret_names *names, struct span name);

/* Stricter, for what need not be known at all: one of the words stands anywhere in the name. */
bool secret_names_any(const struct secret_names *names, struct span name);
