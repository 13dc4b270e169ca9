#include "report/check.h"

#include <stdio.h>
#include <string.h>

#include "diagnose/gaps.h"
#include "facts/column.h"
#include "facts/select.h"
#include "report/check-coverage.h"
#include "report/check-drawing.h"
#include "report/check-environments.h"
#include "report/check-sections.h"
#include "report/finding-document.h"
#include "report/html.h"
#include "report/rows.h"

/* ---- the beginning ---- */

static const char *verdict_kind(enum verdict verdict)
{
	static const char *const names[] = { [VERDICT_READY] = "good",
					     [VERDICT_DEGRADED] = "warning",
					     [VERDICT_NOT_READY] = "problem",
					     [VERDICT_UNDECIDED] = "undecided" };

	return names[verdict];
}

/* Which machine and when; a pseudonym tells nobody which one it is. */
static void whose(const struct check_report *r, struct buf *out)
{
	sqlite3_stmt *stmt = rows_ask(
		r->facts,
		"SELECT CASE WHEN scrubbed IS NULL THEN coalesce(hostname, '') ELSE '' END,"
		" coalesce(substr(replace(wall, 'T', ' '), 1, 16) || ' UTC', '') FROM run");

	buf_text(out, "<p class=\"over\">rocsteady check");
	if (select_next(stmt)) {
		if (!r->scrubbed && column_text(stmt, 0)[0])
			html(out, " \xc2\xb7 <b>%s</b>", column_text(stmt, 0));
		if (column_text(stmt, 1)[0])
			html(out, " \xc2\xb7 %s", column_text(stmt, 1));
	}
	buf_text(out, "</p>\n");
	sqlite3_finalize(stmt);
}

static void top(const struct check_report *r, struct buf *out)
{
	struct arena a = { 0 };
	size_t count;
	const char **parts = check_machine(r->facts, "\xc3\x97", &a, &count);

	html_begin(out, check_sentence(r, &a));
	buf_text(out, "<header>\n");
	whose(r, out);
	buf_text(out, "<h1>");
	html(out, "<span class=\"%s\">%s</span></h1>\n", verdict_kind(r->diagnosis->verdict),
	     check_sentence(r, &a));
	buf_text(out, "<ul class=\"parts\">");
	for (size_t i = 0; i < count; i++)
		html(out, "<li>%s</li>", parts[i]);
	buf_text(out, "</ul>\n</header>\n<main>\n");
	arena_done(&a);
}

/* ---- findings ---- */

static void finding(const struct check_report *r, size_t at, struct buf *out)
{
	const struct finding *f = &r->diagnosis->findings[at];
	struct document d = { 0 };

	finding_add(&d,
		    &(struct finding_report){ .diagnosis = r->diagnosis,
					      .parts = FINDING_WHOLE,
					      .word = f->section == SECTION_MYTH ? "not the cause"
										 : NULL,
					      .scrubbed = r->scrubbed,
					      .shell = r->shell,
					      .owner = check_owner(r, &d.arena) },
		    f);
	document_html.write(&d, NULL, out);
	document_done(&d);
}

static const char *const headings[SECTIONS] = {
	[SECTION_CAUSE] = "What is wrong",        [SECTION_CONSEQUENCE] = "Consequences",
	[SECTION_UNDECIDED] = "Unclear",          [SECTION_ACKNOWLEDGED] = "Acknowledged",
	[SECTION_NOTE] = "Also noticed",          [SECTION_MYTH] = "Not the cause",
	[SECTION_SILENT] = "Not enough evidence",
};

static void findings(const struct check_report *r, enum section first, enum section last,
		     struct buf *out)
{
	const struct diagnosis *d = r->diagnosis;

	for (int s = (int)first; s <= (int)last; s++) {
		if (section_count(d, (enum section)s, NULL) == 0 ||
		    (s == SECTION_SILENT && !r->verbose))
			continue;
		html(out, "<section><h2>%s</h2>\n", headings[s]);
		for (size_t i = 0; i < d->finding_count; i++)
			if (d->findings[i].section == (enum section)s && !section_repeats(d, i))
				finding(r, i, out);
		buf_text(out, "</section>\n");
	}
}

/* ---- coverage ---- */

/* On a ready machine nothing that is missing hurts: then it has no colour. */
static void coverage_row(const struct coverage *c, const struct coverage_row *row, bool calm,
			 struct buf *out)
{
	static const char *const classes[] = { "problem", "warning", "good", "undecided" };

	html(out, "<tr><th scope=\"row\">%s%s</th>", row->name, row->main ? ", own kernels" : "");
	for (size_t i = 0; i < c->device_count; i++) {
		const struct coverage_at *at = &row->at[i];
		enum coverage_cell cell = at->cell;

		html(out, "<td class=\"%s\">%s",
		     c->devices[i].meant && (!calm || cell == COVERAGE_FULL) ? classes[cell]
									     : "note",
		     coverage_word(cell));
		if (cell == COVERAGE_PART && at->of > 0)
			html(out, " (%lld of %lld)", (long long)at->in, (long long)at->of);
		buf_text(out, "</td>");
	}
	buf_text(out, "</tr>\n");
}

