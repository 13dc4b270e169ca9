#include "context/knowledge.h"

#include <errno.h>
#include <string.h>

#include "base/exit-status.h"
#include "base/text.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/files.h"
#include "kb/layers.h"

int knowledge_bad(const char *path, int error, struct buf *said)
{
	if (error == -EBADMSG)
		text_line(said,
			  "%s: damaged, or not a kb.db; build one with: "
			  "rocsteady kb build DIR -o FILE",
			  path);
	else if (error == -ENOTSUP)
		text_line(said, "%s: made for a newer rocsteady: install that first", path);
	else if (error == -EINVAL)
		text_line(
			said,
			"%s: not a regular file; compile sources with: rocsteady kb build DIR -o FILE",
			path);
	else if (error == -EFBIG)
		text_line(said, "%s: more than %zu MiB, too large for a kb.db", path,
			  KB_SIZE_MAX >> 20);
	else
		text_line(said, "%s: %s", path, strerror(-error));
	return error == -ENOMEM ? EXIT_OWN_FAULT : EXIT_NO_INPUT;
}

static int attach_file(sqlite3 *db, const char *path, struct knowledge *k, struct buf *left,
		       struct buf *said)
{
	struct span bytes;
	int r = kb_read(path, &k->bytes, &bytes);

	if (r == 0)
		r = layers_attach(db, bytes, NULL, 0, &k->info, left);
	return r < 0 ? knowledge_bad(path, r, said) : 0;
}

static int attach_host(sqlite3 *db, struct knowledge *k, struct buf *left, struct buf *said)
{
	struct files_layers *host = arena_alloc(&k->arena, sizeof(*host));
	int r;

	files_read_layers(FILES_UPDATED, FILES_SITE, &k->arena, host, left);
	r = layers_attach(db, host->base, host->sites, host->site_count, &k->info, left);
	k->host = host;
	if (r == 0)
		return 0;
	knowledge_bad(host->updated ? host->updated : "the embedded knowledge base", r, said);
	return EXIT_OWN_FAULT;
}

int knowledge_attach(sqlite3 *db, const char *kb, struct knowledge *ret, struct buf *said)
{
	struct buf left BUF_SCOPED = { 0 }; /* what of the host's files could not be taken */
	struct span rest, line;
	int status;

	*ret = (struct knowledge){ 0 };
	status = kb ? attach_file(db, kb, ret, &left, said) : attach_host(db, ret, &left, said);
	rest = buf_get(&left);
	while (span_line(&rest, &line))
		text_line(said, "knowledge: %.*s", (int)line.len, line.data);
	if (status == 0 && ret->info.later > 0)
		text_line(said,
			  "knowledge base %s is made for rocsteady %s; causes that need that "
			  "version: %u",
			  ret->info.version, ret->info.needs, ret->info.later);
	return status;
}

void knowledge_note(sqlite3 *db, const struct knowledge *k)
{
	char *sql = sqlite3_mprintf("UPDATE main.run SET kb_digest = %Q", k->info.digest);

	select_exec(db, sql);
	sqlite3_free(sql);
}

void knowledge_done(struct knowledge *k)
{
	buf_done(&k->bytes);
	arena_done(&k->arena);
	*k = (struct knowledge){ 0 };
}

const char *knowledge_text(sqlite3 *db, struct arena *a, const char *sql, const char *name)
{
	sqlite3_stmt *stmt = select_from(db, sql);
	const char *text = NULL;

	if (stmt) {
		sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
		if (select_next(stmt))
			text = column_copy_or_null(stmt, 0, a);
	}
	sqlite3_finalize(stmt);
	return text;
}

void knowledge_near(sqlite3 *db, const char *sql, struct did_you_mean *n)
{
	sqlite3_stmt *stmt = select_from(db, sql);

	while (select_next(stmt))
		did_you_mean_try(n, span_of(column_text(stmt, 0)));
	sqlite3_finalize(stmt);
}
