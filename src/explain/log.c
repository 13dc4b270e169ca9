#include "explain/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "explain/failure-tables.h"
#include "facts/select.h"
#include "kb/rows.h"

extern const char data_contrasts[];

static int load_list(sqlite3 *db, struct log_signatures *s)
{
	size_t most = kb_rows_count(db, KB_ROWS_SIGNATURES);
	struct kb_rows rows = kb_rows_of(db, KB_ROWS_SIGNATURES, &s->arena);

	s->list = arena_alloc(&s->arena, sizeof(*s->list) * (most + 1));
	s->more = arena_alloc(&s->arena, sizeof(*s->more) * (most + 1));
	for (; s->count < most && kb_rows_next(&rows); s->count++) {
		s->list[s->count] = (struct signature){ .id = kb_rows_text(&rows, 0),
							.pattern = kb_rows_text(&rows, 1),
							.below = kb_rows_text(&rows, 4) };
		s->more[s->count] = (struct log_signature){ .kind = kb_rows_text(&rows, 2),
							    .program = kb_rows_text(&rows, 3) };
	}
	return kb_rows_done(&rows);
}

/* Whose the row is: those of one signature stand together, in the order of the signatures. */
static bool find_owner(const struct log_signatures *s, const struct kb_rows *row, size_t *at)
{
	struct span id = span_of(kb_rows_look(row, 0));

	while (*at < s->count && !span_is(id, s->list[*at].id))
		++*at;
	return *at < s->count;
}

static int load_literals(sqlite3 *db, struct log_signatures *s)
{
	size_t most = kb_rows_count(db, KB_ROWS_LITERALS);
	struct kb_rows rows = kb_rows_of(db, KB_ROWS_LITERALS, &s->arena);
	size_t at = 0;

	s->literals = arena_alloc(&s->arena, sizeof(*s->literals) * (most + 1));
	while (s->literal_count < most && kb_rows_next(&rows) && find_owner(s, &rows, &at)) {
		struct span *literal = &s->literals[s->literal_count++];

		*literal = span_of(kb_rows_text(&rows, 1));
		if (s->list[at].literal_count++ == 0)
			s->list[at].literals = literal;
	}
	return kb_rows_done(&rows);
}

static int load_states(sqlite3 *db, struct log_signatures *s)
{
	struct kb_rows rows = kb_rows_of(db, KB_ROWS_STATES, &s->arena);
	size_t at = 0;

	while (kb_rows_next(&rows) && find_owner(s, &rows, &at)) {
		struct log_states *states = arena_alloc(&s->arena, sizeof(*states));

		states->name = kb_rows_text(&rows, 1);
		states->value = kb_rows_text(&rows, 2);
		states->next = (struct log_states *)s->more[at].states;
		s->more[at].states = states;
	}
	return kb_rows_done(&rows);
}

static int load_settings(sqlite3 *db, struct log_signatures *s)
{
	s->settings = arena_alloc(&s->arena, sizeof(*s->settings));
	s->words.settings = s->settings;
	return setting_names_load(db, &s->arena, s->settings);
}

int log_signatures_load(sqlite3 *db, struct log_signatures *ret)
{
	struct log_signatures s = { 0 };
	int r = load_list(db, &s);

	s.failure_tables = arena_alloc(&s.arena, sizeof(*s.failure_tables));
	if (r == 0)
		r = load_literals(db, &s);
	if (r == 0)
		r = load_states(db, &s);
	s.made = kb_rows_needle(db);
	machine_words_load(&s.words);
	s.words.contrasts = s.contrasts = contrast_words_new(span_of(data_contrasts), NULL);
	if (r == 0 && !s.contrasts)
		r = -ENOMEM;
	if (r == 0)
		r = load_settings(db, &s);
	if (r < 0)
		log_signatures_done(&s);
	else
		*ret = s;
	return r;
}

void log_signatures_done(struct log_signatures *s)
{
	if (s->settings)
		setting_names_done(s->settings);
	if (s->failure_tables)
		failure_tables_done(s->failure_tables);
	contrast_words_free(s->contrasts);
	machine_words_done(&s->words);
	arena_done(&s->arena);
	*s = (struct log_signatures){ 0 };
}

struct scan *log_scan(const struct log_signatures *s)
{
	return scan_new_made(s->list, s->count, s->made);
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

/*
 * A message of torch that somebody broke into lines: "Tried to allocate 2.00 GiB." and, below it,
 * "GPU 0 has a total capacity of ...". Its numbers belong to the event of the first line. Asked for
 * the rest alone, which most logs do not have.
 */
static void join_broken_message(struct facts *f, const char *file)
{
	sqlite3_stmt *stmt = select_kept(
		facts_db(f),
		"INSERT INTO main.event_value (signature, nth, name, value, bytes, source, origin)"
		" SELECT signature, nth, name, value, bytes, source, origin FROM ("
		" SELECT o.signature, o.nth, v.name, v.value, v.bytes, o.source, v.origin, min(r.line)"
		" FROM main.event r"
		" JOIN main.event_value v ON v.signature = r.signature AND v.nth = r.nth"
		" JOIN main.event o ON o.signature = 'torch-out-of-memory'"
		"  AND r.line - o.line BETWEEN 1 AND 4 AND o.source = ?1 || ':' || o.line"
		" WHERE r.signature = 'torch-out-of-memory-rest'"
		"  AND r.source = ?1 || ':' || r.line"
		"  AND NOT EXISTS (SELECT 1 FROM main.event_value w WHERE w.signature = o.signature"
		"   AND w.nth = o.nth AND w.name = v.name)"
		" GROUP BY o.nth, v.name)");

	if (stmt)
		sqlite3_bind_text(stmt, 1, file, -1, SQLITE_STATIC);
	while (select_next(stmt))
		continue;
	select_done(stmt);
}

void log_events(struct state *state, const struct log_signatures *signatures, struct scan *scan,
		const char *file)
{
	bool broken = false;
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
		broken =
			broken || strcmp(events[i]->signature->id, "torch-out-of-memory-rest") == 0;
	}
	if (broken)
		join_broken_message(state->facts, file);
	facts_asked(state->facts, "event");
	facts_asked(state->facts, "event_value");
}
