#include <string.h>

#include "report/explain-parts.h"
#include "report/markdown.h"

static void heading(struct buf *out, const char *level, const char *text)
{
	buf_addf(out, "%s ", level);
	markdown_plain(out, text);
	buf_text(out, "\n\n");
}

static void row(struct buf *out, const char *says, const char *source)
{
	buf_text(out, "| ");
	markdown_plain(out, says);
	buf_text(out, " | ");
	markdown_code(out, source[0] ? source : "-");
	buf_text(out, " |\n");
}

/* A line of the log, indented: nothing in it is obeyed, and nothing is escaped. */
static void quote(struct buf *out, const char *before, const struct failure *f,
		  const struct failure_line *l)
{
	buf_addf(out, "%s ", before);
	markdown_code(out, f->file);
	buf_addf(out, ", line %llu:\n\n    %s\n\n", (unsigned long long)l->line, l->text);
}

static void not_recognised(const struct failure *f, struct buf *out)
{
	if (!f->counts)
		return;
	quote(out, explain_quote_title(f), f, &f->last);
	if (explain_first_error(f))
		quote(out, "The first is", f, explain_first_error(f));
	if (!explain_is_unnamed(f))
		return; /* it is the headline */
	markdown_plain(out, f->says);
	buf_text(out, "\n\n");
}

static void first_look(const struct explain_look *look, struct arena *a, struct buf *out)
{
	buf_text(out, "1. ");
	markdown_plain(out, look->says);
	buf_char(out, '\n');
	markdown_steps(out, arena_format(a, "    %s", look->typed));
	if (look->tells)
		markdown_steps(out, look->tells);
}

static void steps(const struct explain_report *r, struct buf *out)
{
	const struct explanation *e = r->explanation;
	const struct explain_look *look = explain_first_look(r);
	bool any = e->step_count > 0 || look;
	size_t begun = out->len;
	struct arena a = { 0 };

	buf_text(out, any ? "**Do this**\n\n" : "");
	if (look)
		first_look(look, &a, out);
	for (size_t i = 0; i < e->step_count; i++) {
		const struct explain_step *s = &e->steps[i];

		buf_addf(out, "%zu. ", i + 1 + (look != NULL));
		markdown_plain(out, explain_step_title(s));
		if (explain_step_cause(e, s))
			buf_addf(out, " (`%s`)", explain_step_cause(e, s));
		buf_char(out, '\n');
		if (s->remedy)
			markdown_steps(out, steps_of(&a, s->remedy, r->shell));
		if (s->remedy && steps_exists(s->remedy->verify, s->remedy->job, r->shell))
			markdown_steps(out, arena_format(&a, "%s\n    %s",
							 steps_check_title(s->remedy->steps),
							 s->remedy->verify));
		if (s->typed)
			markdown_steps(out, arena_format(&a, "    %s", s->typed));
	}
	buf_text(out, any ? "\n" : "");
	if (explain_says_command(out, begun))
		buf_text(out, EXPLAIN_COMMAND_IS "\n\n");
	arena_done(&a);
}

/* What the causes of the family are, and which step tells them apart. */
static void members(const struct explanation *e, struct buf *out)
{
	const struct explain_family *f = e->family;

	buf_addf(out, "One of these, the most likely first; step %zu tells them apart:\n\n",
		 e->look);
	for (size_t i = 0; i < f->member_count; i++) {
		buf_text(out, "- ");
		markdown_plain(out, f->members[i]->title);
		buf_addf(out, " (`%s`)\n", f->members[i]->cause);
	}
	buf_char(out, '\n');
}

static void cause(const struct explanation *e, const struct explain_cause *c, struct buf *out)
{
	struct explain_upstream upstream = explain_upstream(c);

	if (e->word == EXPLAIN_UNDECIDED) {
		markdown_plain(out, c->title);
		buf_addf(out, " (`%s`)\n\n", c->cause);
	}
	buf_text(out, "| seen | where |\n|---|---|\n");
	for (size_t i = 0; i < c->line_count; i++)
		if (c->lines[i].counted != 0)
			row(out, c->lines[i].says, c->lines[i].source);
	buf_char(out, '\n');
	if (explain_story(e)) {
		markdown_plain(out, explain_story(e));
		buf_text(out, "\n\n");
	}
	if (upstream.url)
		buf_addf(out, "%s: %s\n\n", upstream.title, upstream.url);
	if (upstream.fixed_in)
		buf_addf(out, "Fixed in: %s\n\n", upstream.fixed_in);
}

