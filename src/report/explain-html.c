#include <string.h>

#include "report/explain-parts.h"
#include "report/html.h"

static void begin_table(struct buf *out, const char *caption)
{
	html(out,
	     "<div class=\"wide\"><table class=\"stack\"><caption>%s</caption><thead><tr>"
	     "<th>what</th><th>where</th></tr></thead>\n<tbody>",
	     caption);
}

static void row(struct buf *out, const char *says, const char *source)
{
	html(out, "<tr><td>%s</td><td><code>%s</code></td></tr>\n", says, source);
}

static void end_table(struct buf *out)
{
	buf_text(out, "</tbody></table></div>\n");
}

static void quote(struct buf *out, const char *before, const struct failure *f,
		  const struct failure_line *l)
{
	html(out, "<p>%s <code>%s</code>, line %llu:</p>\n<pre><code>%s</code></pre>\n", before,
	     f->file, (unsigned long long)l->line, l->text);
}

static void not_recognised(const struct failure *f, struct buf *out)
{
	if (!f->counts)
		return;
	quote(out, explain_quote_title(f), f, &f->last);
	if (explain_first_error(f))
		quote(out, "The first is", f, explain_first_error(f));
	if (explain_is_unnamed(f)) /* else it is the headline */
		html(out, "<p>%s</p>\n", f->says);
}

static void step(const struct explain_report *r, size_t nth, struct arena *a, struct buf *out)
{
	const struct explanation *e = r->explanation;
	const struct explain_step *s = &e->steps[nth];

	html(out, "<li><details%s><summary>%s</summary>\n", nth == 0 ? " open" : "",
	     explain_step_title(s));
	if (s->remedy)
		html_steps(out, steps_of(a, s->remedy, r->shell));
	if (s->typed)
		html(out, "<pre><code>%s</code></pre>\n", s->typed);
	if (s->remedy && steps_exists(s->remedy->verify, s->remedy->job, r->shell))
		html(out, "<p class=\"dim\">%s</p><pre><code>%s</code></pre>\n",
		     steps_check_title(s->remedy->steps), s->remedy->verify);
	if (explain_step_cause(e, s))
		html(out, "<p class=\"small dim\">For <code>%s</code></p>\n",
		     explain_step_cause(e, s));
	buf_text(out, "</details></li>\n");
}

static void first_look(const struct explain_look *look, struct buf *out)
{
	html(out, "<li><details open><summary>%s</summary>\n<pre><code>%s</code></pre>\n",
	     look->says, look->typed);
	if (look->tells)
		html(out, "<p>%s</p>\n", look->tells);
	buf_text(out, "</details></li>\n");
}

static void steps(const struct explain_report *r, struct buf *out)
{
	const struct explain_look *look = explain_first_look(r);
	struct arena a = { 0 };
	size_t begun;

	if (r->explanation->step_count == 0 && !look)
		return;
	begun = out->len;
	buf_text(out, "<h4>Do this</h4>\n<ol class=\"steps\">\n");
	if (look)
		first_look(look, out);
	for (size_t i = 0; i < r->explanation->step_count; i++)
		step(r, i, &a, out);
	buf_text(out, "</ol>\n");
	if (explain_says_command(out, begun))
		buf_text(out, "<p class=\"small dim\">" EXPLAIN_COMMAND_IS "</p>\n");
	arena_done(&a);
}

/* What the causes of the family are, and which step tells them apart. */
static void members(const struct explanation *e, struct buf *out)
{
	const struct explain_family *f = e->family;

	buf_addf(out,
		 "<p>One of these, the most likely first; step %zu tells them apart:</p>\n<ul>\n",
		 e->look);
	for (size_t i = 0; i < f->member_count; i++)
		html(out, "<li>%s <code>%s</code></li>\n", f->members[i]->title,
		     f->members[i]->cause);
	buf_text(out, "</ul>\n");
}

/* Of many that are possible, the names are one screen: what was seen is folded. */
static void cause(const struct explanation *e, const struct explain_cause *c, struct buf *out)
{
	struct explain_upstream upstream = explain_upstream(c);
	bool folded = e->word == EXPLAIN_UNDECIDED;

	if (folded)
		html(out, "<details><summary>%s <code>%s</code></summary>\n", c->title, c->cause);
	begin_table(out, "Seen");
	for (size_t i = 0; i < c->line_count; i++)
		if (c->lines[i].counted != 0)
			row(out, c->lines[i].says, c->lines[i].source);
	end_table(out);
	if (explain_story(e))
		html(out, "<p class=\"small\">%s</p>\n", explain_story(e));
	if (upstream.url)
		html(out, "<p class=\"small\">%s: %s</p>\n", upstream.title, upstream.url);
	if (upstream.fixed_in)
		html(out, "<p class=\"small\">Fixed in: %s</p>\n", upstream.fixed_in);
	buf_text(out, folded ? "</details>\n" : "");
}

