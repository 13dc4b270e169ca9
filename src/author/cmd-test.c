#include <sys/stat.h>

#include "author/commands.h"
#include "author/compile-dir.h"
#include "cli/open.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "lab/kb-test-workaround.h"
#include "lab/kb-test.h"

#define TESTS    "tests/causes"
#define MACHINES "tests/machines"

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
	kb_test_run(&t, o->word_count > 1 ? &o->words[1] : slugs,
		    o->word_count > 1 ? (size_t)o->word_count - 1 : count);
	if (o->word_count <= 1)
		kb_test_workarounds(&t);
	progress_line_end(&progress);
	arena_done(&arena);
	buf_addf(&text, "%zu passed, %zu failed\n", t.passed, t.failed);
	status = say_answer(NULL, buf_get(&text));
	if (status != 0)
		return status;
	return t.failed > 0 || t.passed == 0 ? EXIT_PROBLEM : EXIT_FINE;
}

/* `test`: what is carried, or --kb FILE. `test DIR [CAUSE...]`: of these sources. */
int cmd_test(const struct options *o)
{
	struct buf db BUF_SCOPED = { 0 };
	struct faults faults = { 0 };
	struct span bytes;
	int r, status;

	if (o->word_count > 0) {
		status = compile_dir(o->words[0], &faults, &db);
		return status == 0 ? run_tests(o, buf_get(&db)) : status;
	}
	r = kb_read(o->context.kb, &db, &bytes);
	return r < 0 ? open_bad_kb(o->context.kb, r) : run_tests(o, bytes);
}
