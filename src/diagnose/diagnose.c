#include "diagnose/diagnose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/exit-status.h"
#include "diagnose/ask.h"
#include "diagnose/examiner.h"
#include "diagnose/gaps.h"
#include "diagnose/judge.h"
#include "diagnose/name-gpus.h"
#include "diagnose/prescribe.h"
#include "diagnose/weigh.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/gate.h"
#include "kb/materialize.h"

static void add_findings(struct diagnosis *d, const struct finding *more, size_t count)
{
	struct finding *all;

	if (count == 0)
		return;
	all = arena_alloc(&d->arena, sizeof(*all) * (d->finding_count + count));
	if (d->finding_count > 0)
		memcpy(all, d->findings, sizeof(*all) * d->finding_count);
	memcpy(all + d->finding_count, more, sizeof(*all) * count);
	d->findings = all;
	d->finding_count += count;
}

static const char *first_error(const struct asked *asked, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (asked[i].error)
			return asked[i].error;
	return NULL;
}

/* Every question was answered by there being nothing to ask. */
static bool is_applicable(const struct asked *asked, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!asked[i].shut && !asked[i].not_asked)
			return true;
	return count == 0;
}

/* One answer that alone would have made the cause likely was asked for, and not given. */
static bool is_blind(const struct gaps *gaps, const struct cause *cause, const struct asked *asked)
{
	bool blind = false;

	for (size_t i = 0; i < cause->rule_count; i++) {
		const struct gap *gap;

		if (asked[i].count > 0 && asked[i].rule->weight > 0)
			return false;
		if (blind || cause->prior + asked[i].rule->weight < SCALE_LIKELY)
			continue;
		gap = ask_gap(gaps, &asked[i], "");
		blind = gap && gaps_is_lost(gap);
	}
	return blind;
}

static bool waits_for(const struct cause *cause, const char *table)
{
	for (size_t i = 0; i < cause->rule_count; i++) {
		struct span rest = span_of(cause->rules[i].gate ? cause->rules[i].gate : "");
		struct gate_term term;

		while (gate_next(&rest, &term))
			if (span_is(term.table, table))
				return true;
	}
	return false;
}

/* A cause with a statement that failed has no say, but for someone who asks why. */
static void examine(struct diagnosis *d, struct asker *asker, const struct gaps *gaps,
		    const struct cause *cause, bool everything)
{
	struct check *check = &d->checks[d->check_count++];
	struct asked *asked = ask_cause(asker, cause, everything);
	struct finding *findings = NULL;
	size_t count = 0;

	*check = (struct check){ .cause = cause->slug,
				 .steps = asker->steps,
				 .by_class = waits_for(cause, "expected"),
				 .is_blind = is_blind(gaps, cause, asked) };
	check->error = first_error(asked, cause->rule_count);
	if (!check->error || everything)
		count = weigh_cause(&d->arena, gaps, cause, asked, everything, &findings);
	check->state = check->error ? CHECK_CRASHED
				    : judge_check(findings, count,
						  is_applicable(asked, cause->rule_count));
	for (size_t i = 0; check->error && i < count; i++) {
		findings[i].belief = BELIEF_NOTHING;
		findings[i].holds = false;
	}
	prescribe(asker, cause, findings, count);
	check->steps = asker->steps;
	add_findings(d, findings, count);
}

static bool reads_log(const struct rule *rule)
{
	struct span rest = span_of(rule->reads), word;

	while (span_word(&rest, &word))
		if (span_is(word, "event"))
			return true;
	return false;
}

/* Whether a machine without a log can show it. */
static bool asks_machine(const struct cause *cause)
{
	for (size_t i = 0; i < cause->rule_count; i++)
		if (!reads_log(&cause->rules[i]))
			return true;
	return false;
}

static int by_cause(const void *a, const void *b)
{
	return strcmp(((const struct check *)a)->cause, ((const struct check *)b)->cause);
}

