#include "diagnose/ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "diagnose/fill.h"

static const char gate_open[] = "open";
static const char gate_closed[] = "closed";

/* The name comes with the knowledge and goes into SQL: letters only. */
static bool is_name(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return len > 0 && text[len] == '\0';
}

bool ask_has_rows(sqlite3 *db, const char *table)
{
	char *sql = sqlite3_mprintf("SELECT 1 FROM \"%w\" LIMIT 1", table);
	sqlite3_stmt *stmt = NULL;
	bool empty;

	empty = sql && sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
		sqlite3_step(stmt) == SQLITE_DONE;
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return !empty; /* what cannot be looked into counts as open */
}

/* Every value of a column, once; later gates on it cost a look into the map. */
static void list_values(struct asker *asker, sqlite3 *db, const char *table, const char *column)
{
	char *sql =
		sqlite3_mprintf("SELECT DISTINCT \"%w\".\"%w\" FROM \"%w\"", table, column, table);
	sqlite3_stmt *stmt = NULL;
	int r = sql ? sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) : SQLITE_NOMEM;
	int step = SQLITE_ERROR;

	while (r == SQLITE_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *value = (const char *)sqlite3_column_text(stmt, 0);
		const char *key =
			arena_format(asker->keep, "%s.%s %s", table, column, value ? value : "");

		map_put(&asker->gates, span_of(key), (void *)gate_open);
	}
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	map_put(&asker->gates, span_of(arena_format(asker->keep, "%s.%s", table, column)),
		(void *)(step == SQLITE_DONE ? gate_closed : gate_open));
}

/* "kernel_log.class gpu-wedged gpu-reset-failed": is one of the values there? */
static const char *look_for_values(struct asker *asker, sqlite3 *db, struct span name,
				   struct span values)
{
	const char *dot = memchr(name.data, '.', name.len);
	const char *table =
		arena_text(asker->keep, (struct span){ name.data, (size_t)(dot - name.data) });
	const char *column = arena_text(
		asker->keep, (struct span){ dot + 1, (size_t)(name.data + name.len - dot - 1) });
	struct span value;

	if (!is_name(table) || !is_name(column))
		return gate_open;
	if (!map_find(&asker->gates, name))
		list_values(asker, db, table, column);
	if (map_find(&asker->gates, name) == gate_open)
		return gate_open;
	while (span_word(&values, &value)) {
		struct buf key BUF_SCOPED = { 0 };

		buf_addf(&key, "%.*s %.*s", (int)name.len, name.data, (int)value.len, value.data);
		if (map_find(&asker->gates, buf_get(&key)))
			return gate_open;
	}
	return gate_closed;
}

/* "TABLE", or "TABLE.COLUMN VALUE..." */
static const char *look(struct asker *asker, sqlite3 *db, const char *gate)
{
	struct span rest = span_of(gate);
	struct span name;

	if (!span_word(&rest, &name))
		return gate_open;
	if (memchr(name.data, '.', name.len))
		return look_for_values(asker, db, name, rest);
	if (!is_name(gate))
		return gate_open;
	return ask_has_rows(db, gate) ? gate_open : gate_closed;
}

/* Before the guard comes on, which lets nothing through but evidence. */
static void look_at_gates(struct asker *asker, sqlite3 *db, const struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		for (size_t k = 0; k < rules->causes[i].rule_count; k++) {
			const char *gate = rules->causes[i].rules[k].gate;

			if (gate && !map_find(&asker->gates, span_of(gate)))
				map_put(&asker->gates, span_of(gate),
					(void *)look(asker, db, gate));
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
	struct span table = { rule->gate, rule->gate ? strcspn(rule->gate, ". ") : 0 };

	/* A closed gate is judged by its own table: the rest cannot give rows without it. */
	if (asked->by_gate && gaps_knows(gaps, table))
		return gaps_find_table(gaps, table, subject);
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
	for (size_t i = 0; i < cause->rule_count; i++) {
		asked[i] = (struct asked){ .rule = &cause->rules[i], .not_asked = true };
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
