#include "explain/events.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "facts/column.h"
#include "facts/select.h"

/* ---- sentences with the values of an event ---- */

static bool add_value(struct explainer *x, const char *signature, struct span name, struct buf *ret)
{
	sqlite3_stmt *stmt = select_kept(
		x->db, "SELECT value FROM main.event_value WHERE signature = ?1 AND name = ?2"
		       " ORDER BY nth LIMIT 1");
	bool found = false;

	if (stmt) {
		sqlite3_bind_text(stmt, 1, signature, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, name.data, (int)name.len, SQLITE_STATIC);
		found = select_next(stmt) && column_text(stmt, 0)[0];
		if (found)
			buf_text(ret, column_text(stmt, 0));
	}
	select_done(stmt);
	return found;
}

/* In place of a value that took no part in the match; ": {why}" at the end goes with its colon. */
static void add_unknown(struct span name, const char *rest, struct buf *ret)
{
	bool ends = rest[0] == '\0' && ret->len > 2 && strcmp(ret->data + ret->len - 2, ": ") == 0;

	if (ends)
		ret->data[ret->len -= 2] = '\0';
	else
		buf_text(ret, span_is(name, "gfx") ? "this GPU" : "?");
}

static const char *filled(struct explainer *x, const char *signature, const char *text)
{
	struct buf out BUF_SCOPED = { 0 };

	while (*text) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;
		struct span name;

		if (!end) {
			buf_char(&out, *text++);
			continue;
		}
		name = (struct span){ text + 1, (size_t)(end - text - 1) };
		text = end + 1;
		if (!add_value(x, signature, name, &out))
			add_unknown(name, text, &out);
	}
	return arena_text(&x->e->arena, buf_get(&out));
}

/* ---- what the log says ---- */

#define HINT_STANDS 4 /* decibans of words that healthy programs never use */
#define HINTS_YIELD 5 /* of a line that is known: words of any failure add nothing to it */
#define HINTS_NEVER 99

/* How much a hint must say to count: where the origin tells what happened, none does. */
static int least_of_hints(const struct failure *f)
{
	if (f && f->counts && f->is_clear)
		return HINTS_NEVER;
	return f && (f->counts || f->is_bare) ? 0 : HINT_STANDS;
}

/*
 * Hints are for lines that speak for no cause, in a text of which nothing better is
 * known: "RuntimeError: " is known as a Python exception and says nothing more. A remark
 * ("the older driver works") tells of no failure: where one is told of, it is a hint.
 */
int events_drop_hints(const struct explainer *x)
{
	static const char *const steps[] = {
		"DELETE FROM main.event WHERE kind IN ('hint', 'remark') AND ("
		" source IN (SELECT k.source FROM main.event k WHERE k.kind = 'harmless' OR ("
		"  k.kind IN ('failure', 'warning')"
		"  AND k.signature IN (SELECT signature FROM kb.suggests)))"
		" OR (SELECT max(weight) FROM kb.suggests g WHERE g.signature = event.signature) < ?1"
		" OR (SELECT max(g.weight) FROM main.event k JOIN kb.suggests g"
		"  ON g.signature = k.signature WHERE k.kind IN ('failure', 'warning')) >= ?2"
		" OR (?3 AND signature IN"
		"  (SELECT id FROM kb.signature WHERE written_by = 'person')))",
		"DELETE FROM main.event WHERE kind = 'remark' AND NOT ?4"
		" AND NOT EXISTS (SELECT 1 FROM main.event k WHERE k.kind IN ('failure', 'hint'))",
		"UPDATE main.event SET kind = 'hint' WHERE kind = 'remark'",
		"UPDATE main.event SET nth = 0 WHERE kind = 'hint' AND nth = (SELECT min(h.nth)"
		" FROM main.event h WHERE h.signature = event.signature)",
	};
	const struct failure *f = x->e->failure;
	bool failed = f && f->counts;

	for (size_t i = 0; i < COUNT(steps); i++) {
		sqlite3_stmt *stmt = select_kept(x->db, steps[i]);

		sqlite3_bind_int(stmt, 1, least_of_hints(f));
		sqlite3_bind_int(stmt, 2, HINTS_YIELD);
		sqlite3_bind_int(stmt, 3, f && !failed && !f->is_bare);
		sqlite3_bind_int(stmt, 4, failed);
		select_next(stmt);
		select_done(stmt);
	}
	return select_error() ? -EIO : 0;
}

