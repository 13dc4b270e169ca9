#include <sqlite3.h>

#include "author/commands.h"
#include "author/compile-dir.h"
#include "cli/say.h"
#include "kb/counts.h"
#include "kb/kb.h"
#include "lab/kb-lint.h"

/* How many of all that have no source. */
static size_t add_counts(struct span bytes, struct buf *ret)
{
	struct kb_info info;
	sqlite3 *db = NULL;
	size_t bare = 1;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK && kb_attach_as(db, "kb", bytes, &info) == 0)
		bare = counts_text(db, ret);
	sqlite3_close(db);
	return bare;
}

int cmd_lint(const struct options *o)
{
	struct buf db BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct faults faults = { 0 };
	struct lab lab = { .said = &said };
	struct kb_lint lint = {
		.machines = o->machine, .tests = o->tests, .faults = &faults, .lab = &lab
	};
	int status;

	if (o->word_count != 1)
		return say_usage("lint",
				 "lint needs a directory of YAML files: rocsteady-kb lint kb");
	status = compile_dir(o->words[0], &faults, &db);
	if (status == 0) {
		lint.kb = buf_get(&db);
		status = kb_lint_run(&lint);
		say_lines(&said);
	}
	if (status == 0 && faults.count > 0)
		status = say_faults(&faults, o->words[0]);
	buf_done(&faults.text);
	if (status != 0)
		return status;
	buf_addf(&text, "%s: %zu causes, no fault\n", o->words[0], lint.causes);
	if (add_counts(buf_get(&db), &text) > 0)
		status = EXIT_NO_INPUT;
	return say_answer(NULL, buf_get(&text)) == 0 ? status : EXIT_OWN_FAULT;
}
