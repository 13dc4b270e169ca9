#include <string.h>

#include "base/text.h"
#include "report/explain-parts.h"

/* Of the text without --verbose. */
#define EVIDENCE_MAX  6
#define SENTENCES_MAX 2 /* about one line of the log */
#define STEPS_SHOWN   3
#define NOTES_MAX     4
#define CAUSES_SHOWN  4 /* of the text, even with --verbose */

#define CLOSING_MAX 100 /* columns of the last line, in the answer that all is well */

#define LATER  (DOCUMENT_LONG | DOCUMENT_PAGE) /* what the short text leaves out */
#define TOLD   (DOCUMENT_WHOLE | DOCUMENT_COMMENT)
#define PROVED (DOCUMENT_WHOLE | DOCUMENT_FOLDED)

static struct document_node *section(struct document *d, struct document_node *answer,
				     const char *title, unsigned int forms)
{
	struct document_node *n = document_add(d, answer, DOCUMENT_SECTION, title);

	n->forms = forms;
	return n;
}

/* "2 more lines with --verbose" */
static void add_more(struct document *d, struct document_node *to, size_t count, const char *what,
		     const char *option)
{
	if (count > 0)
		document_addf(d, to, DOCUMENT_NOTE, "%zu more %s%s with %s", count, what,
			      count == 1 ? "" : "s", option)
			->forms = DOCUMENT_SHORT;
}

static void add_sign(struct document *d, struct document_node *to, const char *says,
		     const char *place, bool in_short)
{
	struct document_node *n = document_add(d, to, DOCUMENT_SIGN, says);

	n->place = place;
	n->forms = in_short ? DOCUMENT_ALL : LATER;
}

static const char *place_of(struct document *d, const struct failure *f,
			    const struct failure_line *l)
{
	struct buf place BUF_SCOPED = { 0 };

	failure_place(&place, f->file, l->line);
	return arena_text(&d->arena, buf_get(&place));
}

/* ---- what to do ---- */

static struct document_node *add_step(struct document *d, struct document_node *to,
				      const char *title, const char *typed)
{
	struct document_node *n = document_add(d, to, DOCUMENT_STEP, title);

	if (typed)
		document_add(d, n, DOCUMENT_COMMAND, typed);
	return n;
}

static void add_look(struct document *d, struct document_node *to, const struct explain_look *look)
{
	struct document_node *n = add_step(d, to, look->says, look->typed);

	if (look->tells)
		document_add(d, n, DOCUMENT_TEXT, look->tells);
}

static void add_remedy(struct document *d, struct document_node *to, const struct remedy *r,
		       enum shell shell)
{
	document_add_lines(d, to, steps_of(&d->arena, r, shell));
	if (steps_exists(r->verify, r->job, shell)) {
		document_add(d, to, DOCUMENT_TEXT, steps_check_title(r->steps))->forms =
			DOCUMENT_WHOLE;
		document_add(d, to, DOCUMENT_COMMAND, r->verify)->forms = DOCUMENT_WHOLE;
	}
}

/* What the list leaves open: the commands of the later steps, and what COMMAND stands for. */
static void add_hidden(struct document *d, struct document_node *steps, size_t count)
{
	struct span word = SPAN_LITERAL("COMMAND");
	unsigned int forms = document_has_words(steps, DOCUMENT_SHORT, word)  ? TOLD
			     : document_has_words(steps, DOCUMENT_LONG, word) ? LATER
									      : 0;

	if (count > 0)
		document_addf(d, steps, DOCUMENT_NOTE,
			      "All %zu steps with their commands: add --verbose", count)
			->forms = DOCUMENT_SHORT;
	document_add(d, steps, DOCUMENT_NOTE, "COMMAND is what you typed to start the job.")
		->forms = forms;
}

/* For which of several causes it is; NULL: there is one, or it tells them apart. */
static const char *step_cause(const struct explanation *e, const struct explain_step *s)
{
	bool several = e->family || (e->word == BELIEF_UNDECIDED && e->spoken > 1);

	return several && s->cause ? s->cause->cause : NULL;
}