static void events(const struct explanation *e, const char *kind, const char *title,
		   struct buf *out)
{
	if (!explain_has(e, kind))
		return;
	buf_addf(out, "**%s**\n\n| seen | where |\n|---|---|\n", title);
	for (size_t i = 0; i < e->event_count; i++)
		if (explain_is_listed(e, &e->events[i], kind))
			row(out, e->events[i].says, e->events[i].source);
	buf_char(out, '\n');
}

static void settings(const struct explanation *e, struct buf *out)
{
	if (e->setting_count == 0)
		return;
	buf_text(out, "**" EXPLAIN_SETTINGS "**\n\n| seen | where |\n|---|---|\n");
	for (size_t i = 0; i < e->setting_count; i++) {
		struct buf text BUF_SCOPED = { 0 };

		explain_setting_text(&e->settings[i], &text);
		row(out, text.data, e->settings[i].source);
	}
	buf_char(out, '\n');
}

/* What would decide it, and where to read on. */
static void decide(const struct explain_report *r, struct buf *out)
{
	if (r->explanation->word >= EXPLAIN_LIKELY)
		buf_addf(out, "More: `rocsteady kb show %s`\n\n", explain_name(r->explanation));
	if (explain_wants_check(r))
		buf_text(out, EXPLAIN_ELSE_CHECK " `rocsteady check`\n\n");
}

static void caveats(const struct explain_report *r, struct buf *out)
{
	const char *list[EXPLAIN_CAVEATS];
	struct arena a = { 0 };
	size_t count = explain_caveats(r, &a, list);

	for (size_t i = 0; i < count; i++) {
		markdown_plain(out, list[i]);
		buf_text(out, "\n\n");
	}
	arena_done(&a);
}

static void answer(const struct explain_report *r, const char *level, struct buf *out)
{
	const struct explanation *e = r->explanation;
	struct buf text BUF_SCOPED = { 0 };

	explain_headline(r, &text);
	heading(out, level, text.data);
	if (r->file) {
		markdown_code(out, r->file);
		buf_text(out, ": ");
	}
	if (e->word >= EXPLAIN_LIKELY)
		buf_addf(out, "`%s`, ", explain_name(e));
	buf_addf(out, "%s\n\n", explain_said_word(e->word));
	if (e->word == EXPLAIN_NOT_RECOGNISED)
		not_recognised(e->failure, out);
	if (e->family)
		members(e, out);
	steps(r, out);
	if (explain_named(e) > 0)
		buf_addf(out, "**%s**\n\n", explain_causes_title(e));
	for (size_t i = 0; i < explain_named(e); i++)
		cause(e, &e->causes[i], out);
	settings(e, out);
	events(e, "warning", "Worth knowing", out);
	events(e, "harmless", "Not the cause", out);
	decide(r, out);
	caveats(r, out);
	markdown_plain(out, r->used);
	buf_text(out, "\n\n");
}

static void made(const char *kb_version, bool scrubbed, struct buf *out)
{
	buf_addf(out, "rocsteady %s, knowledge base %s. %s\n", ROCSTEADY_VERSION, kb_version,
		 explain_handed_on(scrubbed));
}

void explain_markdown(const struct explain_report *r, bool is_part, struct page *p)
{
	answer(r, is_part ? "###" : "##", p->out);
	if (!is_part)
		made(r->kb_version, r->scrubbed, p->out);
}

void explain_markdown_unread(const struct explain_unread *u, struct page *p)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "Not read: %s", u->why);
	heading(p->out, "###", text.data);
	markdown_code(p->out, u->file);
	buf_text(p->out, "\n\n");
}

void explain_markdown_begin(const struct explain_summary *s, struct page *p)
{
	struct buf words BUF_SCOPED = { 0 };

	explain_summary_words(s, &words);
	heading(p->out, "##", words.data);
}

void explain_markdown_end(const struct explain_summary *s, struct page *p)
{
	made(s->kb_version, s->scrubbed, p->out);
}
