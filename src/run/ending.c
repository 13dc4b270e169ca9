#include "run/ending.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/fd.h"
#include "base/text.h"
#include "diagnose/steps.h"

#define CAUSES_MAX 3
#define BELIEF_MIN 0.2 /* a cause that is believed in less is not acted upon */
#define REASONS    2   /* of the first cause, the strongest */
#define HELPS_MAX  3

/* ---- how it ended ---- */

static bool is_well(const struct shared_memory *s)
{
	return s->status == 0 && !s->exec_error;
}

/* Signals by which people and schedulers end a job, and how shells tell of them. */
static bool is_stopped(const struct shared_memory *s)
{
	static const int by_hand[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof(by_hand) / sizeof(by_hand[0]); i++)
		if ((WIFSIGNALED(s->status) && WTERMSIG(s->status) == by_hand[i]) ||
		    (WIFEXITED(s->status) && WEXITSTATUS(s->status) == 128 + by_hand[i]))
			return true;
	return s->exec_error != 0;
}

/* ---- what can be done ---- */

static struct retry_place place_of(const struct evidence *e)
{
	static const struct progress unknown = { 0 };
	const struct progress *p = e->progress ? e->progress : &unknown;

	if (e->first_signature)
		p = &e->first_progress;
	return (struct retry_place){ .signature = e->first_signature ? e->first_signature : "",
				     .line = e->first_line,
				     .epoch = p->known & PROGRESS_EPOCH ? p->epoch : -1,
				     .batch = p->known & PROGRESS_BATCH ? p->batch : -1,
				     .step = p->known & PROGRESS_STEP ? p->step : -1 };
}

static const char *title_of(const struct ending *v, const char *cause)
{
	for (size_t i = 0; v->explained && i < v->why.spoken; i++)
		if (strcmp(v->why.causes[i].cause, cause) == 0)
			return v->why.causes[i].title;
	return "";
}

static const char *name_changes(struct arena *a, const struct workaround *list, size_t count)
{
	struct buf text BUF_SCOPED = { 0 };

	for (size_t i = 0; i < count; i++) {
		buf_text(&text, i > 0 ? ", " : "");
		if (list[i].value)
			buf_addf(&text, "%s=%s", list[i].name, list[i].value);
		else
			buf_addf(&text, "%s unset", list[i].name);
	}
	return arena_text(a, buf_get(&text));
}

static const char *say_outcome(struct arena *a, const struct retry_plan *p,
			       const struct run_order *order, const struct retry_view *v)
{
	const char *changes = p->change_count > 0 ? name_changes(a, p->changes, p->change_count)
						  : "nothing changed";

	switch (p->outcome) {
	case RETRY_HEALED:
		return arena_format(a, "attempt %u succeeded", order->attempt);
	case RETRY_AGAIN:
		return arena_format(a, "attempt %u follows with %s", order->attempt + 1, changes);
	case RETRY_SAME_PLACE:
		return "the same failure at the same place: the change did not help";
	case RETRY_NO_WORKAROUND:
		return v->place.signature[0]
			       ? "no known setting helps against this failure here"
			       : "the failure is not recognised, so there is nothing to change";
	case RETRY_LAST:
		return arena_format(a, "not tried: %s (--attempts %u)", changes,
				    order->attempt + 1);
	default:
		return v->succeeded ? "succeeded" : "ended";
	}
}

static void decide(struct ending *v, const struct evidence *e, const struct run_order *order,
		   const struct shared_memory *s)
{
	bool hung = atomic_load(&s->hung), retry = hung && order->on_hang == RUN_HANG_RETRY;
	bool asked = atomic_load(&s->asked);
	/* A job that was ended may say that it has saved, by a status of 0, but not that it is done. */
	struct retry_view view = { .heals = order->heal,
				   .allow_cpu = order->allow_cpu,
				   .succeeded = is_well(s) && !hung,
				   .stopped = asked || (!retry && (hung || is_stopped(s))),
				   .hung = retry,
				   .attempt = order->attempt,
				   .attempts = order->attempts,
				   .place = place_of(e),
				   .before = order->before,
				   .workarounds = &v->workarounds,
				   .settings = order->settings,
				   .setting_count = order->setting_count };
	struct retry_step step = retry_decide(&view);
	struct retry_plan *p = &v->plan;

	*p = (struct retry_plan){ .outcome = step.outcome,
				  .directory = e->directory.len ? e->directory.data : "",
				  .cause = "",
				  .title = "",
				  .place = view.place,
				  .changes = step.count ? &v->workarounds.list[step.first] : NULL,
				  .change_count = step.count };
	if (step.count > 0)
		p->cause = p->changes[0].cause;
	else if (v->explained && v->why.spoken > 0)
		p->cause = v->why.causes[0].cause;
	/* The title is the first failure's: the cause's own title may name another reason. */
	p->title = step.count > 0 && e->first.len ? arena_text(&v->arena, buf_get(&e->first))
						  : title_of(v, p->cause);
	p->says = say_outcome(&v->arena, p, order, &view);
}

