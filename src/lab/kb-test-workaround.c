#include "lab/kb-test-workaround.h"

#include <string.h>

#include "diagnose/workarounds.h"
#include "facts/collect.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/kb.h"
#include "lab/kb-test-log.h"

/* ---- names ---- */

static size_t list_texts(sqlite3 *db, const char *sql, const char *name, struct arena *a,
			 const char ***ret)
{
	sqlite3_stmt *stmt = select_from(db, sql);
	const char **texts = NULL;
	size_t count = 0;

	if (!stmt)
		return 0;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	while (select_next(stmt)) {
		texts = arena_grow(a, texts, count, sizeof(*texts));
		texts[count++] = column_copy(stmt, 0, a);
	}
	sqlite3_finalize(stmt);
	*ret = texts;
	return count;
}

static size_t list_workarounds(struct span kb, struct arena *a, const char ***ret)
{
	struct kb_info info;
	sqlite3 *db = NULL;
	size_t count = 0;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK && kb_attach_as(db, "kb", kb, &info) == 0)
		count = list_texts(db, "SELECT remedy FROM kb.workaround WHERE ?1 ORDER BY remedy",
				   "1", a, ret);
	sqlite3_close(db);
	return count;
}

/* ---- one block ---- */

/* The changes in words: "A=1 B", sorted as the workaround has them. */
static const char *changes_of(const struct workarounds *l, const char *remedy, struct arena *a)
{
	struct buf text BUF_SCOPED = { 0 };

	for (size_t i = 0; i < l->count; i++) {
		if (strcmp(l->list[i].remedy, remedy) != 0)
			continue;
		buf_addf(&text, "%s%s", text.len ? " " : "", l->list[i].name);
		if (l->list[i].value)
			buf_addf(&text, "=%s", l->list[i].value);
	}
	return arena_text(a, buf_get(&text));
}

static int ask(struct facts *facts, const char *remedy, struct arena *a, const char **ret)
{
	const char **causes = NULL;
	size_t count = list_texts(facts_db(facts),
				  "SELECT cause FROM kb.cause_remedy WHERE remedy = ?1 ORDER BY 1",
				  remedy, a, &causes);
	struct workarounds found;
	int r = workarounds_find(facts_db(facts), causes, count, a, &found);

	if (r == 0)
		*ret = changes_of(&found, remedy, a);
	return r;
}

static int examine(struct kb_test *t, const struct cases_block *b, const char *remedy,
		   struct arena *a, const char **ret)
{
	const char *path = arena_format(a, "%s/%s.snap", t->machines, b->machine ? b->machine : "");
	struct facts *facts = facts_new();
	struct root *root = NULL;
	const char *added = "";
	struct kb_info info;
	int r = kb_test_open(path, b->edits, a, &added, &root);

	if (r == 0) {
		collect_all(root, facts);
		r = kb_attach(facts_db(facts), t->kb, &info);
	}
	if (r == 0)
		r = kb_test_tell(facts, b->log ? b->log : "", b->states ? b->states : "", true,
				 NULL, NULL);
	if (r == 0)
		r = ask(facts, remedy, a, ret);
	if (added[0])
		buf_addf(t->out, "note %s, line %u: not among the records of %s, so added: %s\n",
			 remedy, b->line, b->machine, added);
	root_free(root);
	facts_free(facts);
	return r;
}

static void run_block(struct kb_test *t, const char *file, const char *remedy,
		      const struct cases_block *b, struct arena *a)
{
	const char *got = "";
	int r = examine(t, b, remedy, a, &got);

	if (r == 0 && strcmp(got, b->subject) == 0) {
		t->passed++;
		return;
	}
	t->failed++;
	buf_addf(t->out, "FAIL %s:%u: %s on %s: %s%s\n", file, b->line, cases_kind_name(b->kind),
		 b->machine ? b->machine : "no machine", r < 0 ? strerror(-r) : "it changes ",
		 r < 0    ? ""
		 : got[0] ? got
			  : "nothing");
}

void kb_test_workarounds(struct kb_test *t)
{
	const char **remedies = NULL;
	struct faults faults = { 0 };
	struct arena names = { 0 };
	size_t count = list_workarounds(t->kb, &names, &remedies);
	const char *tests = arena_format(&names, "%s/workarounds", t->tests);

	for (size_t i = 0; i < count; i++) {
		struct arena a = { 0 };
		const char *file = arena_format(&a, "%s/%s.cases", tests, remedies[i]);

		for (struct cases_block *b = kb_test_cases(tests, remedies[i], true, &a, &faults);
		     b; b = b->next)
			run_block(t, file, remedies[i], b, &a);
		arena_done(&a);
	}
	arena_done(&names);
	t->failed += faults.count;
	buf_span(t->out, buf_get(&faults.text));
	buf_done(&faults.text);
}

void kb_test_workarounds_lint(const char *tests, struct span kb, struct faults *faults)
{
	const char **remedies = NULL;
	struct arena a = { 0 };
	size_t count = list_workarounds(kb, &a, &remedies);
	const char *below = arena_format(&a, "%s/workarounds", tests);

	for (size_t i = 0; i < count; i++)
		kb_test_cases(below, remedies[i], true, &a, faults);
	arena_done(&a);
}
