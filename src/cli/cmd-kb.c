#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/desk.h"
#include "cli/kb-score.h"
#include "cli/kb-test-lever.h"
#include "cli/kb-test.h"
#include "cli/kb-try.h"
#include "cli/kb-update.h"
#include "cli/program.h"
#include "cli/say.h"
#include "cli/snapshots.h"
#include "kb/compile.h"
#include "kb/counts.h"
#include "kb/files.h"
#include "kb/lint.h"
#include "kb/show.h"

#define TESTS    "tests/causes"
#define MACHINES "tests/machines"

/* ---- the knowledge in use ---- */

static int kb_list(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct desk desk;
	int status = desk_open_bare(o, &desk);

	if (status != 0)
		return status;
	show_list(desk_db(&desk), &text, say_width());
	desk_close(&desk);
	return say_answer(o->output, buf_get(&text));
}

static int kb_show(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct desk desk;
	int status, r;
	struct near near = near_to(o->word_count == 2 ? o->words[1] : "");

	if (o->word_count != 2)
		return say_usage("kb", "kb show takes the name of a cause or remedy");
	status = desk_open_bare(o, &desk);
	if (status != 0)
		return status;
	r = show_one(desk_db(&desk), o->words[1], &text);
	if (r < 0)
		knowledge_near(desk_db(&desk),
			       "SELECT slug FROM kb.cause UNION SELECT id FROM kb.remedy", &near);
	desk_close(&desk);
	if (r < 0)
		return say_no("kb", "cause or remedy", &near, "rocsteady kb list has their names");
	return say_answer(o->output, buf_get(&text));
}

static int kb_version(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct desk desk;
	int status = desk_open_bare(o, &desk);

	if (status != 0)
		return status;
	buf_addf(&text, "version %s\nneeds   %s\nformat  %d\ndigest  %s\n",
		 desk.knowledge.info.version, desk.knowledge.info.needs, desk.knowledge.info.format,
		 desk.knowledge.info.digest);
	kb_update_origin(o, &desk.knowledge, &text);
	desk_close(&desk);
	return say_answer(o->output, buf_get(&text));
}

/* ---- making it ---- */

/* As compilers do, without our name in front: editors jump to file:line. */
static int say_faults(struct faults *faults, const char *dir)
{
	struct buf clean BUF_SCOPED = { 0 };

	text_clean(&clean, buf_get(&faults->text), true);
	fputs(buf_get(&clean).data, stderr);
	say("%s: %zu %s", dir, faults->count, faults->count == 1 ? "fault" : "faults");
	buf_done(&faults->text);
	return EXIT_OWN_FAULT;
}

static int compile_dir(const char *dir, struct faults *faults, struct buf *ret)
{
	struct arena arena = { 0 };
	struct files_set set;
	int r = files_read_dir(dir, &arena, &set);
	int status = 0;

	if (r < 0) {
		say("%s: %s", dir, strerror(-r));
		arena_done(&arena);
		return EXIT_OWN_FAULT;
	}
	faults->prefix = arena_format(&arena, "%s/", dir);
	r = compile(set.list, set.count, faults, ret);
	faults->prefix = "";
	if (r == -ENOMEM)
		say("SQLite does not start");
	if (r < 0)
		status = faults->count > 0 ? say_faults(faults, dir) : EXIT_OWN_FAULT;
	arena_done(&arena);
	return status;
}

static int kb_build(const struct options *o)
{
	struct buf db BUF_SCOPED = { 0 };
	struct faults faults = { 0 };
	int status;

	if (o->word_count != 2 || !o->output)
		return say_usage("kb", "kb build takes a directory and -o FILE");
	status = compile_dir(o->words[1], &faults, &db);
	return status == 0 ? say_answer(o->output, buf_get(&db)) : status;
}

/* ---- names of causes ---- */

static size_t list_slugs(sqlite3 *db, struct arena *arena, const char ***ret)
{
	const char **list = arena_alloc(arena, KB_ROWS_MAX * sizeof(*list));
	sqlite3_stmt *stmt = NULL;
	size_t count = 0;

	sqlite3_prepare_v2(db, "SELECT slug FROM kb.cause ORDER BY slug", -1, &stmt, NULL);
	while (count < KB_ROWS_MAX && sqlite3_step(stmt) == SQLITE_ROW)
		list[count++] =
			arena_text(arena, span_of((const char *)sqlite3_column_text(stmt, 0)));
	sqlite3_finalize(stmt);
	*ret = list;
	return count;
}

static size_t slugs_of(struct span bytes, struct arena *arena, const char ***ret)
{
	struct kb_info info;
	sqlite3 *db = NULL;
	size_t count = 0;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK && kb_attach_as(db, "kb", bytes, &info) == 0)
		count = list_slugs(db, arena, ret);
	sqlite3_close(db);
	return count;
}

/* ---- checking it ---- */

struct lint {
	struct span db;
	struct faults *faults;
};

static int lint_on_machine(void *user, const char *path)
{
	const struct lint *lint = user;
	size_t before = lint->faults->count;
	struct options from = { .from = path };
	struct lint_statement *list;
	struct arena arena = { 0 };
	struct machine m = { 0 };
	struct kb_info info;
	int status = machine_open(&from, &m);
	size_t count;

	if (status != 0)
		return status;
	if (kb_attach_as(facts_db(m.facts), "kb", lint->db, &info) == 0) {
		count = lint_load(facts_db(m.facts), &arena, &list);
		lint_run(facts_db(m.facts), list, count, lint->faults);
	}
	if (lint->faults->count > before)
		say("%s: %zu of the faults are on this machine", path,
		    lint->faults->count - before);
	machine_close(&m);
	arena_done(&arena);
	return 0;
}

