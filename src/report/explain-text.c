#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/explain.h"

#define EVIDENCE_MAX 6
#define REMEDIES_MAX 3
#define CAUSES_SHOWN 4
#define NOTES_MAX    4
#define SOURCE_WIDE  26 /* a longer source stands below its sentence */

static void say_line(struct page *p, size_t indent, const char *text)
{
	buf_addf(p->out, "%*s", (int)indent, "");
	page_wrap(p, indent, indent, text);
}

/* Where the sentence begins beside its source; 0: they do not fit beside each other. */
static size_t column_of(size_t widest)
{
	return widest <= SOURCE_WIDE ? 4 + widest + 2 : 0;
}

static void say_row(struct page *p, size_t column, const char *source, const char *says,
		    const char *right)
{
	if (column > 0) {
		page_row(p, 4, column, source, says, right);
		return;
	}
	if (right[0])
		page_pair(p, 4, says, right);
	else
		say_line(p, 4, says);
	page_dim(p, 6, source);
}

/* ---- evidence ---- */

static bool is_shown(const struct explain_line *l, size_t shown, bool all)
{
	return l->counted != 0 && (all || shown < EVIDENCE_MAX);
}

static size_t widest_source(const struct explain_cause *c, bool all)
{
	size_t widest = 0, shown = 0;

	for (size_t i = 0; i < c->line_count; i++)
		if (is_shown(&c->lines[i], shown, all)) {
			size_t width = text_width(span_of(c->lines[i].source));

			widest = width > widest ? width : widest;
			shown++;
		}
	return widest;
}

static void evidence(const struct explain_cause *c, bool all, struct page *p)
{
	size_t column = column_of(widest_source(c, all)), shown = 0;

	say_line(p, 2, "evidence");
	for (size_t i = 0; i < c->line_count; i++) {
		const struct explain_line *l = &c->lines[i];
		char weight[32];

		if (!is_shown(l, shown, all))
			continue;
		shown++;
		snprintf(weight, sizeof(weight), "%+d dB", l->counted);
		say_row(p, column, l->source, l->says, weight);
	}
}

/* ---- what to do ---- */

/* Commands begin with four blanks and stay as they are, to be pasted. */
static void steps(const char *text, struct page *p)
{
	struct span rest = span_of(text), line;

	while (span_line(&rest, &line)) {
		struct buf copy BUF_SCOPED = { 0 };

		if (span_trim(line).len == 0)
			continue;
		buf_span(&copy, line);
		if (span_starts(line, "    "))
			buf_addf(p->out, "         %s\n", copy.data + 4);
		else
			say_line(p, 7, copy.data);
	}
}

static void remedy(const struct remedy *r, size_t number, bool whole, enum shell shell,
		   struct page *p)
{
	struct arena a = { 0 };

	buf_addf(p->out, "    %zu  ", number);
	page_wrap(p, 7, 7, r->title);
	if (!whole)
		return;
	steps(steps_for(&a, r->steps, shell), p);
	arena_done(&a);
	if (r->verify)
		buf_addf(p->out, "       see whether it helped:\n         %s\n", r->verify);
}

static void next(const struct explain_cause *c, bool all, enum shell shell, struct page *p)
{
	size_t number = 1;

	if (c->remedy_count == 0 && !c->cure)
		return;
	buf_char(p->out, '\n');
	say_line(p, 2, "next");
	if (c->cure) {
		buf_addf(p->out, "    %zu  ", number++);
		page_wrap(p, 7, 7, c->cure);
	}
	for (size_t i = 0; i < c->remedy_count && (all || i < REMEDIES_MAX); i++)
		remedy(c->remedies[i], number + i, all || number + i == 1, shell, p);
}

/* ---- lines of a kind, with where they stand ---- */

static void events_of(const struct explanation *e, const char *kind, const char *title,
		      struct page *p)
{
	size_t widest = 0, shown = 0;

	for (size_t i = 0; i < e->event_count; i++)
		if (strcmp(e->events[i].kind, kind) == 0) {
			size_t width = text_width(span_of(e->events[i].source));

			widest = width > widest ? width : widest;
		}
	for (size_t i = 0; i < e->event_count && shown < NOTES_MAX; i++) {
		if (strcmp(e->events[i].kind, kind) != 0)
			continue;
		if (shown++ == 0) {
			buf_char(p->out, '\n');
			say_line(p, 2, title);
		}
		say_row(p, column_of(widest), e->events[i].source, e->events[i].says, "");
	}
}

/* ---- the three answers ---- */

static void nothing(const struct explain_report *r, struct page *p)
{
	char counted[80];

	snprintf(counted, sizeof(counted), "%llu line%s", r->lines, r->lines == 1 ? "" : "s");
	page_heading(p, PAGE_GOOD, "nothing to cure was found", counted);
	events_of(r->explanation, "warning", "worth knowing", p);
}

static void rivals(const struct explanation *e, struct page *p)
{
	for (size_t i = 0; i < e->spoken && i < CAUSES_SHOWN; i++)
		page_pair(p, 4, e->causes[i].title, e->causes[i].cause);
	if (e->spoken > CAUSES_SHOWN) {
		char more[40];

		snprintf(more, sizeof(more), "and %zu more", e->spoken - CAUSES_SHOWN);
		say_line(p, 4, more);
	}
}

static void undecided(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "undecided%s%s", e->first ? ": " : "", e->first ? e->first->says : "");
	page_heading(p, PAGE_UNDECIDED, text.data, e->first ? e->first->source : "");
	buf_char(p->out, '\n');
	if (e->spoken == 0) {
		say_line(p, 2, "No cause that we know of fits what is said here.");
	} else {
		say_line(p, 2, e->spoken == 1 ? "what it may be" : "what it may be, best first");
		rivals(e, p);
		buf_char(p->out, '\n');
	}
	for (size_t i = 0; i < e->spoken && i < (r->verbose ? CAUSES_SHOWN : 1u); i++)
		evidence(&e->causes[i], r->verbose, p);
	buf_char(p->out, '\n');
	if (e->spoken > 0 && e->causes[0].undecided) {
		buf_text(p->out, "  decide it: ");
		page_wrap(p, 13, 13, e->causes[0].undecided);
	}
	buf_text(p->out, "  on that machine:   rocsteady check\n");
}

static void decided(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;
	const struct explain_cause *c = &e->causes[0];
	struct buf right BUF_SCOPED = { 0 };

	buf_addf(&right, "%s %s %s", c->cause, page_dot(p), explain_word_name(e->word));
	page_heading(p, PAGE_PROBLEM, c->title, right.data);
	buf_char(p->out, '\n');
	say_line(p, 2, c->story);
	buf_char(p->out, '\n');
	evidence(c, r->verbose, p);
	next(c, r->verbose, r->shell, p);
	if (r->verbose && e->spoken > 1) {
		buf_char(p->out, '\n');
		say_line(p, 2, "less likely");
		for (size_t i = 1; i < e->spoken && i < CAUSES_SHOWN; i++)
			page_pair(p, 4, e->causes[i].title, e->causes[i].cause);
	}
}

void explain_text(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;

	if (e->word == EXPLAIN_NOTHING)
		nothing(r, p);
	else if (e->word == EXPLAIN_UNDECIDED)
		undecided(r, p);
	else
		decided(r, p);
	events_of(e, "harmless", "not the cause", p);
	buf_char(p->out, '\n');
	page_dim(p, 2, r->used);
}
