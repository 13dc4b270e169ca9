#include "report/explain-parts.h"

#include <string.h>

#include "explain/defects.h"

bool explain_is_unnamed(const struct failure *f)
{
	return f->counts && !f->is_clear;
}

const char *explain_quote_title(const struct failure *f)
{
	return f->is_told ? "The report says" : "The last error is";
}

/* A known event, else the error itself. */
static void what_happened(const struct explanation *e, struct buf *ret)
{
	const struct failure *f = e->failure;

	if (e->symptom && !e->is_symptom_of_line) {
		buf_addf(ret, "%s; the text does not tell why", e->first_says);
		return;
	}
	buf_text(ret, "Cause unclear");
	if (e->first_says)
		buf_addf(ret, ": %s", e->first_says);
	else if (f && f->counts)
		buf_addf(ret, ": %s", f->last.text);
}

void explain_but_survived(const struct explanation *e, struct buf *ret)
{
	size_t count = e->failure ? e->failure->survived.count : 0;

	if (count > 0)
		buf_addf(ret, ", but %zu %s that the work survived", count,
			 count == 1 ? "failure" : "failures");
}

void explain_headline(const struct explain_report *r, struct buf *ret)
{
	const struct explanation *e = r->explanation;

	if (e->word >= BELIEF_LIKELY) {
		buf_text(ret, explain_says(e));
	} else if (e->word == BELIEF_UNDECIDED) {
		what_happened(e, ret);
	} else if (e->word == BELIEF_NOT_RECOGNISED) {
		buf_text(ret, explain_is_unnamed(e->failure) ? "Not recognised" : e->failure->says);
	} else {
		buf_addf(ret, "No known error in %llu %s", r->lines,
			 r->lines == 1 ? "line" : "lines");
		explain_but_survived(e, ret);
	}
}

enum page_mark explain_mark(const struct explanation *e)
{
	return e->word >= BELIEF_LIKELY    ? PAGE_PROBLEM
	       : e->word == BELIEF_NOTHING ? PAGE_GOOD
					   : PAGE_UNDECIDED;
}

const char *explain_said_word(enum belief word)
{
	static const char *const words[] = { "ok", "not recognised", "unclear", "likely",
					     "certain" };

	return words[word];
}

const char *explain_step_title(const struct explain_step *s)
{
	return s->remedy ? s->remedy->title : s->cure ? s->cure : s->says;
}

size_t explain_named(const struct explanation *e)
{
	return e->word >= BELIEF_LIKELY ? 1 : e->word == BELIEF_UNDECIDED ? e->spoken : 0;
}

static const char *say_left_out(const struct explain_report *r, struct arena *a)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%zu %s not read: ", r->left_out_count,
		 r->left_out_count == 1 ? "file was" : "files were");
	for (size_t i = 0; i < r->left_out_count; i++)
		buf_addf(&text, "%s%s", i > 0 ? ", " : "", r->left_out[i]);
	return arena_text(a, buf_get(&text));
}

/* A line each. */
static size_t say_survived(const struct failure *f, struct arena *a, const char **ret)
{
	size_t n = 0, left;

	for (; n < f->survived.count && n < EXPLAIN_SURVIVED; n++) {
		struct buf text BUF_SCOPED = { 0 };

		buf_text(&text, "Work went on after ");
		failure_place(&text, f->file, f->survived.list[n].line);
		buf_addf(&text, ": %s", f->survived.list[n].text);
		if (n == 0)
			buf_text(&text, " (To ask about it, explain its lines alone.)");
		ret[n] = arena_text(a, buf_get(&text));
	}
	left = f->survived.count - n;
	if (left > 0)
		ret[n++] = arena_format(a, "Work went on after %zu more %s.", left,
					left == 1 ? "failure" : "failures");
	return n;
}

/* What shows it, and what to do should it come back. */
static const char *say_proof(const struct failure *f, struct arena *a)
{
	struct buf text BUF_SCOPED = { 0 };

	failure_place(&text, f->file, f->recovery.proof.line);
	buf_addf(&text, ": %s %s", f->says, f->step);
	return arena_text(a, buf_get(&text));
}

size_t explain_caveats(const struct explain_report *r, struct arena *a,
		       const char *ret[EXPLAIN_CAVEATS])
{
	const struct explanation *e = r->explanation;
	const struct failure *f = e->failure;
	bool fine = e->word == BELIEF_NOTHING;
	size_t n = 0;

	if (r->left_out_count > 0)
		ret[n++] = say_left_out(r, a);
	if (f && f->unread && (e->word != BELIEF_NOT_RECOGNISED || f->counts))
		ret[n++] = f->unread; /* else it is the answer itself */
	if (f && fine)
		n += say_survived(f, a, ret + n);
	if (f && e->is_made_good && f->worked)
		ret[n++] = say_proof(f, a);
	if (f && fine && f->stopped)
		ret[n++] = f->stopped;
	if (f && fine && f->from > 1)
		ret[n++] = arena_format(a, "Unknown errors were looked for from line %llu on.",
					(unsigned long long)f->from);
	if (f && fine && f->end == FAILURE_END_OPEN)
		ret[n++] = "The last line does not end in a newline: the text may be cut short.";
	return n;
}

const struct explain_look *explain_first_look(const struct explain_report *r)
{
	const struct explain_look *look = &r->explanation->first_look;

	return look->typed && steps_exists(look->typed, r->explanation->job, r->shell) ? look
										       : NULL;
}

const char *explain_defect_url(const struct defect_fit *d)
{
	return strncmp(d->reference, "https://", 8) == 0 ? d->reference : NULL;
}

struct explain_upstream explain_upstream(const struct explain_cause *c)
{
	const struct defect_fit *d = c->defect;

	if (!d)
		return (struct explain_upstream){ "Seen before", c->thread, NULL };
	/* A bug of which something is not known here may be another one: its fix is no promise. */
	return (struct explain_upstream){ "Upstream", explain_defect_url(d),
					  d->unsaid[0] || d->beyond[0] || d->unchecked
						  ? NULL
						  : d->fixed_in };
}
