#include "explain/explain.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "diagnose/ask.h"
#include "diagnose/fill.h"
#include "diagnose/prescribe.h"
#include "diagnose/weigh.h"
#include "explain/belief.h"
#include "explain/defects.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct explainer {
	sqlite3 *db;
	struct explanation *e;
	struct map by_slug;
	struct map by_signature; /* to its event */
};

/* ---- sentences with the values of an event ---- */

static void add_value(struct explainer *x, const char *signature, struct span name, struct buf *ret)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(
		    x->db,
		    "SELECT value FROM main.event_value WHERE signature = ?1 AND name = ?2"
		    " ORDER BY nth LIMIT 1",
		    -1, &stmt, NULL) == SQLITE_OK) {
		sqlite3_bind_text(stmt, 1, signature, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, name.data, (int)name.len, SQLITE_STATIC);
		if (sqlite3_step(stmt) == SQLITE_ROW)
			buf_text(ret, (const char *)sqlite3_column_text(stmt, 0));
		else
			buf_text(ret, "?");
	}
	sqlite3_finalize(stmt);
}

static const char *filled(struct explainer *x, const char *signature, const char *text)
{
	struct buf out BUF_SCOPED = { 0 };

	while (*text) {
		const char *end = *text == '{' ? strchr(text, '}') : NULL;

		if (!end) {
			buf_char(&out, *text++);
			continue;
		}
		add_value(x, signature, (struct span){ text + 1, (size_t)(end - text - 1) }, &out);
		text = end + 1;
	}
	return arena_text(&x->e->arena, buf_get(&out));
}

/* ---- what the log says ---- */

static const char *text_at(sqlite3_stmt *stmt, int column, struct arena *a)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return arena_text(a, span_of(text ? text : ""));
}

static int load_events(struct explainer *x)
{
	struct explanation *e = x->e;
	size_t most = 1024;
	sqlite3_stmt *stmt = NULL;
	int r;

	if (sqlite3_prepare_v2(
		    x->db,
		    "SELECT e.signature, e.kind, s.says, e.text, e.source, e.line, e.count"
		    " FROM main.event e JOIN kb.signature s ON s.id = e.signature"
		    " WHERE e.nth = 0 ORDER BY e.line, e.signature",
		    -1, &stmt, NULL) != SQLITE_OK)
		return -EIO;
	e->events = arena_alloc(&e->arena, sizeof(*e->events) * most);
	while ((r = sqlite3_step(stmt)) == SQLITE_ROW && e->event_count < most) {
		struct explain_event *v = &e->events[e->event_count++];

		v->signature = text_at(stmt, 0, &e->arena);
		v->kind = text_at(stmt, 1, &e->arena);
		v->says = filled(x, v->signature, (const char *)sqlite3_column_text(stmt, 2));
		v->text = text_at(stmt, 3, &e->arena);
		v->source = text_at(stmt, 4, &e->arena);
		v->line = sqlite3_column_int64(stmt, 5);
		v->count = sqlite3_column_int64(stmt, 6);
		map_put(&x->by_signature, span_of(v->signature), v);
		if (!e->first && strcmp(v->kind, "failure") == 0)
			e->first = v;
	}
	sqlite3_finalize(stmt);
	return r == SQLITE_ERROR ? -EIO : 0;
}

static struct explain_line *new_line(struct explainer *x, struct explain_cause *c)
{
	if ((c->line_count & (c->line_count - 1)) == 0) {
		struct explain_line *larger = arena_alloc(
			&x->e->arena, sizeof(*larger) * (c->line_count ? 2 * c->line_count : 1));

		if (c->line_count > 0)
			memcpy(larger, c->lines, sizeof(*larger) * c->line_count);
		c->lines = larger;
	}
	return &c->lines[c->line_count++];
}

