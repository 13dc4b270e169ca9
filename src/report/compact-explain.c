#include <string.h>

#include "explain/about.h"
#include "explain/fingerprint.h"
#include "report/compact.h"
#include "report/explain-parts.h"

#define RIVALS_SHOWN   3
#define SETTINGS_SHOWN 3 /* in an answer of about 2 kB */

static bool write_causes(struct json *j, const struct explanation *e)
{
	size_t count = explain_named(e), shown = count < RIVALS_SHOWN ? count : RIVALS_SHOWN;

	json_open(j, "causes", '[');
	for (size_t i = 0; e->family && i < e->family->member_count && i < RIVALS_SHOWN; i++)
		compact_cause(j, e->family->members[i]->cause, e->family->members[i]->title, NULL);
	for (size_t i = 0; !e->family && i < shown; i++)
		compact_cause(j, e->causes[i].cause, e->causes[i].title, NULL);
	json_close(j, ']');
	return count > shown;
}

static bool write_steps(struct json *j, const struct explain_report *r)
{
	const struct explanation *e = r->explanation;
	const struct explain_look *look = explain_first_look(r);
	struct compact_steps steps;

	compact_begin_steps(&steps, j, r->shell);
	if (look)
		compact_typed(&steps, look->says, look->typed, look->tells);
	for (size_t i = 0; i < e->step_count; i++)
		if (e->steps[i].remedy)
			compact_remedy(&steps, explain_step_title(&e->steps[i]),
				       e->steps[i].remedy);
		else
			compact_typed(&steps, explain_step_title(&e->steps[i]), e->steps[i].typed,
				      NULL);
	return compact_end_steps(&steps);
}

static const char *text_at(const struct explanation *e, const char *source)
{
	for (size_t i = 0; i < e->event_count; i++)
		if (strcmp(e->events[i].source, source) == 0)
			return e->events[i].text;
	return NULL;
}

static void write_error(struct json *j, const struct failure *f, size_t nth)
{
	struct buf place BUF_SCOPED = { 0 };

	if (!f || !f->counts)
		return;
	failure_place(&place, f->file, f->last.line);
	compact_sign(j, nth,
		     &(struct compact_sign){ explain_quote_title(f), place.data, f->last.text });
}

/* What spoke for what is named, or else the error that nothing is known of. */
static bool write_signs(struct json *j, const struct explanation *e)
{
	const struct explain_cause *c = explain_named(e) > 0 ? &e->causes[0] : NULL;
	const char *quoted = ""; /* a line that says two things is quoted once */
	size_t n = 0;
	bool all = true;

	json_open(j, "signs", '[');
	for (size_t i = 0; c && i < c->sign_count; i++) {
		const struct sign *l = &c->signs[i];

		if (l->counted <= 0)
			continue;
		all = compact_sign(j, n++,
				   &(struct compact_sign){ l->says, l->source,
							   strcmp(l->source, quoted) == 0
								   ? NULL
								   : text_at(e, l->source) }) &&
		      all;
		quoted = l->source;
	}
	if (n == 0)
		write_error(j, e->failure, n);
	json_close(j, ']');
	return !all;
}

static void write_notes(struct json *j, const struct explain_report *r)
{
	const char *list[EXPLAIN_CAVEATS];
	const struct explanation *e = r->explanation;
	struct explain_upstream upstream = explain_upstream(e->causes);
	struct arena a = { 0 };
	size_t count = explain_caveats(r, &a, list);

	json_open(j, "notes", '[');
	for (size_t i = 0; i < count; i++)
		json_string(j, NULL, list[i]);
	for (size_t i = 0; i < e->setting_count && i < SETTINGS_SHOWN; i++)
		json_string(j, NULL,
			    arena_format(&a, "%s %s (%s)", e->settings[i].what, e->settings[i].says,
					 e->settings[i].source));
	if (explain_named(e) > 0 && upstream.url)
		json_string(j, NULL, arena_format(&a, "%s: %s", upstream.title, upstream.url));
	json_close(j, ']');
	arena_done(&a);
}

void explain_compact(const struct explain_report *r, struct buf *ret)
{
	const struct explanation *e = r->explanation;
	struct buf headline BUF_SCOPED = { 0 };
	struct json j = compact_open(ret);
	struct arena names = { 0 };
	bool left_out;

	explain_headline(r, &headline);
	if (r->id)
		explain_json_id(&j, r->id);
	else if (r->file && strcmp(r->file, FAILURE_STDIN) != 0)
		json_string(&j, "file", r->file);
	compact_head(&j, belief_name(e->word), buf_get(&headline));
	json_string(&j, "about", about(e));
	left_out = write_causes(&j, e);
	left_out = write_steps(&j, r) || left_out;
	left_out = write_signs(&j, e) || left_out;
	write_notes(&j, r);
	json_string(&j, "fingerprint", fingerprint(&names, e));
	json_string(&j, "used", r->used);
	json_string(&j, "knowledge", r->kb_version);
	compact_end(&j, left_out);
	arena_done(&names);
}
