#include "context/knowledge.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"
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
			  "rocsteady-kb build DIR -o FILE",
			  path);
	else if (error == -ENOTSUP)
		text_line(said, "%s: made for a newer rocsteady: install that first", path);
	else if (error == -EINVAL || error == -EISDIR)
		text_line(
			said,
			"%s: not a regular file; compile sources with: rocsteady-kb build DIR -o FILE",
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
		r = layers_attach(db, &(struct layers){ .base = bytes }, &k->info, left);
	return r < 0 ? knowledge_bad(path, r, said) : 0;
}

static int attach_host(sqlite3 *db, struct knowledge *k, struct buf *left, struct buf *said)
{
	struct files_layers *host = arena_alloc(&k->arena, sizeof(*host));
	int r;

	files_read_layers(FILES_UPDATED, FILES_SITE, &k->arena, host, left);
	r = files_attach(db, host, &k->info, left);
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

/* ---- names ---- */

sqlite3_stmt *knowledge_names(sqlite3 *db, enum knowledge_kind kind)
{
	static const char *const names[] = {
		[KNOWLEDGE_CAUSES] =
			"SELECT slug, coalesce(plain, title) FROM kb.cause ORDER BY slug",
		[KNOWLEDGE_CHECKS] = "SELECT slug, coalesce(plain, title) FROM kb.cause UNION "
				     "SELECT scope, 'every check of it' FROM kb.cause ORDER BY 1",
		[KNOWLEDGE_REMEDIES] = "SELECT id, title FROM kb.remedy ORDER BY id",
		[KNOWLEDGE_CAUSES_REMEDIES] =
			"SELECT slug, coalesce(plain, title) FROM kb.cause UNION "
			"SELECT id, title FROM kb.remedy ORDER BY 1",
		[KNOWLEDGE_SHOWN] =
			"SELECT slug, NULL FROM kb.cause UNION SELECT id, NULL FROM kb.remedy UNION "
			"SELECT id, NULL FROM kb.signature UNION SELECT id, NULL FROM kb.defect UNION "
			"SELECT name, NULL FROM kb.family ORDER BY 1",
		[KNOWLEDGE_TARGETS] = "SELECT gfx, substr(names, 1, instr(names || ',', ',') - 1) "
				      "FROM kb.gfx_target ORDER BY gfx",
		[KNOWLEDGE_APPLICATIONS] = "SELECT DISTINCT application, NULL FROM kb.advice "
					   "WHERE application != '*' ORDER BY 1",
	};

	assert((size_t)kind < COUNT(names));
	return select_from(db, names[kind]);
}

bool knowledge_has(sqlite3 *db, enum knowledge_kind kind, const char *name)
{
	sqlite3_stmt *stmt = knowledge_names(db, kind);
	bool found = false;

	while (!found && select_next(stmt))
		found = strcmp(column_text(stmt, 0), name) == 0;
	sqlite3_finalize(stmt);
	return found;
}

void knowledge_suggest(sqlite3 *db, enum knowledge_kind kind, struct did_you_mean *n)
{
	sqlite3_stmt *stmt = knowledge_names(db, kind);

	while (select_next(stmt))
		did_you_mean_try(n, span_of(column_text(stmt, 0)));
	sqlite3_finalize(stmt);
}
