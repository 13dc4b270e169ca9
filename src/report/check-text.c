#include "report/check.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/check-environments.h"
#include "report/check-sections.h"
#include "report/finding-document.h"

#define CALM_LINES 6

/* ---- pieces ---- */

static void also(struct page *p, const struct diagnosis *d, size_t first)
{
	struct buf text BUF_SCOPED = { 0 };

	section_others(d, first, &text);
	if (text.len > 0)
		page_line(p, 3, text.data);
}

/* ---- findings ---- */

static struct finding_report finding_with(const struct check_report *r, unsigned int parts)
{
	return (struct finding_report){
		.diagnosis = r->diagnosis, .parts = parts, .verbose = r->verbose, .shell = r->shell
	};
}

/* With --verbose whole; what nobody could read is worth a line where it decides. */
static void one(const struct check_report *r, struct page *p, const struct finding *f,
		unsigned int parts)
{
	struct finding_report words = finding_with(r, parts);

	if (r->verbose)
		words.parts = FINDING_STEPS | FINDING_SEEN | FINDING_UNKNOWN | FINDING_DECIDE |
			      FINDING_STORY;
	else if (f->holds)
		words.parts &= ~(unsigned int)(FINDING_UNKNOWN | FINDING_DECIDE);
	if (f->section == SECTION_MYTH)
		words.word = "not the cause";
	finding_text(&words, f, p);
}

/* The first of its cause speaks for the others, but with --verbose. */
static bool is_listed(const struct check_report *r, size_t at, enum section section)
{
	return r->diagnosis->findings[at].section == section &&
	       (r->verbose || !section_repeats(r->diagnosis, at));
}

static void findings(const struct check_report *r, struct page *p, enum section section,
		     unsigned int parts)
{
	bool apart = r->diagnosis->verdict != VERDICT_READY;

	for (size_t i = 0; i < r->diagnosis->finding_count; i++) {
		if (!is_listed(r, i, section))
			continue;
		if (p->out->len > 0 && apart)
			buf_char(p->out, '\n');
		one(r, p, &r->diagnosis->findings[i], parts);
	}
}

/* ---- lines at the end ---- */

static void acknowledged(const struct check_report *r, struct page *p)
{
	const struct diagnosis *d = r->diagnosis;
	struct finding_report words = finding_with(r, FINDING_ACKNOWLEDGED);

	for (size_t i = 0; i < d->finding_count; i++)
		if (d->findings[i].acknowledged)
			finding_text(&words, &d->findings[i], p);
}

/* Kindly, and last: what people will have been told elsewhere. */
static void myths(const struct check_report *r, struct page *p)
{
	const struct diagnosis *d = r->diagnosis;
	struct finding_report words = finding_with(r, 0);

	if (section_count(d, SECTION_MYTH, NULL) == 0)
		return;
	buf_text(p->out, "\n   Not the cause\n");
	for (size_t i = 0; i < d->finding_count; i++) {
		if (!is_listed(r, i, SECTION_MYTH))
			continue;
		finding_text(&words, &d->findings[i], p);
		page_line(p, 5, d->findings[i].story);
		also(p, d, i);
	}
}

static size_t lines_in(const struct buf *b, size_t from)
{
	size_t count = 0;

	for (size_t i = from; i < b->len; i++)
		count += b->data[i] == '\n';
	return count;
}

/* As many as fit into the lines that are left; the number of those that did not. */
static size_t notes(const struct check_report *r, struct page *p, bool myths_too, size_t room)
{
	const struct diagnosis *d = r->diagnosis;
	size_t left_out = 0;

	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];
		enum section section = f->section;
		size_t before = p->out->len;

		if (section != SECTION_NOTE && !(section == SECTION_MYTH && myths_too) &&
		    !(section == SECTION_SILENT && r->verbose))
			continue;
		if (!is_listed(r, i, section))
			continue;
		one(r, p, f, FINDING_OTHERS);
		if (lines_in(p->out, before) > room) {
			p->out->len = before;
			left_out++;
			continue;
		}
		room -= lines_in(p->out, before);
	}
	return left_out;
}

/* Behind what is wrong: what is not, under a heading of its own. */
static void also_noticed(const struct check_report *r, struct page *p)
{
	size_t before = p->out->len;
	size_t headed;

	page_line(p, 3, "Also noticed");
	headed = p->out->len;
	notes(r, p, false, SIZE_MAX);
	if (p->out->len == headed)
		p->out->len = before; /* nothing was */
	else
		buf_char(p->out, '\n');
}

