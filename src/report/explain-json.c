#include <string.h>

#include "base/json-write.h"
#include "explain/about.h"
#include "explain/defects.h"
#include "explain/fingerprint.h"
#include "report/cause-json.h"
#include "report/explain-parts.h"

#define SCHEMA 2 /* only grows */

static void write_cause(struct json *j, const struct explain_cause *c,
			const struct explain_report *r)
{
	json_open(j, NULL, '{');
	json_string(j, "cause", c->cause);
	json_string(j, "counts_as", c->counts_as);
	json_string(j, "title", c->title);
	json_string(j, "severity", c->severity);
	json_int(j, "share", c->share);
	json_int(j, "sum", c->sum);
	json_real(j, "belief", c->belief);
	json_string(j, "cure", c->cure);
	json_string(j, "thread", c->thread);
	signs_json(j, c->signs, c->sign_count, SIGN_WEIGHS);
	remedies_json(j, c->remedies, c->remedy_count, r->shell);
	json_close(j, '}');
}

static void write_look(struct json *j, const struct explain_look *look)
{
	if (!look->typed) {
		json_string(j, "first_look", NULL);
		return;
	}
	json_open(j, "first_look", '{');
	json_string(j, "says", look->says);
	json_string(j, "command", look->typed);
	json_string(j, "tells", look->tells);
	json_close(j, '}');
}

/* What to do, the best first; the words of a remedy stand with its cause. */
static void write_steps(struct json *j, const struct explanation *e, enum shell shell)
{
	struct arena a = { 0 };

	json_open(j, "steps", '[');
	for (size_t i = 0; i < e->step_count; i++) {
		const struct explain_step *s = &e->steps[i];

		json_open(j, NULL, '{');
		json_string(j, "cause", s->cause ? s->cause->cause : NULL);
		json_string(j, "cure", s->cure);
		json_string(j, "remedy", s->remedy && !s->cure ? s->remedy->id : NULL);
		json_string(j, "title", explain_step_title(s));
		json_string(j, "command", s->typed);
		json_string(j, "steps",
			    s->cure && s->remedy ? steps_of(&a, s->remedy, shell) : NULL);
		json_close(j, '}');
	}
	json_close(j, ']');
	arena_done(&a);
}

static void write_event(struct json *j, const struct explain_event *e)
{
	json_open(j, NULL, '{');
	json_string(j, "signature", e->signature);
	json_string(j, "kind", e->kind);
	json_string(j, "says", e->says);
	json_string(j, "text", e->text);
	json_string(j, "source", e->source);
	json_int(j, "line", e->line);
	json_int(j, "count", e->count);
	json_close(j, '}');
}

static void write_events(struct json *j, const struct explanation *e)
{
	json_open(j, "events", '[');
	for (size_t i = 0; i < e->event_count; i++)
		write_event(j, &e->events[i]);
	json_close(j, ']');
}

