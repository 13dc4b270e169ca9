#include "lab/kb-lint.h"

#include "base/text.h"
#include "context/machine.h"
#include "fleet/snapshots.h"
#include "kb/kb.h"
#include "kb/lint.h"
#include "lab/kb-test-workaround.h"
#include "lab/kb-test.h"

static int lint_on_machine(void *user, const char *path)
{
	const struct kb_lint *l = user;
	size_t before = l->faults->count;
	struct context_options from = { .from = path };
	struct lint_statement *list;
	struct arena arena = { 0 };
	struct machine m = { 0 };
	struct kb_info info;
	int status = machine_open(&from, &m, l->lab->said);
	size_t count;

	if (status != 0)
		return status;
	if (kb_attach_as(facts_db(m.facts), "kb", l->kb, &info) == 0) {
		count = lint_load(facts_db(m.facts), &arena, &list);
		lint_run(facts_db(m.facts), list, count, l->faults);
	}
	if (l->faults->count > before)
		text_line(l->lab->said, "%s: %zu of the faults are on this machine", path,
			  l->faults->count - before);
	machine_close(&m);
	arena_done(&arena);
	return 0;
}

static void lint_signatures(const struct kb_lint *l)
{
	struct kb_info info;
	sqlite3 *db = NULL;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK && kb_attach_as(db, "kb", l->kb, &info) == 0)
		lint_patterns(db, l->faults);
	sqlite3_close(db);
}

int kb_lint_run(struct kb_lint *l)
{
	struct arena arena = { 0 };
	const char **slugs = NULL;
	int status = 0;

	l->causes = kb_test_causes(l->kb, &arena, &slugs);
	if (l->machines)
		status = snapshots_each(l->machines, lint_on_machine, l, l->lab->said);
	if (l->tests) {
		kb_test_lint(l->tests, slugs, l->causes, l->faults);
		kb_test_workarounds_lint(l->tests, l->kb, l->faults);
	}
	/* Seconds, where all else takes one: who has a fault to mend need not wait for it. */
	if (status == 0 && l->faults->count == 0)
		lint_signatures(l);
	arena_done(&arena);
	return status;
}
