#include "explain/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "facts/column.h"
#include "facts/select.h"

static int each_row(sqlite3 *db, const char *sql, struct log_signatures *s, struct map *by_id,
		    void (*take)(struct log_signatures *s, struct map *by_id, sqlite3_stmt *stmt))
{
	sqlite3_stmt *stmt = select_from(db, sql);

	while (select_next(stmt))
		take(s, by_id, stmt);
	sqlite3_finalize(stmt);
	return select_error() ? -EIO : 0;
}

static void take_signature(struct log_signatures *s, struct map *by_id, sqlite3_stmt *stmt)
{
	struct signature *one = &s->list[s->count];
	struct log_signature *more = &s->more[s->count];

	one->id = column_copy_or_null(stmt, 0, &s->arena);
	one->pattern = column_copy_or_null(stmt, 1, &s->arena);
	one->below = column_copy_or_null(stmt, 4, &s->arena);
	more->kind = column_copy_or_null(stmt, 2, &s->arena);
	more->program = column_copy_or_null(stmt, 3, &s->arena);
	map_put(by_id, span_of(one->id), one);
	s->count++;
}

static void take_literal(struct log_signatures *s, struct map *by_id, sqlite3_stmt *stmt)
{
	struct signature *one = map_find(by_id, span_of(column_text(stmt, 0)));

	if (!one)
		return;
	if (one->literal_count == 0)
		one->literals = s->literals + s->literal_count;
	one->literal_count++;
	s->literals[s->literal_count++] = span_of(column_copy_or_null(stmt, 1, &s->arena));
}

static void take_states(struct log_signatures *s, struct map *by_id, sqlite3_stmt *stmt)
{
	struct signature *one = map_find(by_id, span_of(column_text(stmt, 0)));
	struct log_states *states;

	if (!one)
		return;
	states = arena_alloc(&s->arena, sizeof(*states));
	states->name = column_copy_or_null(stmt, 1, &s->arena);
	states->value = column_copy_or_null(stmt, 2, &s->arena);
	states->next = (struct log_states *)s->more[one - s->list].states;
	s->more[one - s->list].states = states;
}

int log_signatures_load(sqlite3 *db, struct log_signatures *ret)
{
	struct log_signatures s = { 0 };
	size_t most = select_count(db, "SELECT count(*) FROM kb.signature");
	size_t most_literals = select_count(db, "SELECT count(*) FROM kb.literal");
	struct map by_id = { 0 };
	int r = select_error() ? -EIO : 0; /* or there would be more rows than room */

	s.list = arena_alloc(&s.arena, sizeof(*s.list) * (most + 1));
	s.more = arena_alloc(&s.arena, sizeof(*s.more) * (most + 1));
	s.literals = arena_alloc(&s.arena, sizeof(*s.literals) * (most_literals + 1));
	if (r == 0)
		r = each_row(db, "SELECT id, pattern, kind, program, below FROM kb.signature", &s,
			     &by_id, take_signature);
	if (r == 0)
		r = each_row(db,
			     "SELECT signature, text FROM kb.literal ORDER BY signature, position",
			     &s, &by_id, take_literal);
	if (r == 0)
		r = each_row(
			db, "SELECT signature, name, value FROM kb.states ORDER BY signature, name",
			&s, &by_id, take_states);
	map_done(&by_id);
	if (r < 0)
		log_signatures_done(&s);
	else
		*ret = s;
	return r;
}

void log_signatures_done(struct log_signatures *s)
{
	arena_done(&s->arena);
	*s = (struct log_signatures){ 0 };
}

/* ---- sizes ---- */

bool log_size(struct span text, uint64_t *ret)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = {
		{ "bytes", 1 },
		{ "GiB", 1073741824.0 },
		{ "MiB", 1048576.0 },
		{ "KiB", 1024.0 },
		{ "TiB", 1099511627776.0 },
		{ "GB", 1e9 },
		{ "MB", 1e6 },
		{ "kB", 1e3 },
		{ "KB", 1e3 },
		{ "G", 1073741824.0 },
		{ "M", 1048576.0 },
		{ "K", 1024.0 },
		{ "B", 1 },
	};
	char number[32];
	size_t n = 0;
	char *end;
	double value;

	while (n < text.len && n < sizeof(number) - 1 &&
	       ((text.data[n] >= '0' && text.data[n] <= '9') || text.data[n] == '.')) {
		number[n] = text.data[n];
		n++;
	}
	number[n] = '\0';
	value = strtod(number, &end);
	if (n == 0 || *end)
		return false;
	text = span_trim((struct span){ text.data + n, text.len - n });
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (span_is(text, units[i].unit) && value * units[i].factor < 1e18) {
			*ret = (uint64_t)(value * units[i].factor);
			return true;
		}
	return false;
}