static bool same_place(const struct coverage_row *a, const struct coverage_row *b)
{
	return strcmp(a->framework, b->framework) == 0 &&
	       strcmp(a->environment, b->environment) == 0;
}

static void coverage_table(const struct coverage *c, bool calm, struct buf *out)
{
	buf_text(
		out,
		"<div class=\"wide\"><table class=\"cells\"><caption>Device code in the libraries that each framework loads, by GPU.</caption>\n<thead><tr><th scope=\"col\">library</th>");
	for (size_t i = 0; i < c->device_count; i++)
		html(out, "<th scope=\"col\"><code>%s</code>%s</th>", c->devices[i].name,
		     c->devices[i].meant ? "" : ", not used for compute");
	buf_text(out, "</tr></thead>\n");
	for (size_t i = 0; i < c->row_count; i++) {
		const struct coverage_row *row = &c->rows[i];

		if (i > 0 && !same_place(row, row - 1))
			buf_text(out, "</tbody>\n");
		if (i == 0 || !same_place(row, row - 1))
			html(out,
			     "<tbody><tr><th scope=\"rowgroup\" colspan=\"%zu\">%s in <code>%s</code></th></tr>\n",
			     c->device_count + 1, row->framework, row->environment);
		coverage_row(c, row, calm, out);
	}
	buf_text(out, "</tbody></table></div>\n");
}

static void coverage(const struct check_report *r, struct buf *out)
{
	struct coverage c;

	coverage_read(r->facts, &c);
	if (c.row_count > 0 && c.device_count > 0) {
		bool folded = c.row_count > 24;

		buf_text(out, "<section><h2>Libraries with code for these GPUs</h2>\n");
		if (folded)
			html(out, "<details><summary>%zu libraries</summary>\n", c.row_count);
		coverage_table(&c, r->diagnosis->verdict == VERDICT_READY, out);
		buf_text(out, folded ? "</details></section>\n" : "</section>\n");
	}
	coverage_done(&c);
}

/* ---- the end ---- */

static void environments(const struct check_report *r, struct buf *out)
{
	size_t before = out->len;

	buf_text(out, "<section><h2>Environments</h2>\n");
	if (!check_environments_html(r->facts, out))
		out->len = before;
	else
		buf_text(out, "</section>\n");
}

static void not_known(const struct check_report *r, struct buf *out)
{
	static const char sql[] =
		"SELECT topic, coalesce(nullif(subject, ''), 'all'), standing, coalesce(detail, ''), count(*) FROM " GAPS_TOLD
		" GROUP BY topic, standing, detail ORDER BY topic";
	sqlite3_stmt *stmt = rows_ask(r->facts, sql);
	size_t count = 0;

	while (select_next(stmt)) {
		if (count++ == 0)
			buf_text(
				out,
				"<section><h2>Not known</h2>\n<details><summary>Facts that could not be read</summary><div class=\"wide\">\n"
				"<table class=\"stack\"><caption>None of these counts as good.</caption><thead><tr><th>fact</th><th>of</th><th>state</th><th>why</th><th class=\"number\">times</th></tr></thead>\n<tbody>");
		html(out,
		     "<tr><td><code>%s</code></td><td>%s</td><td>%s</td><td>%s</td><td class=\"number\">%d</td></tr>\n",
		     column_text(stmt, 0), column_text(stmt, 1), column_text(stmt, 2),
		     column_text(stmt, 3), sqlite3_column_int(stmt, 4));
	}
	if (count > 0)
		buf_text(out, "</tbody></table></div></details></section>\n");
	sqlite3_finalize(stmt);
}

static void made(const struct check_report *r, struct buf *out)
{
	const struct diagnosis *d = r->diagnosis;
	sqlite3_stmt *stmt =
		rows_ask(r->facts, "SELECT coalesce(wall, ''), coalesce(scrubbed, '') FROM run");
	bool row = select_next(stmt);

	buf_text(out, "</main>\n<footer>\n");
	html(out, "<p>rocsteady %s, knowledge base %s (<code>%.*s</code>), %zu checks",
	     ROCSTEADY_VERSION, r->kb_version, 12, r->kb_digest, d->check_count);
	if (d->left_out > 0)
		html(out, ", %zu left out", d->left_out);
	buf_text(out, ". ");
	if (row && column_text(stmt, 0)[0])
		html(out, "Facts read at %s. ", column_text(stmt, 0));
	if (r->scrubbed)
		buf_text(out, PAGE_SCRUBBED);
	else
		buf_text(out, "Not scrubbed: this page may hold names and serial numbers.");
	buf_text(out, "</p>\n</footer>\n");
	sqlite3_finalize(stmt);
}

void check_html(const struct check_report *r, struct buf *ret)
{
	top(r, ret);
	findings(r, SECTION_CAUSE, SECTION_UNDECIDED, ret);
	buf_text(ret, "<section><h2>The machine</h2>\n");
	check_drawing(r->facts, r->diagnosis, ret);
	buf_text(ret, "</section>\n");
	environments(r, ret);
	coverage(r, ret);
	findings(r, SECTION_ACKNOWLEDGED, SECTION_SILENT, ret);
	not_known(r, ret);
	made(r, ret);
	html_end(ret);
}