/* Where the cause is not decided each step says which one it is for. */
static void add_steps(struct document *d, struct document_node *answer,
		      const struct explain_report *r)
{
	const struct explanation *e = r->explanation;
	const struct explain_look *look = explain_first_look(r);
	struct document_node *to, *n, *line;

	if (e->step_count == 0 && !look)
		return;
	to = section(d, answer, "Do this", TOLD | DOCUMENT_AT_END);
	if (look)
		add_look(d, to, look);
	for (size_t i = 0; i < e->step_count; i++) {
		const struct explain_step *s = &e->steps[i];

		n = add_step(d, to, explain_step_title(s), s->typed);
		n->name = step_cause(e, s);
		n->forms = i >= STEPS_SHOWN ? LATER : i == 0 ? TOLD : DOCUMENT_ALL;
		if (s->remedy)
			add_remedy(d, n, s->remedy, r->shell);
		for (line = n->first; line && s->remedy && i > 0; line = line->next)
			line->forms &= LATER | DOCUMENT_AT_END;
	}
	add_hidden(d, to, e->step_count > 1 ? e->step_count + (look != NULL) : 0);
}

/* What the causes of the family are, and which step tells them apart. */
static void add_members(struct document *d, struct document_node *answer,
			const struct explanation *e)
{
	const struct explain_family *f = e->family;
	struct document_node *to;

	if (!f)
		return;
	to = section(d, answer,
		     arena_format(&d->arena,
				  "One of these, the most likely first; step %zu tells them apart",
				  e->look),
		     DOCUMENT_WHOLE);
	for (size_t i = 0; i < f->member_count; i++)
		document_add(d, to, DOCUMENT_NAME, f->members[i]->title)->name =
			f->members[i]->cause;
}

/* ---- causes ---- */

static const char *causes_title(const struct explanation *e)
{
	if (e->word != BELIEF_UNDECIDED)
		return "Seen";
	if (e->basis == EXPLAIN_BY_WORDS)
		return "Possible causes, by the words of the text alone";
	if (e->basis == EXPLAIN_BY_KIND)
		return "rocsteady knows no line of this text; such failures are most often";
	return e->spoken == 1 ? "Possible cause" : "Possible causes, most likely first";
}

static void add_names(struct document *d, struct document_node *answer, const char *title,
		      const struct explanation *e, size_t from, unsigned int forms)
{
	struct document_node *to = section(d, answer, title, forms), *n;

	for (size_t i = from; i < e->spoken; i++) {
		n = document_add(d, to, DOCUMENT_NAME, e->causes[i].title);
		n->name = e->causes[i].cause;
		n->forms = i < CAUSES_SHOWN ? DOCUMENT_ALL : DOCUMENT_PAGE;
	}
	if (e->spoken > CAUSES_SHOWN) {
		add_more(d, to, e->spoken - CAUSES_SHOWN, "cause", "--json --verbose");
		to->last->forms = DOCUMENT_TEXTS;
	}
}

/* A line of the log tells no more than this often: what it says besides is the same in other words. */
static bool is_told(const struct explain_cause *c, const struct sign *l)
{
	size_t same = 0;

	for (const struct sign *before = c->signs; before < l; before++)
		same += before->counted != 0 && strcmp(before->source, l->source) == 0;
	return same >= SENTENCES_MAX;
}

static struct document_node *add_seen(struct document *d, struct document_node *answer,
				      const struct explain_cause *c)
{
	struct document_node *to = section(d, answer, "Seen", PROVED);
	size_t shown = 0, more = 0;

	for (size_t i = 0; i < c->sign_count; i++) {
		bool in_short = shown < EVIDENCE_MAX && !is_told(c, &c->signs[i]);

		if (c->signs[i].counted == 0)
			continue;
		add_sign(d, to, c->signs[i].says, c->signs[i].source, in_short);
		shown += in_short;
		more += !in_short;
	}
	add_more(d, to, more, "line", "--verbose");
	return to;
}

