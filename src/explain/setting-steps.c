#include "explain/setting-steps.h"

#include <errno.h>
#include <string.h>

#include "facts/select.h"

#define ADVISED "as-program-says"
#define WITHOUT "without-shown-feature"

static const struct rule advised = {
	.id = "what the program advises",
	.sql = "SELECT '' AS subject, what AS value, source, origin FROM setting_advised",
	.gate = "setting.how advised",
};

/* Most texts advise nothing, and no view need be worked out for them. */
static bool advises_any(sqlite3 *db)
{
	sqlite3_stmt *stmt =
		select_kept(db, "SELECT 1 FROM main.setting WHERE how = 'advised' LIMIT 1");
	bool any = select_next(stmt);

	select_done(stmt);
	return any;
}

/* The step that is this remedy or has these words in its commands, or the number of steps. */
static size_t find_step(const struct explanation *e, const char *id, const char *words)
{
	size_t i = 0;

	while (i < e->step_count) {
		const struct remedy *r = e->steps[i].remedy;

		if (r && (strcmp(r->id, id) == 0 || (words && strstr(r->steps, words))))
			break;
		i++;
	}
	return i;
}

/* As the first step it takes the place of a look that would take as long. */
static void put_step(struct explanation *e, size_t from, size_t to)
{
	struct explain_step step = e->steps[from];

	if (from <= to)
		return;
	memmove(e->steps + to + 1, e->steps + to, (from - to) * sizeof(*e->steps));
	e->steps[to] = step;
	if (e->look > to && e->look <= from)
		e->look++;
	else if (e->look == from + 1)
		e->look = to + 1;
}

static void put_first(struct explanation *e, size_t from)
{
	put_step(e, from, 0);
	e->first_look = (struct explain_look){ 0 };
}

static int add_advised(struct explainer *x)
{
	struct explanation *e = x->e;
	const struct remedy *r = NULL;
	int result = explain_prescribe_alone(x, ADVISED, &r);

	if (result < 0 || !r)
		return result;
	e->steps = arena_grow(&e->arena, e->steps, e->step_count, sizeof(*e->steps));
	e->steps[e->step_count++] = (struct explain_step){ .remedy = r, .kinds = r->kinds };
	return 0;
}

static int take_advice(struct explainer *x)
{
	struct explanation *e = x->e;
	struct asked asked = { 0 };
	size_t at;
	int r = explain_ask(x, &advised, &asked);

	if (r < 0 || asked.count == 0)
		return r;
	at = find_step(e, ADVISED, asked.facts[0].value);
	if (at == e->step_count)
		r = add_advised(x);
	if (r < 0 || at == e->step_count)
		return r;
	if (e->word <= BELIEF_UNDECIDED)
		put_first(e, at);
	else
		put_step(e, at, 1);
	return 0;
}

int setting_steps(struct explainer *x)
{
	struct explanation *e = x->e;
	size_t at;

	if (e->word == BELIEF_NOTHING)
		return 0;
	at = find_step(e, WITHOUT, NULL);
	if (at < e->step_count && e->word <= BELIEF_UNDECIDED)
		put_first(e, at);
	if (!advises_any(x->db))
		return select_error() ? -EIO : 0;
	return take_advice(x);
}
