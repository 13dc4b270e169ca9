#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/explain-parts.h"
#include "report/remedy-text.h"

#define EVIDENCE_MAX  6
#define SENTENCES_MAX 2 /* about one line of the text */
#define STEPS_SHOWN   3
#define CAUSES_SHOWN  4
#define NOTES_MAX     4
#define CLOSING_MAX   100 /* of the last line, in the answer that all is well */
#define QUOTE_MAX     150 /* of an error line that is not recognised */
#define SOURCE_WIDE   26  /* a longer source stands below its sentence */

static void say_answer(struct page *p, enum page_mark mark, const char *text)
{
	page_mark(p, mark);
	page_wrap(p, 3, 3, text);
}

/* Where the sentence begins beside its source; 0: they do not fit beside each other. */
static size_t column_of(size_t widest)
{
	return widest <= SOURCE_WIDE ? 4 + widest + 2 : 0;
}

static void say_row(struct page *p, size_t column, const char *source, const char *says)
{
	if (column > 0) {
		page_row(p, 4, column, source, says, "");
		return;
	}
	page_line(p, 4, says);
	page_dim(p, 6, source);
}

/* ---- evidence ---- */

/* What a line of the text tells besides is the same in other words. */
static bool is_told(const struct explain_cause *c, const struct explain_line *l)
{
	size_t same = 0;

	for (const struct explain_line *before = c->lines; before < l; before++)
		same += before->counted != 0 && strcmp(before->source, l->source) == 0;
	return same >= SENTENCES_MAX;
}

static bool is_shown(const struct explain_cause *c, const struct explain_line *l, size_t shown,
		     bool all)
{
	return l->counted != 0 && (all || (shown < EVIDENCE_MAX && !is_told(c, l)));
}

static size_t widest_source(const struct explain_cause *c, bool all)
{
	size_t widest = 0, shown = 0;

	for (size_t i = 0; i < c->line_count; i++)
		if (is_shown(c, &c->lines[i], shown, all)) {
			size_t width = text_width(span_of(c->lines[i].source));

			widest = width > widest ? width : widest;
			shown++;
		}
	return widest;
}

/* "2 more steps with --verbose" */
static void say_more(struct page *p, size_t count, const char *what, const char *option)
{
	char text[64];

	if (count == 0)
		return;
	snprintf(text, sizeof(text), "%zu more %s%s with %s", count, what, count == 1 ? "" : "s",
		 option);
	page_dim(p, 4, text);
}

static void evidence(const struct explain_cause *c, bool all, struct page *p)
{
	size_t column = column_of(widest_source(c, all)), shown = 0, counted = 0;

	page_line(p, 2, "Seen");
	for (size_t i = 0; i < c->line_count; i++) {
		const struct explain_line *l = &c->lines[i];

		counted += l->counted != 0;
		if (!is_shown(c, l, shown, all))
			continue;
		shown++;
		say_row(p, column, l->source, l->says);
	}
	say_more(p, counted - shown, "line", "--verbose");
}

/* ---- what to do ---- */

static void say_step(struct page *p, const struct explain_step *s, size_t number)
{
	buf_addf(p->out, "    %zu  ", number);
	page_wrap(p, 7, 7, s->says);
	if (s->typed)
		buf_addf(p->out, "         %s\n", s->typed);
}

static void say_look(struct page *p, const struct explain_look *look)
{
	say_step(p, &(struct explain_step){ .says = look->says, .typed = look->typed }, 1);
	if (look->tells)
		page_line(p, 7, look->tells);
}

/* What the list leaves open: the commands of the later steps, and what COMMAND stands for. */
static void say_hidden(const struct explanation *e, bool short_list, size_t looks, size_t begun,
		       struct page *p)
{
	bool has_command = explain_says_command(p->out, begun);
	char text[80];

