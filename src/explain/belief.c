#include "explain/belief.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/column.h"
#include "facts/select.h"

/* ---- contradict ---- */

/*
 * Causes that a line speaks for and the machine, or another line, rules out.
 *
 * Where that leaves next to no belief in a cause, it is not named as one that it may
 * be, and gives no step. A warning that spoke for it says what the machine shows.
 */

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

/* After belief was shared. */
static void contradict(const struct belief_rules *rules, struct explanation *e)
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

/* ---- belief ---- */

/* ---- the numbers ---- */

/* A kb.db may come from a stranger: whatever it says, the arithmetic stays finite. */
static const struct {
	const char *name;
	size_t offset;
	double unit, low, high, otherwise;
} numbers[] = {
	{ "sharpness", offsetof(struct belief_rules, sharpness), 0.01, 0.1, 10, 1 },
	{ "echo", offsetof(struct belief_rules, echo), 0.01, 0, 1, 0.5 },
	{ "unknown", offsetof(struct belief_rules, unknown), 1, -60, 60, -10 },
	{ "bare", offsetof(struct belief_rules, bare), 1, 0, 60, 0 },
	{ "decided", offsetof(struct belief_rules, decided), 0.01, 0.5, 1, 0.7 },
	{ "family", offsetof(struct belief_rules, family), 0.01, 0.5, 1, 0.8 },
	{ "certain", offsetof(struct belief_rules, certain), 0.01, 0.5, 1, 0.9 },
	{ "warning-speaks", offsetof(struct belief_rules, warning_speaks), 1, 0, 60, 3 },
	{ "warning-noted", offsetof(struct belief_rules, warning_noted), 1, 0, 60, 5 },
	{ "warning-founds", offsetof(struct belief_rules, warning_founds), 1, 0, 60, 6 },
	{ "hint-leads", offsetof(struct belief_rules, hint_leads), 1, 0, 60, 7 },
	{ "ruled-out", offsetof(struct belief_rules, ruled_out), 1, -60, 0, -10 },
};

#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

static double *number_at(struct belief_rules *r, size_t i)
{
	return (void *)((char *)r + numbers[i].offset);
}

static void take_number(struct belief_rules *r, const char *name, int value)
{
	for (size_t i = 0; i < NUMBERS; i++)
		if (strcmp(name, numbers[i].name) == 0)
			*number_at(r, i) = fmin(fmax(value * numbers[i].unit, numbers[i].low),
						numbers[i].high);
}

#define UNHEARD "unheard-" /* and the name of a cause */

/* False: there are more than anybody would write. */
static bool take_unheard(struct belief_rules *r, const char *name, int value)
{
	struct belief_unheard *u = &r->unheard[r->unheard_count];

	if (strncmp(name, UNHEARD, strlen(UNHEARD)) != 0 || abs(value) > 60)
		return true;
	if (r->unheard_count == BELIEF_UNHEARD_MAX)
		return false;
	snprintf(u->cause, sizeof(u->cause), "%s", name + strlen(UNHEARD));
	u->more = value;
	r->unheard_count++;
	return true;
}

int belief_load(sqlite3 *db, struct belief_rules *ret)
{
	struct belief_rules rules = { 0 };
	sqlite3_stmt *stmt = NULL;
	bool fits = true;

	for (size_t i = 0; i < NUMBERS; i++)
		*number_at(&rules, i) = numbers[i].otherwise;
	stmt = select_from(db, "SELECT name, value FROM kb.belief ORDER BY name");
	while (select_next(stmt)) {
		const char *name = column_text(stmt, 0);

		take_number(&rules, name, sqlite3_column_int(stmt, 1));
		fits &= take_unheard(&rules, name, sqlite3_column_int(stmt, 1));
	}
	sqlite3_finalize(stmt);
	if (select_error() || !fits)
		return -EIO;
	*ret = rules;
	return 0;
}

/* ---- the sum ---- */

static int by_strength(const void *a, const void *b)
{
	const struct sign *x = a;
	const struct sign *y = b;

	if (x->weight != y->weight)
		return y->weight - x->weight;
	return strcmp(x->id, y->id);
}

static bool is_outdone(const struct explain_cause *c, size_t at)
{
	for (size_t i = 0; c->signs[at].group && i < at; i++) /* the strongest first */
		if (c->signs[i].group && strcmp(c->signs[i].group, c->signs[at].group) == 0 &&
		    (c->signs[i].weight > 0) == (c->signs[at].weight > 0))
			return true;
	return false;
}

