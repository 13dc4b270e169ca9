#pragma once

/*
 * kb - the knowledge, as a read-only database beside the facts
 *
 * Written as YAML below kb/, compiled into one kb.db, embedded in the program
 * and replaceable by a file. It comes from strangers like everything else: a
 * file with other tables than plain ones is refused (schema-check.h), and its SQL runs
 * only behind the guard (guard.h).
 */

#include <sqlite3.h>

#include "base/buf.h"

#define KB_FORMAT   1
#define KB_SIZE_MAX ((size_t)16 << 20) /* of a kb.db */
#define KB_ROWS_MAX 50000              /* of one of its tables */
#define KB_TEXT_MAX 32768              /* of one of its texts */
#define KB_SQL_MAX \
	((int64_t)2 << 20) /* of all its statements: preparing takes up to 1.4 us a byte */

/* The compiled-in knowledge. */
extern const unsigned char kb_embedded[];
extern const unsigned char kb_embedded_end[];

/* The schema every kb.db must have. */
extern const char kb_schema[];

struct kb_info {
	char version[16];
	char needs[16];
	char digest[65];
	int format;
	bool newer;            /* made for a later program: what is not understood was left out */
	bool near;             /* its tables are not ours by letter (schema-check.h): likewise */
	unsigned int left_out; /* causes whose name was taken, or that were not understood */
	unsigned int later;    /* how many of those were not understood */
};

/*
 * Attach knowledge to the connection of a machine's facts, as schema "kb".
 * `bytes` must outlive the connection. 0, -EBADMSG for what is no kb.db, -ENOTSUP
 * for a later format, -ENOMEM. Knowledge of another program is copied without the
 * causes that this one does not understand; those are in kb.later (layers.h).
 */
int kb_attach(sqlite3 *db, struct span bytes, struct kb_info *ret);

/* The bytes to use: a file, or the embedded ones when path is NULL. */
int kb_read(const char *path, struct buf *keep, struct span *ret);

/* ---- within src/kb ---- */

/* Attach as schema `name`, after looking at every page and row. */
int kb_attach_as(sqlite3 *db, const char *name, struct span bytes, struct kb_info *ret);

/* The same for bytes that had our schema by letter when all of that was looked at before. */
int kb_attach_examined(sqlite3 *db, const char *name, struct span bytes, struct kb_info *ret);
void kb_detach(sqlite3 *db, const char *name);

/* An empty kb.db with our schema; owned by SQLite (sqlite3_free). NULL: no memory. */
unsigned char *kb_empty(int64_t *ret_size);
