#pragma once

/*
 * apply - what knowledge may have the program change, and nothing else
 *
 * A kb.db may come from anywhere, and what it says would be done as root. So
 * an action is one of three kinds, a file goes to one of a few directories
 * under a name that is ours, and each line of it must have a form that cannot
 * run anything. The compiler asks here, and the program asks again with every
 * value filled in, right before it acts.
 */

#include <stdbool.h>

enum apply_kind { APPLY_WRITE, APPLY_JOIN_GROUP, APPLY_VENV, APPLY_KINDS };

extern const char *const apply_kinds[]; /* write, join-group, venv, NULL */

struct apply_action {
	enum apply_kind kind;
	const char *target;  /* path; user:group,group; environment that the new one is beside */
	const char *content; /* of a file; packages, blank-separated; or NULL */
	const char *place;   /* address of an index; or NULL */
};

/* What is wrong with it, or NULL. */
const char *apply_refusal(const struct apply_action *a);

/* The kind of that name; false if there is none. */
bool apply_kind(const char *name, enum apply_kind *ret);
