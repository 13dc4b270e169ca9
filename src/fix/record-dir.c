#include "fix/record-dir.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "fix/apply.h"

#define TRIES 100

static const char *lock_of(struct arena *a, const struct record_dir *s)
{
	return arena_format(a, "%s/.lock", s->dir);
}

/* Every directory on the way; those of others are used as they are. */
static int make_dirs(const struct record_dir *s, size_t *ret_kept)
{
	struct buf path BUF_SCOPED = { 0 };
	struct span rest = span_of(s->dir + 1), name;
	size_t kept = 0;
	int r = 0;

	while (r == 0 && span_cut(&rest, '/', &name)) {
		buf_char(&path, '/');
		buf_span(&path, name);
		r = writer_make_dir(s->writer, path.data, 0755);
		if (r == -EEXIST) {
			kept = path.len;
			r = 0;
		}
	}
	*ret_kept = kept;
	return r;
}

/* Removes the directories made now, and our two; files of other programs keep them. */
static void sweep(const struct record_dir *s, size_t kept)
{
	struct buf path BUF_SCOPED = { 0 };
	size_t len = strlen(s->dir);

	for (int ours = 2; len > 0 && (len > kept || ours > 0); ours--) {
		buf_clear(&path);
		buf_add(&path, s->dir, len);
		if (writer_remove_dir(s->writer, path.data) < 0)
			return;
		while (len > 0 && s->dir[--len] != '/')
			;
	}
}

static int say_holder(const struct record_dir *s, pid_t holder, struct buf *said)
{
	struct buf who BUF_SCOPED = { 0 };

	if (holder > 0)
		buf_addf(&who, " (process %d)", (int)holder);
	return fix_refuse(said, -EAGAIN,
			  "another rocsteady%s is running and holds %s%s/.lock; let it finish, "
			  "then repeat this command. If it is stuck, kill it: its changes can be "
			  "resumed or undone",
			  who.len ? who.data : "", s->writer->prefix, s->dir);
}

/* An ending rocsteady removes an empty directory, perhaps between our two steps. */
static int lock(const struct record_dir *s, bool make, struct record_dir_hold *ret,
		pid_t *ret_holder)
{
	struct arena a = { 0 };
	const char *path = lock_of(&a, s);
	int r = -ENOENT;

	for (int tries = 0; r == -ENOENT && tries < (make ? TRIES : 1); tries++) {
		r = make ? make_dirs(s, &ret->kept) : 0;
		if (r == 0)
			r = writer_lock(s->writer, path, true, ret_holder);
	}
	arena_done(&a);
	return r;
}

int record_dir_hold(const struct record_dir *s, bool make, struct record_dir_hold *ret,
		    struct buf *said)
{
	struct record_dir_hold hold = { .kept = strlen(s->dir) };
	pid_t holder = 0;
	int r = lock(s, make, &hold, &holder);

	if (r >= 0) {
		hold.lock = r;
		*ret = hold;
		return 0;
	}
	if (r == -EAGAIN)
		return say_holder(s, holder, said);
	sweep(s, hold.kept);
	return r == -EPERM
		       ? fix_refuse(
				 said, -EINVAL,
				 "%s%s/.lock was not created by rocsteady; inspect and remove it",
				 s->writer->prefix, s->dir)
		       : fix_refuse(said, r, "%s%s/.lock", s->writer->prefix, s->dir);
}

void record_dir_release(const struct record_dir *s, const struct record_dir_hold *hold)
{
	struct arena a = { 0 };

	writer_remove(s->writer, lock_of(&a, s)); /* while it is held: nobody else's is removed */
	writer_unlock(hold->lock);
	sweep(s, hold->kept);
	arena_done(&a);
}
