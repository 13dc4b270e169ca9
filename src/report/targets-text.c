#include "report/targets.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define GAP         2  /* between columns */
#define LABEL_LEAST 24 /* below that, a matrix is no table any more */
#define FEW         40 /* rows that are shown whole; of more, only those that lack something */

/* ---- marks ---- */

static const struct {
	const char *symbol, *plain, *colour;
} marks[COVER_VERDICTS] = {
	[COVER_ALL] = { "\xe2\x9c\x93", "ok", "\x1b[32m" },
	[COVER_FALLBACK] = { "~", "~", "\x1b[33m" },
	[COVER_SLOWER] = { "~", "~", "\x1b[33m" },
	[COVER_UNKNOWN] = { "?", "??", "\x1b[36m" },
	[COVER_PART] = { "\xe2\x9c\x97", "!!", "\x1b[31m" },
	[COVER_NONE] = { "\xe2\x9c\x97", "!!", "\x1b[31m" },
};

static void blanks(struct page *p, size_t count)
{
	while (count-- > 0)
		buf_char(p->out, ' ');
}

static void cut_blanks(struct page *p)
{
	while (p->out->len > 0 && p->out->data[p->out->len - 1] == ' ')
		p->out->data[--p->out->len] = '\0';
}

static size_t width_of(const char *text)
{
	return text_width(span_of(text));
}

/* In the middle of its column. */
static void put_centred(struct page *p, const char *text, const char *colour, size_t width)
{
	size_t used = width_of(text);
	size_t left = width > used ? (width - used) / 2 : 0;

	blanks(p, left);
	if (p->colour && colour[0])
		buf_text(p->out, colour);
	buf_text(p->out, text);
	if (p->colour && colour[0])
		buf_text(p->out, "\x1b[0m");
	blanks(p, width > left + used ? width - left - used : 0);
}

/* ---- cells ---- */

static size_t column_width(const struct targets *t, size_t device)
{
	size_t width = width_of(t->devices[device].id);

	return width < 5 ? 5 : width;
}

static size_t cells_width(const struct targets *t)
{
	size_t width = 0;

	for (size_t i = 0; i < t->device_count; i++)
		width += GAP + column_width(t, i);
	return width;
}

/* Nothing was required: a target that is not there is no fault. */
static void put_listed(struct page *p, const struct cover_cell *cell, size_t width)
{
	char part[32];

	switch (cell->cover) {
	case COVER_NONE:
		put_centred(p, p->symbols ? "\xc2\xb7" : "-", "", width);
		break;
	case COVER_PART:
		snprintf(part, sizeof(part), "%u/%u", cell->in, cell->of);
		put_centred(p, part, marks[COVER_FALLBACK].colour, width);
		break;
	default:
		put_centred(p, p->symbols ? marks[cell->cover].symbol : marks[cell->cover].plain,
			    marks[cell->cover].colour, width);
	}
}

static void put_cell(struct page *p, const struct targets *t, const struct targets_row *row,
		     size_t i)
{
	const struct cover_cell *cell = &row->cells[i];
	size_t width = column_width(t, i);

	blanks(p, GAP);
	if (!t->required || !row->judged || row->exempt[i])
		put_listed(p, cell, width);
	else
		put_centred(p, p->symbols ? marks[cell->cover].symbol : marks[cell->cover].plain,
			    marks[cell->cover].colour, width);
}

/* ---- remarks ---- */

