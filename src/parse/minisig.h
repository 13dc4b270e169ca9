#pragma once

/*
 * minisig - signatures and public keys as the program minisign writes them
 *
 * A signature is four lines: a comment that nobody vouches for, base64 of
 * algorithm, key id and signature; a comment that is signed, base64 of the
 * signature over the first one and that comment. Only the kind over a
 * BLAKE2b-512 of the file ("ED") is taken, which minisign writes by default.
 * No cryptography here: bytes to structs.
 */

#include "base/span.h"

#define MINISIG_ID   8
#define MINISIG_SIGN 64
#define MINISIG_KEY  32
#define MINISIG_TEXT 4096 /* longest text that is looked at */

struct minisig {
	unsigned char id[MINISIG_ID];
	unsigned char signature[MINISIG_SIGN]; /* of the file's BLAKE2b-512 */
	unsigned char whole[MINISIG_SIGN];     /* of the former and the comment */
	struct span comment;                   /* of the input; clean text, but for tabs */
};

struct minisig_key {
	unsigned char id[MINISIG_ID];
	unsigned char key[MINISIG_KEY];
};

/* 0, -EBADMSG, or -ENOTSUP for the older kind, over the file itself. */
int minisig_read(struct span text, struct minisig *ret);

/* One line of base64, or a whole .pub file, whose last line that is. */
bool minisig_read_key(struct span text, struct minisig_key *ret);

/* 16 hexadecimal digits, as minisign shows an id. */
void minisig_id_text(const unsigned char id[static MINISIG_ID], char ret[static 17]);
