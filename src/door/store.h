#pragma once

/*
 * store - the recorded answers of one machine
 *
 * Records are kept by kind and path; of two for the same path the later one
 * counts, so that a test edits a machine by adding lines after it. The text
 * of the records is borrowed and must outlive the store.
 *
 * What was not recorded is absent only where a listing proves it; otherwise it
 * was not asked, which is another thing than "no".
 */

#include "base/arena.h"
#include "base/map.h"
#include "door/record.h"

struct store {
	struct map by_path[RECORD_KINDS];
	struct map listings;  /* of long directories: the names in them */
	struct listing *made; /* all of them */
	struct arena arena;
	struct record **records; /* in the order in which they came */
	size_t count;
	size_t cap;
	size_t unknown; /* lines of a kind this version does not know */
};

/* Take over every record of the text. */
void store_load(struct store *s, struct span text);

/* NULL if there is none. What is found counts as touched. */
const struct record *store_find(const struct store *s, enum record_kind kind, struct span path);

/* False if a later record for the same path replaced it. */
bool store_is_current(const struct store *s, const struct record *r);

/*
 * One name of a recorded listing: 0 not in it, '/' a directory, '@' a link, '.'
 * something else. -1 if the directory was not listed.
 */
int store_listed(const struct store *s, struct span dir, struct span name);

/* -ENOENT if a listing or a refusal above shows that path is not there, else DOOR_UNASKED. */
int store_missing(const struct store *s, struct span path);

/* "/a/b" -> "/a"; "/a" -> "/". */
struct span path_parent(struct span path);
struct span path_name(struct span path);

void store_done(struct store *s);
