#pragma once

/*
 * find-secret - the next secret in a text
 *
 * Pure: where it is, how long, and of which kind. What is written in its place
 * is scrub.c's to decide.
 */

#include "scrub/secrets.h"

enum find_form {
	FIND_WORDS,
	FIND_NUMBER, /* the id of a chip */
	FIND_UUID,
	FIND_MAC,
	FIND_CARD, /* enx001122aabbcc: the name of a network card with its address in it */
};

struct secret_found {
	size_t start, len;
	enum secret_kind kind;
	enum find_form form;
	uint64_t id; /* of a chip */
	bool hex;
};

/* From a place on; secrets may be NULL: then only what is known by name or form. False: none. */
bool find_secret(const struct secret_rules *rules, const struct secrets *secrets, struct span text,
		 size_t from, struct secret_found *ret);