static int lint_further(const struct options *o, struct span bytes, struct faults *faults,
			size_t *ret_causes)
{
	struct arena arena = { 0 };
	const char **slugs = NULL;
	size_t count = slugs_of(bytes, &arena, &slugs);
	struct lint lint = { bytes, faults };
	int status = o->machine ? snapshots_each(o->machine, lint_on_machine, &lint) : 0;

	if (o->tests) {
		kb_test_lint(o->tests, slugs, count, faults);
		kb_test_levers_lint(o->tests, bytes, faults);
	}
	arena_done(&arena);
	*ret_causes = count;
	return status;
}

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

static int kb_lint(const struct options *o)
{
	struct buf db BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 };
	struct faults faults = { 0 };
	size_t causes = 0;
	int status;

	if (o->word_count != 2)
		return say_usage("kb", "kb lint takes a directory");
	status = compile_dir(o->words[1], &faults, &db);
	if (status == 0)
		status = lint_further(o, buf_get(&db), &faults, &causes);
	if (status == 0 && faults.count > 0)
		status = say_faults(&faults, o->words[1]);
	buf_done(&faults.text);
	if (status != 0)
		return status;
	buf_addf(&text, "%s: %zu causes, no fault\n", o->words[1], causes);
	if (add_counts(buf_get(&db), &text) > 0)
		status = EXIT_OWN_FAULT;
	return say_answer(NULL, buf_get(&text)) == 0 ? status : EXIT_OWN_FAULT;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int run_tests(const struct options *o, struct span kb)
{
	struct buf text BUF_SCOPED = { 0 };
	struct kb_test t = { .tests = o->tests ? o->tests : TESTS,
			     .machines = o->machines ? o->machines : MACHINES,
			     .kb = kb,
			     .out = &text };
	struct arena arena = { 0 };
	const char **slugs = NULL;
	size_t count = slugs_of(kb, &arena, &slugs);
	int status;

	if (!is_dir(t.tests) || !is_dir(t.machines)) {
		arena_done(&arena);
		return say_usage("kb", "%s: no directory; --tests and --machines name them",
				 is_dir(t.tests) ? t.machines : t.tests);
	}
	kb_test_run(&t, o->word_count > 2 ? &o->words[2] : slugs,
		    o->word_count > 2 ? (size_t)o->word_count - 2 : count);
	if (o->word_count <= 2)
		kb_test_levers(&t);
	arena_done(&arena);
	buf_addf(&text, "%zu passed, %zu failed\n", t.passed, t.failed);
	status = say_answer(NULL, buf_get(&text));
	return t.failed > 0 || t.passed == 0 ? EXIT_OWN_FAULT : status;
}

/* `kb test`: what is carried, or --kb FILE. `kb test DIR [CAUSE...]`: of these sources. */
static int kb_test(const struct options *o)
{
	struct buf db BUF_SCOPED = { 0 };
	struct faults faults = { 0 };
	struct span bytes;
	int r, status;

	if (o->word_count > 1) {
		status = compile_dir(o->words[1], &faults, &db);
		return status == 0 ? run_tests(o, buf_get(&db)) : status;
	}
	r = kb_read(o->kb, &db, &bytes);
	if (r < 0) {
		say("%s: %s", o->kb, strerror(-r));
		return EXIT_OWN_FAULT;
	}
	return run_tests(o, bytes);
}

/* A kb.db, or the sources of one. */
static int kb_try(const struct options *o)
{
	struct buf db BUF_SCOPED = { 0 };
	struct faults faults = { 0 };
	struct span bytes;
	struct kb_info info;
	int r, status;

	if (o->word_count < 2)
		return say_usage("kb", "kb try takes a kb.db, or a directory of sources");
	if (is_dir(o->words[1])) {
		status = compile_dir(o->words[1], &faults, &db);
		return status == 0 ? kb_try_run(o, buf_get(&db)) : status;
	}
	r = kb_read(o->words[1], &db, &bytes);
	if (r == 0)
		r = files_look(bytes, &info);
	return r < 0 ? knowledge_say_bad(o->words[1], r) : kb_try_run(o, bytes);
}

static const struct {
	const char *word;
	int (*run)(const struct options *o);
} words[] = {
	{ "build", kb_build }, { "lint", kb_lint },     { "list", kb_list },
	{ "score", kb_score }, { "show", kb_show },     { "test", kb_test },
	{ "try", kb_try },     { "update", kb_update }, { "version", kb_version },
};

int cmd_kb(const struct options *o)
{
	struct near near = near_to(o->word_count > 0 ? o->words[0] : "");
	char name[32];

	if (o->word_count == 0)
		return say_usage("kb", "kb takes a word: %s", program_find("kb")->arguments);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		bool meant = strcmp(o->words[0], words[i].word) == 0;

		snprintf(name, sizeof(name), "kb %s", words[i].word);
		if (program_lacks(name) && meant)
			return program_refuse("kb", name);
		if (meant)
			return words[i].run(o);
		if (!program_lacks(name))
			near_try(&near, span_of(words[i].word));
	}
	return say_no("kb", "word for kb:", &near, "");
}