int events_load(struct explainer *x)
{
	struct explanation *e = x->e;
	size_t most = select_count(x->db, "SELECT count(*) FROM main.event WHERE nth = 0");
	sqlite3_stmt *stmt = select_kept(
		x->db, "SELECT e.signature, e.kind, s.says, e.text, e.source, e.line, e.count,"
		       " coalesce(e.last_line, e.line), coalesce(e.program, '')"
		       " FROM main.event e JOIN kb.signature s ON s.id = e.signature"
		       " WHERE e.nth = 0 ORDER BY e.line, e.signature");

	e->events = arena_alloc(&e->arena, sizeof(*e->events) * (most + 1));
	while (select_next(stmt) && e->event_count < most) {
		struct explain_event *v = &e->events[e->event_count++];

		v->signature = column_copy(stmt, 0, &e->arena);
		v->kind = column_copy(stmt, 1, &e->arena);
		v->says = filled(x, v->signature, column_text(stmt, 2));
		v->text = column_copy(stmt, 3, &e->arena);
		v->source = column_copy(stmt, 4, &e->arena);
		v->line = sqlite3_column_int64(stmt, 5);
		v->count = sqlite3_column_int64(stmt, 6);
		v->last_line = sqlite3_column_int64(stmt, 7);
		v->program = column_copy(stmt, 8, &e->arena);
		map_put(&x->by_signature, span_of(v->signature), v);
		if (!e->first && strcmp(v->kind, "failure") == 0)
			e->first = v;
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

int events_load_facts(struct explainer *x)
{
	struct explanation *e = x->e;
	sqlite3_stmt *stmt = select_kept(
		x->db,
		"SELECT name, value, CASE WHEN name NOT IN ('gfx', 'gpu', 'gpu_count', 'integrated',"
		" 'vram') THEN version END, source, origin FROM ("
		" SELECT name, value, version, source, origin, rowid AS nth FROM main.statement"
		" UNION ALL SELECT 'env:' || name, value, NULL, source, origin, rowid"
		"  FROM main.env) WHERE origin IN ('log', 'stated') ORDER BY name, nth");

	while (select_next(stmt)) {
		e->facts = arena_grow(&e->arena, e->facts, e->fact_count, sizeof(*e->facts));
		e->facts[e->fact_count++] = (struct explain_fact){
			.name = column_copy(stmt, 0, &e->arena),
			.value = column_copy(stmt, 1, &e->arena),
			.version = column_copy_or_null(stmt, 2, &e->arena),
			.source = column_copy(stmt, 3, &e->arena),
			.origin = column_copy(stmt, 4, &e->arena),
		};
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

/* Whether an event stands within the failure that the text ends in. */
static bool is_within(const struct explain_event *v, const struct failure *f)
{
	size_t length = f ? strlen(f->file) : 0;

	return f && f->counts && v->line >= (long long)f->begins &&
	       strncmp(v->source, f->file, length) == 0 && v->source[length] == ':';
}

/* Of this kind the first event; within the failure, or anywhere. */
static const struct explain_event *first_of(const struct explanation *e, const char *kind,
					    bool within)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (strcmp(e->events[i].kind, kind) == 0 &&
		    (!within || is_within(&e->events[i], e->failure)))
			return &e->events[i];
	return NULL;
}

/* A warning in the lines of the failure itself is a part of it. Where nothing is known, a hint is. */
void events_take_failure(struct explanation *e)
{
	if (!e->first)
		e->first = first_of(e, "warning", true);
	if (!e->first)
		e->first = first_of(e, "hint", false);
}
