#include <string.h>

#include "base/text.h"
#include "explain/fingerprint.h"
#include "report/explain-parts.h"
#include "report/markdown.h"

/* A comment is read between others: what does not fit is left to the command line. */
#define LINES_MOST     39
#define LINES_OPEN     24 /* of what is not folded, up to the first step */
#define LINES_END      8  /* behind what may be left out */
#define STEPS_SHOWN    3
#define SETTINGS_SHOWN 3
#define QUOTE_BYTES    200
#define GITHUB         "https://github.com/"

static size_t count_lines(const struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->data[i] == '\n';
	return n;
}

/* False: it would make the comment too long. */
static bool add_if_short(struct buf *out, const struct buf *part, size_t most)
{
	if (count_lines(out) + count_lines(part) > most)
		return false;
	buf_span(out, buf_get(part));
	return true;
}

static void add_headline(const struct explain_report *r, struct buf *out)
{
	const struct explanation *e = r->explanation;
	struct buf headline BUF_SCOPED = { 0 };

	explain_headline(r, &headline);
	buf_text(out, "**");
	markdown_plain(out, headline.data);
	buf_text(out, "**");
	if (e->word >= EXPLAIN_LIKELY)
		buf_addf(out, " (`%s`, %s)", explain_name(e), explain_said_word(e->word));
	buf_text(out, "\n\n");
}

static void add_quoted(struct buf *out, const char *place, const char *text)
{
	struct span cut = text_cut(span_of(text), QUOTE_BYTES);
	struct buf line BUF_SCOPED = { 0 };

	buf_span(&line, cut);
	buf_text(&line, cut.len < strlen(text) ? " …" : "");
	buf_addf(out, "%s: ", place);
	markdown_code(out, line.data);
	buf_text(out, "\n\n");
}

/* The line that shows it: of a known failure the first, of another one the last. */
static void add_line(const struct explanation *e, struct buf *out)
{
	const struct failure *f = e->failure;
	struct buf place BUF_SCOPED = { 0 };

	if (e->word == EXPLAIN_NOTHING)
		return;
	if (e->first) {
		buf_text(&place, "Seen in ");
		markdown_plain(&place, e->first->source);
		add_quoted(out, place.data, e->first->text);
	} else if (f && f->counts && f->last.text[0] != '#') { /* a heading says nothing */
		buf_addf(&place, "%s, in line %llu", explain_quote_title(f),
			 (unsigned long long)f->last.line);
		add_quoted(out, place.data, f->last.text);
	}
	if (e->word == EXPLAIN_NOT_RECOGNISED && f && explain_is_unnamed(f)) {
		markdown_plain(out, f->says);
		buf_text(out, "\n\n");
	}
}

static void add_causes(const struct explanation *e, struct buf *out)
{
	size_t count = e->word == EXPLAIN_UNDECIDED ? explain_named(e) : 0;

	if (count == 0)
		return;
	buf_addf(out, "%s:\n\n", explain_causes_title(e));
	for (size_t i = 0; i < count && i < STEPS_SHOWN; i++) {
		buf_text(out, "- ");
		markdown_plain(out, e->causes[i].title);
		buf_addf(out, " (`%s`)\n", e->causes[i].cause);
	}
	buf_char(out, '\n');
}

/* ---- steps ---- */

/* A step and how it is done, by one form for all its sources. */
struct step {
	const char *title, *how; /* how: NULL, or lines as of a remedy */
};

static size_t list_steps(const struct explain_report *r, struct arena *a,
			 struct step ret[STEPS_SHOWN])
{
	const struct explanation *e = r->explanation;
	const struct explain_look *look = explain_first_look(r);
	size_t n = 0;

	if (look)
		ret[n++] =
			(struct step){ look->says, arena_format(a, "    %s\n%s", look->typed,
								look->tells ? look->tells : "") };
	for (size_t i = 0; i < e->step_count && n < STEPS_SHOWN; i++) {
		const struct explain_step *s = &e->steps[i];
		const char *how = s->remedy  ? steps_of(a, s->remedy, r->shell)
				  : s->typed ? arena_format(a, "    %s", s->typed)
					     : NULL;

		ret[n++] = (struct step){ explain_step_title(s), how && how[0] ? how : NULL };
	}
	return n;
}