static void crashed(const struct check_report *r, struct page *p)
{
	const struct diagnosis *d = r->diagnosis;

	for (size_t i = 0; i < d->check_count; i++) {
		struct buf text BUF_SCOPED = { 0 };

		if (d->checks[i].state != CHECK_CRASHED || (d->checks[i].later && !r->verbose))
			continue;
		buf_addf(&text, "This check could not run: %s", d->checks[i].error);
		page_heading(p, PAGE_UNDECIDED, text.data, d->checks[i].cause);
	}
}

/* Parts with a dot between; a line breaks only between parts. */
static void machine(const struct check_report *r, struct page *p, size_t at)
{
	struct arena a = { 0 };
	size_t count;
	const char **parts = check_machine(r->facts, page_times(p), &a, &count);
	size_t column = at;

	for (size_t i = 0; i < count; i++) {
		size_t width = text_width(span_of(parts[i]));

		if (i > 0 && column + 3 + width > p->width) {
			buf_addf(p->out, "\n%*s", (int)at, "");
			column = at;
		} else if (i > 0) {
			buf_addf(p->out, " %s ", page_dot(p));
			column += 3;
		}
		page_wrap(p, column, at, parts[i]);
		p->out->len--; /* the line goes on */
		column = column + width > p->width ? p->width : column + width;
	}
	buf_char(p->out, '\n');
	arena_done(&a);
}

/* One line each, to be pasted: not wrapped. */
static void install(const struct check_report *r, struct page *p)
{
	for (size_t i = 0; r->advice && i < r->advice->part_count; i++) {
		const struct install_way *way = &r->advice->parts[i].ways[0];

		if (way->line)
			buf_addf(p->out, "   No framework found. To install %s:\n          %s\n",
				 r->advice->wish.application, way->line);
	}
}

/* Whole names only; how many did not fit is said. Names are ASCII. */
static void not_known(const struct check_report *r, struct page *p)
{
	struct arena a = { 0 };
	const char *what = check_not_known(r->facts, &a);
	const char *where = check_not_known_ask(r->facts, &a);
	struct span rest = span_of(what);
	struct span name;
	size_t column = strlen("   Not known: ; ") + strlen(where) + strlen(", 99 more");
	size_t more = 0;

	buf_text(p->out, what ? "   Not known: " : "");
	for (bool first = true; span_cut(&rest, ',', &name); first = false) {
		name = span_trim(name);
		column += name.len + 2;
		if (!first && column > p->width) {
			more++;
			continue;
		}
		buf_text(p->out, first ? "" : ", ");
		buf_span(p->out, name);
	}
	if (more > 0)
		buf_addf(p->out, ", %zu more", more);
	if (what)
		buf_addf(p->out, "; %s\n", where);
	arena_done(&a);
}

static void add_count(struct buf *out, size_t count, const char *one, const char *many)
{
	if (count > 0)
		buf_addf(out, "%s%zu %s", out->len ? ", " : "", count, count == 1 ? one : many);
}

/* What a proof says of itself, and whether it is what was recorded. */
static void proof(const struct check_report *r, struct page *p)
{
	struct buf text BUF_SCOPED = { 0 };

	if (!r->proof)
		return;
	if (r->proof->state == PROOF_CHANGED) {
		page_mark(p, PAGE_WARNING);
		page_line(p, 0,
			  "This proof was changed after it was recorded: its digest differs.");
		return;
	}
	buf_addf(&text, "Proof of %s, unchanged. Its answer was %s", r->proof->recorded,
		 r->proof->answer);
	for (size_t i = 0; i < r->proof->cause_count; i++)
		buf_addf(&text, ", %s", r->proof->causes[i]);
	buf_char(&text, '.');
	page_line(p, 3, text.data);
}