static void write_settings(struct json *j, const struct explanation *e)
{
	json_open(j, "settings", '[');
	for (size_t i = 0; i < e->setting_count; i++) {
		json_open(j, NULL, '{');
		json_string(j, "setting", e->settings[i].what);
		json_string(j, "says", e->settings[i].says);
		json_string(j, "source", e->settings[i].source);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* Its step stands here, since it belongs to none of the causes. */
static void write_family(struct json *j, const struct explain_family *f,
			 const struct explain_report *r)
{
	const struct remedy *step;

	if (!f) {
		json_string(j, "family", NULL);
		return;
	}
	step = f->remedy;
	json_open(j, "family", '{');
	json_string(j, "name", f->name);
	json_string(j, "title", f->title);
	json_real(j, "belief", f->belief);
	json_open(j, "causes", '[');
	for (size_t i = 0; i < f->member_count; i++)
		json_string(j, NULL, f->members[i]->cause);
	json_close(j, ']');
	remedies_json(j, &step, 1, r->shell);
	json_close(j, '}');
}

static void write_failure_line(struct json *j, const char *name, const struct failure_line *l)
{
	if (!l->line || !l->text) {
		json_string(j, name, NULL);
		return;
	}
	json_open(j, name, '{');
	json_int(j, "line", (int64_t)l->line);
	json_string(j, "text", l->text);
	json_close(j, '}');
}

static void write_survived(struct json *j, const struct failure *f)
{
	size_t kept = f->survived.count < FAILURE_SURVIVED ? f->survived.count : FAILURE_SURVIVED;

	json_int(j, "survived", (int64_t)f->survived.count);
	json_open(j, "survived_lines", '[');
	for (size_t i = 0; i < kept; i++)
		write_failure_line(j, NULL, &f->survived.list[i]);
	json_close(j, ']');
}

static void write_failure(struct json *j, const struct failure *f)
{
	if (!f) {
		json_string(j, "ending", NULL);
		return;
	}
	json_open(j, "ending", '{');
	json_string(j, "file", f->file);
	json_string(j, "text", failure_end_name(f->end));
	json_bool(j, "failed", f->counts);
	json_string(j, "unread", f->unread);
	json_int(j, "looked_from", (long long)f->from);
	write_failure_line(j, "last_error", &f->last);
	write_failure_line(j, "first_error", &f->first);
	write_failure_line(j, "last_line", &f->closing);
	write_survived(j, f);
	json_string(j, "origin", f->origin);
	json_string(j, "place", f->place);
	json_string(j, "component", f->component);
	json_string(j, "says", f->says);
	json_string(j, "step", f->step);
	json_string(j, "command", f->typed);
	json_close(j, '}');
}

/* {"gfx": [{...}, ...], ...}: they come by name. */
static void write_facts(struct json *j, const struct explanation *e)
{
	json_open(j, "facts", '{');
	for (size_t i = 0; i < e->fact_count; i++) {
		const struct explain_fact *f = &e->facts[i];

		if (i == 0 || strcmp(f->name, f[-1].name) != 0)
			json_open(j, f->name, '[');
		json_open(j, NULL, '{');
		json_string(j, "value", f->value);
		json_string(j, "version", f->version);
		json_string(j, "source", f->source);
		json_string(j, "origin", f->origin);
		json_close(j, '}');
		if (i + 1 == e->fact_count || strcmp(f->name, f[1].name) != 0)
			json_close(j, ']');
	}
	json_close(j, '}');
}

static void write_defects(struct json *j, const struct explanation *e)
{
	json_open(j, "defects", '[');
	for (size_t i = 0; i < e->defect_count; i++) {
		const struct defect_fit *d = &e->defects[i];

		json_open(j, NULL, '{');
		json_string(j, "id", d->id);
		json_string(j, "cause", d->cause);
		json_string(j, "title", d->title);
		json_string(j, "cure", d->cure);
		json_string(j, "fixed_in", d->fixed_in);
		json_string(j, "url", explain_defect_url(d));
		json_string(j, "source", d->source);
		json_int(j, "weight", d->weight);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void explain_json_id(struct json *j, const struct batch_id *id)
{
	if (!id->is_known)
		json_null(j, "id");
	else if (id->is_number)
		json_number(j, "id", id->text);
	else
		json_text(j, "id", id->text);
}

void explain_json(const struct explain_report *r, struct buf *ret)
{
	const struct explanation *e = r->explanation;
	struct json j = json_on(ret);
	struct buf headline BUF_SCOPED = { 0 };
	struct arena names = { 0 };

	j.compact = true; /* one object a line */
	json_open(&j, NULL, '{');
	if (r->id)
		explain_json_id(&j, r->id);
	json_int(&j, "schema", SCHEMA);
	json_string(&j, "file", r->file);
	json_string(&j, "answer", belief_name(e->word));
	explain_headline(r, &headline);
	json_string(&j, "headline", headline.data);
	json_string(&j, "about", about(e));
	write_family(&j, e->family, r);
	json_string(&j, "symptom", e->symptom ? e->symptom->cause : NULL);
	json_string(&j, "first_failure", e->first ? e->first->signature : NULL);
	json_string(&j, "fingerprint", fingerprint(&names, e));
	json_real(&j, "unknown", e->unknown);
	json_open(&j, "causes", '[');
	for (size_t i = 0; i < e->spoken; i++)
		write_cause(&j, &e->causes[i], r);
	json_close(&j, ']');
	write_defects(&j, e);
	write_facts(&j, e);
	write_look(&j, &e->first_look);
	write_steps(&j, e, r->shell);
	write_settings(&j, e);
	write_events(&j, e);
	write_failure(&j, e->failure);
	json_open(&j, "not_read", '[');
	for (size_t i = 0; i < r->left_out_count; i++)
		json_string(&j, NULL, r->left_out[i]);
	json_close(&j, ']');
	json_string(&j, "used", r->used);
	json_int(&j, "lines", (int64_t)r->lines);
	json_string(&j, "knowledge", r->kb_version);
	json_close(&j, '}');
	arena_done(&names);
}

void explain_json_unread(const struct explain_unread *u, struct page *p)
{
	struct json j = json_on(p->out);
	struct buf headline BUF_SCOPED = { 0 };

	buf_addf(&headline, "Not read: %s", u->why);
	j.compact = true;
	json_open(&j, NULL, '{');
	json_int(&j, "schema", SCHEMA);
	json_string(&j, "file", u->file);
	json_string(&j, "answer", "not-read");
	json_string(&j, "headline", headline.data);
	json_close(&j, '}');
}

void explain_json_error(const struct batch_id *id, unsigned long long line, const char *why,
			struct buf *ret)
{
	struct json j = json_on(ret);

	j.compact = true;
	json_open(&j, NULL, '{');
	explain_json_id(&j, id);
	json_int(&j, "line", (int64_t)line);
	json_string(&j, "error", why);
	json_close(&j, '}');
}
