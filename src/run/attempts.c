#include "run/attempts.h"

#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/text.h"
#include "run/settings.h"

static void tell(const struct attempts *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void tell(const struct attempts *a, const char *format, ...)
{
	struct buf line BUF_SCOPED = { 0 };
	va_list args;

	va_start(args, format);
	buf_addv(&line, format, args);
	va_end(args);
	a->say(line.data);
}

/* ---- the order ---- */

/* The command, from the second attempt on with the words of --resume. */
static char *const *arguments_of(struct attempts *a, char **resume, size_t count)
{
	const struct run_options *o = a->options;
	char **list = arena_alloc(&a->arena, (o->word_count + count + 1) * sizeof(*list));

	memcpy(list, o->words, o->word_count * sizeof(*list));
	for (size_t i = 0; i < count; i++)
		list[o->word_count + i] = resume[i];
	return list;
}

/* A job with few descriptors or little memory left is still the job: its status is its own. */
static void tell_bare(void *ctx, int error)
{
	tell(ctx, "the job runs without rocsteady, which has no room beside it: %s",
	     strerror(-error));
}

static struct run_order first_order(struct attempts *a)
{
	const struct run_options *o = a->options;
	bool looks = o->heal && a->preflight.context.machine.facts && !o->context.from;

	return (struct run_order){ .arguments = arguments_of(a, NULL, 0),
				   .directory = a->dir.named,
				   .own_directory = a->dir.own.len ? a->dir.own.data : NULL,
				   .kb = o->context.kb,
				   .facts = a->preflight.context.machine.facts,
				   .preflight = buf_get(&a->preflight.record),
				   .leave = o->leave,
				   .survive = o->survive,
				   .on_hang = o->on_hang,
				   .hang_after_ms = o->hang_after_ms,
				   .heal = o->heal,
				   .allow_cpu = o->allow_cpu,
				   .attempt = 1,
				   .attempts = o->heal ? o->attempts : 0,
				   .settings = a->settings,
				   .setting_count = a->setting_count,
				   .look_again = looks ? preflight_again : NULL,
				   .look_again_ctx = &a->preflight,
				   .bare = tell_bare,
				   .bare_ctx = a };
}

/* A variable has one setting: a later one takes the place of an earlier. */
static void add_setting(struct attempts *a, const struct workaround *w)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->setting_count; i++)
		if (strcmp(a->settings[i].name, w->name) != 0)
			a->settings[kept++] = a->settings[i];
	a->settings = arena_grow(&a->arena, a->settings, kept, sizeof(*a->settings));
	a->settings[kept++] = *w;
	a->setting_count = kept;
	settings_put(a->preflight.context.machine.facts, w);
}

static bool needs_hook(const struct retry_plan *p)
{
	for (size_t i = 0; i < p->change_count; i++)
		if (p->changes[i].value && strcmp(p->changes[i].name, SETTINGS_FRACTION) == 0)
			return true;
	return false;
}

/* ---- the next one ---- */

static bool prepare(struct attempts *a, const struct retry_plan *p, struct run_order *order)
{
	const char *resume = a->options->resume;
	char **words = NULL;
	size_t count = 0;
	int r = needs_hook(p) ? settings_write_hook(p->directory) : 0;

	if (r < 0) {
		tell(a, "cannot write the Python settings file in %s: %s", p->directory,
		     strerror(-r));
		return false;
	}
	retry_words(span_of(resume ? resume : ""), &a->arena, &words, &count);
	order->arguments = arguments_of(a, words, count);
	order->resume = resume;
	order->attempt++;
	for (size_t i = 0; i < p->change_count; i++) {
		const struct workaround *w = &p->changes[i];

		add_setting(a, w);
		if (w->value)
			tell(a, "attempt %u with %s=%s: %s; source: %s", order->attempt, w->name,
			     w->value, w->says, w->source);
		else
			tell(a, "attempt %u without %s: %s; source: %s", order->attempt, w->name,
			     w->says, w->source);
	}
	if (p->change_count == 0)
		tell(a, "attempt %u%s, nothing changed", order->attempt,
		     resume ? " from the last checkpoint (--resume)" : "");
	order->settings = a->settings;
	order->setting_count = a->setting_count;
	order->setting_new = p->change_count;
	order->why_cause = p->cause[0] ? p->cause : "-";
	order->why_title = p->cause[0] ? p->title : a->end.hung ? "it hung and was stopped" : "";
	order->before = &p->place;
	order->preflight = (struct span){ 0 };
	if (p->directory[0])
		order->directory = p->directory;
	return true;
}

/* The watcher is gone without a verdict or a plan: print why the failure is not explained. */
static void tell_unwatched(const struct attempts *a)
{
	const struct run_end *end = &a->end;
	const char *why =
		end->late ? "the watcher process was too late" : "the watcher process died";
	const char *rest = a->options->heal ? "neither explained nor retried" : "not explained";

	if (end->exec_error || end->verdict.len > 0 || end->plan.len > 0 || end->status == 0)
		return;
	if (WIFSIGNALED(end->status))
		tell(a, "killed by signal %d; %s, so the failure is %s", WTERMSIG(end->status), why,
		     rest);
	else
		tell(a, "the job failed with exit code %d; %s, so the failure is %s",
		     WEXITSTATUS(end->status), why, rest);
}

static void tell_done(const struct attempts *a, unsigned int attempt, uint64_t ms)
{
	struct buf text BUF_SCOPED = { 0 };
	unsigned long long s = (ms + 500) / 1000;

	if (s < 600)
		buf_addf(&text, "%llu s", s);
	else if (s < 36000)
		buf_addf(&text, "%llu min", s / 60);
	else
		buf_addf(&text, "%llu h", s / 3600);
	if (a->directory) {
		buf_text(&text, "; see: rocsteady run --report ");
		text_shell(&text, span_of(a->directory));
	}
	tell(a, "done in %u attempts, %s", attempt, text.data);
}

void attempts_run(struct attempts *a)
{
	struct retry_plan *plan = arena_alloc(&a->arena, a->options->attempts * sizeof(*plan));
	uint64_t start = clock_ms();
	struct run_order order;

	for (size_t i = 0; i < a->preflight.setting_count; i++) {
		a->settings =
			arena_grow(&a->arena, a->settings, a->setting_count, sizeof(*a->settings));
		a->settings[a->setting_count++] = a->preflight.settings[i];
	}
	order = first_order(a);
	for (;; plan++) {
		struct span rest, line;
		bool told, again;

		run_job(&order, &a->end);
		rest = buf_get(&a->end.verdict);
		while (!a->end.exec_error && span_line(&rest, &line))
			tell(a, "%.*s", (int)line.len, line.data);
		tell_unwatched(a);
		told = retry_read(buf_get(&a->end.plan), &a->arena, plan);
		if (told && plan->directory[0])
			a->directory = plan->directory;
		again = told && plan->outcome == RETRY_AGAIN && !a->end.stopped && !a->end.held;
		if (!again || !prepare(a, plan, &order))
			break;
		buf_done(&a->end.verdict);
		buf_done(&a->end.plan);
	}
	if (order.attempt > 1 && a->end.status == 0 && !a->end.exec_error && !a->end.hung)
		tell_done(a, order.attempt, clock_ms() - start);
}

void attempts_done(struct attempts *a)
{
	preflight_done(&a->preflight);
	run_dir_done(&a->dir);
	buf_done(&a->end.verdict);
	buf_done(&a->end.plan);
	arena_done(&a->arena);
}
