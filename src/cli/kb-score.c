#include "cli/kb-score.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/desk.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/score-records.h"
#include "explain/log.h"
#include "report/score.h"

#define HEALTHY  "tests/logs/healthy"
#define MACHINES "tests/machines"

struct scorer {
	const struct options *options;
	struct score_records records; /* healthy ones behind the others */
	struct arena arena;
	struct score scores[PRESENTATIONS], likely[PRESENTATIONS];
	struct score_confusion confusions[PRESENTATIONS];
	struct score_case *cases;
	size_t case_count;
	const char **alarms;
	size_t alarm_count;
};

/* ---- one answer ---- */

/* `env` and `log` are told to `facts`, which may hold a machine already. */
static int explain_told(sqlite3 *db, struct state *state, const struct json_node *env,
			struct span log, struct explanation *ret)
{
	struct log_signatures signatures = { 0 };
	struct scan *scan = NULL;
	int r = log_signatures_load(db, &signatures);

	if (r == 0)
		scan = scan_new(signatures.list, signatures.count);
	if (scan) {
		if (env)
			state_json(state, env, "env");
		scan_feed(scan, log);
		scan_end(scan);
		log_events(state, &signatures, scan, "log");
		state_settle(state);
		if (!state->has_gpu)
			facts_end(state->facts);
		r = explain(db, ret);
	}
	scan_free(scan);
	log_signatures_done(&signatures);
	return scan && r == 0 ? 0 : -EIO;
}

static int explain_record(const struct options *o, const struct score_record *r,
			  enum presentation how, struct explanation *ret)
{
	struct buf log BUF_SCOPED = { 0 };
	struct state state = { 0 };
	struct desk desk;
	int status;

	if (desk_open_bare(o, &desk) != 0)
		return -EIO;
	state.facts = desk.machine.facts;
	score_records_present(r, how, &log);
	status = explain_told(desk_db(&desk), &state, r->env, buf_get(&log), ret);
	state_done(&state);
	desk_close(&desk);
	return status;
}

static struct score_answer answer_of(const struct score_record *r, const struct explanation *e)
{
	struct score_answer a = { .cause = r->cause,
				  .others = (const char *const *)r->others,
				  .other_count = r->other_count,
				  .decided = e->word >= EXPLAIN_LIKELY };