/* Commands in a fence, which needs no blank line around it; words as a paragraph of their own. */
static void add_how(const char *how, struct buf *out)
{
	struct arena a = { 0 };
	struct span rest = span_of(how), line;
	bool fenced = false, after_words = true;

	while (span_line(&rest, &line)) {
		bool command = span_starts(line, "    ");

		if (span_trim(line).len == 0)
			continue;
		if (command != fenced)
			buf_text(out, command ? "   ````sh\n" : "   ````\n");
		else if (!command && after_words)
			buf_char(out, '\n');
		fenced = command;
		after_words = !command;
		buf_text(out, "   ");
		if (command)
			buf_add(out, line.data + 4, line.len - 4);
		else
			markdown_plain(out, arena_text(&a, line));
		buf_char(out, '\n');
	}
	buf_text(out, fenced ? "   ````\n" : "");
	arena_done(&a);
}

static void add_step(struct buf *out, size_t number, const struct step *s, bool with_how)
{
	buf_addf(out, "%zu. ", number);
	markdown_plain(out, s->title);
	buf_char(out, '\n');
	if (with_how && s->how)
		add_how(s->how, out);
}

/* The first with its commands, the others by their titles. */
static void add_steps(const struct step *steps, size_t count, struct buf *out)
{
	size_t begun = out->len;

	for (size_t i = 0; i < count; i++) {
		struct buf whole BUF_SCOPED = { 0 };

		add_step(&whole, i + 1, &steps[i], i == 0);
		if (!add_if_short(out, &whole, LINES_OPEN))
			add_step(out, i + 1, &steps[i], false);
	}
	buf_text(out, count > 0 ? "\n" : "");
	if (explain_says_command(out, begun))
		buf_text(out, EXPLAIN_COMMAND_IS "\n\n");
}

/* ---- the known issue ---- */

/*
 * "ROCm/ROCm#5151". The address goes by a host that forwards: a plain one would leave a note of
 * every comment in the thread that it names.
 */
static bool add_thread(const char *url, struct buf *out)
{
	struct span rest, owner, name, kind, number;

	if (strncmp(url, GITHUB, strlen(GITHUB)) != 0)
		return false;
	rest = span_of(url + strlen(GITHUB));
	if (!span_cut(&rest, '/', &owner) || !span_cut(&rest, '/', &name) ||
	    !span_cut(&rest, '/', &kind) || !span_cut(&rest, '#', &number) ||
	    !(span_is(kind, "issues") || span_is(kind, "pull")))
		return false;
	buf_addf(out, "[`%.*s/%.*s#%.*s`](https://redirect.github.com/%s)", (int)owner.len,
		 owner.data, (int)name.len, name.data, (int)number.len, number.data,
		 url + strlen(GITHUB));
	return true;
}

static void add_known(const struct explanation *e, struct buf *out)
{
	struct explain_upstream upstream;

	if (e->word < EXPLAIN_LIKELY)
		return;
	upstream = explain_upstream(e->causes);
	if (upstream.url) {
		buf_addf(out, "%s: ", e->causes[0].defect ? "Known issue" : "Seen before");
		if (!add_thread(upstream.url, out))
			buf_addf(out, "<%s>", upstream.url);
	}
	if (upstream.fixed_in)
		buf_addf(out, "%s in %s", upstream.url ? ", fixed" : "Fixed", upstream.fixed_in);
	buf_text(out, upstream.url || upstream.fixed_in ? "\n\n" : "");
}

