#include <stdio.h>
#include <string.h>

#include "report/explain.h"

#define EVIDENCE_MAX 6
#define CAUSES_SHOWN 3
#define NOTES_MAX    4

static void say_line(struct page *p, size_t indent, const char *text)
{
	buf_addf(p->out, "%*s", (int)indent, "");
	page_wrap(p, indent, indent, text);
}

static void evidence(const struct explain_cause *c, bool all, struct page *p)
{
	size_t shown = 0;

	say_line(p, 2, "evidence");
	for (size_t i = 0; i < c->line_count; i++) {
		const struct explain_line *l = &c->lines[i];
		struct buf left BUF_SCOPED = { 0 };
		char weight[32];

		if (l->counted == 0 || (!all && shown == EVIDENCE_MAX))
			continue;
		shown++;
		buf_addf(&left, "%s  %s", l->source, l->says);
		snprintf(weight, sizeof(weight), "%+d dB", l->counted);
		page_pair(p, 4, left.data, weight);
	}
}

static void steps(const struct remedy *r, struct page *p)
{
	struct span rest = span_of(r->steps), line;

	while (span_line(&rest, &line)) {
		struct buf text BUF_SCOPED = { 0 };

		buf_span(&text, line);
		if (span_starts(line, "    "))
			buf_addf(p->out, "     %.*s\n", (int)line.len, line.data);
		else if (line.len > 0)
			say_line(p, 7, text.data);
	}
}

static void next(const struct explain_cause *c, bool all, struct page *p)
{
	if (c->remedy_count == 0 && !c->cure)
		return;
	say_line(p, 2, "next");
	if (c->cure)
		say_line(p, 4, c->cure);
	for (size_t i = 0; i < c->remedy_count && (all || i < 3); i++) {
		buf_addf(p->out, "    %zu  ", i + 1);
		page_wrap(p, 7, 7, c->remedies[i]->title);
		if (i == 0 || all)
			steps(c->remedies[i], p);
	}
}

/* What often frightens and means nothing. */
static void harmless(const struct explanation *e, struct page *p)
{
	size_t shown = 0;

	for (size_t i = 0; i < e->event_count && shown < NOTES_MAX; i++) {
		struct buf text BUF_SCOPED = { 0 };

		if (strcmp(e->events[i].kind, "harmless") != 0)
			continue;
		if (shown++ == 0)
			say_line(p, 2, "not the cause");
		buf_addf(&text, "%s  %s", e->events[i].source, e->events[i].says);
		say_line(p, 4, text.data);
	}
}

static void undecided(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;
	struct buf text BUF_SCOPED = { 0 };

	if (e->first)
		buf_addf(&text, "undecided: %s", e->first->says);
	else
		buf_text(&text, "undecided");
	page_heading(p, PAGE_UNDECIDED, text.data, e->first ? e->first->source : "");
	if (e->spoken == 0)
		say_line(p, 4, "No cause that we know of fits what is said here.");
	for (size_t i = 0; i < e->spoken && i < CAUSES_SHOWN; i++) {
		const struct explain_cause *c = &e->causes[i];

		page_pair(p, 4, c->title, c->cause);
		if (i == 0 || r->verbose)
			evidence(c, r->verbose, p);
	}
	if (e->spoken > 0 && e->causes[0].undecided) {
		struct buf decide BUF_SCOPED = { 0 };

		buf_addf(&decide, "decided by: %s", e->causes[0].undecided);
		say_line(p, 2, decide.data);
	}
	say_line(p, 2, "on the machine itself:   rocsteady check");
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
	buf_char(p->out, '\n');
	next(c, r->verbose, p);
}

void explain_text(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;
	char counted[80];

	if (e->word == EXPLAIN_NOTHING) {
		snprintf(counted, sizeof(counted), "%llu lines", r->lines);
		page_heading(p, PAGE_GOOD, "nothing to cure was found", counted);
	} else if (e->word == EXPLAIN_UNDECIDED) {
		undecided(r, p);
	} else {
		decided(r, p);
	}
	harmless(e, p);
	page_dim(p, 2, r->used);
}
