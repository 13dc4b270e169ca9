#include "report/check-sections.h"
#include "report/check.h"
#include "report/compact.h"

static void write_causes(struct json *j, const struct diagnosis *d)
{
	json_open(j, "causes", '[');
	for (size_t i = 0; i < d->finding_count; i++) {
		struct buf title BUF_SCOPED = { 0 };

		if (!section_leads(d, i))
			continue;
		section_title(&d->findings[i], &title);
		compact_cause(j, d->findings[i].cause, title.data, section_belief(&d->findings[i]));
	}
	json_close(j, ']');
}

/* Each finding's best step before any finding's second. */
static bool write_steps(struct json *j, const struct check_report *r)
{
	const struct diagnosis *d = r->diagnosis;
	struct compact_steps steps;
	bool any = true;

	compact_begin_steps(&steps, j, r->shell);
	for (size_t n = 0; any; n++) {
		any = false;
		for (size_t i = 0; i < d->finding_count; i++) {
			const struct finding *f = &d->findings[i];

			if (!section_leads(d, i) || n >= f->remedy_count)
				continue;
			compact_remedy(&steps, f->remedies[n]->title, f->remedies[n]);
			any = true;
		}
	}
	return compact_end_steps(&steps);
}

/* Of each finding the first line that counted, then the others of the first. */
static bool write_signs(struct json *j, const struct diagnosis *d)
{
	size_t n = 0;
	bool all = true;

	json_open(j, "signs", '[');
	for (size_t i = 0; i < d->finding_count; i++)
		for (size_t k = 0; section_leads(d, i) && k < d->findings[i].sign_count; k++) {
			const struct sign *l = &d->findings[i].signs[k];

			if (l->answer != ANSWER_YES || l->counted <= 0)
				continue;
			all = compact_sign(j, n++,
					   &(struct compact_sign){ l->says, l->source, NULL }) &&
			      all;
		}
	json_close(j, ']');
	return !all;
}

static void write_notes(struct json *j, const struct check_report *r)
{
	struct arena a = { 0 };
	const char *unknown = check_not_known(r->facts, &a);
	size_t count;
	const char **machine = check_machine(r->facts, "x", &a, &count);

	json_open(j, "machine", '[');
	for (size_t i = 0; i < count; i++)
		json_string(j, NULL, machine[i]);
	json_close(j, ']');
	json_open(j, "notes", '[');
	if (r->diagnosis->untested)
		json_string(j, NULL, r->diagnosis->untested);
	if (unknown)
		json_string(j, NULL, arena_format(&a, "Not known: %s", unknown));
	json_close(j, ']');
	arena_done(&a);
}

void check_compact(const struct check_report *r, struct buf *ret)
{
	const struct diagnosis *d = r->diagnosis;
	struct arena a = { 0 };
	struct json j = compact_open(ret);
	bool left_out;

	compact_head(&j, diagnose_verdict_name(d->verdict), span_of(check_sentence(r, &a)));
	write_causes(&j, d);
	left_out = write_steps(&j, r);
	left_out = write_signs(&j, d) || left_out;
	write_notes(&j, r);
	json_int(&j, "exit_status", diagnose_exit_status(d->verdict));
	json_string(&j, "knowledge", r->kb_version);
	compact_end(&j, left_out);
	arena_done(&a);
}
