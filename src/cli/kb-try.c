#include "cli/kb-try.h"

#include "cli/progress-line.h"
#include "cli/say.h"
#include "fleet/snapshots.h"
#include "lab/trial.h"

static void tell_step(void *progress, const char *what)
{
	progress_line_step(progress, what);
}

static int try_all(const struct options *o, struct trial *t)
{
	struct buf *said = t->lab->said;
	int status = 0;

	if (o->context.from)
		status = snapshots_each(o->context.from, trial_of_machine, t, said);
	for (int i = 2; status == 0 && i < o->word_count; i++)
		status = snapshots_each(o->words[i], trial_of_machine, t, said);
	if (status == 0 && t->machines == 0)
		status = trial_of_machine(t, NULL);
	return status;
}

int kb_try_run(const struct options *o, struct span db)
{
	struct buf text BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct progress_line progress;
	struct lab lab = { tell_step, &progress, &said };
	struct trial t = { .db = db, .kb = o->context.kb, .lab = &lab };
	int status;

	trial_begin(&t);
	progress_line_start(&progress);
	status = try_all(o, &t);
	progress_line_end(&progress);
	say_lines(&said);
	trial_end(&t, say_width(), &text);
	if (status == 0)
		status = say_answer(o->output, buf_get(&text));
	return status == 0 && t.changed > 0 ? EXIT_CHANGED : status;
}
