#pragma once

/*
 * journals - the journals of a run's attempts, read from its directory
 */

#include "base/buf.h"
#include "story/story.h"

/* Every record of the journals below a directory, for people; -ENOENT and others. */
int journals_dump(const char *directory, struct buf *ret);

/* The same as a story; end it with story_done(), also after a failure. */
struct journals_telling {
	bool scrub;      /* pseudonyms for names and secrets */
	const char *key; /* that they are made with; NULL: one that nobody has */
};
int journals_tell(const char *directory, const struct journals_telling *how, struct story *ret);
