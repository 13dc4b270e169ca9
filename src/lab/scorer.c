#include "lab/scorer.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit-status.h"
#include "base/text.h"
#include "explain/log.h"
#include "facts/select.h"

#define MACHINES "tests/machines"

/* ---- one answer ---- */

/* `log` is told to the facts, which may hold a machine, and what was stated, already. */
static int explain_told(struct scorer *s, struct state *state, struct span log,
			struct explanation *ret)
{
	struct scan *scan = s->engine.scan;
	struct described described;
	struct failure failure;
	int r;

	scan_feed(scan, log);
	scan_end(scan);
	described_read(&s->engine.signatures.words, scan, &state->arena, &described);
	described_tell(state, &described, "log");
	log_events(state, &s->engine.signatures, scan, "log");
	described_tell_behind(state, &described, "log");
	state_conclude(state);
	if (!state->has_gpu)
		facts_end(state->facts);
	failure_find(scan, &s->engine.signatures, "log", &state->arena, &failure);
	r = engine_explain(&s->engine, facts_db(state->facts), &failure, false, ret);
	if (r == 0)
		ret->failure = NULL; /* it does not live as long */
	scan_again(scan);
	return r == 0 && !select_error() ? 0 : -EIO;
}

int scorer_explain(struct scorer *s, const struct score_record *r, enum presentation how,
		   const struct json_node *const *told, size_t count, struct explanation *ret)
{
	struct buf log BUF_SCOPED = { 0 };
	struct state state = { .facts = s->bare.machine.facts };
	int status;

	score_records_present(r, how, &log);
	for (size_t i = 0; i < count; i++)
		state_json(&state, told[i], "env");
	status = explain_told(s, &state, buf_get(&log), ret);
	state_done(&state);
	engine_clear(&s->engine);
	return status;
}

/* Of all causes that the labels call by one name. */
static double belief_in(const struct explanation *e, const char *label)
{
	double sum = 0;

	for (size_t i = 0; i < e->cause_count; i++)
		if (strcmp(e->causes[i].counts_as, label) == 0)
			sum += e->causes[i].belief;
	return sum;
}

/* Names of causes outlive the explanation. */
static const char *label_of(struct scorer *s, const struct explain_cause *c)
{
	return arena_text(&s->arena, span_of(c->counts_as));
}

/*
 * A record may be labelled with a cause that others were labelled without: both sides are
 * compared by the older name. A label that is no cause of ours stays.
 */
static const char *label_named(struct scorer *s, const struct explanation *e, const char *label)
{
	for (size_t i = 0; label && i < e->cause_count; i++)
		if (strcmp(e->causes[i].cause, label) == 0)
			return label_of(s, &e->causes[i]);
	return label;
}

static void take_labels(struct scorer *s, const struct score_record *r, const struct explanation *e,
			struct score_answer *a)
{
	const char **others = arena_alloc(&s->arena, sizeof(*others) * (r->other_count + 1));

	for (size_t i = 0; i < r->other_count; i++)
		others[i] = label_named(s, e, r->others[i]);
	a->cause = label_named(s, e, r->cause);
	a->others = others;
	a->other_count = r->other_count;
}

static void take_family(struct scorer *s, const struct explain_family *f, struct score_answer *a)
{
	const char **labels;

	if (!f)
		return;
	labels = arena_alloc(&s->arena, sizeof(*labels) * f->member_count);
	for (size_t i = 0; i < f->member_count; i++)
		labels[i] = label_of(s, f->members[i]);
	a->family = labels;
	a->family_count = f->member_count;
}

struct score_answer scorer_answer(struct scorer *s, const struct score_record *r,
				  const struct explanation *e)
{
	struct score_answer a = { .decided = e->word >= BELIEF_LIKELY,
				  .silent = e->word <= BELIEF_NOT_RECOGNISED,
				  .is_ok = e->word == BELIEF_NOTHING,
				  .cures = r->cures };

	take_labels(s, r, e, &a);
	for (size_t i = 0; i < SCORE_RANKS && i < e->cause_count; i++)
		a.ranked[i] = label_of(s, &e->causes[i]);
	for (size_t i = 0; i < SCORE_RANKS && i < e->step_count; i++)
		a.steps[i] = arena_text(&s->arena, span_of(e->steps[i].kinds));
	a.belief = e->cause_count > 0 ? belief_in(e, a.ranked[0]) : 0;
	take_family(s, e->family, &a);
	return a;
}

#define ALARMS_MAX 200 /* that are named; all are counted */

static void note_alarm(struct scorer *s, const char *what, const char *cause)
{
	if (s->alarm_count < ALARMS_MAX)
		s->alarms[s->alarm_count++] = arena_format(&s->arena, "%s: %s", what, cause);
}

static void take_answer(struct scorer *s, const struct score_record *r, enum presentation how,
			const struct score_answer *a)
{
	if (r->cause) {
		score_add(r->likely ? &s->likely[how] : &s->scores[how], a);
		return;
	}
	score_add_healthy(&s->scores[how], SCORE_LOG, a->decided);
	if (a->decided)
		note_alarm(s, arena_format(&s->arena, "%s, %s", r->id, score_records_name(how)),
			   a->ranked[0]);
}

