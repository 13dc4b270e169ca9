#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "kb/compile-internal.h"
#include "kb/threads.h"

/*
 * Knowledge is measured on threads that nobody has read for it. unseen.yaml
 * lists them; a thread of the list that is named in any file, be it in a
 * comment, is a fault there.
 */

#define UNSEEN_MAX  2000
#define RENAMED_MAX 50

static const struct field unseen_fields[] = {
	{ .key = "says", .type = FIELD_TEXT, .most = 600 },
	{ .key = "renamed", .type = FIELD_MAP, .optional = true, .most = RENAMED_MAX },
	{ .key = "threads", .type = FIELD_TEXTS, .most = UNSEEN_MAX },
};

static void take_threads(struct compiler *c, const struct yaml_node *list)
{
	for (const struct yaml_node *n = list->children; n; n = n->next) {
		if (strlen(n->text) != SHA256_HEX - 1 ||
		    strspn(n->text, "0123456789abcdef") != SHA256_HEX - 1)
			compile_fault(c, n, "a thread is 64 hexadecimal digits:", n->text);
		if (compile_insert(c, "temp.unseen", "s", n->text) < 0)
			compile_fault(c, n, "given twice:", n->text);
	}
}

static void take_renamed(struct compiler *c, const struct yaml_node *map)
{
	for (const struct yaml_node *n = map ? map->children : NULL; n; n = n->next)
		if (!n->text || compile_insert(c, "temp.renamed", "ss", n->key, n->text) < 0)
			compile_fault(c, n, "an earlier name and a later one:", n->key);
}

/* Beside the tables of the kb.db, of which it is no part. */
void compile_unseen(struct compiler *c, const struct yaml_node *top)
{
	if (!fields_check(top, c->file, unseen_fields,
			  sizeof(unseen_fields) / sizeof(unseen_fields[0]), c->faults))
		return;
	select_exec(c->db, "CREATE TEMP TABLE IF NOT EXISTS unseen (thread TEXT PRIMARY KEY)");
	select_exec(c->db, "CREATE TEMP TABLE IF NOT EXISTS renamed"
			   " (earlier TEXT PRIMARY KEY COLLATE NOCASE, later TEXT NOT NULL)");
	take_threads(c, yaml_find(top, "threads"));
	take_renamed(c, yaml_find(top, "renamed"));
}

static bool is_unseen(sqlite3_stmt *stmt, struct span repository, struct span number)
{
	char hex[SHA256_HEX];
	bool found;

	threads_digest(repository, number, hex);
	sqlite3_bind_text(stmt, 1, hex, -1, SQLITE_STATIC);
	found = select_next(stmt);
	sqlite3_reset(stmt);
	return found;
}

/* By its own name, and by the one that the repository has now. */
static bool is_listed(sqlite3_stmt *listed, sqlite3_stmt *later, const struct thread *t)
{
	bool found = is_unseen(listed, t->repository, t->number);

	sqlite3_bind_text(later, 1, t->repository.data, (int)t->repository.len, SQLITE_STATIC);
	if (!found && select_next(later))
		found = is_unseen(listed, span_of(column_text(later, 0)), t->number);
	sqlite3_reset(later);
	return found;
}

void compile_check_unseen(struct compiler *c)
{
	sqlite3_stmt *listed, *later;

	if (!select_has(c->db, "temp", "unseen"))
		return; /* nothing is kept unread */
	listed = select_from(c->db, "SELECT 1 FROM temp.unseen WHERE thread = ?1");
	later = select_from(c->db, "SELECT later FROM temp.renamed WHERE earlier = ?1");
	for (size_t i = 0; i < c->count; i++) {
		struct span text = c->files[i].text, line;
		struct thread thread;

		for (unsigned int number = 1; span_line(&text, &line); number++)
			while (threads_next(&line, &thread))
				if (is_listed(listed, later, &thread))
					faults_add(
						c->faults, c->files[i].path, number,
						"%.*s#%.*s measures the knowledge and stays unread",
						(int)thread.repository.len, thread.repository.data,
						(int)thread.number.len, thread.number.data);
	}
	sqlite3_finalize(later);
	sqlite3_finalize(listed);
}
