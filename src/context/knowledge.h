#pragma once

/*
 * knowledge - the knowledge, beside the facts
 *
 * --kb FILE, or what this host has: the newest of the embedded and the updated
 * file, and the site's own. Prints nothing: what had to be left out is added to
 * `said`, a line each.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "base/did-you-mean.h"
#include "kb/files.h"

/* Holds the bytes: it must outlive the connection. */
struct knowledge {
	struct arena arena;
	struct buf bytes;
	struct kb_info info;
	struct files_layers *host; /* with the site's files; NULL: --kb */
};

/* 0, or an exit status. */
int knowledge_attach(sqlite3 *db, const char *kb, struct knowledge *ret, struct buf *said);

/* Reports a kb.db's error, of kb_read or kb_attach; returns EXIT_NO_INPUT. */
int knowledge_bad(const char *path, int error, struct buf *said);

/* Records the knowledge that a verdict was made with: it is a fact of the run. */
void knowledge_note(sqlite3 *db, const struct knowledge *k);

void knowledge_done(struct knowledge *k); /* after the connection is closed; also twice */

/* Kinds of names on a command line. */
enum knowledge_kind {
	KNOWLEDGE_CAUSES,
	KNOWLEDGE_CHECKS, /* causes, and what they are about: gpu, link, environment */
	KNOWLEDGE_REMEDIES,
	KNOWLEDGE_CAUSES_REMEDIES,
	KNOWLEDGE_SHOWN, /* whatever `kb show` describes */
	KNOWLEDGE_TARGETS,
	KNOWLEDGE_APPLICATIONS,
};

/* Rows of a name and its title, which may be NULL, by name. */
sqlite3_stmt *knowledge_names(sqlite3 *db, enum knowledge_kind kind);
bool knowledge_has(sqlite3 *db, enum knowledge_kind kind, const char *name);

/* Every name of a kind, for "did you mean". */
void knowledge_suggest(sqlite3 *db, enum knowledge_kind kind, struct did_you_mean *n);