/* ---- rows ---- */

static const char *value_of(const struct scan_sample *sample, struct span name)
{
	for (size_t i = 0; i < sample->value_count; i++)
		if (span_is(name, sample->values[i].name))
			return sample->values[i].value;
	return NULL;
}

/* False if a name in braces took no part in the match. */
static bool fill(const char *text, const struct scan_sample *sample, struct buf *ret)
{
	while (*text) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;
		const char *value;

		if (!end) {
			buf_char(ret, *text++);
			continue;
		}
		value = value_of(sample, (struct span){ text + 1, (size_t)(end - text - 1) });
		if (!value)
			return false;
		buf_text(ret, value);
		text = end + 1;
	}
	return true;
}

static void add_values(struct facts *f, const struct scan_event *e, size_t nth, const char *source)
{
	const struct scan_sample *sample = &e->samples[nth];

	for (size_t i = 0; i < sample->value_count; i++) {
		struct row r = row_of("event_value");
		uint64_t bytes;

		row_string(&r, "signature", e->signature->id);
		row_int(&r, "nth", (int64_t)nth);
		row_string(&r, "name", sample->values[i].name);
		row_string(&r, "value", sample->values[i].value);
		if (log_size(span_of(sample->values[i].value), &bytes))
			row_u64(&r, "bytes", bytes);
		row_string(&r, "source", source);
		row_string(&r, "origin", "log");
		facts_add(f, &r);
	}
}

static void add_event(struct facts *f, const struct scan_event *e, size_t nth,
		      const struct log_signature *more, const char *source)
{
	struct row r = row_of("event");

	row_string(&r, "signature", e->signature->id);
	row_int(&r, "nth", (int64_t)nth);
	row_string(&r, "kind", more->kind);
	row_string(&r, "program", more->program);
	row_u64(&r, "line", e->samples[nth].line);
	row_u64(&r, "last_line", e->last_line);
	row_u64(&r, "count", e->count);
	row_string(&r, "text", e->samples[nth].text);
	row_string(&r, "source", source);
	row_string(&r, "origin", "log");
	facts_add(f, &r);
	add_values(f, e, nth, source);
}

static void add_states(struct state *state, const struct log_signature *more,
		       const struct scan_sample *sample, const char *source)
{
	for (const struct log_states *s = more->states; s; s = s->next) {
		struct buf value BUF_SCOPED = { 0 };

		if (fill(s->value, sample, &value))
			state_say(state, &(struct said){ s->name, buf_get(&value), source, "log" });
	}
}

void log_events(struct state *state, const struct log_signatures *signatures, struct scan *scan,
		const char *file)
{
	size_t count;
	const struct scan_event *const *events = scan_events(scan, &count);

	if (scan_given_up(scan) > 0)
		facts_gap_said(state->facts, "event", file, "unasked",
			       "lines that a pattern needs too many steps for", NULL);
	for (size_t i = 0; i < count; i++) {
		const struct log_signature *more =
			&signatures->more[events[i]->signature - signatures->list];

		if (events[i]->more)
			facts_gap_said(state->facts, "event_value", events[i]->signature->id,
				       "unasked", "more different values than are kept", file);
		for (size_t k = 0; k < events[i]->sample_count; k++) {
			struct buf source BUF_SCOPED = { 0 };

			buf_addf(&source, "%s:%llu", file,
				 (unsigned long long)events[i]->samples[k].line);
			add_event(state->facts, events[i], k, more, source.data);
			add_states(state, more, &events[i]->samples[k], source.data);
		}
	}
	facts_asked(state->facts, "event");
	facts_asked(state->facts, "event_value");
}
