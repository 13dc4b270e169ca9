#include "cli/preflight.h"

#include <string.h>

#include "base/text.h"
#include "cli/ack-files.h"
#include "cli/say.h"
#include "diagnose/diagnose.h"
#include "run/ladder.h"
#include "run/settings.h"
#include "run/share.h"

#define QUICK_MS    900  /* of a second: the rest is for the diagnosis */
#define THOROUGH_MS 4500 /* with --strict and --heal */
#define AGAIN_MS    1200 /* behind a failure: whoever started the job waits for the verdict */
#define PATIENCE_MS 400  /* for one path */
#define LINES_MAX   3
#define RECORD_MAX  8000 /* bytes of findings: one record of the journal holds them */

/* ---- the machine ---- */

static bool is_elsewhere(const struct options *o)
{
	return o->from || o->root || o->host_root;
}

/* A command with a path, as ~/venv/bin/python, says which environment the job uses. */
static void tell_environment(struct facts *facts, const char *command)
{
	struct span prefix = span_of(command);
	char *sql;

	for (int i = 0; i < 2; i++)
		while (prefix.len > 0 && prefix.data[--prefix.len] != '/')
			;
	sql = sqlite3_mprintf("UPDATE main.environment SET active = prefix = %.*Q"
			      " WHERE %.*Q IN (SELECT prefix FROM main.environment)",
			      (int)prefix.len, prefix.data, (int)prefix.len, prefix.data);
	if (sql && prefix.len > 0)
		sqlite3_exec(facts_db(facts), sql, NULL, NULL, NULL);
	sqlite3_free(sql);
}

/* Through sudo the job is root's, so this process is judged and not who called sudo. */
static int look(const struct options *o, struct preflight *p)
{
	struct options words = *o;
	char self[24];
	int status;

	settings_self(self);
	if (!is_elsewhere(o))
		words.door.pid = self;
	words.door.patience_ms = PATIENCE_MS;
	words.door.total_ms = o->heal || o->strict ? THOROUGH_MS : QUICK_MS;
	status = desk_open(&words, &p->desk);
	if (status == 0) {
		settings_tell(p->desk.machine.facts);
		tell_environment(p->desk.machine.facts, o->words[0]);
	}
	p->desk.machine.root = root_free(p->desk.machine.root); /* the tables have it all */
	return is_elsewhere(o) && p->desk.machine.made_status == 0 ? status : 0;
}

/* ---- what was found ---- */

/* A problem that holds, is no other one's consequence, and was not acknowledged. */
static bool is_problem(const struct finding *f)
{
	return f->belief >= BELIEF_LIKELY && !f->because_of && !f->acknowledged &&
	       strcmp(f->severity, "problem") == 0 && strcmp(f->kind, "cause") == 0;
}

static bool is_set(const struct finding *f)
{
	return f->belief >= BELIEF_LIKELY && !f->acknowledged && strcmp(f->kind, "myth") == 0 &&
	       settings_value(f->subject);
}

static void record_finding(struct preflight *p, const struct finding *f)
{
	struct buf *out = &p->record;

	if (out->len > RECORD_MAX)
		return;
	buf_addf(out, "finding %s %s ", f->severity, f->cause);
	text_word(out, f->subject[0] ? span_of(f->subject) : SPAN_LITERAL("-"));
	buf_char(out, ' ');
	text_word(out, span_of(f->title));
	buf_char(out, '\n');
	if (f->remedy_count > 0) {
		struct buf command BUF_SCOPED = { 0 };

		buf_addf(&command, "rocsteady fix %s", f->remedies[0]->id);
		ladder_write_help(out, f->cause, f->remedies[0]->id, command.data,
				  f->remedies[0]->title);
	}
}

static void record_useless(struct preflight *p, const struct finding *f)
{
	buf_addf(&p->record, "harmful %s ", f->subject);
	text_word(&p->record, span_of(settings_value(f->subject)));
	buf_char(&p->record, ' ');
	text_word(&p->record, span_of(f->title));
	buf_char(&p->record, '\n');
}

