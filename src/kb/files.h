#pragma once

/*
 * files - the knowledge's own files
 *
 * A directory of YAML for the compiler, and the kb.db files of a host: what is
 * packaged, what was updated, what a site has added. Never a user's directory:
 * what root runs is not what a user may write.
 */

#include "base/arena.h"
#include "kb/compile.h"
#include "kb/kb.h"
#include "kb/layers.h"

#define FILES_UPDATED "/var/lib/rocsteady/kb.db"
#define FILES_SITE    "/etc/rocsteady/kb.d"
#define FILES_MAX     4096 /* of a directory */

struct files_set {
	struct compile_file *list;
	size_t count;
};

/*
 * VERSION and everything in causes, remedies and tables, through no link. 0 or
 * -errno, with the name below dir that could not be read: "" for dir itself.
 */
int files_read_dir(const char *dir, struct arena *arena, struct files_set *ret,
		   const char **ret_unread);

/* What `check` uses. The bytes live in the arena. */
struct files_layers {
	struct span base;
	struct span sites[LAYERS_SITES_MAX];
	const char *site_paths[LAYERS_SITES_MAX];
	size_t site_count;
	bool examined;       /* the base, as in struct layers */
	const char *updated; /* the file that base is, or NULL: the embedded one */
};

/*
 * The newest of the embedded knowledge and the updated file, and the site's
 * files in the order of their names. A file that others may write, is damaged
 * or cannot be read is left out and said, a line each.
 */
void files_read_layers(const char *updated, const char *site_dir, struct arena *arena,
		       struct files_layers *ret, struct buf *ret_said);

/* As layers_attach(). */
int files_attach(sqlite3 *db, const struct files_layers *l, struct kb_info *ret, struct buf *said);

const char *files_reason(int error); /* in words */

/* ---- within src/kb ---- */

/* Of a file that nobody but root and the caller may write: -EPERM otherwise. */
int files_read_own(const char *path, size_t most, struct buf *ret);

/* Sorted, without what editors leave behind; room for FILES_MAX. */
int files_names(const char *dir, struct arena *arena, const char **ret, size_t *ret_count);

/* Alone, beside no facts: is it a kb.db, and of which day? As kb_attach_as. */
int files_look(struct span bytes, struct kb_info *ret);