/* What is not understood is not fine either. */
static void add_later(struct diagnosis *d, const struct rules *rules)
{
	for (size_t i = 0; i < rules->later_count; i++) {
		const struct later *l = &rules->later[i];

		d->checks[d->check_count++] = (struct check){
			.cause = l->cause,
			.state = CHECK_CRASHED,
			.error = arena_format(&d->arena, "for a later rocsteady: %s", l->why),
			.later = true,
		};
		d->later++;
		d->later_statements += (size_t)l->statements;
	}
	if (d->later > 0)
		qsort(d->checks, d->check_count, sizeof(*d->checks), by_cause);
}

/* Every term of it: nothing in the facts fits. */
static bool is_all_shut(struct gates *gates, sqlite3 *db, const char *terms)
{
	struct span rest = span_of(terms);
	struct gate_term term;

	while (gate_next(&rest, &term))
		if (!gates_shut(gates, db, &term))
			return false;
	return true;
}

/*
 * A machine whose GPUs nobody could look at is not called ready: the table is
 * empty, and not because there is none. The GPU of Windows is on no bus.
 */
static const char *find_blindness(sqlite3 *db, const struct gaps *gaps, struct arena *a)
{
	static const struct {
		const char *empty, *asked;
	} looks[] = { { "gpu", "gpu" },
		      { "agent", "agent" },
		      { "gpu; agent; device_node.path /dev/dxg", "host.pci_functions" },
		      { "gpu; agent; device_node.path /dev/dxg", "device_node" } };
	struct gates gates = { 0 };
	const char *why = NULL;

	for (size_t i = 0; !why && i < COUNT(looks); i++) {
		const struct gap *gap = gaps_find_column(gaps, span_of(looks[i].asked), "");

		if (gap && is_all_shut(&gates, db, looks[i].empty))
			why = gaps_says(a, gap);
	}
	gates_done(&gates);
	return why;
}

/*
 * Questions whose turn did not come, or for which this process may open no more files: what
 * they would have told is not known to be fine.
 */
static const char *find_lateness(sqlite3 *db, struct arena *a)
{
	size_t late = select_count(db, "SELECT count(*) FROM gap WHERE detail = 'LATE'");
	size_t shut =
		select_count(db, "SELECT count(*) FROM gap WHERE detail IN ('EMFILE', 'ENFILE')");

	if (late > 0)
		return arena_format(a,
				    "the host is too busy: %zu %s not answered before the "
				    "time was over",
				    late, late == 1 ? "question was" : "questions were");
	return shut > 0 ? arena_format(a, "too many open files (ulimit -n): %zu %s not answered",
				       shut, shut == 1 ? "question was" : "questions were")
			: NULL;
}

/*
 * A question of a walk whose failure proves nothing: what it would have shown is not
 * known to be fine. Most machines are looked at without a walk, so the table comes first.
 */
static const char *find_untested(sqlite3 *db, struct arena *a)
{
	static const char sql[] =
		"SELECT layer || ': ' || sentence || CASE standing"
		" WHEN 'killed' THEN '; another process or the kernel ended it'"
		" WHEN 'starved' THEN '; the host was too busy for it'"
		" WHEN 'vram-full' THEN '; other processes fill the VRAM: end them, then rocsteady check --probe' ELSE '' END "
		"FROM probe_failure WHERE standing NOT IN ('fault', 'no-library') "
		"ORDER BY position LIMIT 1";
	const char *why = NULL;
	sqlite3_stmt *stmt;

	if (select_count(db, "SELECT count(*) FROM probe") == 0)
		return NULL;
	stmt = select_from(db, sql);
	if (select_next(stmt))
		why = column_copy(stmt, 0, a);
	sqlite3_finalize(stmt);
	return why;
}

static void examine_all(struct diagnosis *d, struct asker *asker, const struct gaps *gaps,
			const struct rules *rules, bool everything)
{
	d->statements = rules->rule_count;
	d->checks = arena_alloc(&d->arena,
				sizeof(*d->checks) * (rules->count + rules->later_count + 1));
	for (size_t i = 0; i < rules->count; i++)
		if (asks_machine(&rules->causes[i]) || everything) /* only a log shows the others */
			examine(d, asker, gaps, &rules->causes[i], everything);
	add_later(d, rules);
	d->prepared = asker->prepared;
}