static void summary(const struct check_report *r, struct page *p, size_t left_out)
{
	const struct diagnosis *d = r->diagnosis;
	struct buf text BUF_SCOPED = { 0 };
	size_t held[2] = { 0 };

	for (enum section i = SECTION_CAUSE; i <= SECTION_CONSEQUENCE; i++) {
		held[0] += section_count(d, i, "problem");
		held[1] += section_count(d, i, "warning");
	}
	add_count(&text, d->check_count, "check", "checks");
	add_count(&text, d->left_out, "left out", "left out");
	add_count(&text, held[0], "problem", "problems");
	add_count(&text, held[1], "warning", "warnings");
	add_count(&text, section_count(d, SECTION_UNDECIDED, NULL), "unclear", "unclear");
	add_count(&text, section_count(d, SECTION_ACKNOWLEDGED, NULL), "acknowledged",
		  "acknowledged");
	add_count(&text, d->later, "needs a newer rocsteady", "need a newer rocsteady");
	buf_addf(&text, ". Knowledge base %s.", r->kb_version);
	if (left_out > 0)
		buf_addf(&text, " %zu more %s: --verbose", left_out,
			 left_out == 1 ? "note" : "notes");
	else if (d->finding_count > 0)
		buf_addf(&text, " Scoring: rocsteady check --why %s", d->findings[0].cause);
	else if (r->provable)
		buf_text(&text, " Prove it on the GPU: rocsteady probe");
	page_line(p, 3, text.data);
}

static void calm(const struct check_report *r, struct page *p)
{
	/* Of a few chosen checks nobody may conclude that the machine is ready. */
	const char *word = r->diagnosis->left_out > 0 ? "chosen checks passed   " : "ready   ";
	size_t left_out;
	size_t used;

	page_mark(p, PAGE_GOOD);
	buf_text(p->out, word);
	machine(r, p, 3 + strlen(word));
	check_environments_calm(r->facts, p, r->verbose);
	findings(r, p, SECTION_UNDECIDED, FINDING_OTHERS | FINDING_DECIDE);
	acknowledged(r, p);
	crashed(r, p);
	used = lines_in(p->out, 0) + 3 +
	       (r->proof != NULL); /* those below, of which one may be two */
	left_out = notes(r, p, true,
			 r->verbose          ? SIZE_MAX
			 : used < CALM_LINES ? CALM_LINES - used
					     : 0);
	if (r->diagnosis->left_out == 0 &&
	    (r->verbose || lines_in(p->out, 0) + 4 + (r->proof != NULL) <= CALM_LINES))
		install(r, p);
	not_known(r, p);
	proof(r, p);
	summary(r, p, left_out);
}

static void say_unclear(struct page *p, const char *what, const char *why)
{
	struct buf text BUF_SCOPED = { 0 };

	page_mark(p, PAGE_UNDECIDED);
	buf_addf(&text, "%s: %s", what, why);
	page_line(p, 0, text.data);
}

static const char *first_crash(const struct diagnosis *d, struct arena *a)
{
	for (size_t i = 0; i < d->check_count; i++)
		if (d->checks[i].state == CHECK_CRASHED && !d->checks[i].later)
			return arena_format(a, "%zu did not come to an end, the first %s (%s)",
					    d->crashed, d->checks[i].cause, d->checks[i].error);
	return "";
}

/* Nothing else was found, and the GPUs or something else could not be looked at. */
static void ignorance(const struct check_report *r, struct page *p)
{
	const struct diagnosis *d = r->diagnosis;
	struct arena a = { 0 };

	if (d->verdict == VERDICT_UNDECIDED && d->blind)
		say_unclear(p, "Unclear which GPUs this machine has", d->blind);
	if (d->verdict == VERDICT_UNDECIDED && d->late)
		say_unclear(p, "Not everything was looked at", d->late);
	if (d->verdict == VERDICT_UNDECIDED && d->untested)
		say_unclear(p, "The GPU test could not tell", d->untested);
	if (d->verdict == VERDICT_UNDECIDED && d->crashed > 0)
		say_unclear(p, "Not every check was made", first_crash(d, &a));
	arena_done(&a);
}

static void ill(const struct check_report *r, struct page *p)
{
	ignorance(r, p);
	findings(r, p, SECTION_CAUSE, FINDING_WHOLE & ~FINDING_ACKNOWLEDGED);
	findings(r, p, SECTION_CONSEQUENCE, FINDING_OTHERS);
	findings(r, p, SECTION_UNDECIDED,
		 FINDING_OTHERS | FINDING_SEEN | FINDING_UNKNOWN | FINDING_DECIDE);
	myths(r, p);
	buf_char(p->out, '\n');
	acknowledged(r, p);
	crashed(r, p);
	also_noticed(r, p);
	check_environments_ill(r->facts, r->diagnosis, p, r->verbose);
	buf_text(p->out, "   on ");
	machine(r, p, 6);
	not_known(r, p);
	proof(r, p);
	summary(r, p, 0);
}

void check_text(const struct check_report *r, struct page *p)
{
	if (r->diagnosis->verdict == VERDICT_READY)
		calm(r, p);
	else
		ill(r, p);
}