static int add_suggestions(struct explainer *x)
{
	sqlite3_stmt *stmt = NULL;
	int r;

	if (sqlite3_prepare_v2(
		    x->db,
		    "SELECT g.cause, g.signature, g.weight, s.\"group\" FROM kb.suggests g"
		    " JOIN kb.signature s ON s.id = g.signature"
		    " WHERE g.signature IN (SELECT signature FROM main.event WHERE nth = 0)"
		    " ORDER BY g.cause, g.signature",
		    -1, &stmt, NULL) != SQLITE_OK)
		return -EIO;
	while ((r = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct explain_cause *c =
			map_find(&x->by_slug, span_of((const char *)sqlite3_column_text(stmt, 0)));
		const struct explain_event *v = map_find(
			&x->by_signature, span_of((const char *)sqlite3_column_text(stmt, 1)));

		if (!c || !v)
			continue;
		*new_line(x, c) = (struct explain_line){
			.id = v->signature,
			.says = v->says,
			.source = v->source,
			.weight = sqlite3_column_int(stmt, 2),
			.group = sqlite3_column_text(stmt, 3) ? text_at(stmt, 3, &x->e->arena)
							      : NULL,
		};
	}
	sqlite3_finalize(stmt);
	return r == SQLITE_DONE ? 0 : -EIO;
}

static int add_defects(struct explainer *x)
{
	struct defect_fit *fits;
	size_t count;
	int r = defects_find(x->db, &x->e->arena, &fits, &count);

	for (size_t i = 0; r == 0 && i < count; i++) {
		struct explain_cause *c = map_find(&x->by_slug, span_of(fits[i].cause));

		if (!c)
			continue;
		if (!c->cure)
			c->cure = fits[i].cure;
		*new_line(x, c) = (struct explain_line){ .id = fits[i].id,
							 .says = fits[i].title,
							 .source = fits[i].source,
							 .weight = fits[i].weight,
							 .group = "defect" };
	}
	return r;
}

/* ---- what facts say ---- */

/* Facts of a moment: after the job has ended they may support a cause, and never refute one. */
static bool is_passing(const char *reads)
{
	static const char *const names[] = { "vram_owner",          "sensor",
					     "gpu.vram_used_bytes", "gpu.gtt_used_bytes",
					     "gpu.busy_percent",    "host.memory_available_bytes",
					     "resource_limit.used" };
	struct span rest = span_of(reads), word;

	while (span_word(&rest, &word))
		for (size_t i = 0; i < COUNT(names); i++)
			if (span_is(word, names[i]) ||
			    (span_starts(word, names[i]) && word.data[strlen(names[i])] == '.'))
				return true;
	return false;
}

static bool is_seen(const struct line *l)
{
	return l->origin && strcmp(l->origin, "observed") == 0;
}

static bool counts(const struct explainer *x, bool spoken, const struct line *l,
		   const struct rule *rule)
{
	bool seen = is_seen(l);

	if (l->answer != ANSWER_YES || l->counted == 0)
		return false;
	/* What is seen here joins only where the log has spoken for the cause. */
	if (seen && x->e->first && !spoken)
		return false;
	return l->counted > 0 || !seen || !is_passing(rule->reads);
}

/* Whether it stands on what was said of the machine, and not on a fault of it. */
static bool is_description(const struct line *l, const struct rule *rule)
{
	struct span rest = span_of(rule->reads), word;

	if (is_seen(l))
		return false;
	while (span_word(&rest, &word))
		if (span_starts(word, "statement"))
			return true;
	return false;
}

/* How many lines it adds. */
static size_t add_evidence(struct explainer *x, struct explain_cause *c, const struct finding *f,
			   const struct cause *cause)
{
	size_t before = c->line_count;

	for (size_t i = 0; i < f->line_count; i++)
		if (counts(x, before > 0, &f->lines[i], &cause->rules[i]))
			*new_line(x, c) = (struct explain_line){
				.id = f->lines[i].id,
				.says = f->lines[i].says,
				.source = f->lines[i].source,
				.weight = f->lines[i].counted,
				.group = f->lines[i].group,
				.describes = is_description(&f->lines[i], &cause->rules[i]),
				.seen = is_seen(&f->lines[i]),
			};
	return c->line_count - before;
}

/* Of several subjects the one that most speaks for. */
static struct finding *best_of(struct finding *findings, size_t count)
{
	struct finding *best = NULL;

	for (size_t i = 0; i < count; i++)
		if (!best || findings[i].sum > best->sum)
			best = &findings[i];
	return best;
}

/* Remedies are asked for only where something speaks for the cause: preparing costs. */
static void take_finding(struct explainer *x, struct asker *asker, const struct cause *cause,
			 struct finding *f, struct explain_cause *c)
{
	if (add_evidence(x, c, f, cause) > 0 && f->subject[0])
		c->title = f->title; /* what only a log speaks of has no subject to name */
	if (c->line_count == 0)
		return;
	c->found = f->belief >= BELIEF_LIKELY && strcmp(f->severity, "info") != 0;
	prescribe(asker, cause, f, 1);
	c->remedies = f->remedies;
	c->remedy_count = f->remedy_count;
}

static void ask_facts(struct explainer *x, const struct rules *rules, const struct gaps *gaps)
{
	struct asker asker;

	asker_init(&asker, x->db, rules, gaps, &x->e->arena);
	for (size_t i = 0; i < rules->count; i++) {
		const struct cause *cause = &rules->causes[i];
		struct asked *asked = ask_cause(&asker, cause, true);
		struct finding *findings = NULL;
		size_t count = weigh_cause(&x->e->arena, gaps, cause, asked, true, &findings);

		if (count > 0)
			take_finding(x, &asker, cause, best_of(findings, count), &x->e->causes[i]);
	}
	asker_done(&asker);
}

/* ---- all of it ---- */

static void list_causes(struct explainer *x, const struct rules *rules)
{
	struct explanation *e = x->e;

	e->causes = arena_alloc(&e->arena, sizeof(*e->causes) * (rules->count + 1));
	for (size_t i = 0; i < rules->count; i++) {
		const struct cause *from = &rules->causes[i];

		e->causes[i] = (struct explain_cause){
			.cause = from->slug,
			.title = from->plain ? from->plain
					     : fill_text(&e->arena, from->title,
							 &(struct fill){ "", "", "" }),
			.story = from->story,
			.kind = from->kind,
			.severity = from->severity,
			.undecided = from->undecided,
			.share = from->share,
			.remedies = from->remedies,
			.remedy_count = from->remedy_count,
		};
		map_put(&x->by_slug, span_of(from->slug), &e->causes[i]);
	}
	e->cause_count = rules->count;
}

/* Symptoms and myths explain nothing. */
static void drop_others(struct explanation *e)
{
	size_t kept = 0;

	for (size_t i = 0; i < e->cause_count; i++)
		if (strcmp(e->causes[i].kind, "cause") == 0)
			e->causes[kept++] = e->causes[i];
	e->cause_count = kept;
}

static int weigh_all(struct explainer *x, const struct rules *rules, const struct gaps *gaps)
{
	struct belief_rules belief;
	int r = belief_load(x->db, &belief);

	list_causes(x, rules);
	if (r == 0)
		r = load_events(x);
	if (r == 0)
		r = add_suggestions(x);
	if (r == 0)
		r = add_defects(x);
	if (r < 0)
		return r;
	ask_facts(x, rules, gaps);
	drop_others(x->e);
	belief_share(&belief, x->e);
	return 0;
}

int explain(sqlite3 *db, struct explanation *ret)
{
	struct explanation e = { 0 };
	struct explainer x = { .db = db, .e = &e };
	struct rules rules = { 0 };
	struct gaps gaps = { 0 };
	int r = gaps_load(db, &e.arena, &gaps);

	if (r == 0)
		r = rules_load(db, &e.arena, NULL, &rules);
	if (r == 0)
		r = weigh_all(&x, &rules, &gaps);
	gaps_done(&gaps);
	map_done(&x.by_slug);
	map_done(&x.by_signature);
	if (r < 0)
		explain_done(&e);
	else
		*ret = e;
	return r;
}

void explain_done(struct explanation *e)
{
	arena_done(&e->arena);
	*e = (struct explanation){ 0 };
}

const char *explain_word_name(enum explain_word word)
{
	static const char *const names[] = { "nothing", "undecided", "likely", "certain" };

	return (size_t)word < COUNT(names) ? names[word] : "?";
}
