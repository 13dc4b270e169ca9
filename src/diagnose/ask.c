#include "diagnose/ask.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "diagnose/fill.h"
#include "facts/column.h"
#include "kb/materialize.h"

/* A gate, by its text: the terms that nothing fits; none, if it is open. */
struct shut {
	const struct gate_term *terms;
	size_t count;
};

/* Only those of remedies name derived views: before the guard is on none is there. */
static bool is_term_shut(struct asker *asker, sqlite3 *db, const struct gate_term *term, bool views)
{
	return (views && guard_shuts_view(asker->guard, term->table)) ||
	       gates_shut(&asker->columns, db, term);
}

static struct shut *look(struct asker *asker, sqlite3 *db, const char *gate, bool views)
{
	struct shut *shut = arena_alloc(asker->keep, sizeof(*shut));
	struct span rest = span_of(gate), one;
	struct gate_term *terms;
	size_t most = 1;

	for (const char *c = gate; *c; c++)
		most += *c == ';' || *c == '|';
	terms = arena_alloc(asker->keep, sizeof(*terms) * (most + 1));
	shut->terms = terms;
	while (gate_next_of(&rest, &one)) {
		size_t before = shut->count;

		while (shut->count < most && gate_next(&one, &terms[shut->count]))
			shut->count += is_term_shut(asker, db, &terms[shut->count], views);
		if (shut->count == before) { /* this one of them is open */
			shut->count = 0;
			break;
		}
	}
	return shut;
}

static void look_at(struct asker *asker, sqlite3 *db, const char *gate, bool views)
{
	if (gate && !map_find(&asker->gates, span_of(gate)))
		map_put(&asker->gates, span_of(gate), look(asker, db, gate, views));
}

/* Before the guard comes on, which lets nothing through but evidence. */
static void look_at_gates(struct asker *asker, sqlite3 *db, const struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct cause *c = &rules->causes[i];

		for (size_t k = 0; k < c->rule_count; k++)
			look_at(asker, db, c->rules[k].gate, false);
	}
}

/* That of a remedy: most are never asked for. */
static void look_late(struct asker *asker, const char *gate)
{
	struct guard_aside aside;

	if (!gate || map_find(&asker->gates, span_of(gate)))
		return;
	aside = guard_aside(asker->guard);
	look_at(asker, asker->guard->db, gate, true);
	guard_back(asker->guard, &aside);
}

void asker_init(struct asker *asker, sqlite3 *db, struct guard *kept, const struct rules *rules,
		const struct gaps *gaps, struct arena *keep)
{
	*asker = (struct asker){ .guard = kept ? kept : &asker->own,
				 .keep = keep,
				 .gaps = gaps,
				 .system = steps_system(db),
				 .rows = &asker->scratch };
	materialize_views(db); /* tables that are kept are empty until then */
	look_at_gates(asker, db, rules);
	if (kept)
		guard_resume(kept);
	else
		guard_on(&asker->own, db);
}

void asker_done(struct asker *asker)
{
	if (asker->guard == &asker->own)
		guard_off(&asker->own);
	else
		guard_pause(asker->guard);
	gates_done(&asker->columns);
	map_done(&asker->gates);
	map_done(&asker->told);
	map_done(&asker->ways);
	arena_done(&asker->scratch);
}

static const struct shut *find_shut(const struct asker *asker, const struct rule *rule)
{
	const struct shut *shut = rule->gate ? map_find(&asker->gates, span_of(rule->gate)) : NULL;

	return shut && shut->count > 0 ? shut : NULL;
}

static const char *cell(sqlite3_stmt *stmt, int column, struct arena *a)
{
	return fill_clean(a, column_span(stmt, column), FILL_VALUE_MAX, false);
}

static void keep_row(struct asker *asker, sqlite3_stmt *stmt, struct asked *ret)
{
	struct arena *a = asker->rows;

	asker->used = true;
	ret->facts = arena_grow(a, ret->facts, ret->count, sizeof(*ret->facts));
	ret->facts[ret->count++] = (struct fact){ cell(stmt, 0, a), cell(stmt, 1, a),
						  cell(stmt, 2, a), cell(stmt, 3, a) };
}