	if (short_list && e->step_count > 1) {
		snprintf(text, sizeof(text), "All %zu steps with their commands: add --verbose",
			 e->step_count + looks);
		page_dim(p, 4, text);
	}
	if (has_command)
		page_dim(p, 4, EXPLAIN_COMMAND_IS);
}

/* Where the cause is not decided each step says which one it is for. */
static void list_steps(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;
	const struct explain_look *look = explain_first_look(r);
	size_t shown = r->verbose || e->step_count < STEPS_SHOWN ? e->step_count : STEPS_SHOWN;
	size_t begun = p->out->len;

	if (e->step_count == 0 && !look)
		return;
	page_line(p, 2, "Do this");
	if (look)
		say_look(p, look);
	for (size_t i = 0; i < shown; i++) {
		const struct explain_step *s = &e->steps[i];
		struct remedy_text how = { .number = i + 1 + (look != NULL),
					   .indent = 4,
					   .whole = r->verbose || i == 0,
					   .shell = r->shell };

		if (s->says)
			say_step(p, s, how.number);
		else if (s->remedy)
			remedy_text(p, s->remedy, &how);
		else
			remedy_sentence(p, s->cure, &how);
		if (explain_step_cause(e, s))
			page_dim(p, 7, explain_step_cause(e, s));
	}
	say_hidden(e, !r->verbose, look != NULL, begun, p);
}

static void what_to_do(const struct explain_report *r, struct page *p)
{
	list_steps(r, p);
	if (r->explanation->step_count > 0 || explain_first_look(r))
		buf_char(p->out, '\n');
}

/* ---- lines of a kind, with where they stand ---- */

static void events_of(const struct explanation *e, const char *kind, const char *title, bool all,
		      struct page *p)
{
	size_t widest = 0, shown = 0, more = 0;

	for (size_t i = 0; i < e->event_count; i++)
		if (explain_is_listed(e, &e->events[i], kind)) {
			size_t width = text_width(span_of(e->events[i].source));

			widest = width > widest ? width : widest;
		}
	for (size_t i = 0; i < e->event_count; i++) {
		if (!explain_is_listed(e, &e->events[i], kind))
			continue;
		if (!all && shown == NOTES_MAX) {
			more++;
			continue;
		}
		if (shown++ == 0) {
			buf_char(p->out, '\n');
			page_line(p, 2, title);
		}
		say_row(p, column_of(widest), e->events[i].source, e->events[i].says);
	}
	say_more(p, more, "line", "--verbose");
}

static void settings(const struct explanation *e, bool all, struct page *p)
{
	size_t widest = 0, most = all ? e->setting_count : NOTES_MAX;

	if (e->setting_count == 0)
		return;
	for (size_t i = 0; i < e->setting_count; i++) {
		size_t width = text_width(span_of(e->settings[i].source));

		widest = width > widest ? width : widest;
	}
	buf_char(p->out, '\n');
	page_line(p, 2, EXPLAIN_SETTINGS);
	for (size_t i = 0; i < e->setting_count && i < most; i++) {
		struct buf text BUF_SCOPED = { 0 };

		explain_setting_text(&e->settings[i], &text);
		say_row(p, column_of(widest), e->settings[i].source, text.data);
	}
	say_more(p, e->setting_count > most ? e->setting_count - most : 0, "setting", "--verbose");
}

/* ---- the four answers ---- */

/* How many bytes of clean text fit into so many columns. */
static size_t bytes_for(struct span text, size_t columns)
{
	size_t n = 0;

	for (; columns > 0 && n < text.len; columns--) {
		size_t step = text_utf8((struct span){ text.data + n, text.len - n });

		n += step ? step : 1;
	}
	return n;
}

static void caveats(const struct explain_report *r, size_t indent, struct page *p)
{
	const char *list[EXPLAIN_CAVEATS];
	struct arena a = { 0 };
	size_t count = explain_caveats(r, &a, list);

	for (size_t i = 0; i < count; i++)
		page_line(p, indent, list[i]);
	arena_done(&a);
}

