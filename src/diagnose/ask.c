#include "diagnose/ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/fill.h"

static const char gate_open[] = "open";
static const char gate_closed[] = "closed";

/* The name comes with the knowledge and goes into SQL: letters only. */
static bool is_name(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return len > 0 && text[len] == '\0';
}

/* A gate that cannot be looked through counts as open. */
static const char *look(sqlite3 *db, const char *table)
{
	const char *answer = gate_open;
	sqlite3_stmt *stmt = NULL;
	char *sql;

	if (!is_name(table))
		return gate_open;
	sql = sqlite3_mprintf("SELECT 1 FROM \"%w\" LIMIT 1", table);
	if (sql && sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_DONE)
		answer = gate_closed;
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return answer;
}

/* Before the guard comes on, which lets nothing through but evidence. */
static void look_at_gates(struct asker *asker, sqlite3 *db, const struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		for (size_t k = 0; k < rules->causes[i].rule_count; k++) {
			const char *gate = rules->causes[i].rules[k].gate;

			if (gate && !map_find(&asker->gates, span_of(gate)))
				map_put(&asker->gates, span_of(gate), (void *)look(db, gate));
		}
}

void asker_init(struct asker *asker, sqlite3 *db, const struct rules *rules,
		const struct gaps *gaps, struct arena *keep)
{
	*asker = (struct asker){ .keep = keep, .gaps = gaps };
	look_at_gates(asker, db, rules);
	guard_on(&asker->guard, db);
}

void asker_done(struct asker *asker)
{
	guard_off(&asker->guard);
	map_done(&asker->gates);
	arena_done(&asker->scratch);
}

static const char *cell(sqlite3_stmt *stmt, int column, struct arena *a)
{
	struct span bytes = { (const char *)sqlite3_column_text(stmt, column),
			      (size_t)sqlite3_column_bytes(stmt, column) };

	return bytes.data ? fill_clean(a, bytes, FILL_VALUE_MAX, false) : "";
}

static void keep_row(struct asker *asker, sqlite3_stmt *stmt, struct asked *ret)
{
	struct arena *a = &asker->scratch;
	size_t n = ret->count;

	asker->used = true;
	if ((n & (n - 1)) == 0) {
		struct fact *larger = arena_alloc(a, sizeof(*larger) * (n ? 2 * n : 1));

		if (n > 0)
			memcpy(larger, ret->facts, sizeof(*larger) * n);
		ret->facts = larger;
	}
	ret->facts[ret->count++] = (struct fact){ cell(stmt, 0, a), cell(stmt, 1, a),
						  cell(stmt, 2, a), cell(stmt, 3, a) };
}

static const char *run(struct asker *asker, sqlite3_stmt *stmt, struct asked *ret)
{
	int r;

	while ((r = guard_step(&asker->guard, stmt)) == 1) {
		if (ret->count == GUARD_ROWS_MAX)
			return "gives too many rows";
		keep_row(asker, stmt, ret);
	}
	if (r == -ETIME)
		return "takes more steps than it may";
	return r < 0 ? sqlite3_errmsg(asker->guard.db) : NULL;
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

/* ORDER BY of the statement itself, not of a query inside it. */
static bool has_order(const char *sql)
{
	int depth = 0;

	for (; *sql; sql++) {
		depth += (*sql == '(') - (*sql == ')');
		if (depth == 0 && starts_with(sql, "order by"))
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

	ret->not_asked = false;
	if (rule->gate && map_find(&asker->gates, span_of(rule->gate)) == gate_closed) {
		ret->by_gate = true;
		return;
	}
	asker->prepared++;
	stmt = guard_prepare(&asker->guard, rule->sql, &why);
	error = stmt ? run(asker, stmt, ret) : why;
	if (error) {
		ret->error = arena_format(
			asker->keep, "%s: %s", rule->id,
			fill_clean(&asker->scratch, span_of(error), FILL_VALUE_MAX, false));
		ret->count = 0;
	}
	if (stmt)
		asker->steps += asker->guard.steps;
	sqlite3_finalize(stmt);
	if (ret->count > 1 && !has_order(rule->sql))
		qsort(ret->facts, ret->count, sizeof(*ret->facts), compare_facts);
}

/* ---- what need not be asked ---- */

/* What an answer still to come, or one that is not known, could add. */
static int could_add(const struct asker *asker, const struct asked *asked)
{
	if (asked->rule->weight <= 0)
		return 0;
	if (asked->not_asked || asked->count > 0)
		return asked->rule->weight;
	return ask_gap(asker->gaps, asked, "") ? asked->rule->weight : 0;
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
static bool is_open(const struct asker *asker, const struct cause *cause, struct asked *asked)
{
	int most = cause->prior;
	bool any = false;

	for (size_t i = 0; i < cause->rule_count; i++) {
		asked[i].could_add = could_add(asker, &asked[i]);
		if (!is_outdone(asked, i))
			most += asked[i].could_add;
		any = any || (asked[i].could_add > 0 && asked[i].not_asked);
	}
	return any && most >= DIAGNOSE_LIKELY;
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

const struct gap *ask_gap(const struct gaps *gaps, const struct asked *asked, const char *subject)
{
	const struct rule *rule = asked->rule;

	/* A closed gate is judged by its own table: the rest cannot give rows without it. */
	if (asked->by_gate && gaps_knows(gaps, rule->gate))
		return gaps_find_table(gaps, rule->gate, subject);
	return gaps_find(gaps, rule->reads, subject); /* what a view stands on is among it */
}

static struct asked *start(struct asker *asker, const struct cause *cause)
{
	struct asked *asked;

	if (asker->used) {
		arena_done(&asker->scratch);
		asker->scratch = (struct arena){ 0 };
	}
	asker->used = false;
	asker->steps = 0;
	asked = arena_alloc(&asker->scratch, sizeof(*asked) * (cause->rule_count + 1));
	for (size_t i = 0; i < cause->rule_count; i++)
		asked[i] = (struct asked){ .rule = &cause->rules[i], .not_asked = true };
	if (cause->rule_count > 1)
		qsort(asked, cause->rule_count, sizeof(*asked), by_weight);
	return asked;
}

/* The strongest first; once something speaks, everything is asked. */
struct asked *ask_cause(struct asker *asker, const struct cause *cause, bool everything)
{
	struct asked *asked = start(asker, cause);
	bool speaks = everything;

	for (size_t i = 0; i < cause->rule_count; i++) {
		if (!speaks && !is_open(asker, cause, asked))
			break;
		ask(asker, &asked[i]);
		speaks = speaks || asked[i].count > 0;
	}
	if (cause->rule_count > 1)
		qsort(asked, cause->rule_count, sizeof(*asked), by_position);
	return asked;
}