static const char *run(struct asker *asker, sqlite3_stmt *stmt, struct asked *ret)
{
	int r;

	while ((r = guard_step(asker->guard, stmt)) == 1) {
		if (ret->count == GUARD_ROWS_MAX)
			return "gives too many rows";
		keep_row(asker, stmt, ret);
	}
	if (r == -ETIME)
		return "takes more steps than it may";
	return r < 0 ? sqlite3_errmsg(asker->guard->db) : NULL;
}

/* As a plan of SQLite gives them they have no order that one may rely on. */
static int compare_facts(const void *a, const void *b)
{
	const struct fact *x = a;
	const struct fact *y = b;
	int r = strcmp(x->subject, y->subject);

	r = r ? r : strcmp(x->value, y->value);
	r = r ? r : strcmp(x->source, y->source);
	return r ? r : strcmp(x->origin, y->origin);
}

static bool starts_with(const char *text, const char *word)
{
	for (; *word; text++, word++)
		if ((*text | 0x20) != *word)
			return false;
	return true;
}

/* "order", any blanks, "by" */
static bool is_order(const char *sql)
{
	size_t blanks;

	if (!starts_with(sql, "order"))
		return false;
	blanks = strspn(sql + 5, " \t\r\n");
	return blanks > 0 && starts_with(sql + 5 + blanks, "by");
}

/* ORDER BY of the statement itself, not of a query inside it. */
static bool has_order(const char *sql)
{
	int depth = 0;

	for (; *sql; sql++) {
		depth += (*sql == '(') - (*sql == ')');
		if (depth == 0 && is_order(sql))
			return true;
	}
	return false;
}

static void ask(struct asker *asker, struct asked *ret)
{
	const struct rule *rule = ret->rule;
	const char *why = "cannot be prepared";
	const char *error;
	sqlite3_stmt *stmt;

	if (ret->shut)
		return;
	ret->not_asked = false;
	asker->prepared++;
	stmt = guard_prepare(asker->guard, rule->sql, &why);
	error = stmt ? run(asker, stmt, ret) : why;
	if (error) {
		ret->error = arena_format(
			asker->keep, "%s: %s", rule->id,
			fill_clean(&asker->scratch, span_of(error), FILL_VALUE_MAX, false));
		ret->count = 0;
	}
	if (stmt)
		asker->steps += asker->guard->steps;
	guard_end(asker->guard, stmt);
	if (ret->count > 1 && !has_order(rule->sql))
		qsort(ret->facts, ret->count, sizeof(*ret->facts), compare_facts);
}

/* The answer to a statement that several causes put, and what it took. */
struct told {
	struct rule rule;
	struct asked asked;
	uint64_t steps;
};

static const struct told *ask_anew(struct asker *asker, const struct rule *rule)
{
	struct told *told = arena_alloc(asker->keep, sizeof(*told));
	uint64_t before = asker->steps;

	look_late(asker, rule->gate);
	told->rule = *rule;
	told->asked = (struct asked){ .rule = &told->rule, .shut = find_shut(asker, rule) };
	asker->rows = asker->keep;
	ask(asker, &told->asked);
	asker->rows = &asker->scratch;
	told->steps = asker->steps - before;
	asker->steps = before;
	map_put(&asker->told, span_of(rule->sql), told);
	return told;
}

void ask_statement(struct asker *asker, const struct rule *rule, struct asked *ret)
{
	const struct told *told = map_find(&asker->told, span_of(rule->sql));

	if (!told)
		told = ask_anew(asker, rule);
	asker->steps += told->steps;
	*ret = told->asked;
}

/* ---- what need not be asked ---- */

/* What an answer could still add: one that is to come, that speaks, or that is not known. */
static int could_add(const struct asker *asker, const struct asked *asked)
{
	if (asked->rule->weight <= 0)
		return 0;
	if (asked->not_asked || asked->count > 0 || ask_gap(asker->gaps, asked, ""))
		return asked->rule->weight;
	return 0;
}

