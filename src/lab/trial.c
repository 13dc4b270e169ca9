#include "lab/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/exit-status.h"
#include "context/context.h"
#include "diagnose/diagnose.h"

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
					       diagnose_belief_name(d->findings[i].belief) };
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
	size_t row;

	if (strcmp(cells[3], cells[4]) == 0)
		return;
	row = table_row(&t->table);
	for (size_t i = 0; i < 5; i++)
		table_cell(&t->table, row, i, span_of(cells[i]));
	t->findings++;
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
	size_t rows = t->findings;

	for (size_t i = 0, k = 0; i < a_count || k < b_count;) {
		int r = i == a_count ? 1 : k == b_count ? -1 : by_place(&a[i], &b[k]);

		add_row(t, machine, r <= 0 ? &a[i] : &nothing, r >= 0 ? &b[k] : &nothing);
		i += r <= 0;
		k += r >= 0;
	}
	add_row(t, machine, &(struct seen){ "verdict", "", verdicts[0] },
		&(struct seen){ "verdict", "", verdicts[1] });
	t->changed += t->findings > rows;
	arena_done(&arena);
}

/* ---- one machine ---- */

static int examine(struct context *context, struct diagnosis *ret)
{
	return diagnose(context_db(context), NULL, ret) < 0 ? EXIT_OWN_FAULT : 0;
}

/* The same record, new tables, and beside them the knowledge that is tried. */
static int change_knowledge(struct trial *t, struct context *context)
{
	struct kb_info info;
	int status;

	context->machine.made = NULL;
	status = machine_again(&context->machine, t->lab->said);
	if (status == 0 && kb_attach(context_db(context), t->db, &info) < 0)
		status = EXIT_OWN_FAULT;
	return status;
}

int trial_of_machine(void *trial, const char *path)
{
	struct trial *t = trial;
	struct context_options from = { .from = path, .kb = t->kb };
	const char *slash = path ? strrchr(path, '/') : NULL;
	struct diagnosis before = { 0 }, after = { 0 };
	struct context context;
	int status = context_open(&from, &context, t->lab->said);

	lab_step(t->lab, path ? path : "this machine");
	if (status == 0)
		status = examine(&context, &before);
	if (status == 0)
		status = change_knowledge(t, &context);
	if (status == 0)
		status = examine(&context, &after);
	if (status == 0) {
		t->machines++;
		compare(t, slash ? slash + 1 : path ? path : "this machine", &before, &after);
	}
	diagnose_done(&before);
	diagnose_done(&after);
	context_close(&context);
	return status;
}

void trial_begin(struct trial *t)
{
	static const char *const names[] = { "machine", "cause", "subject", "before", "after" };

	for (size_t i = 0; i < 5; i++)
		table_column(&t->table, names[i], false);
}

void trial_end(struct trial *t, size_t width, struct buf *ret)
{
	if (t->findings > 0)
		table_write(&t->table, ret, width);
	table_done(&t->table);
	buf_addf(ret, "%zu %s, %zu changed\n", t->machines,
		 t->machines == 1 ? "machine" : "machines", t->changed);
}