/* ---- what helps ---- */

static bool is_decided(const struct explanation *e)
{
	return e->spoken > 0 && e->word >= BELIEF_LIKELY;
}

static const struct workaround *workaround_of(const struct ending *v, const char *remedy)
{
	for (size_t i = 0; i < v->workarounds.count; i++)
		if (strcmp(v->workarounds.list[i].remedy, remedy) == 0)
			return &v->workarounds.list[i];
	return NULL;
}

enum help {
	HELP_WORKAROUND, /* the job can be tried with it */
	HELP_REMEDY,
	HELP_CPU, /* last: it gives the GPU up */
	HELPS,
};

static enum help help_of(const struct workaround *w)
{
	if (!w)
		return HELP_REMEDY;
	return strcmp(w->costs, "cpu") == 0 ? HELP_CPU : HELP_WORKAROUND;
}

/* A workaround that was not allowed; what check would find; or the words. */
static const char *go_on(struct ending *v, const struct run_order *order,
			 const struct explain_cause *c, const char *remedy)
{
	const struct workaround *w = workaround_of(v, remedy);

	if (w)
		return arena_format(&v->arena, "rocsteady run --heal --attempts %u%s -- ...",
				    (order->attempt ? order->attempt : 1) + 1,
				    help_of(w) == HELP_CPU ? " --allow-cpu" : "");
	return arena_format(&v->arena, "rocsteady %s %s", c->found ? "fix" : "kb show", remedy);
}

static bool was_tried(const struct run_order *order, const char *remedy)
{
	for (size_t i = 0; i < order->setting_count; i++)
		if (strcmp(order->settings[i].remedy, remedy) == 0)
			return true;
	return false;
}

/* Workarounds are told also of a cause that is not decided, remedies only of one that is. */
static void write_helps(struct ending *v, const struct run_order *order, enum shell shell)
{
	size_t told = 0, sure = is_decided(&v->why) ? 1 : 0;

	for (enum help kind = 0; kind < HELPS; kind++)
		for (size_t k = 0;
		     k < (kind == HELP_REMEDY ? sure : v->why.spoken) && k < CAUSES_MAX; k++) {
			const struct explain_cause *c = &v->why.causes[k];

			for (size_t i = 0; i < c->remedy_count && told < HELPS_MAX; i++) {
				const struct remedy *r = c->remedies[i];
				const struct workaround *w = workaround_of(v, r->id);

				if (was_tried(order, r->id) || help_of(w) != kind ||
				    (w && strcmp(w->cause, c->cause) != 0)) /* told there */
					continue;
				retry_write_help(&v->helps, c->cause, r->id,
						 go_on(v, order, c, r->id), r->title);
				retry_write_steps(&v->helps, steps_of(&v->arena, r, shell));
				told++;
			}
		}
}

static void write_step(struct ending *v, const char *name, const char *step, const char *commands)
{
	retry_write_help(&v->helps, "run", name, "-", step);
	retry_write_steps(&v->helps, commands);
}

/* These steps need none of the job's output: they come from the end, a hang, memory, the loss. */
static void write_night_helps(struct ending *v, const struct evidence *e)
{
	const struct night *n = &v->night;

	if (n->ending.name)
		write_step(v, n->ending.name, n->ending.step, n->ending.commands);
	if (e->hang_step.len > 0)
		write_step(v, "hang", e->hang_step.data,
			   e->hang_commands.len ? e->hang_commands.data : "");
	for (size_t i = 0; i < n->note_count; i++)
		if (n->notes[i].step[0])
			write_step(v, n->notes[i].name, n->notes[i].step, n->notes[i].commands);
}