/* No known error in these 812 lines (last line: "Training finished") */
static void nothing(const struct explain_report *r, struct page *p)
{
	const struct failure *f = r->explanation->failure;
	struct buf text BUF_SCOPED = { 0 };

	if (r->lines == 1)
		buf_text(&text, "No known error in this line");
	else
		buf_addf(&text, "No known error in these %llu lines", r->lines);
	explain_but_survived(r->explanation, &text);
	if (f && f->closing.text) {
		struct span closing = span_of(f->closing.text);
		size_t n = bytes_for(closing, CLOSING_MAX);

		buf_addf(&text, " (last line: \"%.*s%s\")", (int)n, closing.data,
			 n < closing.len ? "..." : "");
	}
	say_answer(p, PAGE_GOOD, text.data);
	if (f && !f->worked)
		page_dim(
			p, 3,
			"If the job failed, its error is not in this text: explain all of its output.");
	caveats(r, 3, p);
	events_of(r->explanation, "warning", "Worth knowing", r->verbose, p);
}

/* At most about two lines of a terminal: the step has to stand on the first screen. */
static void quote(struct page *p, const struct failure *f, const struct failure_line *l)
{
	struct span text = span_of(l->text);
	struct buf cut BUF_SCOPED = { 0 };
	size_t n = bytes_for(text, QUOTE_MAX);

	buf_addf(&cut, "%.*s%s", (int)n, text.data, n < text.len ? "..." : "");
	buf_text(p->out, "     ");
	failure_place(p->out, f->file, l->line);
	buf_text(p->out, "  ");
	page_wrap(p, text_width(span_of(f->file)) + 10, 7, cut.data);
}

