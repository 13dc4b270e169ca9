#pragma once

/*
 * layers - one knowledge out of several files
 *
 * The newest of the packaged and the updated file is the base; a site's own
 * files add causes to it. A name means the same everywhere: a site cause with
 * the name of a known one is left out, and said. What was made for another
 * program is used as far as this one understands it, and the rest is counted.
 */

#include "kb/kb.h"

#define LAYERS_SITES_MAX 32

/*
 * Causes that this program does not understand, in knowledge that was put
 * together of copies: no verdict on them may be "ok". No part of a kb.db.
 */
#define LAYERS_LATER                                                         \
	"CREATE TABLE kb.later (cause TEXT NOT NULL PRIMARY KEY," /* slug */ \
	" statements INTEGER NOT NULL,"                                      \
	" why TEXT NOT NULL)" /* the first thing that is strange about it */

/* Whose bytes must outlive the connection. */
struct layers {
	struct span base;
	bool examined; /* the base was looked at already: as kb_attach_examined() */
	const struct span *sites;
	size_t site_count;
};

/*
 * Attach the base and the sites as schema "kb". Whatever had to be left out is
 * said in *ret_said, a line each (NULL: nobody listens). A site file that is
 * none is left out, a bad base is -EBADMSG.
 */
int layers_attach(sqlite3 *db, const struct layers *l, struct kb_info *ret, struct buf *ret_said);

/* The same with a copy in any case, so that *ret tells what is not understood here. */
int layers_try(sqlite3 *db, struct span base, struct kb_info *ret);