static bool is_outdone(const struct asked *asked, size_t at)
{
	const char *group = asked[at].rule->group;

	for (size_t i = 0; group && i < at; i++) /* strongest first */
		if (asked[i].could_add > 0 && asked[i].rule->group &&
		    strcmp(asked[i].rule->group, group) == 0)
			return true;
	return false;
}

/*
 * Nothing speaks for the cause yet. Could it, with all that is unknown and all
 * that was not asked? Supporting evidence without the main one is not worth a
 * statement: preparing them is what a check costs.
 */
static bool is_open(const struct cause *cause, const struct asked *asked)
{
	int most = cause->prior;
	bool any = false;

	for (size_t i = 0; i < cause->rule_count; i++) {
		if (!is_outdone(asked, i))
			most += asked[i].could_add;
		any = any || (asked[i].could_add > 0 && asked[i].not_asked);
	}
	return any && most >= SCALE_LIKELY;
}

static int by_weight(const void *a, const void *b)
{
	const struct asked *x = a;
	const struct asked *y = b;
	int r = (y->rule->weight > x->rule->weight) - (y->rule->weight < x->rule->weight);

	return r ? r : (x->rule > y->rule) - (x->rule < y->rule);
}

static int by_position(const void *a, const void *b)
{
	const struct asked *x = a;
	const struct asked *y = b;

	return (x->rule > y->rule) - (x->rule < y->rule);
}

/* Nothing in the table fits: only what is not known of it could. */
static const struct gap *gap_of_term(const struct gaps *gaps, const struct rule *rule,
				     const struct gate_term *term, const char *subject)
{
	if (!gaps_knows(gaps, term->table))
		return gaps_find(gaps, rule->reads,
				 subject); /* what a view stands on is among it */
	if (term->column.len == 0)
		return gaps_find_table(gaps, term->table, subject);
	return gaps_find_column(gaps, term->name, subject);
}

/* A gate is judged by its own tables: without them the rest cannot give rows. */
const struct gap *ask_gap(const struct gaps *gaps, const struct asked *asked, const char *subject)
{
	const struct gap *first = NULL;

	if (!asked->shut)
		return gaps_find(gaps, asked->rule->reads, subject);
	for (size_t i = 0; i < asked->shut->count; i++) {
		const struct gap *gap =
			gap_of_term(gaps, asked->rule, &asked->shut->terms[i], subject);

		if (!gap)
			return NULL;
		first = first ? first : gap;
	}
	return first;
}

static struct asked *start(struct asker *asker, const struct cause *cause)
{
	struct asked *asked;

	if (asker->used)
		arena_reset(&asker->scratch);
	asker->used = false;
	asker->steps = 0;
	asked = arena_alloc(&asker->scratch, sizeof(*asked) * (cause->rule_count + 1));
	for (size_t i = 0; i < cause->rule_count; i++) {
		const struct shut *shut = find_shut(asker, &cause->rules[i]);

		asked[i] = (struct asked){ .rule = &cause->rules[i],
					   .shut = shut,
					   .not_asked = !shut };
		asked[i].could_add = could_add(asker, &asked[i]);
	}
	if (cause->rule_count > 1)
		qsort(asked, cause->rule_count, sizeof(*asked), by_weight);
	return asked;
}

/* The strongest first; once something speaks, everything is asked. */
struct asked *ask_cause(struct asker *asker, const struct cause *cause, bool everything)
{
	struct asked *asked = start(asker, cause);
	bool speaks = everything;

	assert(asker->guard->is_on); /* between asker_init() and asker_done() */
	for (size_t i = 0; i < cause->rule_count; i++) {
		if (!speaks && !is_open(cause, asked))
			break;
		ask(asker, &asked[i]);
		asked[i].could_add = speaks ? 0 : could_add(asker, &asked[i]);
		speaks = speaks || asked[i].count > 0;
	}
	if (cause->rule_count > 1)
		qsort(asked, cause->rule_count, sizeof(*asked), by_position);
	return asked;
}