/* Where it is discussed, and the release that fixes it. */
static void add_upstream(struct document *d, struct document_node *to,
			 const struct explain_cause *c)
{
	struct explain_upstream upstream = explain_upstream(c);

	if (upstream.url)
		document_add(d, to, DOCUMENT_LINK, upstream.title)->place = upstream.url;
	if (upstream.fixed_in)
		document_addf(d, to, DOCUMENT_TEXT, "Fixed in: %s", upstream.fixed_in);
}

/* How such things happen. NULL of a family: the story of one is not that of the others. */
static const char *story_of(const struct explanation *e)
{
	return e->word >= BELIEF_LIKELY && !e->family ? e->causes[0].story : NULL;
}

static void add_decided(struct document *d, struct document_node *answer,
			const struct explain_report *r)
{
	const struct explanation *e = r->explanation;
	struct document_node *to;

	add_members(d, answer, e);
	add_steps(d, answer, r);
	add_seen(d, answer, &e->causes[0]);
	if (story_of(e))
		document_add(d, section(d, answer, "Background", PROVED), DOCUMENT_TEXT,
			     story_of(e));
	to = section(d, answer, NULL, TOLD);
	document_addf(d, to, DOCUMENT_TEXT, "More: `rocsteady kb show %s`", explain_name(e))
		->forms = DOCUMENT_WHOLE;
	add_upstream(d, to, &e->causes[0]);
	if (r->verbose && e->spoken > 1)
		add_names(d, answer, "Less likely", e, 1, DOCUMENT_WHOLE);
}

/* Whether it is worth naming behind the steps. */
static bool wants_check(const struct explain_report *r)
{
	const struct explain_look *look = explain_first_look(r);
	const char *typed = look ? look->typed : NULL;

	return r->explanation->word == BELIEF_UNDECIDED &&
	       steps_exists("rocsteady check", NULL, r->shell) &&
	       !(typed && strstr(typed, "rocsteady check"));
}

/*
 * What happened and what to do stand before the causes that are possible: a
 * list of guesses is the last thing that a reader wants first.
 */
static void add_undecided(struct document *d, struct document_node *answer,
			  const struct explain_report *r)
{
	const struct explanation *e = r->explanation;
	struct document_node *to;

	add_steps(d, answer, r);
	if (e->spoken > 0)
		add_names(d, answer, causes_title(e), e, 0, TOLD);
	else
		section(d, answer, "No known cause fits this text.", DOCUMENT_TEXTS);
	for (size_t i = 0; i < e->spoken && e->basis != EXPLAIN_BY_KIND; i++) {
		to = add_seen(d, answer, &e->causes[i]);
		to->name = e->causes[i].cause;
		to->is_folded = true; /* the names are one screen */
		to->forms = i == 0 ? PROVED : i < CAUSES_SHOWN ? LATER : DOCUMENT_PAGE;
		add_upstream(d, section(d, answer, NULL, DOCUMENT_PAGE), &e->causes[i]);
	}
	if (wants_check(r))
		document_addf(
			d, section(d, answer, NULL, DOCUMENT_WHOLE), DOCUMENT_TEXT,
			"If that does not help, on the machine that failed: `rocsteady check`");
}

/* ---- what is not recognised ---- */

static void add_quote(struct document *d, struct document_node *answer, const char *before,
		      const char *place, const char *text, unsigned int forms)
{
	struct document_node *n = document_add(d, answer, DOCUMENT_QUOTE, text);

	n->word = before;
	n->place = place;
	n->forms = forms;
}