static int score_record(struct scorer *s, const struct score_record *r)
{
	struct score_case *c = &s->cases[s->case_count];
	double *gains = arena_alloc(&s->arena, PRESENTATION_COUNT * sizeof(*gains));

	for (size_t how = 0; how < PRESENTATION_COUNT; how++) {
		struct explanation e;
		struct score_answer a;

		if (scorer_explain(s, r, (enum presentation)how, &r->env, r->env ? 1 : 0, &e) < 0)
			return -EIO;
		a = scorer_answer(s, r, &e);
		take_answer(s, r, (enum presentation)how, &a);
		gains[how] = r->cause ? score_gain(&a) : 0;
		if (r->cause && !r->likely && score_rank(&a) != 1)
			score_confuse(&s->confusions[how], &a);
		if (how == PRESENTATION_AS_IS)
			*c = (struct score_case){ r->id, a, "healthy", NULL, e };
		else
			explain_done(&e);
	}
	c->gains = r->cause ? gains : NULL;
	if (r->cause)
		c->strength = r->likely ? "likely" : "confirmed";
	s->case_count++;
	return 0;
}

/* ---- healthy machines ---- */

/* NAME.about has a line that says so. */
static bool is_healthy(const char *path)
{
	char line[256];
	bool healthy = false;
	FILE *f = fopen(path, "re");

	while (f && !healthy && fgets(line, sizeof(line), f))
		healthy = strcmp(line, "state: healthy\n") == 0;
	if (f)
		fclose(f);
	return healthy;
}

/* What `check` finds there, or explains without any log; NULL: nothing to cure. */
static const char *cure_of(struct scorer *s, struct machine *m)
{
	struct state state = { .facts = m->facts, .has_gpu = true };
	struct diagnosis d;
	struct explanation e;
	const char *cause = NULL;

	if (diagnose(facts_db(m->facts), NULL, &d) == 0) {
		if (d.verdict != VERDICT_READY && d.finding_count > 0)
			cause = arena_text(&s->arena, span_of(d.findings[0].cause));
		diagnose_done(&d);
	}
	if (!cause && explain_told(s, &state, (struct span){ "", 0 }, &e) == 0) {
		if (e.word >= BELIEF_LIKELY)
			cause = arena_text(&s->arena, span_of(e.causes[0].cause));
		explain_done(&e);
	}
	state_done(&state);
	return cause;
}

static int score_machine(struct scorer *s, const char *path)
{
	struct context_options from = { .from = path, .kb = s->options->kb };
	const char *cause;
	struct context context;
	int status = context_open(&from, &context, s->lab->said);

	if (status != 0)
		return status;
	cause = cure_of(s, &context.machine);
	for (size_t how = 0; how < PRESENTATION_COUNT; how++)
		score_add_healthy(&s->scores[how], SCORE_MACHINE, cause != NULL);
	if (cause)
		note_alarm(s, path, cause);
	context_close(&context);
	return 0;
}

static int is_about(const struct dirent *entry)
{
	return span_ends(span_of(entry->d_name), ".about");
}

/* Without a name they are ours, which need not exist. */
static int score_machines(struct scorer *s, const char *named)
{
	const char *dir = named ? named : MACHINES;
	struct dirent **entries = NULL;
	int count = scandir(dir, &entries, is_about, alphasort);
	int status = named && count < 0 ? EXIT_NO_INPUT : 0;

	if (count < 0)
		text_line(s->lab->said, "%s: %s; --machines names a directory of snapshots", dir,
			  strerror(errno));
	for (int i = 0; i < count; i++) {
		size_t stem = strlen(entries[i]->d_name) - strlen(".about");
		const char *about = arena_format(&s->arena, "%s/%s", dir, entries[i]->d_name);
		const char *snap =
			arena_format(&s->arena, "%s/%.*s.snap", dir, (int)stem, entries[i]->d_name);

		if (status == 0 && is_healthy(about))
			status = score_machine(s, snap);
		free(entries[i]);
	}
	free(entries);
	return status;
}

/* ---- all of it ---- */

size_t scorer_worst(const struct scorer *s)
{
	size_t worst = 0;

	for (size_t i = 1; i < PRESENTATION_COUNT; i++)
		if (s->scores[i].gain[SCORE_ALL].sum < s->scores[worst].gain[SCORE_ALL].sum)
			worst = i;
	return worst;
}

/* Of the confirmed records alone, as the figures that it is compared with. */
static void find_constant(struct scorer *s)
{
	const struct score_cures **list =
		arena_alloc(&s->arena, (s->records.count + 1) * sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < s->records.count; i++)
		if (!s->records.list[i].likely && score_has_cure(s->records.list[i].cures))
			list[count++] = s->records.list[i].cures;
	s->constant = score_constant(list, count);
}

bool scorer_open(struct scorer *s)
{
	bool is_open = context_open_bare(s->options, &s->bare, s->lab->said) == 0 &&
		       engine_open(&s->engine, s->bare.machine.facts) == 0 &&
		       engine_keep(&s->engine) == 0;

	if (!is_open)
		text_line(s->lab->said, "the knowledge cannot be read");
	return is_open;
}

int scorer_run(struct scorer *s, const char *machines)
{
	size_t room = s->records.count + 1;

	if (!scorer_open(s))
		return EXIT_OWN_FAULT;
	s->cases = arena_alloc(&s->arena, room * sizeof(*s->cases));
	s->alarms = arena_alloc(&s->arena, ALARMS_MAX * sizeof(*s->alarms));
	for (size_t i = 0; i < PRESENTATION_COUNT; i++)
		s->confusions[i].arena = &s->arena;
	for (size_t i = 0; i < s->records.count; i++) {
		lab_step(s->lab, s->records.list[i].id);
		if (score_record(s, &s->records.list[i]) < 0) {
			text_line(s->lab->said, "%s: the knowledge cannot be read",
				  s->records.list[i].id);
			return EXIT_OWN_FAULT;
		}
	}
	find_constant(s);
	return score_machines(s, machines);
}

void scorer_done(struct scorer *s)
{
	for (size_t i = 0; i < s->case_count; i++)
		explain_done(&s->cases[i].explanation);
	engine_close(&s->engine);
	context_close(&s->bare);
	score_records_done(&s->records);
	arena_done(&s->arena);
}
