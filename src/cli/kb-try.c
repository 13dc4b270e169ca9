#include "cli/kb-try.h"

#include <stdio.h>
#include <string.h>

#include "cli/pool.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "fleet/snapshots.h"
#include "lab/trial.h"

#define AT_A_TIME 64 /* snapshots of one process */

struct tried {
	struct trial trial;
	struct arena arena;
	const char **paths;
	size_t count;
	int status; /* of the first that failed */
	struct progress_line progress;
};

static int add_path(void *ctx, const char *path)
{
	struct tried *t = ctx;

	t->paths = arena_grow(&t->arena, t->paths, t->count, sizeof(*t->paths));
	t->paths[t->count++] = arena_text(&t->arena, span_of(path));
	return 0;
}

static int list_paths(const struct options *o, struct tried *t, struct buf *said)
{
	int status = 0;

	if (o->context.from)
		status = snapshots_each(o->context.from, add_path, t, said);
	for (int i = 2; status == 0 && i < o->word_count; i++)
		status = snapshots_each(o->words[i], add_path, t, said);
	return status;
}

/* ---- in a process of its own ---- */

static void try_part(void *ctx, size_t part, struct buf *ret)
{
	struct tried *t = ctx;
	size_t first = 1 + part * AT_A_TIME;
	int status = 0;

	for (size_t i = first; status == 0 && i < first + AT_A_TIME && i < t->count; i++)
		status = trial_of_machine(&t->trial, t->paths[i]);
	say_lines(t->trial.lab->said);
	if (status == 0)
		status = say_unread_tables();
	buf_add(ret, &status, sizeof(status));
	buf_span(ret, buf_get(&t->trial.rows));
	buf_clear(&t->trial.rows); /* where there are no processes, of the next part */
	buf_clear(t->trial.lab->said);
}

/* ---- here ---- */

static void take_part(void *ctx, size_t part, struct span answer, bool whole)
{
	struct tried *t = ctx;
	size_t done = 1 + (part + 1) * AT_A_TIME;
	char text[64];

	if (t->status != 0)
		return;
	if (!whole || answer.len < sizeof(t->status)) {
		say("rocsteady died while it tried the snapshots");
		t->status = EXIT_OWN_FAULT;
		return;
	}
	memcpy(&t->status, answer.data, sizeof(t->status));
	trial_take(&t->trial, (struct span){ answer.data + sizeof(t->status),
					     answer.len - sizeof(t->status) });
	snprintf(text, sizeof(text), "%zu of %zu snapshots", done < t->count ? done : t->count,
		 t->count);
	progress_line_say(&t->progress, text);
}

/* The first machine here: what it has prepared is there for every process that takes the others. */
static int try_all(struct tried *t)
{
	struct pool pool = { .ctx = t, .work = try_part, .done = take_part, .in_order = true };
	int status = trial_of_machine(&t->trial, t->count > 0 ? t->paths[0] : NULL);
	int r = 0;

	trial_take(&t->trial, buf_get(&t->trial.rows));
	buf_clear(&t->trial.rows);
	say_lines(t->trial.lab->said);
	buf_clear(t->trial.lab->said);
	if (status != 0)
		return status;
	if (t->count > 1)
		pool.count = (t->count - 1 + AT_A_TIME - 1) / AT_A_TIME;
	r = pool_run(&pool);
	if (r < 0)
		say("no process could be started: %s", strerror(-r));
	return r < 0 ? EXIT_OWN_FAULT : t->status;
}

int kb_try_run(const struct options *o, struct span db)
{
	struct buf text BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct lab lab = { .said = &said };
	struct tried t = { .trial = { .db = db, .kb = o->context.kb, .lab = &lab } };
	int status = trial_begin(&t.trial);

	if (status == 0)
		status = list_paths(o, &t, &said);
	if (status == 0) {
		progress_line_start(&t.progress);
		status = try_all(&t);
		progress_line_end(&t.progress);
	}
	say_lines(&said);
	trial_end(&t.trial, say_width(), &text);
	arena_done(&t.arena);
	if (status == 0)
		status = say_answer(o->output, buf_get(&text));
	return status == 0 && t.trial.changed > 0 ? EXIT_CHANGED : status;
}