/* The text shows the line among what was seen; a comment shows nothing else of the log. */
static void add_line(struct document *d, struct document_node *answer, const struct explanation *e)
{
	const struct failure *f = e->failure;

	if (e->word >= BELIEF_UNDECIDED && e->first)
		add_quote(d, answer, "Seen in", e->first->source, e->first->text, DOCUMENT_COMMENT);
	else if (e->word == BELIEF_UNDECIDED && f && f->counts)
		add_quote(d, answer, explain_quote_title(f), place_of(d, f, &f->last), f->last.text,
			  DOCUMENT_COMMENT);
}

/* What a signature of this line could begin as; the holes are for whoever knows the program. */
static void add_stub(struct document *d, struct document_node *answer, const struct failure *f)
{
	struct document_node *to = section(
		d, answer, "A signature for this line could start like this (rocsteady-kb(5)):",
		DOCUMENT_WHOLE);
	struct buf quoted BUF_SCOPED = { 0 };

	for (const char *c = f->last.text; *c; c++)
		buf_add(&quoted, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
	document_add_lines(
		d, to,
		arena_format(
			&d->arena,
			"    - id: PROGRAM-WHAT\n      kind: failure\n      says: \"WHAT IT MEANS\"\n"
			"      literals: ['%s']\n      suggests: {CAUSE: 5}\n      examples: ['%s']\n"
			"      near: [\"\"]\n      sources: [{class: source, ref: \"\", says: \"\"}]\n",
			quoted.data, quoted.data));
}

/* NULL: it says the same as the last. */
static const struct failure_line *first_error(const struct failure *f)
{
	bool other = f->first.line != f->last.line && strcmp(f->first.text, f->last.text) != 0;

	return other ? &f->first : NULL;
}

static void add_unrecognised(struct document *d, struct document_node *answer,
			     const struct explain_report *r)
{
	const struct failure *f = r->explanation->failure;
	bool unnamed = explain_is_unnamed(f); /* else what it says is the headline */

	if (f->counts) {
		add_quote(d, answer, unnamed ? explain_quote_title(f) : NULL,
			  place_of(d, f, &f->last), f->last.text,
			  f->last.text[0] == '#' ? DOCUMENT_WHOLE
						 : TOLD); /* a heading says nothing */
		if (first_error(f))
			add_quote(d, answer, "The first error is", place_of(d, f, &f->first),
				  f->first.text, DOCUMENT_WHOLE);
		if (unnamed)
			document_add(d, answer, DOCUMENT_TEXT, f->says)->forms = TOLD;
	}
	add_steps(d, answer, r);
	if (r->verbose && f->counts)
		add_stub(d, answer, f);
}

/* ---- the answers ---- */

static void add_caveats(struct document *d, struct document_node *to,
			const struct explain_report *r)
{
	const char *list[EXPLAIN_CAVEATS];
	size_t count = explain_caveats(r, &d->arena, list);

	for (size_t i = 0; i < count; i++)
		document_add(d, to, DOCUMENT_TEXT, list[i])->forms = PROVED;
}

static void add_fine(struct document *d, struct document_node *answer,
		     const struct explain_report *r)
{
	const struct failure *f = r->explanation->failure;

	if (f && !f->worked)
		document_add(
			d, answer, DOCUMENT_NOTE,
			"If the job failed, its error is not in this text: explain all of its output.")
			->forms = DOCUMENT_WHOLE;
	add_caveats(d, answer, r);
}

/* A line of this kind that the answer does not quote already. */
static bool is_listed(const struct explanation *e, const struct explain_event *v, const char *kind)
{
	const struct failure *f = e->failure;
	bool quoted = e->word == BELIEF_NOT_RECOGNISED && f && f->counts &&
		      (v->line == (long long)f->last.line || v->line == (long long)f->first.line);

	return strcmp(v->kind, kind) == 0 && !quoted;
}

static void add_events(struct document *d, struct document_node *answer,
		       const struct explanation *e, const char *kind, const char *title,
		       unsigned int forms)
{
	struct document_node *to = NULL;
	size_t count = 0;

	for (size_t i = 0; i < e->event_count; i++) {
		if (!is_listed(e, &e->events[i], kind))
			continue;
		to = to ? to : section(d, answer, title, forms);
		add_sign(d, to, e->events[i].says, e->events[i].source, count++ < NOTES_MAX);
	}
	if (count > NOTES_MAX)
		add_more(d, to, count - NOTES_MAX, "line", "--verbose");
}

static void add_settings(struct document *d, struct document_node *answer,
			 const struct explanation *e)
{
	struct document_node *to;

	if (e->setting_count == 0)
		return;
	to = section(d, answer, "Settings", TOLD);
	for (size_t i = 0; i < e->setting_count; i++)
		add_sign(d, to,
			 arena_format(&d->arena, "%s %s", e->settings[i].what, e->settings[i].says),
			 e->settings[i].source, i < NOTES_MAX);
	if (e->setting_count > NOTES_MAX)
		add_more(d, to, e->setting_count - NOTES_MAX, "setting", "--verbose");
}

/* "these 812 lines (last line: "Training finished")" */
static void add_looked_at(const struct explain_report *r, struct buf *text)
{
	const struct failure *f = r->explanation->failure;

	if (r->lines == 1)
		buf_text(text, "No known error in this line");
	else
		buf_addf(text, "No known error in these %llu lines", r->lines);
	explain_but_survived(r->explanation, text);
	if (f && f->closing.text) {
		struct span cut = text_columns(span_of(f->closing.text), CLOSING_MAX);

		buf_addf(text, " (last line: \"%.*s%s\")", (int)cut.len, cut.data,
			 f->closing.text[cut.len] ? "..." : "");
	}
}

/* Where what happened was seen, of an answer that names no cause. */
static void add_where(const struct explanation *e, struct buf *text)
{
	const struct failure *f = e->failure;

	if (e->first && (!e->symptom || e->is_symptom_of_line)) {
		buf_addf(text, " (%s)", e->first->source);
	} else if (f && f->counts) {
		buf_text(text, " (");
		failure_place(text, f->file, f->last.line);
		buf_char(text, ')');
	}
}

static const char *headline(struct document *d, const struct explain_report *r)
{
	struct buf text BUF_SCOPED = { 0 };

	if (r->explanation->word == BELIEF_NOTHING)
		add_looked_at(r, &text);
	else
		explain_headline(r, &text);
	if (r->explanation->word == BELIEF_UNDECIDED)
		add_where(r->explanation, &text);
	return arena_text(&d->arena, buf_get(&text));
}

void explain_document(struct document *d, const struct explain_report *r)
{
	static void (*const by_word[])(struct document *, struct document_node *,
				       const struct explain_report *) = {
		[BELIEF_NOTHING] = add_fine,        [BELIEF_NOT_RECOGNISED] = add_unrecognised,
		[BELIEF_UNDECIDED] = add_undecided, [BELIEF_LIKELY] = add_decided,
		[BELIEF_CERTAIN] = add_decided,
	};
	const struct explanation *e = r->explanation;
	struct document_node *answer = document_add(d, &d->root, DOCUMENT_ANSWER, headline(d, r));
	struct document_node *end;

	answer->mark = explain_mark(e);
	answer->name = e->word >= BELIEF_LIKELY ? explain_name(e) : NULL;
	answer->word = explain_said_word(e->word);
	answer->place = r->file;
	add_line(d, answer, e);
	by_word[e->word](d, answer, r);
	add_events(d, answer, e, "warning", "Worth knowing",
		   e->word >= BELIEF_UNDECIDED ? DOCUMENT_PAGE : DOCUMENT_WHOLE);
	add_settings(d, answer, e);
	add_events(d, answer, e, "harmless", "Not the cause", DOCUMENT_WHOLE);
	end = section(d, answer, NULL, PROVED);
	if (e->word != BELIEF_NOTHING)
		add_caveats(d, end, r);
	document_add(d, end, DOCUMENT_NOTE, r->used)->forms = DOCUMENT_WHOLE;
}
