#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/kb-score.h"
#include "cli/kb-try.h"
#include "cli/kb-update.h"
#include "cli/open.h"
#include "cli/program.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "kb/compile.h"
#include "kb/counts.h"
#include "kb/files.h"
#include "kb/show.h"
#include "lab/kb-lint.h"
#include "lab/kb-test-workaround.h"
#include "lab/kb-test.h"

#define TESTS    "tests/causes"
#define MACHINES "tests/machines"

/* ---- the knowledge in use ---- */

static int kb_list(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct context context;
	int status;

	if (o->word_count != 1)
		return say_usage("kb",
				 "kb list takes no name; show one cause: rocsteady kb show %s",
				 o->words[1]);
	status = open_bare(o, &context);
	if (status != 0)
		return status;
	if (o->json)
		show_list_json(context_db(&context), &text);
	else
		show_list(context_db(&context), &text, o->output ? 0 : say_width());
	context_close(&context);
	return say_answer(o->output, buf_get(&text));
}

static int kb_show(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct context context;
	int status, r;
	struct did_you_mean near = did_you_mean(o->word_count == 2 ? o->words[1] : "");

	if (o->word_count != 2)
		return say_usage("kb",
				 "kb show needs the name of a cause, remedy, signature or defect; "
				 "list all causes: rocsteady kb list");
	status = open_bare(o, &context);
	if (status != 0)
		return status;
	r = show_one(context_db(&context), o->words[1], o->verbose, &text);
	if (r < 0)
		knowledge_suggest(context_db(&context), KNOWLEDGE_SHOWN, &near);
	context_close(&context);
	if (r < 0)
		return say_no("kb", "cause, remedy, signature or defect", &near,
			      "list all causes: rocsteady kb list");
	return say_answer(o->output, buf_get(&text));
}

static int kb_version(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct context context;
	int status = open_bare(o, &context);

	if (status != 0)
		return status;
	buf_addf(&text, "version %s\nneeds   %s\nformat  %d\ndigest  %s\n",
		 context.knowledge.info.version, context.knowledge.info.needs,
		 context.knowledge.info.format, context.knowledge.info.digest);
	kb_update_origin(o, &context.knowledge, &text);
	context_close(&context);
	return say_answer(o->output, buf_get(&text));
}

/* ---- making it ---- */

/* Editors jump to file:line. */
static int say_faults(struct faults *faults, const char *dir)
{
	say_bare(buf_get(&faults->text));
	say("%s: %zu %s", dir, faults->count, faults->count == 1 ? "fault" : "faults");
	buf_done(&faults->text);
	return EXIT_NO_INPUT;
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
		return EXIT_NO_INPUT;
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
		return say_usage(
			"kb",
			"kb build needs a directory of YAML files and -o FILE: rocsteady kb build kb -o kb.db");
	status = compile_dir(o->words[1], &faults, &db);
	return status == 0 ? say_bytes(o->output, buf_get(&db)) : status;
}

/* ---- checking it ---- */

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
	struct buf db BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct faults faults = { 0 };
	struct lab lab = { .said = &said };
	struct kb_lint lint = {
		.machines = o->machine, .tests = o->tests, .faults = &faults, .lab = &lab
	};
	int status;

	if (o->word_count != 2)
		return say_usage("kb",
				 "kb lint needs a directory of YAML files: rocsteady kb lint kb");
	status = compile_dir(o->words[1], &faults, &db);
	if (status == 0) {
		lint.kb = buf_get(&db);
		status = kb_lint_run(&lint);
		say_lines(&said);
	}
	if (status == 0 && faults.count > 0)
		status = say_faults(&faults, o->words[1]);
	buf_done(&faults.text);
	if (status != 0)
		return status;
	buf_addf(&text, "%s: %zu causes, no fault\n", o->words[1], lint.causes);
	if (add_counts(buf_get(&db), &text) > 0)
		status = EXIT_NO_INPUT;
	return say_answer(NULL, buf_get(&text)) == 0 ? status : EXIT_OWN_FAULT;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void tell_step(void *progress, const char *what)
{
	progress_line_step(progress, what);
}

static int run_tests(const struct options *o, struct span kb)
{
	struct buf text BUF_SCOPED = { 0 };
	struct progress_line progress;
	struct lab lab = { .step = tell_step, .step_ctx = &progress };
	struct kb_test t = { .tests = o->tests ? o->tests : TESTS,
			     .machines = o->machines ? o->machines : MACHINES,
			     .kb = kb,
			     .out = &text,
			     .lab = &lab };
	struct arena arena = { 0 };
	const char **slugs = NULL;
	size_t count = kb_test_causes(kb, &arena, &slugs);
	int status;

	if (!is_dir(t.tests) || !is_dir(t.machines)) {
		arena_done(&arena);
		say("%s: no such directory; set it with --tests or --machines",
		    is_dir(t.tests) ? t.machines : t.tests);
		return EXIT_NO_INPUT;
	}
	progress_line_start(&progress);
	kb_test_run(&t, o->word_count > 2 ? &o->words[2] : slugs,
		    o->word_count > 2 ? (size_t)o->word_count - 2 : count);
	if (o->word_count <= 2)
		kb_test_workarounds(&t);
	progress_line_end(&progress);
	arena_done(&arena);
	buf_addf(&text, "%zu passed, %zu failed\n", t.passed, t.failed);
	status = say_answer(NULL, buf_get(&text));
	if (status != 0)
		return status;
	return t.failed > 0 || t.passed == 0 ? EXIT_PROBLEM : EXIT_FINE;
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
	r = kb_read(o->context.kb, &db, &bytes);
	return r < 0 ? open_bad_kb(o->context.kb, r) : run_tests(o, bytes);
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
		return say_usage(
			"kb",
			"kb try needs a kb.db, or a directory of YAML files: rocsteady kb try new.db");
	if (is_dir(o->words[1])) {
		status = compile_dir(o->words[1], &faults, &db);
		return status == 0 ? kb_try_run(o, buf_get(&db)) : status;
	}
	r = kb_read(o->words[1], &db, &bytes);
	if (r == 0)
		r = files_look(bytes, &info);
	return r < 0 ? open_bad_kb(o->words[1], r) : kb_try_run(o, bytes);
}

static const struct {
	const char *word;
	int (*run)(const struct options *o);
	bool has_json;
} words[] = {
	{ "build", kb_build },       { "lint", kb_lint },     { "list", kb_list, true },
	{ "score", kb_score, true }, { "show", kb_show },     { "test", kb_test },
	{ "try", kb_try },           { "update", kb_update }, { "version", kb_version },
};

int cmd_kb(const struct options *o)
{
	struct did_you_mean near = did_you_mean(o->word_count > 0 ? o->words[0] : "");
	char name[32];

	if (o->word_count == 0)
		return say_usage("kb", "kb needs a command: %s", program_find("kb")->arguments);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		bool meant = strcmp(o->words[0], words[i].word) == 0;

		snprintf(name, sizeof(name), "kb %s", words[i].word);
		if (program_lacks(name) && meant)
			return program_refuse("kb", name);
		if (meant && o->json && !words[i].has_json)
			return say_usage("kb",
					 "kb %s writes text only; kb list and kb score write JSON",
					 words[i].word);
		if (meant)
			return words[i].run(o);
		if (!program_lacks(name))
			did_you_mean_try(&near, span_of(words[i].word));
	}
	return say_no("kb", "kb command", &near, program_find("kb")->arguments);
}
