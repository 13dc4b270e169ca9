#include "cli/attempts.h"

#include <string.h>
#include <sys/wait.h>

#include "base/text.h"
#include "cli/say.h"
#include "run/settings.h"
#include "run/share.h"

#define SETTINGS_MAX 256

/* ---- the order ---- */

/* The command, from the second attempt on with the words of --resume. */
static char *const *arguments_of(struct attempts *a, char **resume, size_t count)
{
	const struct options *o = a->options;
	char **list = arena_alloc(&a->arena, ((size_t)o->word_count + count + 1) * sizeof(*list));

	memcpy(list, o->words, (size_t)o->word_count * sizeof(*list));
	for (size_t i = 0; i < count; i++)
		list[(size_t)o->word_count + i] = resume[i];
	return list;
}

static struct run_order first_order(struct attempts *a)
{
	const struct options *o = a->options;
	bool looks = o->heal && a->preflight.desk.machine.facts && !o->from;

	return (struct run_order){ .arguments = arguments_of(a, NULL, 0),
				   .directory = o->dir,
				   .kb = o->kb,
				   .facts = a->preflight.desk.machine.facts,
				   .preflight = buf_get(&a->preflight.record),
				   .leave = o->leave,
				   .survive = o->survive,
				   .on_hang = a->on_hang,
				   .hang_after_ms = a->hang_after_ms,
				   .heal = o->heal,
				   .allow_cpu = o->allow_cpu,
				   .attempt = 1,
				   .attempts = o->heal ? a->most : 0,
				   .settings = a->settings,
				   .setting_count = a->setting_count,
				   .look_again = looks ? preflight_again : NULL,
				   .look_again_ctx = &a->preflight };
}

/* A variable has one setting: a later one takes the place of an earlier. */
static void add_setting(struct attempts *a, const struct lever *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->setting_count; i++)
		if (strcmp(a->settings[i].name, l->name) != 0)
			a->settings[kept++] = a->settings[i];
	if (kept < SETTINGS_MAX)
		a->settings[kept++] = *l;
	a->setting_count = kept;
	settings_put(a->preflight.desk.machine.facts, l);
}

static void say_change(unsigned int attempt, const struct lever *l)
{
	if (l->value)
		say("attempt %u with %s=%s: %s; source: %s", attempt, l->name, l->value, l->says,
		    l->source);
	else
		say("attempt %u without %s: %s; source: %s", attempt, l->name, l->says, l->source);
}

static bool needs_hook(const struct ladder_plan *p)
{
	for (size_t i = 0; i < p->change_count; i++)
		if (p->changes[i].value && strcmp(p->changes[i].name, SETTINGS_FRACTION) == 0)
			return true;
	return false;
}

/* ---- the next one ---- */

static bool prepare(struct attempts *a, const struct ladder_plan *p, struct run_order *order)
{
	const char *resume = a->options->resume;
	char **words = NULL;
	size_t count = 0;
	int r = needs_hook(p) ? settings_write_hook(p->directory) : 0;

	if (r < 0) {
		say("the file for Python cannot be written in %s: %s", p->directory, strerror(-r));
		return false;
	}
	ladder_words(span_of(resume ? resume : ""), &a->arena, &words, &count);
	order->arguments = arguments_of(a, words, count);
	order->resume = resume;
	order->attempt++;
	for (size_t i = 0; i < p->change_count; i++) {
		add_setting(a, &p->changes[i]);
		say_change(order->attempt, &p->changes[i]);
	}
	if (p->change_count == 0)
		say("attempt %u%s, nothing changed", order->attempt,
		    resume ? " from the last checkpoint (--resume)" : "");
	order->settings = a->settings;
	order->setting_count = a->setting_count;
	order->setting_new = p->change_count;
	order->why_cause = p->cause[0] ? p->cause : "-";
	order->why_title = p->cause[0] ? p->title : a->end.hung ? "it hung and was ended" : "";
	order->before = &p->place;
	order->preflight = (struct span){ 0 };
	if (p->directory[0])
		order->directory = p->directory;
	return true;
}

static void say_verdict(const struct run_end *end)
{
	struct span rest = buf_get(&end->verdict), line;

	while (!end->exec_error && span_line(&rest, &line))
		say("%.*s", (int)line.len, line.data);
}

/* Whoever explains and plans has left no word. */
static void say_unwatched(const struct run_end *end, bool heals)
{
	const char *rest =
		heals ? "the watcher was lost, so it is neither explained nor tried again"
		      : "the watcher was lost, so it is not explained";

	if (end->exec_error || end->verdict.len > 0 || end->plan.len > 0 || end->status == 0)
		return;
	if (WIFSIGNALED(end->status))
		say("the job died of signal %d; %s", WTERMSIG(end->status), rest);
	else
		say("the job failed with status %d; %s", WEXITSTATUS(end->status), rest);
}

static void say_time(struct buf *out, uint64_t ms)
{
	unsigned long long s = (ms + 500) / 1000;

	if (s < 600)
		buf_addf(out, "%llu s", s);
	else if (s < 36000)
		buf_addf(out, "%llu min", s / 60);
	else
		buf_addf(out, "%llu h", s / 3600);
}

static void say_done(unsigned int attempt, uint64_t ms, const char *directory)
{
	struct buf text BUF_SCOPED = { 0 };

	say_time(&text, ms);
	if (directory) {
		buf_text(&text, "; see: rocsteady run --report ");
		text_shell(&text, span_of(directory));
	}
	say("done in %u attempts, %s", attempt, text.data);
}

int attempts_run(struct attempts *a)
{
	struct ladder_plan *plan = arena_alloc(&a->arena, a->most * sizeof(*plan));
	uint64_t start = share_clock();
	struct run_order order;
	int r;

	a->settings = arena_alloc(&a->arena, SETTINGS_MAX * sizeof(*a->settings));
	for (size_t i = 0; i < a->preflight.setting_count && i < SETTINGS_MAX; i++)
		a->settings[a->setting_count++] = a->preflight.settings[i];
	order = first_order(a);
	for (;; plan++) {
		bool told, again;

		r = run_job(&order, &a->end);
		if (r < 0) {
			say("the job was not started: %s", strerror(-r));
			return r;
		}
		say_verdict(&a->end);
		say_unwatched(&a->end, a->options->heal);
		told = ladder_read(buf_get(&a->end.plan), &a->arena, plan);
		if (told && plan->directory[0])
			a->directory = plan->directory;
		again = told && plan->outcome == LADDER_AGAIN && !a->end.stopped && !a->end.held;
		if (!again || !prepare(a, plan, &order))
			break;
		buf_done(&a->end.verdict);
		buf_done(&a->end.plan);
	}
	if (order.attempt > 1 && a->end.status == 0 && !a->end.exec_error && !a->end.hung)
		say_done(order.attempt, share_clock() - start, a->directory);
	return 0;
}

void attempts_done(struct attempts *a)
{
	preflight_done(&a->preflight);
	buf_done(&a->end.verdict);
	buf_done(&a->end.plan);
	arena_done(&a->arena);
}