/* The journal holds it all: nothing of it is kept in memory while the job runs. */
static void look_back(struct ending *v, const struct evidence *e, const struct shared_memory *s,
		      bool failed)
{
	int signal = WIFSIGNALED(s->status) ? WTERMSIG(s->status)
		     : WIFEXITED(s->status) && WEXITSTATUS(s->status) > 128
			     ? WEXITSTATUS(s->status) - 128
			     : 0;
	struct night_end end = { .signal = signal,
				 .failed = failed,
				 .hung = atomic_load(&s->hung),
				 .explained = v->explained && v->why.word >= BELIEF_LIKELY };
	struct buf bytes BUF_SCOPED = { 0 };
	struct story story = { 0 };

	if (run_journal_read(&e->journal, &bytes) == 0 &&
	    story_read(&story, buf_get(&bytes)) == 0) {
		story_sort(&story);
		night_of(&story, &end, &v->arena, &v->night);
	}
	story_done(&story);
}

/* ---- in words ---- */

static void add_line(struct buf *text, const char *certainty, const char *says)
{
	if (certainty[0] && strcmp(certainty, "-") != 0)
		buf_addf(text, "%s: ", certainty);
	buf_addf(text, "%s\n", says);
}

static void end_line(struct buf *text)
{
	if (text->len > 0 && text->data[text->len - 1] != '\n')
		buf_char(text, '\n');
}

/* The first one that there is: of the end, of a hang, of what else is known. */
static void find_step(const struct ending *v, const struct evidence *e, const char **ret_step,
		      const char **ret_commands)
{
	const struct night *n = &v->night;
	const struct night_line *line = n->ending.name ? &n->ending : NULL;

	for (size_t i = 0; i < n->note_count && !line && e->hang_step.len == 0; i++)
		line = n->notes[i].step[0] ? &n->notes[i] : NULL;
	if (line) {
		*ret_step = line->step;
		*ret_commands = line->commands;
	} else if (e->hang_step.len > 0) {
		*ret_step = e->hang_step.data;
		*ret_commands = e->hang_commands.len ? e->hang_commands.data : "";
	}
}

/* Adds the progress, what ended the job, and the other notes of its journal. */
static void add_night(struct ending *v, const struct evidence *e)
{
	const struct night *n = &v->night;
	const char *step = "", *commands = "";

	find_step(v, e, &step, &commands);
	if (!(n->reached && n->reached[0]) && !n->ending.name && n->note_count == 0 && !step[0])
		return;
	end_line(&v->text);
	if (n->reached && n->reached[0])
		buf_addf(&v->text, "it had reached %s\n", n->reached);
	if (n->ending.name)
		add_line(&v->text, n->ending.certainty, n->ending.says);
	for (size_t i = 0; i < n->note_count; i++)
		add_line(&v->text, "", n->notes[i].says);
	if (!step[0] || (v->explained && is_decided(&v->why)))
		return;
	buf_addf(&v->text, "do this: %s%s", step, commands[0] ? ":" : "");
	for (struct span rest = span_of(commands), line; span_line(&rest, &line);)
		buf_addf(&v->text, " %.*s;", (int)span_trim(line).len, span_trim(line).data);
	if (commands[0])
		v->text.len--;
	buf_char(&v->text, '\n');
}

static void add_cause(struct buf *text, const struct explanation *e)
{
	const struct explain_cause *c = e->causes;

	if (!is_decided(e)) {
		buf_text(text, "Cause unclear");
		for (size_t i = 0; i < e->spoken && i < 2 && e->basis == EXPLAIN_BY_LINES; i++)
			buf_addf(text, "%s %s (%s)", i > 0 ? " or" : ": most likely", c[i].title,
				 c[i].cause);
		buf_char(text, '\n');
		return;
	}
	buf_addf(text, "%s: %s (%s)", belief_name(e->word), explain_title(e), explain_name(e));
	for (size_t i = 0; i < c->sign_count && i < REASONS; i++)
		if (c->signs[i].counted > 0)
			buf_addf(text, "%s %s", i > 0 ? ";" : ":", c->signs[i].says);
	buf_char(text, '\n');
}