/* A cause of eight GPUs is one line. */
static bool was_told(const struct diagnosis *d, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (is_problem(&d->findings[i]) &&
		    strcmp(d->findings[i].cause, d->findings[at].cause) == 0)
			return is_problem(&d->findings[at]);
	return false;
}

/* Problems first; of more than fit the last line tells how many. */
static void tell(struct preflight *p, const struct diagnosis *d)
{
	size_t lines = p->setting_count, more = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < d->finding_count; i++) {
			const struct finding *f = &d->findings[i];

			if (!(pass == 0 ? is_problem(f) : is_set(f)))
				continue;
			if (pass == 0)
				record_finding(p, f);
			else
				record_useless(p, f);
			p->refused = p->refused || (pass == 0 && p->options->strict);
			if (was_told(d, i))
				continue;
			if (lines++ < LINES_MAX - 1)
				say("%s (%s)", f->title, f->cause);
			else
				more++;
		}
	if (more > 0)
		say("%zu more of this kind; see: rocsteady check", more);
}

/* ---- healing ---- */

static bool is_known_already(const struct preflight *p, const char *name)
{
	for (size_t i = 0; i < p->setting_count; i++)
		if (strcmp(p->settings[i].name, name) == 0)
			return true;
	return false;
}

static void pull(struct preflight *p, const struct lever *l)
{
	if (is_known_already(p, l->name))
		return;
	if (l->value)
		say("%s=%s set: %s; source: %s", l->name, l->value, l->says, l->source);
	else
		say("%s unset: %s; source: %s", l->name, l->says, l->source);
	ladder_write_lever(&p->record, l);
	settings_put(p->desk.machine.facts, l);
	p->settings[p->setting_count++] = *l;
}

/* The processor alone is for a job that has failed, not for one that may. */
static bool heal(struct preflight *p, const struct diagnosis *d)
{
	const char **causes = arena_alloc(&p->arena, (d->finding_count + 1) * sizeof(*causes));
	struct levers found;
	size_t count = 0;

	for (size_t i = 0; i < d->finding_count; i++)
		if (d->findings[i].belief >= BELIEF_LIKELY && !d->findings[i].acknowledged)
			causes[count++] = arena_text(&p->arena, span_of(d->findings[i].cause));
	if (levers_find(desk_db(&p->desk), causes, count, &p->arena, &found) < 0)
		return false;
	p->settings = arena_alloc(&p->arena, (found.count + 1) * sizeof(*p->settings));
	for (size_t i = 0; i < found.count; i++)
		if (strcmp(found.list[i].costs, "cpu") != 0)
			pull(p, &found.list[i]);
	return p->setting_count > 0;
}

static void judge(struct preflight *p)
{
	sqlite3 *db = desk_db(&p->desk);
	struct acks acks = { 0 };
	struct diagnosis d;

	if (diagnose(db, NULL, &d) < 0)
		return;
	ack_files_apply(p->options, db, &d, &acks);
	if (p->options->heal && heal(p, &d)) {
		diagnose_done(&d); /* what is left of it with the settings? */
		if (diagnose(db, NULL, &d) < 0) {
			ack_done(&acks);
			return;
		}
		ack_files_put_again(&acks, db, &d);
	}
	tell(p, &d);
	ack_done(&acks);
	diagnose_done(&d);
}

int preflight_make(const struct options *o, struct preflight *ret)
{
	uint64_t start = share_clock();
	int status;

	*ret = (struct preflight){ .options = o };
	if (o->no_preflight)
		return 0;
	status = look(o, ret);
	if (status == 0 && ret->desk.machine.facts) {
		judge(ret);
		buf_addf(&ret->record, "took %llu\n", (unsigned long long)(share_clock() - start));
	}
	return status;
}

bool preflight_again(void *preflight)
{
	struct preflight *p = preflight;

	return machine_look_again(p->options, AGAIN_MS, p->desk.machine.facts);
}

void preflight_done(struct preflight *p)
{
	desk_close(&p->desk);
	arena_done(&p->arena);
	buf_done(&p->record);
}