static void add_up(const struct belief_rules *rules, struct explain_cause *c)
{
	double factor = 1;

	if (c->sign_count > 1)
		qsort(c->signs, c->sign_count, sizeof(*c->signs), by_strength);
	c->sum = c->share;
	for (size_t i = 0; i < c->sign_count; i++) {
		struct sign *l = &c->signs[i];

		if (is_outdone(c, i))
			continue;
		if (l->weight > 0) {
			l->counted = (int)lround(l->weight * factor);
			factor *= rules->echo;
		} else {
			l->counted = l->weight;
		}
		c->sum += l->counted;
	}
}

static bool speaks(const struct explain_cause *c)
{
	for (size_t i = 0; i < c->sign_count && !c->is_bare; i++)
		if (c->signs[i].counted > 0)
			return true;
	return false;
}

/*
 * Whether the log speaks for it, or a description of the machine that is a fault by itself: a
 * CUDA build of torch. Several GPUs or a rare one are only compatible with it.
 */
static bool is_shown(const struct belief_rules *rules, const struct explain_cause *c)
{
	for (size_t i = 0; i < c->sign_count; i++)
		if (c->signs[i].counted > 0 &&
		    (!c->signs[i].describes || c->signs[i].weight >= rules->bare))
			return true;
	return false;
}

bool belief_is_heard(const struct belief_rules *rules, const struct explanation *e)
{
	for (size_t i = 0; i < e->cause_count; i++)
		if (is_shown(rules, &e->causes[i]))
			return true;
	return false;
}

/*
 * What a machine is explains nothing by itself: a rare GPU is one with every
 * failure. Where the log shows a cause, those that it does not show are not named.
 */
static void step_back(const struct belief_rules *rules, struct explanation *e)
{
	for (size_t i = 0; i < e->cause_count; i++)
		e->causes[i].is_bare = !is_shown(rules, &e->causes[i]);
}

/* A log in which nothing is known is more often one of those that nobody has written down. */
static void guess(const struct belief_rules *rules, struct explanation *e)
{
	for (size_t i = 0; i < e->cause_count; i++)
		for (size_t k = 0; !speaks(&e->causes[i]) && k < rules->unheard_count; k++)
			if (strcmp(e->causes[i].cause, rules->unheard[k].cause) == 0)
				e->causes[i].sum += rules->unheard[k].more;
}

static int by_belief(const void *a, const void *b)
{
	const struct explain_cause *x = a;
	const struct explain_cause *y = b;

	if (speaks(x) != speaks(y))
		return speaks(y) - speaks(x);
	if (x->sum != y->sum)
		return y->sum - x->sum;
	return strcmp(x->cause, y->cause);
}

/* ---- shared ---- */

double belief_odds(const struct belief_rules *rules, double decibans)
{
	return pow(10.0, rules->sharpness * decibans / 10.0);
}

/* Where the log shows nothing every cause may be it; otherwise those that something speaks for. */
static void share_out(const struct belief_rules *rules, bool heard, struct explanation *e)
{
	double total = belief_odds(rules, rules->unknown);
	size_t among;

	while (e->spoken < e->cause_count && speaks(&e->causes[e->spoken]))
		e->spoken++;
	among = heard ? e->spoken : e->cause_count;
	for (size_t i = 0; i < among; i++)
		total += belief_odds(rules, e->causes[i].sum);
	for (size_t i = 0; i < among; i++)
		e->causes[i].belief = belief_odds(rules, e->causes[i].sum) / total;
	e->unknown = 1;
	for (size_t i = 0; i < e->spoken; i++)
		e->unknown -= e->causes[i].belief;
}

void belief_share(const struct belief_rules *rules, struct explanation *e)
{
	bool heard;

	for (size_t i = 0; i < e->cause_count; i++)
		add_up(rules, &e->causes[i]);
	heard = belief_is_heard(rules, e);
	if (heard)
		step_back(rules, e);
	else
		guess(rules, e);
	if (e->cause_count > 1)
		qsort(e->causes, e->cause_count, sizeof(*e->causes), by_belief);
	share_out(rules, heard, e);
	contradict(rules, e);
}