static void remark(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void remark(struct buf *b, const char *format, ...)
{
	struct buf raw BUF_SCOPED = { 0 };
	va_list args;

	if (b->len > 0)
		buf_text(b, "; ");
	va_start(args, format);
	buf_addv(&raw, format, args);
	va_end(args);
	text_clean(b, buf_get(&raw), false); /* names of archives are a library's own words */
}

/* What can be said of several devices at once: "gfx1200, gfx1201: fallback kernels only". */
static const struct {
	enum cover cover;
	enum runs how; /* RUNS_NOT: any */
	const char *says;
} sayings[] = {
	{ COVER_FALLBACK, RUNS_NOT, "fallback kernels only" },
	{ COVER_SLOWER, RUNS_NOT, "no data: slower first start" },
	{ COVER_ALL, RUNS_GENERIC, "through a generic target" },
	{ COVER_ALL, RUNS_SPIRV, "compiled at load time" },
};

static void remark_sayings(struct buf *b, const struct targets *t, const struct targets_row *row)
{
	for (size_t i = 0; i < sizeof(sayings) / sizeof(sayings[0]); i++) {
		struct buf names BUF_SCOPED = { 0 };

		for (size_t k = 0; k < t->device_count; k++) {
			const struct cover_cell *cell = &row->cells[k];

			if (cell->cover == sayings[i].cover &&
			    (sayings[i].how == RUNS_NOT || cell->how == sayings[i].how))
				buf_addf(&names, "%s%s", names.len ? ", " : "", t->devices[k].id);
		}
		if (names.len > 0)
			remark(b, "%s: %s", names.data, sayings[i].says);
	}
}

static void remark_parts(struct buf *b, const struct targets *t, const struct targets_row *row)
{
	for (size_t i = 0; row->code && i < t->device_count; i++) {
		const struct cover_cell *cell = &row->cells[i];

		if (cell->in > 0 && cell->in < cell->of)
			remark(b, "%s in %u of %u bundles", t->devices[i].id, cell->in, cell->of);
	}
}

/* Kernels in archives that were not found: where they are looked for. */
static void remark_archives(struct buf *b, const struct code *c)
{
	for (size_t i = 0; i < c->archive_count; i++) {
		if (!c->archives[i].found)
			remark(b, "%s is missing", c->archives[i].path);
		else if (c->archives[i].kernels == 0)
			remark(b, "%s is empty for it", c->archives[i].path);
	}
}

static void remark_more(struct buf *b, const struct targets_row *row)
{
	const struct code *c = row->code;

	if (!c) {
		remark(b, "%s", row->kernels->indexed ? "index followed" : "names counted");
		return;
	}
	for (int i = 0; i < CODE_FORMS; i++)
		if (c->forms[i] > 0)
			remark(b, "%u %s", c->forms[i], code_form_name((enum code_form)i));
	if (c->newest_cov > 0 && c->oldest_cov == c->newest_cov)
		remark(b, "code object V%u", c->newest_cov);
	else if (c->newest_cov > 0)
		remark(b, "code objects V%u to V%u", c->oldest_cov, c->newest_cov);
	remark(b, "%s", c->scanned ? "scanned" : "index followed");
}

static void remarks(struct buf *b, const struct targets *t, const struct targets_row *row,
		    bool verbose)
{
	if (t->required && row->judged) {
		remark_parts(b, t, row);
		remark_sayings(b, t, row);
	}
	if (row->code)
		remark_archives(b, row->code);
	if (b->len == 0 && row->code && row->code->bundles > 1)
		remark(b, "%u bundles%s", row->code->bundles,
		       t->required && row->worst == COVER_ALL ? ", all" : "");
	if (b->len == 0 && row->kernels && !t->required)
		remark(b, "%u file%s", row->kernels->files, row->kernels->files == 1 ? "" : "s");
	if (verbose)
		remark_more(b, row);
}

static void put_problems(struct page *p, const struct targets_row *row)
{
	const char *const *list = row->code ? row->code->problems : row->kernels->problems;
	size_t count = row->code ? row->code->problem_count : row->kernels->problem_count;

	for (size_t i = 0; i < count; i++) {
		blanks(p, 4);
		page_wrap(p, 4, 6, list[i]);
	}
}

/* ---- as a matrix ---- */

static size_t indent_of(const struct targets_row *row)
{
	return row->owner ? 2 : 0;
}

static bool is_shown(const struct targets *t, const struct targets_row *row, bool verbose)
{
	size_t problems = row->code ? row->code->problem_count : row->kernels->problem_count;

	if (!row->judged && row->code)
		return verbose; /* its directory has a row */
	return verbose || !t->required || t->judged <= FEW || row->worst > COVER_ALL ||
	       problems > 0;
}

static size_t label_width(const struct targets *t, bool verbose)
{
	size_t width = 0;

	for (size_t i = 0; i < t->row_count; i++) {
		size_t here = indent_of(&t->rows[i]) + width_of(t->rows[i].label);

		if (is_shown(t, &t->rows[i], verbose) && here > width)
			width = here;
	}
	return width;
}

static void put_header(struct page *p, const struct targets *t, size_t left)
{
	blanks(p, left);
	for (size_t i = 0; i < t->device_count; i++) {
		blanks(p, GAP);
		put_centred(p, t->devices[i].id, "", column_width(t, i));
	}
	cut_blanks(p);
	buf_char(p->out, '\n');
}

/* A label that is too long for its column has a line of its own: it can be copied whole. */
static void put_label(struct page *p, const struct targets_row *row, size_t left)
{
	size_t used = indent_of(row) + width_of(row->label);

	blanks(p, indent_of(row));
	buf_text(p->out, row->label);
	if (used > left) {
		buf_char(p->out, '\n');
		used = 0;
	}
	blanks(p, left - used);
}

static void put_row(struct page *p, const struct targets *t, const struct targets_row *row,
		    size_t left, bool verbose)
{
	size_t used = left + cells_width(t) + GAP;
	struct buf says BUF_SCOPED = { 0 };

	put_label(p, row, left);
	for (size_t i = 0; i < t->device_count; i++)
		put_cell(p, t, row, i);
	remarks(&says, t, row, verbose);
	if (says.len > 0 && used + text_width(buf_get(&says)) <= p->width) {
		blanks(p, GAP);
		buf_span(p->out, buf_get(&says));
	}
	cut_blanks(p);
	buf_char(p->out, '\n');
	if (says.len > 0 && used + text_width(buf_get(&says)) > p->width) {
		blanks(p, 4);
		page_wrap(p, 4, 6, says.data);
	}
	put_problems(p, row);
}

/* ---- as paragraphs, where a matrix is too wide ---- */

static void put_names(struct page *p, const struct targets *t, const struct targets_row *row,
		      const char *what, bool enough)
{
	struct buf names BUF_SCOPED = { 0 };

	buf_text(&names, what);
	for (size_t i = 0; i < t->device_count; i++) {
		const struct cover_cell *cell = &row->cells[i];
		if (row->exempt[i] && !enough)
			continue;
		bool there = t->required ? cover_is_enough(cell->cover) : cell->in > 0;

		if (there != enough || cell->cover == COVER_UNKNOWN)
			continue;
		buf_addf(&names, " %s", t->devices[i].id);
		if (!t->required && cell->cover == COVER_PART)
			buf_addf(&names, " (%u of %u)", cell->in, cell->of);
		if (cell->cover == COVER_FALLBACK)
			buf_text(&names, " (fallback)");
	}
	if (names.len == strlen(what))
		return;
	blanks(p, 4);
	page_wrap(p, 4, 4, names.data);
}

static void put_paragraph(struct page *p, const struct targets *t, const struct targets_row *row,
			  bool verbose)
{
	struct buf says BUF_SCOPED = { 0 };

	remarks(&says, t, row, verbose);
	blanks(p, indent_of(row));
	buf_text(p->out, row->label);
	if (says.len > 0) {
		blanks(p, GAP);
		page_wrap(p, indent_of(row) + width_of(row->label) + GAP, 4, says.data);
	} else {
		buf_char(p->out, '\n');
	}
	put_names(p, t, row, t->required ? "covers" : "", true);
	if (t->required)
		put_names(p, t, row, "lacks", false);
	put_problems(p, row);
}

/* ---- the whole ---- */

/* Whose members the rows below are; of two wheels only the heading tells. */
static void put_container(struct page *p, const struct targets *t, size_t i)
{
	const char *container = t->rows[i].container, *slash;

	if (!container ||
	    (i > 0 && t->rows[i - 1].container && strcmp(t->rows[i - 1].container, container) == 0))
		return;
	slash = strrchr(container, '/');
	buf_addf(p->out, "%s\n", slash ? slash + 1 : container);
}

static void put_rows(struct page *p, const struct targets *t, bool verbose)
{
	size_t cells = cells_width(t);
	size_t left = label_width(t, verbose);
	size_t hidden = 0;
	bool matrix = cells + LABEL_LEAST <= p->width;

	if (left + cells > p->width)
		left = p->width > cells ? p->width - cells : 0;
	if (matrix && t->row_count > 0 && t->device_count > 0)
		put_header(p, t, left);
	for (size_t i = 0; i < t->row_count; i++) {
		put_container(p, t, i);
		if (!is_shown(t, &t->rows[i], verbose))
			hidden += t->rows[i].judged;
		else if (matrix)
			put_row(p, t, &t->rows[i], left, verbose);
		else
			put_paragraph(p, t, &t->rows[i], verbose);
	}
	if (hidden > 0)
		buf_addf(p->out, hidden == 1 ? "%zu other covers all\n" : "%zu others cover all\n",
			 hidden);
}

static void put_sentence(struct page *p, enum page_mark mark, struct buf *sentence)
{
	page_mark(p, mark);
	page_wrap(p, 3, 3, sentence->data);
	buf_clear(sentence);
}

/* Pairs of a row and a target. */
static size_t count_exempt(const struct targets *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->row_count; i++)
		for (size_t k = 0; t->rows[i].judged && k < t->device_count; k++)
			n += t->rows[i].exempt[k];
	return n;
}

