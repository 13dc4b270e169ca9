#include "cli/knowledge.h"

#include <errno.h>
#include <string.h>

#include "cli/say.h"
#include "kb/files.h"
#include "kb/layers.h"

static void say_lines(const struct buf *text)
{
	struct span rest = buf_get(text), line;

	while (span_line(&rest, &line))
		say("knowledge: %.*s", (int)line.len, line.data);
}

int knowledge_say_bad(const char *path, int error)
{
	if (error == -EBADMSG)
		say("%s: damaged, or no kb.db of this program; make one with: "
		    "rocsteady kb build DIR -o FILE",
		    path);
	else if (error == -ENOTSUP)
		say("%s: made for a later rocsteady: install that first", path);
	else if (error == -EINVAL)
		say("%s: no plain file; sources are compiled with: rocsteady kb build DIR -o FILE",
		    path);
	else if (error == -EFBIG)
		say("%s: more than %zu MiB, which no kb.db has", path, KB_SIZE_MAX >> 20);
	else
		say("%s: %s", path, strerror(-error));
	return EXIT_OWN_FAULT;
}

static int attach_file(sqlite3 *db, const char *path, struct knowledge *k, struct buf *said)
{
	struct span bytes;
	int r = kb_read(path, &k->bytes, &bytes);

	if (r == 0)
		r = layers_attach(db, bytes, NULL, 0, &k->info, said);
	return r < 0 ? knowledge_say_bad(path, r) : 0;
}

static int attach_host(sqlite3 *db, struct knowledge *k, struct buf *said)
{
	struct files_layers *host = arena_alloc(&k->arena, sizeof(*host));
	int r;

	files_read_layers(FILES_UPDATED, FILES_SITE, &k->arena, host, said);
	r = layers_attach(db, host->base, host->sites, host->site_count, &k->info, said);
	k->host = host;
	return r < 0 ? knowledge_say_bad(host->updated ? host->updated : "the embedded knowledge",
					 r)
		     : 0;
}

int knowledge_attach(sqlite3 *db, const char *kb, struct knowledge *ret)
{
	struct buf said BUF_SCOPED = { 0 };
	int status;

	*ret = (struct knowledge){ 0 };
	status = kb ? attach_file(db, kb, ret, &said) : attach_host(db, ret, &said);
	say_lines(&said);
	if (status == 0 && ret->info.later > 0)
		say("knowledge of %s is made for rocsteady %s; causes that this one does not "
		    "understand: %u",
		    ret->info.version, ret->info.needs, ret->info.later);
	return status;
}

void knowledge_note(sqlite3 *db, const struct knowledge *k)
{
	char *sql = sqlite3_mprintf("UPDATE main.run SET kb_digest = %Q", k->info.digest);

	if (sql)
		sqlite3_exec(db, sql, NULL, NULL, NULL);
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
	sqlite3_stmt *stmt = NULL;
	const char *text = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK) {
		sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
		if (sqlite3_step(stmt) == SQLITE_ROW)
			text = (const char *)sqlite3_column_text(stmt, 0);
		text = text ? arena_text(a, span_of(text)) : NULL;
	}
	sqlite3_finalize(stmt);
	return text;
}

void knowledge_near(sqlite3 *db, const char *sql, struct near *n)
{
	sqlite3_stmt *stmt = NULL;

	sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		near_try(n, span_of((const char *)sqlite3_column_text(stmt, 0)));
	sqlite3_finalize(stmt);
}