/* What a signature of this line could begin as; the holes are for whoever knows the program. */
static void stub(const struct failure *f, struct page *p)
{
	struct buf quoted BUF_SCOPED = { 0 };

	for (const char *c = f->last.text; *c; c++)
		buf_add(&quoted, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
	buf_char(p->out, '\n');
	page_line(p, 3, "A signature for this line could start like this (rocsteady-kb(5)):");
	buf_addf(p->out,
		 "     - id: PROGRAM-WHAT\n       kind: failure\n       says: \"WHAT IT MEANS\"\n"
		 "       literals: ['%s']\n       suggests: {CAUSE: 5}\n       examples: ['%s']\n"
		 "       near: [\"\"]\n       sources: [{class: source, ref: \"\", says: \"\"}]\n",
		 quoted.data, quoted.data);
}

static void not_recognised(const struct explain_report *r, struct page *p)
{
	const struct failure *f = r->explanation->failure;
	struct buf title BUF_SCOPED = { 0 };

	buf_addf(&title, "Not recognised. %s", explain_quote_title(f));
	say_answer(p, PAGE_UNDECIDED, explain_is_unnamed(f) ? title.data : f->says);
	if (f->counts) {
		quote(p, f, &f->last);
		if (explain_first_error(f)) {
			page_line(p, 3, "The first error is");
			quote(p, f, explain_first_error(f));
		}
		if (explain_is_unnamed(f))
			page_line(p, 3, f->says);
	}
	buf_char(p->out, '\n');
	list_steps(r, p);
	if (r->verbose && f->counts)
		stub(f, p);
	events_of(r->explanation, "warning", "Worth knowing", r->verbose, p);
}

static void rivals(const struct explanation *e, struct page *p)
{
	for (size_t i = 0; i < e->spoken && i < CAUSES_SHOWN; i++)
		page_pair(p, 4, e->causes[i].title, e->causes[i].cause);
	if (e->spoken > CAUSES_SHOWN)
		say_more(p, e->spoken - CAUSES_SHOWN, "cause", "--json --verbose");
}

static void add_place(struct buf *text, const struct failure *f)
{
	buf_text(text, " (");
	failure_place(text, f->file, f->last.line);
	buf_char(text, ')');
}

/*
 * What happened and what to do stand before the causes that are possible: a
 * list of guesses is the last thing that a reader wants first.
 */
static void undecided(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;
	struct buf text BUF_SCOPED = { 0 };

	explain_what_happened(e, &text);
	if (e->first && (!e->symptom || e->is_symptom_of_line))
		buf_addf(&text, " (%s)", e->first->source);
	else if (e->failure && e->failure->counts)
		add_place(&text, e->failure);
	say_answer(p, PAGE_UNDECIDED, text.data);
	buf_char(p->out, '\n');
	what_to_do(r, p);
	if (e->spoken == 0) {
		page_line(p, 2, "No known cause fits this text.");
	} else {
		page_line(p, 2, explain_causes_title(e));
		rivals(e, p);
		buf_char(p->out, '\n');
	}
	for (size_t i = 0; i < e->spoken && i < (r->verbose ? CAUSES_SHOWN : 1u); i++)
		evidence(&e->causes[i], r->verbose, p);
	if (explain_wants_check(r))
		buf_text(p->out, "\n  " EXPLAIN_ELSE_CHECK " rocsteady check\n");
}

/* What the causes of the family are, and which step tells them apart. */
static void members(const struct explanation *e, struct page *p)
{
	const struct explain_family *f = e->family;
	struct buf line BUF_SCOPED = { 0 };

	buf_addf(&line, "One of these, the most likely first; step %zu tells them apart", e->look);
	page_line(p, 2, line.data);
	for (size_t i = 0; i < f->member_count; i++)
		page_pair(p, 4, f->members[i]->title, f->members[i]->cause);
	buf_char(p->out, '\n');
}

static void decided(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;
	const struct explain_cause *c = &e->causes[0];
	struct explain_upstream upstream = explain_upstream(c);
	struct buf right BUF_SCOPED = { 0 };

	buf_addf(&right, "%s %s %s", explain_name(e), page_dot(p), explain_word_name(e->word));
	page_heading(p, PAGE_PROBLEM, explain_says(e), right.data);
	buf_char(p->out, '\n');
	if (e->family)
		members(e, p);
	what_to_do(r, p);
	evidence(c, r->verbose, p);
	buf_char(p->out, '\n');
	if (explain_story(e)) {
		page_line(p, 2, "Background");
		page_line(p, 4, explain_story(e));
		buf_char(p->out, '\n');
	}
	buf_addf(p->out, "  More: rocsteady kb show %s\n", explain_name(e));
	if (upstream.url)
		buf_addf(p->out, "  %s: %s\n", upstream.title, upstream.url);
	if (upstream.fixed_in)
		buf_addf(p->out, "  Fixed in: %s\n", upstream.fixed_in);
	if (r->verbose && e->spoken > 1) {
		buf_char(p->out, '\n');
		page_line(p, 2, "Less likely");
		for (size_t i = 1; i < e->spoken && i < CAUSES_SHOWN; i++)
			page_pair(p, 4, e->causes[i].title, e->causes[i].cause);
		if (e->spoken > CAUSES_SHOWN)
			say_more(p, e->spoken - CAUSES_SHOWN, "cause", "--json --verbose");
	}
}

void explain_text(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;

	if (e->word == EXPLAIN_NOTHING)
		nothing(r, p);
	else if (e->word == EXPLAIN_NOT_RECOGNISED)
		not_recognised(r, p);
	else if (e->word == EXPLAIN_UNDECIDED)
		undecided(r, p);
	else
		decided(r, p);
	settings(e, r->verbose, p);
	events_of(e, "harmless", "Not the cause", r->verbose, p);
	buf_char(p->out, '\n');
	if (e->word != EXPLAIN_NOTHING)
		caveats(r, 2, p);
	page_dim(p, 2, r->used);
}
