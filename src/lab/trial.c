#include "lab/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/exit-status.h"
#include "base/text.h"
#include "facts/collect.h"
#include "root/root.h"

#define CELLS 5

/* ---- the two sides ---- */

/* Of one cause and subject. */
struct seen {
	const char *cause;
	const char *subject;
	const char *word; /* belief, or the state of a check that was not made */
};

static int by_place(const void *a, const void *b)
{
	const struct seen *x = a;
	const struct seen *y = b;
	int r = strcmp(x->cause, y->cause);

	return r ? r : strcmp(x->subject, y->subject);
}

static size_t list_seen(const struct diagnosis *d, struct arena *arena, struct seen **ret)
{
	struct seen *list =
		arena_alloc(arena, (d->finding_count + d->check_count + 1) * sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < d->finding_count; i++)
		list[count++] = (struct seen){ d->findings[i].cause, d->findings[i].subject,
					       belief_name(d->findings[i].belief) };
	for (size_t i = 0; i < d->check_count; i++)
		if (d->checks[i].state == CHECK_CRASHED)
			list[count++] =
				(struct seen){ d->checks[i].cause, "",
					       d->checks[i].later ? "not understood" : "crashed" };
	qsort(list, count, sizeof(*list), by_place);
	*ret = list;
	return count;
}

/* One of the two may be `nothing`. */
static const struct seen nothing;

static void add_row(struct trial *t, const char *machine, const struct seen *before,
		    const struct seen *after)
{
	const struct seen *any = before->word ? before : after;
	const char *cells[] = { machine, any->cause, any->subject[0] ? any->subject : "(machine)",
				before->word ? before->word : "none",
				after->word ? after->word : "none" };

	if (strcmp(cells[3], cells[4]) == 0)
		return;
	for (size_t i = 0; i < CELLS; i++)
		buf_addf(&t->rows, "%s%c", cells[i], i + 1 < CELLS ? '\t' : '\n');
}

/* Both lists are in the order of cause and subject. */
static void compare(struct trial *t, const char *machine, const struct diagnosis *before,
		    const struct diagnosis *after)
{
	struct arena arena = { 0 };
	struct seen *a, *b;
	size_t a_count = list_seen(before, &arena, &a);
	size_t b_count = list_seen(after, &arena, &b);
	const char *verdicts[] = { diagnose_verdict_name(before->verdict),
				   diagnose_verdict_name(after->verdict) };

	buf_addf(&t->rows, "%s\n", machine);
	for (size_t i = 0, k = 0; i < a_count || k < b_count;) {
		int r = i == a_count ? 1 : k == b_count ? -1 : by_place(&a[i], &b[k]);

		add_row(t, machine, r <= 0 ? &a[i] : &nothing, r >= 0 ? &b[k] : &nothing);
		i += r <= 0;
		k += r >= 0;
	}
	add_row(t, machine, &(struct seen){ "verdict", "", verdicts[0] },
		&(struct seen){ "verdict", "", verdicts[1] });
	arena_done(&arena);
}

/* ---- one machine ---- */

static int examine(struct trial_side *side, struct root *root, struct diagnosis *ret)
{
	facts_next(side->context.machine.facts);
	collect_all(root, side->context.machine.facts);
	return examiner_diagnose(&side->examiner, ret) < 0 ? EXIT_OWN_FAULT : 0;
}

/* The last name of its path, which anybody may have chosen. */
static void name_machine(const char *path, struct buf *ret)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	text_clean(ret, span_of(slash ? slash + 1 : path ? path : "this machine"), false);
}

int trial_of_machine(struct trial *t, const char *path)
{
	struct context_options from = { .from = path };
	struct diagnosis before = { 0 }, after = { 0 };
	struct buf name BUF_SCOPED = { 0 };
	struct root *root = NULL;
	int status = machine_open_root(&from, &root, t->lab->said);

	name_machine(path, &name);
	if (status == 0)
		status = examine(&t->sides[0], root, &before);
	if (status == 0)
		status = examine(&t->sides[1], root, &after);
	if (status == 0)
		compare(t, name.data, &before, &after);
	diagnose_done(&before);
	diagnose_done(&after);
	root_free(root);
	return status;
}

/* ---- all of them ---- */

int trial_begin(struct trial *t)
{
	static const char *const names[CELLS] = { "machine", "cause", "subject", "before",
						  "after" };
	struct context_options in_use = { .kb = t->kb };
	struct context *tried = &t->sides[1].context;
	struct kb_info info;
	int status = context_open_bare(&in_use, &t->sides[0].context, t->lab->said);

	for (size_t i = 0; i < CELLS; i++)
		table_column(&t->table, names[i], false);
	if (status != 0)
		return status;
	tried->machine.facts = facts_new();
	facts_end(tried->machine.facts); /* nothing can be attached within a transaction */
	if (kb_attach(context_db(tried), t->db, &info) < 0)
		return EXIT_OWN_FAULT;
	for (size_t i = 0; status == 0 && i < COUNT(t->sides); i++)
		if (examiner_open(&t->sides[i].examiner, context_db(&t->sides[i].context)) < 0)
			status = EXIT_OWN_FAULT;
	return status;
}

/* A line with one cell is a machine; those behind it are what differs. */
void trial_take(struct trial *t, struct span rows)
{
	struct span line, cell;
	size_t row = 0, differs = 0;

	while (span_line(&rows, &line)) {
		if (!memchr(line.data, '\t', line.len)) {
			t->machines++;
			differs = 0;
			continue;
		}
		t->changed += differs++ == 0;
		t->findings++;
		row = table_row(&t->table);
		for (size_t i = 0; i < CELLS && span_cut(&line, '\t', &cell); i++)
			table_cell(&t->table, row, i, cell);
	}
}

void trial_end(struct trial *t, size_t width, struct buf *ret)
{
	if (t->findings > 0)
		table_write(&t->table, ret, width);
	table_done(&t->table);
	buf_addf(ret, "%zu %s, %zu changed\n", t->machines,
		 t->machines == 1 ? "machine" : "machines", t->changed);
	for (size_t i = 0; i < COUNT(t->sides); i++) {
		examiner_close(&t->sides[i].examiner);
		context_close(&t->sides[i].context);
	}
	buf_done(&t->rows);
}
