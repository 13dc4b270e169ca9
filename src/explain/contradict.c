#include "explain/contradict.h"

#include <string.h>

#define NAMED_LEAST 0.02 /* one that is believed less, although a line speaks for it */

/* What is seen on the machine, or rules it out by the text, and weighs most against it; or NULL. */
static const struct sign *find_against(const struct belief_rules *rules,
				       const struct explain_cause *c)
{
	const struct sign *most = NULL;

	for (size_t i = 0; i < c->sign_count; i++)
		if ((c->signs[i].seen || c->signs[i].counted <= rules->ruled_out) &&
		    c->signs[i].counted < (most ? most->counted : 0))
			most = &c->signs[i];
	return most;
}

/* A warning is shown to whoever has no failure: it says that it does not matter here, and why. */
static void say_against(struct explanation *e, const struct explain_cause *c,
			const struct sign *against)
{
	for (size_t i = 0; i < e->event_count; i++) {
		struct explain_event *v = &e->events[i];

		for (size_t k = 0; strcmp(v->kind, "warning") == 0 && k < c->sign_count; k++)
			if (c->signs[k].counted > 0 && strcmp(c->signs[k].id, v->signature) == 0)
				v->says = arena_format(&e->arena, "%s; but on this machine %s",
						       v->says, against->says);
	}
}

void contradict(const struct belief_rules *rules, struct explanation *e)
{
	size_t kept = 0;

	for (size_t i = 0; i < e->spoken; i++) {
		struct explain_cause c = e->causes[i];
		const struct sign *against =
			c.belief < NAMED_LEAST ? find_against(rules, &c) : NULL;

		if (against) {
			if (against->seen)
				say_against(e, &c, against);
			continue;
		}
		memmove(&e->causes[kept + 1], &e->causes[kept], (i - kept) * sizeof(c));
		e->causes[kept++] = c;
	}
	e->is_contradicted = e->spoken > 0 && kept == 0;
	e->spoken = kept;
}
