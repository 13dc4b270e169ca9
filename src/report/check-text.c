#include "report/check.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/check-environments.h"
#include "report/check-sections.h"
#include "report/finding-text.h"
#include "report/remedy-text.h"

#define CALM_LINES 6

/* ---- pieces ---- */

static void also(struct page *p, const struct diagnosis *d, size_t first)
{
	struct buf text BUF_SCOPED = { 0 };

	section_others(d, first, &text);
	if (text.len > 0)
		page_line(p, 3, text.data);
}

/* ---- one finding ---- */

static bool is_said_before(const struct finding *f, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (f->lines[i].answer == ANSWER_UNKNOWN &&
		    strcmp(f->lines[i].why, f->lines[at].why) == 0)
			return true;
	return false;
}

static void unknown(struct page *p, const struct finding *f)
{
	for (size_t i = 0; i < f->line_count; i++)
		if (f->lines[i].answer == ANSWER_UNKNOWN && !is_said_before(f, i)) {
			buf_text(p->out, "     Not known: ");
			page_wrap(p, 16, 7, f->lines[i].why);
		}
	if (f->undecided && !f->holds) {
		buf_text(p->out, "     To decide: ");
		page_wrap(p, 16, 7, f->undecided);
	}
}

static void what_to_do(const struct check_report *r, struct page *p, const struct finding *f)
{
	if (f->remedy_count == 0)
		return;
	page_line(p, 3, "Do this");
	for (size_t i = 0; i < f->remedy_count; i++)
		remedy_text(p, f->remedies[i],
			    &(struct remedy_text){ .number = i + 1,
						   .indent = 5,
						   .whole = i == 0 || r->verbose,
						   .risk = true,
						   .shell = r->shell });
	buf_char(p->out, '\n');
}

static void whole(const struct check_report *r, struct page *p, const struct finding *f)
{
	buf_char(p->out, '\n');
	what_to_do(r, p, f);
	finding_evidence(p, f);
	if (r->verbose || !f->holds)
		unknown(p, f);
	buf_text(p->out, "\n   Background\n");
	page_line(p, 5, f->story);
}

static void causes(const struct check_report *r, struct page *p, enum section section)
{
	const struct diagnosis *d = r->diagnosis;

	for (size_t i = 0; i < d->finding_count; i++) {
		if (d->findings[i].section != section || (!r->verbose && section_repeats(d, i)))
			continue;
		if (p->out->len > 0)
			buf_char(p->out, '\n');
		finding_heading(p, &d->findings[i]);
		if (!r->verbose)
			also(p, d, i);
		if (section == SECTION_CAUSE || r->verbose)
			whole(r, p, &d->findings[i]);
	}
}

static void undecided(const struct check_report *r, struct page *p, bool calm)
{
	const struct diagnosis *d = r->diagnosis;

	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (f->section != SECTION_UNDECIDED || (!r->verbose && section_repeats(d, i)))
			continue;
		if (p->out->len > 0 && !calm)
			buf_char(p->out, '\n');
		finding_heading(p, f);
		if (!r->verbose)
			also(p, d, i);
		if (r->verbose)
			whole(r, p, f);
		else if (calm)
			unknown(p, &(struct finding){ .undecided = f->undecided });
		else {
			finding_evidence(p, f);
			unknown(p, f);
		}
	}
}

/* ---- lines at the end ---- */

static void acknowledged(const struct check_report *r, struct page *p)
{
	const struct diagnosis *d = r->diagnosis;

	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];
		struct buf text BUF_SCOPED = { 0 };

		if (!f->acknowledged)
			continue;
		finding_heading(p, f);
		buf_addf(&text, "Acknowledged until %s by %s: %s", f->acknowledged_until,
			 f->acknowledged_by, f->acknowledged);
		page_line(p, 3, text.data);
	}
}

/* Kindly, and last: what people will have been told elsewhere. */
static void myths(const struct check_report *r, struct page *p)
{
	const struct diagnosis *d = r->diagnosis;

	if (section_count(d, SECTION_MYTH, NULL) == 0)
		return;
	buf_text(p->out, "\n   Not the cause\n");
	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (f->section != SECTION_MYTH || (!r->verbose && section_repeats(d, i)))
			continue;
		finding_heading(p, f);
		page_line(p, 5, f->story);
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
		if (!r->verbose && section_repeats(d, i))
			continue;
		finding_heading_as(p, f,
				   section == SECTION_MYTH ? "not the cause" : section_belief(f));
		if (!r->verbose)
			also(p, d, i);
		else
			whole(r, p, f);
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
	undecided(r, p, true);
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
	causes(r, p, SECTION_CAUSE);
	causes(r, p, SECTION_CONSEQUENCE);
	undecided(r, p, false);
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
