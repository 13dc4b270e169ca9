#include "run/preflight.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "context/ack-files.h"
#include "diagnose/diagnose.h"
#include "door/trust.h"
#include "facts/select.h"
#include "run/night.h"
#include "run/retry.h"
#include "run/settings.h"

#define QUICK_MS    900  /* of a second: the rest is for the diagnosis */
#define THOROUGH_MS 4500 /* with --strict and --heal */
#define AGAIN_MS    1200 /* after a failure: whoever started the job waits for the verdict */
#define PATIENCE_MS 400  /* for one path */
#define LINES_MAX   3
#define RECORD_MAX  8000 /* bytes of findings: one record of the journal holds them */

/* ---- the machine ---- */

static bool is_elsewhere(const struct context_options *o)
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
		select_exec(facts_db(facts), sql);
	sqlite3_free(sql);
}

/* Through sudo the job is root's, so this process is judged and not who called sudo. */
static int look(const struct run_options *o, struct preflight *p, struct buf *said)
{
	struct context_options words = o->context;
	char self[24];
	int status;

	settings_self(self);
	if (!is_elsewhere(&words))
		words.door.pid = self;
	words.door.patience_ms = PATIENCE_MS;
	words.door.total_ms = o->heal || o->strict ? THOROUGH_MS : QUICK_MS;
	status = context_open(&words, &p->context, said);
	if (status == 0) {
		settings_tell(p->context.machine.facts);
		tell_environment(p->context.machine.facts, o->words[0]);
	}
	machine_close_root(&p->context.machine); /* the tables have it all */
	return is_elsewhere(&words) && p->context.machine.made_status == 0 ? status : 0;
}

/* ---- what was found ---- */

static bool is_problem(const struct finding *f)
{
	return f->section == SECTION_CAUSE && strcmp(f->severity, "problem") == 0 &&
	       strcmp(f->kind, "cause") == 0;
}

static void record_finding(struct preflight *p, const struct finding *f)
{
	struct buf *out = &p->record;

	if (out->len > RECORD_MAX) {
		p->left_out++;
		return;
	}
	buf_addf(out, "finding %s %s ", f->severity, f->cause);
	text_word(out, f->subject[0] ? span_of(f->subject) : SPAN_LITERAL("-"));
	buf_char(out, ' ');
	text_word(out, span_of(f->title));
	buf_char(out, '\n');
	if (f->remedy_count > 0) {
		struct buf command BUF_SCOPED = { 0 };

		buf_addf(&command, "rocsteady fix %s", f->remedies[0]->id);
		retry_write_help(out, f->cause, f->remedies[0]->id, command.data,
				 f->remedies[0]->title);
	}
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

/* Without a GPU the job may be one that needs none: what is wrong is told when it fails. */
static bool waits_for_failure(const struct preflight *p)
{
	sqlite3_stmt *stmt = select_from(context_db(&p->context), "SELECT 1 FROM no_gpu");
	bool none = select_next(stmt);

	sqlite3_finalize(stmt);
	return none && !p->options->strict;
}

/* Problems first; of more than fit the last line tells how many. */
static void tell(struct preflight *p, const struct diagnosis *d, struct buf *said)
{
	size_t lines = p->setting_count, more = 0;

	if (waits_for_failure(p))
		said = &p->at_failure;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < d->finding_count; i++) {
			const struct finding *f = &d->findings[i];
			const char *value = settings_value(f->subject);

			if (!(pass == 0 ? is_problem(f) : f->section == SECTION_MYTH && value))
				continue;
			if (pass == 0) {
				record_finding(p, f);
			} else {
				buf_addf(&p->record, "harmful %s ", f->subject);
				text_word(&p->record, span_of(value));
				buf_char(&p->record, ' ');
				text_word(&p->record, span_of(f->title));
				buf_char(&p->record, '\n');
			}
			p->refused = p->refused || (pass == 0 && p->options->strict);
			if (was_told(d, i))
				continue;
			if (lines++ < LINES_MAX - 1)
				text_line(said, "%s (%s)", f->title, f->cause);
			else
				more++;
		}
	if (p->left_out > 0)
		buf_addf(&p->record, "left-out %zu\n", p->left_out);
	if (more > 0)
		text_line(said, "%zu more; see: rocsteady check", more);
}

