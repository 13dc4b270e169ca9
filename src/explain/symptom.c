#include "explain/symptom.h"

#include <string.h>

extern const char data_symptom_lines[];

static bool speaks(const struct belief_rules *rules, const struct explanation *e,
		   const char *signature)
{
	for (size_t i = 0; i < e->cause_count; i++)
		for (size_t k = 0; k < e->causes[i].sign_count; k++)
			if (e->causes[i].signs[k].weight >= rules->warning_speaks &&
			    strcmp(e->causes[i].signs[k].id, signature) == 0)
				return true;
	return false;
}

/* The symptom that a program's line shows, and no more than that; empty: it says more. */
static struct span symptom_of_line(const char *signature)
{
	struct span rest = span_of(data_symptom_lines), line, name;

	while (span_line(&rest, &line))
		if (!span_starts(line, "#") && span_cut(&line, '\t', &name) &&
		    span_lists(line, signature))
			return name;
	return (struct span){ 0 };
}

/* A line of a program that is known says more than what a person sees. */
static bool has_known_line(const struct belief_rules *rules, const struct explanation *e)
{
	for (size_t i = 0; i < e->event_count; i++) {
		const struct explain_event *v = &e->events[i];

		if ((strcmp(v->kind, "failure") == 0 && symptom_of_line(v->signature).len == 0) ||
		    (strcmp(v->kind, "warning") == 0 && speaks(rules, e, v->signature)))
			return true;
	}
	return false;
}

static bool is_hint(const struct explanation *e, const char *id)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (strcmp(e->events[i].signature, id) == 0)
			return strcmp(e->events[i].kind, "hint") == 0;
	return false;
}

/* Two GPUs beside wrong output say where to look, and more than "the output is wrong" alone. */
static bool leads(const struct belief_rules *rules, const struct explanation *e)
{
	const struct explain_cause *c = e->causes;

	for (size_t i = 0; e->spoken > 0 && i < c->sign_count; i++) {
		const struct sign *l = &c->signs[i];

		if (l->counted >= rules->warning_speaks && !l->describes && !l->in_doubt &&
		    !l->is_unproven && (l->counted >= rules->hint_leads || !is_hint(e, l->id)))
			return true;
	}
	return false;
}

/* By a person, where no line is an error; by a program, where its first failure is no more than seen. */
static struct span symptom_of(const struct belief_rules *rules, struct explanation *e)
{
	const struct failure *f = e->failure;
	struct span shown = { 0 };

	if (!f || e->word > BELIEF_UNDECIDED || e->family || has_known_line(rules, e))
		return shown;
	if (e->first && strcmp(e->first->kind, "failure") == 0)
		shown = symptom_of_line(e->first->signature);
	e->is_symptom_of_line = shown.len > 0 && !(f->is_told && f->symptom);
	if (e->is_symptom_of_line)
		return shown;
	return f->is_told ? span_of(f->symptom) : (struct span){ 0 };
}

void symptom_find(struct explainer *x)
{
	const struct rules *rules = &x->rules->rules;
	struct explanation *e = x->e;
	struct span symptom = symptom_of(&x->rules->belief, e);
	size_t i = 0;
	struct explain_cause *c;

	if (symptom.len == 0)
		return;
	while (i < rules->count && !span_is(symptom, rules->causes[i].slug))
		i++;
	if (i == rules->count)
		return; /* the knowledge in use is older than the program */
	c = arena_alloc(&e->arena, sizeof(*c));
	*c = explain_cause_of(&e->arena, &rules->causes[i], x->rules->counts_as[i]);
	e->symptom = c;
	e->cause_leads = leads(&x->rules->belief, e);
}