	for (size_t i = 0; i < SCORE_RANKS && i < e->cause_count; i++)
		a.ranked[i] = e->causes[i].cause;
	a.belief = e->cause_count > 0 ? e->causes[0].belief : 0;
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

/* Names live as long as the scorer; those of an explanation do not. */
static void keep_names(struct scorer *s, struct score_answer *a)
{
	for (size_t i = 0; i < SCORE_RANKS; i++)
		if (a->ranked[i])
			a->ranked[i] = arena_text(&s->arena, span_of(a->ranked[i]));
}

static int score_record(struct scorer *s, const struct score_record *r)
{
	struct score_case *c = &s->cases[s->case_count];
	double *gains = arena_alloc(&s->arena, PRESENTATIONS * sizeof(*gains));

	for (size_t how = 0; how < PRESENTATIONS; how++) {
		struct explanation e;
		struct score_answer a;

		if (explain_record(s->options, r, (enum presentation)how, &e) < 0)
			return -EIO;
		a = answer_of(r, &e);
		keep_names(s, &a);
		take_answer(s, r, (enum presentation)how, &a);
		gains[how] = r->cause ? score_gain(&a) : 0;
		if (r->cause && !r->likely && score_rank(&a) != 1)
			score_confuse(&s->confusions[how], &a);
		if (how == AS_IS)
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
	sqlite3 *db = facts_db(m->facts);
	struct diagnosis d;
	struct explanation e;
	const char *cause = NULL;

	if (diagnose(db, NULL, &d) == 0) {
		if (d.verdict != VERDICT_READY && d.finding_count > 0)
			cause = arena_text(&s->arena, span_of(d.findings[0].cause));
		diagnose_done(&d);
	}
	if (!cause && explain_told(db, &state, NULL, (struct span){ "", 0 }, &e) == 0) {
		if (e.word >= EXPLAIN_LIKELY)
			cause = arena_text(&s->arena, span_of(e.causes[0].cause));
		explain_done(&e);
	}
	state_done(&state);
	return cause;
}

static int score_machine(struct scorer *s, const char *path)
{
	struct options from = { .from = path, .kb = s->options->kb };
	const char *cause;
	struct desk desk;
	int status = desk_open(&from, &desk);

	if (status != 0)
		return status;
	cause = cure_of(s, &desk.machine);
	for (size_t how = 0; how < PRESENTATIONS; how++)
		score_add_healthy(&s->scores[how], SCORE_MACHINE, cause != NULL);
	if (cause)
		note_alarm(s, path, cause);
	desk_close(&desk);
	return 0;
}

static int is_about(const struct dirent *entry)
{
	return span_ends(span_of(entry->d_name), ".about");
}

static int score_machines(struct scorer *s, const char *dir)
{
	struct dirent **entries = NULL;
	int count = scandir(dir, &entries, is_about, alphasort);
	int status = 0;

	if (count < 0)
		say("%s: %s; --machines names a directory of snapshots", dir, strerror(errno));
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

static size_t worst_of(const struct scorer *s)
{
	size_t worst = 0;

	for (size_t i = 1; i < PRESENTATIONS; i++)
		if (s->scores[i].gain[SCORE_ALL].sum < s->scores[worst].gain[SCORE_ALL].sum)
			worst = i;
	return worst;
}

static int score_all(struct scorer *s)
{
	const struct options *o = s->options;
	size_t room = s->records.count + 1;
	struct progress progress;

	s->cases = arena_alloc(&s->arena, room * sizeof(*s->cases));
	s->alarms = arena_alloc(&s->arena, ALARMS_MAX * sizeof(*s->alarms));
	for (size_t i = 0; i < PRESENTATIONS; i++)
		s->confusions[i].arena = &s->arena;
	progress_start(&progress);
	for (size_t i = 0; i < s->records.count; i++) {
		progress_say(&progress, s->records.list[i].id);
		if (score_record(s, &s->records.list[i]) < 0) {
			progress_end(&progress);
			say("%s: the knowledge cannot be read", s->records.list[i].id);
			return EXIT_OWN_FAULT;
		}
	}
	progress_end(&progress);
	return score_machines(s, o->machines ? o->machines : MACHINES);
}

static int say_score(struct scorer *s)
{
	const char *const names[] = { score_records_name(AS_IS), score_records_name(SHUFFLED),
				      score_records_name(BURIED) };
	struct buf text BUF_SCOPED = { 0 };
	struct score_report report = { .names = names,
				       .scores = s->scores,
				       .likely = s->likely,
				       .count = PRESENTATIONS,
				       .worst = worst_of(s),
				       .cases = s->cases,
				       .case_count = s->case_count,
				       .alarms = s->alarms,
				       .alarm_count = s->alarm_count };

	score_confusion_sort(&s->confusions[report.worst]);
	report.confusion = &s->confusions[report.worst];
	if (s->options->json)
		score_json(&report, &text);
	else
		score_text(&report, &text);
	return say_answer(s->options->output, buf_get(&text));
}

int kb_score(const struct options *o)
{
	struct scorer s = { .options = o };
	int status;

	if (o->word_count != 2)
		return say_usage("kb", "kb score takes a file of records, a JSON object a line");
	status = score_records_read(&s.records, o->words[1]);
	if (status == 0)
		status = score_records_healthy(&s.records, o->healthy ? o->healthy : HEALTHY);
	if (status == 0)
		status = score_all(&s);
	if (status == 0)
		status = say_score(&s);
	for (size_t i = 0; i < s.case_count; i++)
		explain_done(&s.cases[i].explanation);
	score_records_done(&s.records);
	arena_done(&s.arena);
	return status;
}
