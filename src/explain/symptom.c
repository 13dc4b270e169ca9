#include "explain/symptom.h"

#include <string.h>

/* A warning that speaks for no cause by more than this explains nothing that a person sees. */
#define WARNING_SAYS_NOTHING 2

static bool speaks(const struct explanation *e, const char *signature)
{
	for (size_t i = 0; i < e->cause_count; i++)
		for (size_t k = 0; k < e->causes[i].line_count; k++)
			if (e->causes[i].lines[k].weight > WARNING_SAYS_NOTHING &&
			    strcmp(e->causes[i].lines[k].id, signature) == 0)
				return true;
	return false;
}

/* A line of a program that is known says more than what a person sees. */
static bool has_known_line(const struct explanation *e)
{
	for (size_t i = 0; i < e->event_count; i++) {
		const struct explain_event *v = &e->events[i];

		if (strcmp(v->kind, "failure") == 0 ||
		    (strcmp(v->kind, "warning") == 0 && speaks(e, v->signature)))
			return true;
	}
	return false;
}

/* No program printed an error, and no cause is more than a guess. */
static bool is_all_that_is_known(const struct explanation *e)
{
	const struct failure *f = e->failure;

	return f && f->symptom && f->is_told && e->word <= EXPLAIN_UNDECIDED && !e->family &&
	       !has_known_line(e);
}

int symptom_find(struct explainer *x)
{
	const struct rules *rules = &x->rules->rules;
	struct explanation *e = x->e;
	size_t i = 0;
	struct explain_cause *c;

	if (!is_all_that_is_known(e))
		return 0;
	while (i < rules->count && strcmp(rules->causes[i].slug, e->failure->symptom) != 0)
		i++;
	if (i == rules->count)
		return 0; /* the knowledge in use is older than the program */
	c = arena_alloc(&e->arena, sizeof(*c));
	*c = explain_cause_of(&e->arena, &rules->causes[i], x->rules->counts_as[i]);
	c->remedies = NULL;
	c->remedy_count = 0;
	e->symptom = c;
	return explain_prescribe(x, &c, 1);
}