static void causes(const struct explanation *e, struct buf *out)
{
	if (explain_named(e) == 0)
		return;
	html(out, "<h4>%s</h4>\n", explain_causes_title(e));
	for (size_t i = 0; i < explain_named(e); i++)
		cause(e, &e->causes[i], out);
}

static void events(const struct explanation *e, const char *kind, const char *title,
		   struct buf *out)
{
	if (!explain_has(e, kind))
		return;
	begin_table(out, title);
	for (size_t i = 0; i < e->event_count; i++)
		if (explain_is_listed(e, &e->events[i], kind))
			row(out, e->events[i].says, e->events[i].source);
	end_table(out);
}

static void settings(const struct explanation *e, struct buf *out)
{
	if (e->setting_count == 0)
		return;
	begin_table(out, EXPLAIN_SETTINGS);
	for (size_t i = 0; i < e->setting_count; i++) {
		struct buf text BUF_SCOPED = { 0 };

		explain_setting_text(&e->settings[i], &text);
		row(out, text.data, e->settings[i].source);
	}
	end_table(out);
}

/* What would decide it, and where to read on. */
static void decide(const struct explain_report *r, struct buf *out)
{
	if (r->explanation->word >= EXPLAIN_LIKELY)
		html(out, "<p class=\"small\">More: <code>rocsteady kb show %s</code></p>\n",
		     explain_name(r->explanation));
	if (explain_wants_check(r))
		buf_text(out, "<p>" EXPLAIN_ELSE_CHECK " <code>rocsteady check</code></p>\n");
}

static void caveats(const struct explain_report *r, struct buf *out)
{
	const char *list[EXPLAIN_CAVEATS];
	struct arena a = { 0 };
	size_t count = explain_caveats(r, &a, list);

	for (size_t i = 0; i < count; i++)
		html(out, "<p>%s</p>\n", list[i]);
	arena_done(&a);
}

static void answer(const struct explain_report *r, struct buf *out)
{
	const struct explanation *e = r->explanation;
	const char *kind = html_kind(explain_mark(e)), *word = explain_said_word(e->word);
	struct buf text BUF_SCOPED = { 0 };

	explain_headline(r, &text);
	html(out, "<article class=\"finding %s\"><h3>", kind);
	if (e->word >= EXPLAIN_LIKELY || !strcasestr(text.data, word)) /* else it says so itself */
		html_mark(out, kind, word);
	html(out, "%s</h3>\n<p class=\"small dim\">", text.data);
	if (r->file)
		html(out, "<code>%s</code> ", r->file);
	if (e->word >= EXPLAIN_LIKELY)
		html(out, "\xc2\xb7 <code>%s</code>", explain_name(e));
	buf_text(out, "</p>\n");
	if (e->word == EXPLAIN_NOT_RECOGNISED)
		not_recognised(e->failure, out);
	if (e->family)
		members(e, out);
	steps(r, out);
	causes(e, out);
	settings(e, out);
	events(e, "warning", "Worth knowing", out);
	events(e, "harmless", "Not the cause", out);
	decide(r, out);
	caveats(r, out);
	html(out, "<p class=\"small dim\">%s</p>\n</article>\n", r->used);
}

static void begin(struct buf *out, const char *title, const char *section)
{
	html_begin(out, title);
	html(out,
	     "<header>\n<p class=\"over\">rocsteady explain</p>\n<h1>%s</h1>\n</header>\n<main>\n"
	     "<section><h2>%s</h2>\n",
	     title, section);
}

static void end(struct buf *out, const char *kb_version, bool scrubbed)
{
	html(out,
	     "</section>\n</main>\n<footer>\n<p>rocsteady %s, knowledge base %s. %s</p>\n</footer>\n",
	     ROCSTEADY_VERSION, kb_version, explain_handed_on(scrubbed));
	html_end(out);
}

void explain_html(const struct explain_report *r, bool is_part, struct page *p)
{
	struct buf title BUF_SCOPED = { 0 };

	explain_headline(r, &title);
	if (!is_part)
		begin(p->out, title.data, "The answer");
	answer(r, p->out);
	if (!is_part)
		end(p->out, r->kb_version, r->scrubbed);
}

void explain_html_unread(const struct explain_unread *u, struct page *p)
{
	html(p->out, "<article class=\"finding note\"><h3>");
	html_mark(p->out, "note", "not read");
	html(p->out, "Not read: %s</h3>\n<p class=\"small dim\"><code>%s</code></p>\n</article>\n",
	     u->why, u->file);
}

void explain_html_begin(const struct explain_summary *s, struct page *p)
{
	struct buf words BUF_SCOPED = { 0 };

	explain_summary_words(s, &words);
	begin(p->out, words.data, "File by file, the worst first");
}

void explain_html_end(const struct explain_summary *s, struct page *p)
{
	end(p->out, s->kb_version, s->scrubbed);
}
