#include "lab/kb-test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "diagnose/diagnose.h"
#include "door/store.h"
#include "facts/collect.h"
#include "facts/column.h"
#include "facts/facts.h"
#include "facts/select.h"
#include "kb/cases.h"
#include "kb/kb.h"
#include "lab/kb-test-log.h"
#include "root/root.h"
#include "root/snapshot.h"

#define CASES_SIZE_MAX ((size_t)1 << 20)

static int read_text(const char *path, struct buf *ret)
{
	FILE *file = fopen(path, "re");
	char chunk[4096];
	size_t n;
	int r;

	if (!file)
		return -errno;
	while ((n = fread(chunk, 1, sizeof(chunk), file)) > 0 && ret->len < CASES_SIZE_MAX)
		buf_add(ret, chunk, n);
	r = ferror(file) ? -EIO : ret->len >= CASES_SIZE_MAX ? -EFBIG : 0;
	fclose(file);
	return r;
}

size_t kb_test_causes(struct span kb, struct arena *arena, const char ***ret)
{
	struct kb_info info;
	sqlite3 *db = NULL;
	sqlite3_stmt *stmt;
	size_t count = 0;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK && kb_attach_as(db, "kb", kb, &info) == 0) {
		*ret = arena_alloc(arena, KB_ROWS_MAX * sizeof(**ret));
		stmt = select_from(db, "SELECT slug FROM kb.cause ORDER BY slug");
		while (count < KB_ROWS_MAX && select_next(stmt))
			(*ret)[count++] = column_copy(stmt, 0, arena);
		sqlite3_finalize(stmt);
	}
	sqlite3_close(db);
	return count;
}

/* A line of a snapshot that nobody knows would be passed over, and the case tried without it. */
static void check_edits(const struct cases_block *list, const char *path, struct faults *faults)
{
	for (const struct cases_block *b = list; b; b = b->next) {
		struct store edits = { 0 };

		store_load(&edits, span_of(b->edits));
		if (edits.unknown > 0)
			faults_add(faults, path, b->line,
				   "an edit is no record of a snapshot: write \"edit: file "
				   "/a/path\", and its content as \"edit: \\tcontent\", with a "
				   "backslash and a t or with a tab");
		store_done(&edits);
	}
}

struct cases_block *kb_test_cases(const char *tests, const char *slug, bool workaround,
				  struct arena *arena, struct faults *faults)
{
	const char *path = arena_format(arena, "%s/%s.cases", tests, slug);
	struct buf text BUF_SCOPED = { 0 };
	struct cases_block *list;
	size_t before = faults->count;
	int r = read_text(path, &text);

	if (r < 0) {
		faults_add(faults, path, 1, "%s", strerror(-r));
		return NULL;
	}
	list = cases_parse(arena_span(arena, buf_get(&text)), path, workaround, arena, faults);
	if (faults->count == before)
		cases_check_kinds(list, path, faults);
	if (faults->count == before)
		check_edits(list, path, faults);
	return list;
}

void kb_test_lint(const char *tests, const char *const *slugs, size_t count, struct faults *faults)
{
	struct arena arena = { 0 };

	for (size_t i = 0; i < count; i++)
		kb_test_cases(tests, slugs[i], false, &arena, faults);
	arena_done(&arena);
}

/* ---- one block ---- */

/*
 * An edit that replaces nothing adds an answer to a question that the machine
 * was never asked: often meant, and often a path with a mistake in it.
 */
static const char *list_added(const struct store *machine, const struct store *edits,
			      struct arena *arena)
{
	struct buf added BUF_SCOPED = { 0 };

	for (size_t i = 0; i < edits->count; i++) {
		struct span path = edits->records[i]->path;

		if (!store_find(machine, edits->records[i]->kind, path))
			buf_addf(&added, "%s%.*s", added.len ? ", " : "", (int)path.len, path.data);
	}
	return arena_text(arena, buf_get(&added));
}

/*
 * A file that an edit puts below a directory which the machine lacks brings
 * that directory with it; else the resolver would end there and never see it.
 */
static void make_directories(const struct store *machine, const struct store *edits,
			     struct buf *text)
{
	for (size_t i = 0; i < edits->count; i++) {
		const struct record *edit = edits->records[i];
		struct span dir = path_parent(edit->path);

		for (; edit->error != -ENOENT && dir.len > 1; dir = path_parent(dir)) {
			const struct record *r = store_find(machine, RECORD_LINK, dir);

			if (r && r->error == -ENOENT && !store_find(edits, RECORD_LINK, dir))
				buf_addf(text, "link %.*s !EINVAL\n", (int)dir.len, dir.data);
		}
	}
}

int kb_test_open(const char *path, const char *edits, struct arena *arena, const char **ret_added,
		 struct root **ret)
{
	struct store machine = { 0 }, edited = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	int r = snapshot_read(path, &text);

	if (r < 0)
		return r;
	store_load(&machine, span_of(arena_text(arena, buf_get(&text))));
	store_load(&edited, span_of(edits));
	*ret_added = list_added(&machine, &edited, arena);
	make_directories(&machine, &edited, &text);
	buf_text(&text, edits);
	store_done(&machine);
	store_done(&edited);
	return root_new_text(&text, ret);
}

static int examine(struct kb_test *t, struct root *root, struct diagnosis *ret)
{
	struct facts *facts = facts_new();
	struct kb_info info;
	int r;

	collect_all(root, facts);
	r = kb_attach(facts_db(facts), t->kb, &info);
	if (r == 0)
		r = diagnose(facts_db(facts), NULL, ret);
	facts_free(facts);
	return r;
}

