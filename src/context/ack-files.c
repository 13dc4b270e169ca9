#include "context/ack-files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "base/text.h"
#include "door/below.h"
#include "door/trust.h"
#include "facts/select.h"

static int is_conf(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && span_ends(span_of(entry->d_name), ".conf");
}

/* As bytes: the order of names must not depend on the locale. */
static int compare(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* A user who can write a site's file could hide a fault of this machine. */
static int read_file(const char *path, bool named, struct buf *ret, struct buf *why)
{
	struct stat st;
	int fd = named ? below_file(&BELOW_HERE, path, BELOW_ANY, &st) : trust_open(path, why);

	return fd < 0 ? fd : fd_all(fd, ACK_FILE_MAX, ret);
}

static void take(const char *path, bool named, struct acks *ret, struct buf *said)
{
	struct buf text BUF_SCOPED = { 0 }, refused BUF_SCOPED = { 0 };
	const char *why;
	size_t line;
	int r = read_file(path, named, &text, &refused);

	if (refused.len > 0)
		text_line(said, "%s: left out: %s", path, refused.data);
	else if (r < 0)
		text_line(said, "%s: %s; nothing in it is acknowledged", path, strerror(-r));
	else if (ack_parse(ret, path, buf_get(&text), &line, &why) < 0)
		text_line(said, "%s:%zu: %s; nothing in this file is acknowledged", path, line,
			  why);
}

/* The place a site has need not exist; one that the user named should. */
static void read_dir(const char *dir, bool named, struct acks *ret, struct buf *said)
{
	struct dirent **names;
	int count = scandir(dir, &names, is_conf, compare);

	if (count < 0 && (named || errno != ENOENT))
		text_line(said, "%s: %s; nothing is acknowledged", dir, strerror(errno));
	for (int i = 0; i < count; i++) {
		struct buf path BUF_SCOPED = { 0 };

		buf_addf(&path, "%s/%s", dir, names[i]->d_name);
		take(path.data, named, ret, said);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}

/* ---- what they are about ---- */

/* The clock of the examination, not of this process: a replay gives the same answer. */
static int64_t now_of(sqlite3 *db)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT wall_s FROM run WHERE wall_s IS NOT NULL");
	int64_t now = -1;

	if (select_next(stmt))
		now = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return now;
}

static void tell_useless(const struct acks *acks, struct buf *said)
{
	for (size_t i = 0; i < acks->count; i++) {
		const struct ack *a = &acks->list[i];

		if (a->state == ACK_UNKNOWN)
			text_line(said, "%s:%zu: no such cause: %s", a->file, a->line, a->cause);
		if (a->state == ACK_EXPIRED)
			text_line(said, "%s:%zu: the acknowledgement of %s expired on %s", a->file,
				  a->line, a->cause, a->until);
	}
}

/* The site's acknowledgements are about its own hosts, not about another user's machine. */
void ack_files_take(const struct context_options *o, struct acks *ret, struct buf *said)
{
	if (o->ack)
		read_dir(o->ack, true, ret, said);
	else if (!o->from && !o->root)
		read_dir(ACK_FILES_DIR, false, ret, said);
}

void ack_files_put(struct acks *acks, sqlite3 *db, struct diagnosis *d, struct buf *said)
{
	ack_apply(acks, d, now_of(db));
	if (said)
		tell_useless(acks, said);
}
