#include <string.h>

#include "report/explain-parts.h"

#define INDENT 3

/* "812  HIP out of memory": of a line of this file its number is enough. */
static void say_line(struct page *p, const char *file, const char *source, const char *says)
{
	size_t len = strlen(file);
	struct buf text BUF_SCOPED = { 0 };

	if (strncmp(source, file, len) == 0 && source[len] == ':')
		buf_addf(&text, "line %s: %s", source + len + 1, says);
	else
		buf_addf(&text, "%s: %s", source, says);
	page_line(p, INDENT, text.data);
}

static void say_step(struct page *p, const struct explanation *e)
{
	const struct explain_step *s = e->steps;
	struct buf text BUF_SCOPED = { 0 };

	if (e->step_count == 0)
		return;
	buf_addf(&text, "Do this: %s", explain_step_title(s));
	page_line(p, INDENT, text.data);
	if (s->typed)
		buf_addf(p->out, "     %s\n", s->typed);
}

static void decided(const struct explain_report *r, struct page *p)
{
	const struct explanation *e = r->explanation;
	const struct explain_cause *c = &e->causes[0];
	struct buf right BUF_SCOPED = { 0 };

	buf_addf(&right, "%s %s %s", explain_name(e), page_dot(p), belief_name(e->word));
	page_heading(p, PAGE_PROBLEM, r->file, right.data);
	page_line(p, INDENT, explain_says(e));
	if (e->first)
		say_line(p, r->file, e->first->source, e->first->says);
	else if (c->sign_count > 0)
		say_line(p, r->file, c->signs[0].source, c->signs[0].says);
}

static void undecided(const struct explain_report *r, struct page *p)
{
	static const char *const most_likely[] = {
		[EXPLAIN_BY_LINES] = "Most likely",
		[EXPLAIN_BY_WORDS] = "By its words alone",
		[EXPLAIN_BY_KIND] = "No known line; such failures are most often",
	};
	const struct explanation *e = r->explanation;
	struct buf text BUF_SCOPED = { 0 };

	page_heading(p, PAGE_UNDECIDED, r->file, explain_said_word(e->word));
	if (e->first)
		say_line(p, r->file, e->first->source, e->first->says);
	if (e->spoken == 0)
		return;
	buf_addf(&text, "%s: %s", most_likely[e->basis], e->causes[0].title);
	if (e->spoken > 1)
		buf_addf(&text, "; or: %s", e->causes[1].title);
	page_line(p, INDENT, text.data);
}

static void not_recognised(const struct explain_report *r, struct page *p)
{
	const struct failure *f = r->explanation->failure;
	struct buf text BUF_SCOPED = { 0 };

	page_heading(p, PAGE_UNDECIDED, r->file, "not recognised");
	if (f->counts) {
		buf_addf(&text, "line %llu: %s", (unsigned long long)f->last.line, f->last.text);
		page_line(p, INDENT, text.data);
	}
	page_line(p, INDENT, f->says);
}

static void fine(const struct explain_report *r, struct page *p)
{
	struct buf right BUF_SCOPED = { 0 };

	buf_addf(&right, "no known error in %llu %s", r->lines, r->lines == 1 ? "line" : "lines");
	explain_but_survived(r->explanation, &right);
	page_heading(p, PAGE_GOOD, r->file, right.data);
}

void explain_brief(const struct explain_report *r, struct page *p)
{
	static void (*const by_word[])(const struct explain_report *, struct page *) = {
		[BELIEF_NOTHING] = fine,        [BELIEF_NOT_RECOGNISED] = not_recognised,
		[BELIEF_UNDECIDED] = undecided, [BELIEF_LIKELY] = decided,
		[BELIEF_CERTAIN] = decided,
	};

	const char *caveats[EXPLAIN_CAVEATS];
	struct arena a = { 0 };
	size_t count = explain_caveats(r, &a, caveats);

	by_word[r->explanation->word](r, p);
	for (size_t i = 0; i < count; i++)
		page_line(p, INDENT, caveats[i]);
	arena_done(&a);
	say_step(p, r->explanation);
	if (r->explanation->word != BELIEF_NOTHING)
		buf_char(p->out, '\n');
}

/* ---- all of them ---- */

static void add_count(struct buf *out, size_t count, const char *word)
{
	if (count > 0)
		buf_addf(out, "%s%zu %s", out->data[out->len - 1] == ':' ? " " : ", ", count, word);
}

void explain_summary_words(const struct explain_summary *s, struct buf *ret)
{
	buf_addf(ret, "%zu %s:", s->files, s->files == 1 ? "file" : "files");
	add_count(ret, s->answers[BELIEF_CERTAIN] + s->answers[BELIEF_LIKELY], "broken");
	add_count(ret, s->answers[BELIEF_UNDECIDED], explain_said_word(BELIEF_UNDECIDED));
	add_count(ret, s->answers[BELIEF_NOT_RECOGNISED], "not recognised");
	add_count(ret, s->answers[BELIEF_NOTHING], "ok");
	add_count(ret, s->unread, "not readable");
	add_count(ret, s->empty, "empty");
	add_count(ret, s->binary, "skipped (not text)");
}

void explain_summary_text(const struct explain_summary *s, struct page *p)
{
	struct buf words BUF_SCOPED = { 0 };

	explain_summary_words(s, &words);
	if (s->answers[BELIEF_NOTHING] > 0)
		buf_char(p->out, '\n');
	page_line(p, 0, words.data);
	if (s->answers[BELIEF_NOTHING] < s->files - s->empty - s->binary - s->unread)
		page_dim(p, 0,
			 "All steps and the evidence for one of them: rocsteady explain FILE");
}
