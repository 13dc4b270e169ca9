#pragma once

/*
 * update - knowledge that somebody has signed, put in place of the old
 *
 * Refused whole on any doubt: signature, key, schema, date. In place it is
 * either the old file or the new one, whatever happens on the way. Nothing is
 * fetched: the bytes come from the user. docs/design/0012-kb-update.md.
 */

#include "kb/kb.h"

#define UPDATE_SIGNATURE ".minisig" /* behind the name of the file */

/* What was signed, by whom. */
struct update_signer {
	char name[64];     /* of the key */
	char id[17];       /* hexadecimal, as minisign shows it */
	char comment[256]; /* that is signed too */
};

struct update {
	const char *path;      /* of the kb.db to replace, as FILES_UPDATED */
	const char *keys;      /* directory of a site's keys */
	struct span bytes;     /* kb.db, after which its signature may stand */
	struct span signature; /* or here: the text of a .minisig */
};

struct update_done {
	struct kb_info info;
	struct kb_info before; /* what it is newer than */
	struct update_signer signer;
	bool already; /* it was there before: nothing was written */
};

/*
 * The file that the user named, or with - standard input, and the signature that
 * stands beside it; without one it may stand after the file's own bytes. 0 or
 * -errno; -EFBIG if it is larger than any kb.db.
 */
int update_read(const char *path, struct buf *bytes, struct buf *signature);

/*
 * 0; -EBADMSG refused; another -errno: it could not be written. Why is in *said,
 * a line each.
 */
int update(const struct update *u, struct update_done *ret, struct buf *said);

/* Who signed the file at `path`: 0, -ENOENT without a signature, -EBADMSG if none fits. */
int update_signer(const char *path, struct span bytes, const char *keys, struct update_signer *ret);
