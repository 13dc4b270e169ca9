#pragma once

/*
 * proof - a snapshot that says how it was made and what was concluded
 *
 *	note proof
 *		recorded 2026-11-19
 *		program 0.1.0 4f1c02ab9d10
 *		knowledge 2026-11-15 9c1e...
 *		walk level 1, 31 s, 14 answered, 1 refused
 *		answer not_ready
 *		cause device-permission certain
 *		sha256 41d5...
 *
 * The digest is that of the whole snapshot without its own line. It tells a
 * damaged or edited file from the recorded one; it is no signature.
 */

#include "base/arena.h"
#include "root/root.h"

enum proof_state {
	PROOF_NONE,      /* an ordinary snapshot */
	PROOF_UNCHANGED, /* the digest is that of the bytes */
	PROOF_CHANGED,
};

/* Absent lines are empty texts. */
struct proof {
	struct arena arena;
	enum proof_state state;
	const char *recorded;
	const char *program;
	const char *knowledge;
	const char *walk;
	const char *answer;
	const char **causes; /* "device-permission certain", in the order of the answer */
	size_t cause_count;
};

/* A snapshot with a note of these lines ("name value\n"), and the digest, behind its first line. */
void proof_write(struct span lines, struct span snapshot, struct buf *ret);

/* Reads the note of a snapshot; a machine not read from a snapshot has none. */
void proof_read(const struct root *root, struct proof *ret);
void proof_done(struct proof *p);