/* `kept` as in asker_init(). On failure nothing of the diagnosis is left. */
static int diagnose_by(sqlite3 *db, const struct rules *rules, struct guard *kept, bool everything,
		       struct diagnosis *d)
{
	struct gaps gaps = { 0 };
	struct asker asker;
	int r = gaps_load(db, &d->arena, &gaps);

	if (r == 0) {
		d->blind = find_blindness(db, &gaps, &d->arena);
		d->late = find_lateness(db, &d->arena);
		d->untested = find_untested(db, &d->arena);
		asker_init(&asker, db, kept, rules, &gaps, &d->arena);
		examine_all(d, &asker, &gaps, rules, everything);
		asker_done(&asker);
		name_gpus(db, &d->arena, d->findings, d->finding_count);
		judge_consequences(d, rules);
		diagnose_judge(d);
		r = select_error() ? -EIO : 0;
	}
	gaps_done(&gaps);
	if (r < 0)
		diagnose_done(d);
	return r;
}

static int diagnose_chosen(sqlite3 *db, const struct rules_choice *choice, struct diagnosis *ret)
{
	struct diagnosis d = { 0 };
	struct rules rules = { 0 };
	int r = rules_load(db, &d.arena, choice, &rules);

	if (r < 0)
		arena_done(&d.arena);
	else
		r = diagnose_by(db, &rules, NULL, choice->only != NULL, &d);
	if (r == 0)
		*ret = d;
	return r;
}

int diagnose(sqlite3 *db, const char *only, struct diagnosis *ret)
{
	return diagnose_chosen(db, &(struct rules_choice){ .only = only }, ret);
}

int diagnose_node(sqlite3 *db, struct diagnosis *ret)
{
	return diagnose_chosen(db, &(struct rules_choice){ .closes_node = true }, ret);
}

void diagnose_done(struct diagnosis *d)
{
	arena_done(&d->arena);
	*d = (struct diagnosis){ 0 };
}

/* ---- one machine after the other ---- */

/* Whatever changes the schema or the walls comes first: afterwards each would undo the keeping. */
int examiner_open(struct examiner *e, sqlite3 *db)
{
	*e = (struct examiner){ .db = db };
	guard_keep(&e->guard, db);
	select_keep(db);
	materialize_keep(db);
	return rules_load(db, &e->arena, &(struct rules_choice){ 0 }, &e->rules);
}

int examiner_diagnose(struct examiner *e, struct diagnosis *ret)
{
	struct diagnosis d = { 0 };
	int r = diagnose_by(e->db, &e->rules, &e->guard, false, &d);

	if (r == 0)
		*ret = d;
	return r;
}

void examiner_close(struct examiner *e)
{
	guard_off(&e->guard);
	arena_done(&e->arena);
}

/* ---- names ---- */

static const char *name_of(const char *const *names, size_t count, size_t at)
{
	return at < count ? names[at] : "?";
}

const char *diagnose_verdict_name(enum verdict verdict)
{
	static const char *const names[] = { "ready", "degraded", "not_ready", "undecided" };

	return name_of(names, COUNT(names), verdict);
}

const char *diagnose_state_name(enum check_state state)
{
	static const char *const names[] = { "ok", "problem", "undecided", "not_applicable",
					     "crashed" };

	return name_of(names, COUNT(names), state);
}

int diagnose_exit_status(enum verdict verdict)
{
	static const int statuses[] = { [VERDICT_READY] = EXIT_FINE,
					[VERDICT_DEGRADED] = EXIT_DEGRADED,
					[VERDICT_NOT_READY] = EXIT_PROBLEM,
					[VERDICT_UNDECIDED] = EXIT_UNDECIDED };

	return (size_t)verdict < COUNT(statuses) ? statuses[verdict] : EXIT_OWN_FAULT;
}