static void write_text(struct ending *v, const struct evidence *e, const struct run_order *order,
		       const struct shared_memory *s, struct scanner *scanner)
{
	struct buf *text = &v->text;
	int signal = WIFSIGNALED(s->status) ? WTERMSIG(s->status) : 0;
	const char *name = signal ? sigabbrev_np(signal) : NULL;

	if (name)
		buf_addf(text, "killed by SIG%s", name);
	else if (signal) /* those of real time have no names */
		buf_addf(text, "killed by signal %d", signal);
	else
		buf_addf(text, "the job failed with exit code %d", WEXITSTATUS(s->status));
	if (v->explained) {
		buf_addf(text, "; first failure: %s\n", e->first.data);
		add_cause(text, &v->why);
	} else if (e->heard.len) {
		buf_addf(text, "; the kernel says: %s", e->heard.data);
	} else if (!scanner) {
		buf_text(text, "; its output was not scanned: the knowledge base cannot be read");
	} else if (!is_stopped(s) && scanner_unknown(scanner) && !v->night.ending.name) {
		const struct failure *f = scanner_unknown(scanner);

		buf_addf(text, "; not recognised. The last error is %s:%llu: %s\n%s\n", f->file,
			 (unsigned long long)f->last.line, f->last.text, f->says);
	} else if (!is_stopped(s)) {
		unsigned long long lines = (unsigned long long)scanner_lines(scanner);

		if (lines == 0)
			buf_text(text, " with no output");
		else
			buf_addf(text, "; no known error in its %llu line%s", lines,
				 lines == 1 ? "" : "s");
		if (signal == SIGKILL && !v->night.ending.name)
			buf_text(text, "; usually the kernel's OOM killer: sudo dmesg");
	}
	if (v->explained && order->heal && v->plan.outcome != RETRY_ENDED &&
	    v->plan.outcome != RETRY_AGAIN) /* the next attempt tells it better */
		buf_addf(text, "%s\n", v->plan.says);
	add_night(v, e);
	if (v->plan.outcome == RETRY_AGAIN)
		return;
	if (e->directory.len) {
		buf_text(text, text->data[text->len - 1] == '\n' ? "" : "; ");
		buf_text(text, "see: rocsteady run --report ");
		text_shell(text, buf_get(&e->directory));
	}
	if (v->explained && is_decided(&v->why))
		buf_addf(text, "%srocsteady kb show %s",
			 e->directory.len ? "; how to fix it: " : "how to fix it: ",
			 v->why.causes[0].cause);
}

void ending_make(struct ending *v, const struct evidence *e, const struct run_order *order,
		 const struct shared_memory *s, struct scanner *scanner)
{
	bool failed = !is_well(s) && !s->exec_error;
	const char *causes[CAUSES_MAX];
	size_t count = 0;

	*v = (struct ending){ 0 };
	v->explained =
		failed && e->first.len > 0 && scanner && scanner_explain(scanner, &v->why) == 0;
	/* Without --heal these workarounds are for the report only. */
	for (size_t i = 0; v->explained && i < v->why.spoken && count < CAUSES_MAX; i++)
		if (v->why.causes[i].belief >= BELIEF_MIN)
			causes[count++] = v->why.causes[i].cause;
	if (v->explained &&
	    workarounds_find(scanner_db(scanner), causes, count, &v->arena, &v->workarounds) < 0)
		v->workarounds = (struct workarounds){ 0 };
	decide(v, e, order, s);
	if (!s->exec_error)
		look_back(v, e, s, failed);
	if (v->plan.outcome != RETRY_AGAIN)
		write_night_helps(v, e);
	if (v->explained && v->plan.outcome != RETRY_AGAIN)
		write_helps(v, order, steps_stated(scanner_db(scanner)));
	if (failed)
		write_text(v, e, order, s, scanner);
	else if (v->night.note_count > 0)
		add_line(&v->text, "", v->night.notes[0].says);
}

void ending_done(struct ending *v)
{
	if (v->explained)
		explain_done(&v->why);
	arena_done(&v->arena);
	buf_done(&v->text);
	buf_done(&v->helps);
}