/* A line each: whoever was told to set something reads this first. */
static void add_settings(const struct explanation *e, struct buf *out)
{
	for (size_t i = 0; i < e->setting_count && i < SETTINGS_SHOWN; i++) {
		struct buf text BUF_SCOPED = { 0 }, line BUF_SCOPED = { 0 };

		explain_setting_text(&e->settings[i], &text);
		buf_text(&line, "- ");
		markdown_plain(&line, text.data);
		buf_char(&line, '\n');
		add_if_short(out, &line, LINES_MOST - LINES_END);
	}
	buf_text(out, e->setting_count > 0 ? "\n" : "");
}

/* ---- what is folded ---- */

static void add_seen(const struct explanation *e, struct buf *out)
{
	const struct explain_cause *c = explain_named(e) > 0 ? &e->causes[0] : NULL;

	for (size_t i = 0; c && i < c->line_count; i++) {
		struct buf line BUF_SCOPED = { 0 };

		if (c->lines[i].counted <= 0)
			continue;
		buf_text(&line, "- ");
		markdown_plain(&line, c->lines[i].says);
		buf_text(&line, " (");
		markdown_plain(&line, c->lines[i].source);
		buf_text(&line, ")\n");
		add_if_short(out, &line, LINES_MOST - LINES_END);
	}
}

static void add_sentence(struct buf *out, const char *text)
{
	struct buf part BUF_SCOPED = { 0 };

	if (!text)
		return;
	buf_text(&part, "\n");
	markdown_plain(&part, text);
	buf_text(&part, "\n");
	add_if_short(out, &part, LINES_MOST - LINES_END);
}

static void add_caveats(const struct explain_report *r, struct buf *out)
{
	const char *list[EXPLAIN_CAVEATS];
	struct arena a = { 0 };
	size_t count = explain_caveats(r, &a, list);

	for (size_t i = 0; i < count; i++)
		add_sentence(out, list[i]);
	arena_done(&a);
}

/* How the other steps are done, as far as there is room. */
static void add_more_steps(const struct step *steps, size_t count, struct buf *out)
{
	for (size_t i = 1; i < count; i++) {
		struct buf part BUF_SCOPED = { 0 };

		buf_char(&part, '\n');
		add_step(&part, i + 1, &steps[i], true);
		if (steps[i].how)
			add_if_short(out, &part, LINES_MOST - LINES_END);
	}
}

static void add_folded(const struct explain_report *r, const struct step *steps, size_t count,
		       struct buf *out)
{
	size_t begun;

	buf_text(out, "<details><summary>Why, and the steps in full</summary>\n\n");
	begun = out->len;
	add_seen(r->explanation, out);
	add_sentence(out, explain_story(r->explanation));
	add_caveats(r, out);
	add_more_steps(steps, count, out);
	buf_text(out, out->len > begun ? "\n" : "Nothing more is known of it.\n\n");
	buf_text(out, "All of it: `rocsteady explain`, with this text.\n</details>\n\n");
}

static void add_end(const struct explain_report *r, struct buf *out)
{
	struct arena a = { 0 };
	const char *name = fingerprint(&a, r->explanation);

	buf_addf(out, "<sub>Written by a program, rocsteady %s with the knowledge of %s. ",
		 ROCSTEADY_VERSION, r->kb_version);
	markdown_plain(out, r->used);
	buf_text(out, "; no person has checked it.");
	if (name)
		buf_addf(out, " Fingerprint `%s`.", name);
	buf_text(out, "</sub>\n");
	arena_done(&a);
}

void explain_comment(const struct explain_report *r, bool is_part, struct page *p)
{
	struct step steps[STEPS_SHOWN];
	struct arena a = { 0 };
	size_t count = list_steps(r, &a, steps);

	if (is_part) {
		markdown_code(p->out, r->file);
		buf_text(p->out, "\n\n");
	}
	add_headline(r, p->out);
	add_line(r->explanation, p->out);
	add_causes(r->explanation, p->out);
	add_steps(steps, count, p->out);
	add_known(r->explanation, p->out);
	add_settings(r->explanation, p->out);
	add_folded(r, steps, count, p->out);
	add_end(r, p->out);
	arena_done(&a);
}
