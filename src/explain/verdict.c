#include "explain/verdict.h"

#include <string.h>

#include "explain/belief.h"
#include "explain/component.h"

static bool speaks_at(const struct explain_cause *c, const char *source)
{
	for (size_t i = 0; i < c->line_count; i++)
		if (c->lines[i].counted > 0 && strcmp(c->lines[i].source, source) == 0)
			return true;
	return false;
}

/* Whether the line that tells what happened speaks for a cause, or a known failure does. */
static bool is_explained(const struct explanation *e)
{
	const struct explain_event *first = e->first;

	if (!first || strcmp(first->kind, "warning") != 0)
		return true;
	for (size_t i = 0; i < e->spoken; i++)
		if (speaks_at(&e->causes[i], first->source))
			return true;
	return false;
}

/* Output of a tool is judged by the rules of `check`, and shows no work. */
static bool has_pasted(const struct explanation *e)
{
	for (size_t i = 0; i < e->fact_count; i++)
		if (strcmp(e->facts[i].name, "shown") == 0)
			return true;
	return false;
}

/* By more than what it tells of the machine. */
static bool is_known(const struct explanation *e, const struct failure_line *line)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (e->events[i].line == (long long)line->line &&
		    strcmp(e->events[i].kind, "context") != 0)
			return true;
	return false;
}

/* All that looks like an error are known warnings, which the machine shows to be idle. */
static bool is_idle(const struct explanation *e)
{
	const struct failure *f = e->failure;

	return e->is_contradicted && f->counts &&
	       (!e->first || strcmp(e->first->kind, "warning") == 0) &&
	       f->end < FAILURE_END_TRACEBACK && is_known(e, &f->first) && is_known(e, &f->last);
}

/*
 * A failure of which nothing is known is not recognised, and never fine. Where
 * what the text says of the machine is itself a likely cause, that one is named.
 */
void verdict_own_up(const struct belief_rules *rules, struct explanation *e)
{
	const struct failure *f = e->failure;
	bool failed = f && (f->counts || f->unread || f->end >= FAILURE_END_TRACEBACK);
	bool bare = f && !failed && f->is_bare && !has_pasted(e);
	bool heard = e->spoken > 0 && (e->first || belief_is_heard(e));
	bool named = e->word == EXPLAIN_UNDECIDED && heard && is_explained(e);
	bool suspected =
		e->spoken > 0 && ((bare && heard) || e->causes[0].belief >= rules->decided);

	if (f && is_idle(e)) {
		e->word = EXPLAIN_NOTHING;
		return;
	}
	if (bare && e->spoken == 0 && !f->is_scrap)
		return;
	if (failed && f->counts && f->is_clear && !e->first) {
		e->word = EXPLAIN_NOT_RECOGNISED; /* whatever the machine shows, it is not this */
		return;
	}
	if ((failed || bare) && e->word < EXPLAIN_LIKELY && !named)
		e->word = suspected ? EXPLAIN_UNDECIDED : EXPLAIN_NOT_RECOGNISED;
}

/* What is known keeps its words, and gets the name of who printed it. */
static void tell_component(struct explanation *e, struct failure *told)
{
	if (told->counts && !e->failure->counts)
		e->word = EXPLAIN_NOT_RECOGNISED;
	if (e->word != EXPLAIN_NOT_RECOGNISED) {
		const char *component = told->component;

		*told = *e->failure;
		told->component = component;
	}
	e->failure = told;
}

/* Where an error comes from; the last line may be one without a mark of it. */
int verdict_name_component(struct explainer *x)
{
	struct explanation *e = x->e;
	const struct failure *f = e->failure;
	bool quiet =
		e->word == EXPLAIN_NOTHING && f && f->closing.text && !is_known(e, &f->closing);
	struct failure *told;
	int r;

	if (!f || (!f->counts && !quiet))
		return 0;
	told = arena_alloc(&e->arena, sizeof(*told));
	r = quiet ? component_of_closing(x->db, &e->arena, f, told)
		  : component_find(x->db, &e->arena, f, told);
	if (r > 0)
		tell_component(e, told);
	return r < 0 ? r : 0;
}