static void put_covered(struct page *p, const struct targets *t)
{
	struct buf says BUF_SCOPED = { 0 };
	size_t covered = 0;
	size_t named = 0;

	for (size_t i = 0; i < t->device_count; i++)
		covered += t->devices[i].lacking + t->devices[i].unknown == 0;
	for (size_t i = 0; i < t->device_count; i++) {
		if (t->devices[i].lacking + t->devices[i].unknown > 0)
			continue;
		named++;
		buf_addf(&says, "%s%s",
			 named == 1         ? ""
			 : named == covered ? " and "
					    : ", ",
			 t->devices[i].id);
	}
	if (covered == 0 || t->judged == 0)
		return;
	if (t->judged == 1)
		buf_addf(&says, " %s covered", covered == 1 ? "is" : "are");
	else
		buf_addf(&says, " %s covered by all %u libraries", covered == 1 ? "is" : "are",
			 t->judged);
	if (count_exempt(t) > 0)
		buf_addf(&says, "; rules leave out %zu: %s above", count_exempt(t),
			 p->symbols ? "\xc2\xb7" : "-");
	put_sentence(p, PAGE_GOOD, &says);
}

static void put_verdict(struct page *p, const struct targets *t)
{
	static const enum page_mark empty[] = { [TARGETS_LISTED] = PAGE_NOTE,
						[TARGETS_NOT_COVERED] = PAGE_PROBLEM,
						[TARGETS_UNDECIDED] = PAGE_UNDECIDED };
	struct buf says BUF_SCOPED = { 0 };

	if (t->judged == 0) {
		buf_text(&says, t->verdict == TARGETS_LISTED ? "No device code: nothing to check"
							     : "No device code: no GPU is covered");
		put_sentence(p, empty[t->verdict], &says);
		return;
	}
	put_covered(p, t);
	for (size_t i = 0; i < t->device_count; i++) {
		const struct targets_device *d = &t->devices[i];

		if (d->lacking > 0) {
			buf_addf(&says, "%u of %u libraries lack code for %s", d->lacking,
				 t->judged, d->id);
			put_sentence(p, PAGE_PROBLEM, &says);
		}
		if (d->unknown > 0) {
			buf_addf(&says, "%u of %u libraries could not be read for %s", d->unknown,
				 t->judged, d->id);
			put_sentence(p, PAGE_UNDECIDED, &says);
		}
	}
}