/* The strongest finding of the cause, for a subject or (NULL) for any. */
static const struct finding *find(const struct diagnosis *d, const char *cause, const char *subject)
{
	const struct finding *best = NULL;

	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (strcmp(f->cause, cause) == 0 &&
		    (!subject || strcmp(f->subject, subject) == 0) &&
		    (!best || f->belief > best->belief))
			best = f;
	}
	return best;
}

static const struct check *find_crash(const struct diagnosis *d, const char *cause)
{
	for (size_t i = 0; i < d->check_count; i++)
		if (strcmp(d->checks[i].cause, cause) == 0 && d->checks[i].state == CHECK_CRASHED)
			return &d->checks[i];
	return NULL;
}

static bool is_met(const struct cases_block *b, const struct finding *f)
{
	enum belief belief = f ? f->belief : BELIEF_NOTHING;

	switch (b->kind) {
	case CASES_FIRES:
		return belief >= (b->certain ? BELIEF_CERTAIN : BELIEF_LIKELY);
	case CASES_UNDECIDED:
		return belief == BELIEF_UNDECIDED;
	default:
		return belief == BELIEF_NOTHING;
	}
}

static void say_line(struct kb_test *t, const char *file, const struct cases_block *b,
		     const char *what)
{
	buf_addf(t->out, "FAIL %s:%u: %s on %s: %s\n", file, b->line, cases_kind_name(b->kind),
		 b->machine, what);
}

static void judge(struct kb_test *t, const char *file, const char *slug,
		  const struct cases_block *b, const struct diagnosis *d, struct arena *arena)
{
	const struct check *crash = find_crash(d, slug);
	const struct finding *f = find(d, slug, b->kind == CASES_FIRES ? b->subject : NULL);
	const struct finding *other = f ? f : find(d, slug, NULL);

	if (!crash && is_met(b, f)) {
		t->passed++;
		return;
	}
	t->failed++;
	if (crash)
		say_line(t, file, b, arena_format(arena, "crashed: %s", crash->error));
	else if (!other)
		say_line(t, file, b, "not reported");
	else
		say_line(t, file, b,
			 arena_format(arena, "%s for %s, %+d dB", belief_name(other->belief),
				      other->subject[0] ? other->subject : "the machine",
				      other->sum));
}

static void run_block(struct kb_test *t, const char *file, const char *slug,
		      const struct cases_block *b, struct arena *arena)
{
	const char *path = arena_format(arena, "%s/%s.snap", t->machines, b->machine);
	struct diagnosis d = { 0 };
	struct root *root = NULL;
	const char *added = "";
	size_t failed = t->failed;
	int r = kb_test_open(path, b->edits, arena, &added, &root);

	if (r == 0)
		r = examine(t, root, &d);
	if (r == 0) {
		judge(t, file, slug, b, &d, arena);
		diagnose_done(&d);
	} else {
		t->failed++;
		say_line(t, file, b, arena_format(arena, "%s: %s", path, strerror(-r)));
	}
	if (added[0])
		buf_addf(t->out, "note %s:%u: not among the records of %s, so added: %s\n", file,
			 b->line, b->machine, added);
	if (t->failed > failed)
		buf_addf(t->out, "     scoring: rocsteady check --from %s --why %s%s\n", path, slug,
			 b->edits[0] ? ", with the edits at the end of a copy" : "");
	root_free(root);
}

/* A log is explained; a near miss may be thought of, but not in the first place. */
static void run_log(struct kb_test *t, const char *file, const char *slug,
		    const struct cases_block *b, struct arena *arena)
{
	struct kb_test_said said;
	int r = kb_test_explain(t->kb, slug, b->log, b->states, &said);
	bool met = false;

	if (b->kind == CASES_FIRES)
		met = said.rank == 1 && said.word >= (b->certain ? BELIEF_CERTAIN : BELIEF_LIKELY);
	else if (b->kind == CASES_UNDECIDED)
		met = said.rank >= 1 && said.rank <= 3 && said.word == BELIEF_UNDECIDED;
	else
		met = said.rank != 1 || said.belief < 0.5;
	if (r == 0 && met) {
		t->passed++;
		return;
	}
	t->failed++;
	buf_addf(t->out, "FAIL %s:%u: %s of a log: %s\n", file, b->line, cases_kind_name(b->kind),
		 r < 0 ? strerror(-r)
		       : arena_format(arena, "%s, first is %s; %s is number %zu with %.2f",
				      belief_name(said.word), said.first, slug, said.rank,
				      said.belief));
}

int kb_test_run(struct kb_test *t, const char *const *slugs, size_t count)
{
	struct faults faults = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct arena arena = { 0 };
		const char *file = arena_format(&arena, "%s/%s.cases", t->tests, slugs[i]);

		for (struct cases_block *b =
			     kb_test_cases(t->tests, slugs[i], false, &arena, &faults);
		     b; b = b->next)
			if (!b->machine)
				run_log(t, file, slugs[i], b, &arena);
			else
				run_block(t, file, slugs[i], b, &arena);
		lab_step(t->lab, slugs[i]);
		arena_done(&arena);
	}
	t->failed += faults.count;
	buf_span(t->out, buf_get(&faults.text));
	buf_done(&faults.text);
	return 0;
}
