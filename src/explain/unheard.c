#include "explain/unheard.h"

#include <string.h>

#include "explain/about.h"
#include "explain/evidence.h"

static const char says[] =
	"rocsteady knows no line of the text; such failures often have this cause";

static bool names(const char *text, const char *program)
{
	return text && strcasestr(text, program);
}

/* Whether the failing lines are of the program that was stated, "vllm": then the whole of what was stated is theirs. */
static bool is_program_named(const struct explanation *e)
{
	const struct failure *f = e->failure;

	for (size_t i = 0; i < e->fact_count; i++)
		if (strcmp(e->facts[i].name, "framework") == 0 &&
		    (strcmp(e->facts[i].origin, "log") == 0 ||
		     names(f->first.text, e->facts[i].value) ||
		     names(f->last.text, e->facts[i].value) || names(f->place, e->facts[i].value)))
			return true;
	return false;
}

/*
 * A GPU that is stated beside a text makes no failed assertion a matter of that GPU: the text
 * itself is about one, or names the program that is stated to fail on it.
 */
static bool is_of_gpu(struct explanation *e)
{
	bool all = is_program_named(e);
	struct explanation text = *e;
	const char *subject;

	text.fact_count = 0;
	text.facts = arena_alloc(&e->arena, (e->fact_count + 1) * sizeof(*text.facts));
	for (size_t i = 0; i < e->fact_count; i++)
		if (all || strcmp(e->facts[i].origin, "log") == 0)
			text.facts[text.fact_count++] = e->facts[i];
	subject = about(&text);
	return subject && strcmp(subject, "amd") == 0;
}

/* Of weak words alone nothing shows that they are a failure's: the text tells of a machine beside them. */
static bool is_wanted(struct explanation *e)
{
	const struct failure *f = e->failure;

	return e->word == BELIEF_NOT_RECOGNISED && f && f->counts && !f->is_clear && !f->unread &&
	       !(f->is_weak && e->fact_count == 0) &&
	       !(f->origin && strcmp(f->origin, "own-code") == 0) && is_of_gpu(e);
}

/* As if the text showed it: a rare GPU or an APU explains no failure that is not known. */
static void speak_for(struct explainer *x, const char *cause, int weight)
{
	struct explanation *e = x->e;

	for (size_t i = 0; i < e->cause_count; i++)
		if (strcmp(e->causes[i].cause, cause) == 0)
			evidence_add(x, &e->causes[i],
				     (struct sign){ .id = "unheard",
						    .says = says,
						    .source = e->failure->file,
						    .weight = weight });
}

void unheard_name(struct explainer *x)
{
	const struct belief_rules *rules = &x->rules->belief;
	struct explanation *e = x->e;

	if (!is_wanted(e))
		return;
	for (size_t i = 0; i < rules->unheard_count; i++)
		if (rules->unheard[i].more > 0)
			speak_for(x, rules->unheard[i].cause, rules->unheard[i].more);
	belief_share(rules, e);
	if (e->spoken == 0)
		return;
	e->word = BELIEF_UNDECIDED;
	e->basis = EXPLAIN_BY_KIND;
}