static void put_notes(struct page *p, enum page_mark mark, const struct targets_note *notes,
		      size_t count)
{
	struct buf says BUF_SCOPED = { 0 };

	for (size_t i = 0; i < count; i++) {
		buf_addf(&says, "%s: %s", notes[i].path, notes[i].says);
		put_sentence(p, mark, &says);
	}
}

/* What rules leave out is counted, so that it is not taken for covered. */
static void put_left_out(struct page *p, const struct targets *t, bool verbose)
{
	struct buf says BUF_SCOPED = { 0 };

	if (verbose) {
		put_notes(p, PAGE_NOTE, t->left_out, t->left_out_count);
	} else if (t->left_out_count > 0) {
		buf_addf(&says, "%zu left out by rules: add --verbose", t->left_out_count);
		put_sentence(p, PAGE_NOTE, &says);
	}
}

static void put_baseline(struct page *p, const struct targets *t)
{
	struct buf says BUF_SCOPED = { 0 };

	put_notes(p, PAGE_PROBLEM, t->lost, t->lost_count);
	if (t->baseline && t->lost_count == 0 && t->unread_count == 0) {
		buf_addf(&says, "Nothing is lost that %s has code for", t->baseline);
		put_sentence(p, PAGE_GOOD, &says);
	}
}

void targets_text(const struct targets *t, struct page *p, bool verbose)
{
	put_rows(p, t, verbose);
	put_left_out(p, t, verbose);
	put_notes(p, PAGE_NOTE, t->nothing, t->nothing_count);
	put_notes(p, PAGE_UNDECIDED, t->unread, t->unread_count);
	if (t->required)
		put_verdict(p, t);
	put_baseline(p, t);
}