/* ---- healing ---- */

static bool is_known_already(const struct preflight *p, const char *name)
{
	for (size_t i = 0; i < p->setting_count; i++)
		if (strcmp(p->settings[i].name, name) == 0)
			return true;
	return false;
}

/* Running on the CPU alone is for a job that has failed, not for one that may. */
static bool heal(struct preflight *p, const struct diagnosis *d, struct buf *said)
{
	const char **causes = arena_alloc(&p->arena, (d->finding_count + 1) * sizeof(*causes));
	struct workarounds found;
	size_t count = 0;

	for (size_t i = 0; i < d->finding_count; i++)
		if (d->findings[i].holds && !d->findings[i].acknowledged)
			causes[count++] = arena_text(&p->arena, span_of(d->findings[i].cause));
	if (workarounds_find(context_db(&p->context), causes, count, &p->arena, &found) < 0)
		return false;
	p->settings = arena_alloc(&p->arena, (found.count + 1) * sizeof(*p->settings));
	for (size_t i = 0; i < found.count; i++) {
		const struct workaround *w = &found.list[i];

		if (strcmp(w->costs, "cpu") == 0 || is_known_already(p, w->name))
			continue;
		if (w->value)
			text_line(said, "%s=%s set: %s; source: %s", w->name, w->value, w->says,
				  w->source);
		else
			text_line(said, "%s unset: %s; source: %s", w->name, w->says, w->source);
		retry_write_workaround(&p->record, w);
		settings_put(p->context.machine.facts, w);
		p->settings[p->setting_count++] = *w;
	}
	return p->setting_count > 0;
}

static void judge(struct preflight *p, struct buf *said)
{
	sqlite3 *db = context_db(&p->context);
	struct acks acks = { 0 };
	struct diagnosis d;

	if (diagnose(db, NULL, &d) < 0)
		return;
	ack_files_take(&p->options->context, &acks, said);
	ack_files_put(&acks, db, &d, said);
	if (p->options->heal && heal(p, &d, said)) {
		diagnose_done(&d); /* what is left of it with the settings? */
		if (diagnose(db, NULL, &d) < 0) {
			ack_done(&acks);
			return;
		}
		ack_files_put(&acks, db, &d, NULL);
	}
	tell(p, &d, said);
	ack_done(&acks);
	diagnose_done(&d);
}

/* Before the night is the time to install it: then nobody is there. */
static void tell_py_spy(const struct run_options *o, struct buf *said)
{
	struct buf program BUF_SCOPED = { 0 };
	struct arena a = { 0 };

	if (o->on_hang != RUN_HANG_NOTIFY && night_is_python(o->words[0]) &&
	    trust_look_for_program("py-spy", &program) == -ENOENT)
		text_line(said, "%s", night_python(SPAN_LITERAL("before"), &a));
	arena_done(&a);
}

int preflight_make(const struct run_options *o, struct preflight *ret, struct buf *said)
{
	uint64_t start = clock_ms();
	int status;

	*ret = (struct preflight){ .options = o };
	if (o->no_preflight)
		return 0;
	tell_py_spy(o, said);
	status = look(o, ret, said);
	if (status == 0 && ret->context.machine.facts) {
		judge(ret, said);
		buf_addf(&ret->record, "took %llu\n", (unsigned long long)(clock_ms() - start));
	}
	return status;
}

bool preflight_again(void *preflight)
{
	struct preflight *p = preflight;

	return machine_look_again(&p->options->context, AGAIN_MS, p->context.machine.facts);
}

void preflight_done(struct preflight *p)
{
	context_close(&p->context);
	arena_done(&p->arena);
	buf_done(&p->record);
	buf_done(&p->at_failure);
}
