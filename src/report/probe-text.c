#include "report/probe.h"

#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "report/rows.h"

/* The column `first` as programs count GPUs; a pair of them stays two addresses. */
#define FIRST_NAMED "coalesce((SELECT n.name FROM gpu_name n WHERE n.subject = first), first)"

/* GPUs that break in the same way share a finding. */
static const char breaks_sql[] =
	"SELECT layer || ' breaks' || iif(first = '', '', ' on ' || " FIRST_NAMED
	" || iif(number > 1, ' and ' || (number - 1) || ' more', '')), "
	"question, sentence, file, said, source, alone FROM ("
	"SELECT b.layer, min(b.subject) AS first, count(*) AS number, b.question, f.sentence, p.file, p.said, p.source, "
	"(SELECT CASE a.ending WHEN 'answered' THEN 'works with only this GPU visible' "
	"ELSE 'the same with only this GPU visible: ' || a.ending END FROM probe a "
	"WHERE a.question = p.question AND a.subject = p.subject AND a.variant = 'alone' AND p.variant = 'all') AS alone, "
	"min(p.position) AS place FROM probe_break b JOIN probe p ON p.position = b.position "
	"JOIN probe_failure f ON f.position = b.position "
	"GROUP BY b.layer, b.question, b.variant, b.ending, b.number, b.subject = '') ORDER BY place";

static const char answered_sql[] =
	"SELECT 'answered: ' || group_concat(layer, ', ') FROM (SELECT layer FROM probe "
	"GROUP BY layer HAVING sum(ending = 'answered') > 0 AND sum(ending NOT IN ('answered', 'skipped')) = 0 "
	"ORDER BY min(position)) HAVING count(*) > 0";

/* What follows from a break is not told again. */
static const char left_alone_sql[] =
	"SELECT said || ' (' || group_concat(layer, ', ') || iif(first = '', '', ' on ' || " FIRST_NAMED
	") || CASE WHEN subjects > 1 THEN ' and ' || (subjects - 1) || ' more' ELSE '' END || ')' "
	"FROM (SELECT s.said, s.layer, min(s.subject) AS first, count(DISTINCT s.subject) AS subjects, "
	"min(s.position) AS place FROM probe s WHERE s.ending = 'skipped' AND s.said IS NOT NULL "
	"AND s.said NOT IN (SELECT 'not asked: ' || question || ' ' || ending FROM probe WHERE ending NOT IN ('answered', 'skipped')) "
	"GROUP BY s.said, s.layer, s.subject LIKE '%>%' ORDER BY place) "
	"GROUP BY said, first, subjects ORDER BY min(place)";

static const char files_sql[] =
	"SELECT DISTINCT file FROM probe WHERE file IS NOT NULL ORDER BY position";

static const char heading_sql[] =
	"SELECT v.verdict, CASE v.verdict WHEN 'works' THEN (SELECT count(DISTINCT subject) FROM probe "
	"WHERE ending = 'answered' AND subject <> '' AND subject NOT LIKE '%>%') ELSE 0 END, "
	"'level ' || v.level || iif(w.\"like\" = 'system' OR w.\"like\" LIKE 'libraries@%', '', ', like ' || w.\"like\") "
	"FROM walk_verdict v, walk w";

static const char next_sql[] =
	"SELECT CASE WHEN v.verdict = 'breaks' THEN 'to explain it: rocsteady check --probe' || iif(w.options = '', '', ' ' || w.options) "
	"WHEN v.verdict IN ('missing', 'nothing') THEN 'to find out why: rocsteady check' "
	"WHEN v.verdict = 'none' THEN NULL "
	"WHEN v.level = 1 THEN 'to test the libraries too: rocsteady probe -l 2' || iif(w.options = '', '', ' ' || w.options) "
	"WHEN v.level = 3 THEN 'for hours of stress use the ROCm Validation Suite (rvs)' END "
	"FROM walk_verdict v, walk w";

static const char all_sql[] =
	"SELECT question, subject, variant, ending || coalesce(' ' || coalesce(name, number), '') AS ending, ms "
	"FROM probe ORDER BY position";

/* Each row of one column as a line of its own, dim. */
static void put_lines(struct facts *f, const char *sql, struct page *p)
{
	sqlite3_stmt *stmt = rows_ask(f, sql);

	while (select_next(stmt))
		if (column_text_or_null(stmt, 0))
			page_dim(p, 3, column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

static void put_break(sqlite3_stmt *stmt, struct page *p)
{
	static const struct {
		int column;
		const char *name;
	} more[] = { { 6, "" }, { 4, "message: " }, { 3, "library: " }, { 5, "again: " } };

	page_heading(p, PAGE_PROBLEM, column_text(stmt, 0), column_text(stmt, 1));
	buf_text(p->out, "   ");
	page_wrap(p, 3, 3, column_text(stmt, 2));
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		struct buf line BUF_SCOPED = { 0 };

		if (!column_text_or_null(stmt, more[i].column))
			continue;
		buf_addf(&line, "%s%s", more[i].name, column_text(stmt, more[i].column));
		page_dim(p, 3, line.data);
	}
}

static void put_breaks(struct facts *f, struct page *p)
{
	sqlite3_stmt *stmt = rows_ask(f, breaks_sql);

	while (select_next(stmt))
		put_break(stmt, p);
	sqlite3_finalize(stmt);
}

static void put_heading(struct facts *f, struct page *p)
{
	static const struct {
		const char *verdict;
		enum page_mark mark;
		const char *says;
	} others[] = { { "missing", PAGE_PROBLEM, "no AMD GPU on the PCI bus" },
		       { "none", PAGE_GOOD, "no AMD GPU on the PCI bus, as expected" },
		       { "nothing", PAGE_UNDECIDED, "no GPU was tested" } };
	sqlite3_stmt *stmt = rows_ask(f, heading_sql);
	struct buf left BUF_SCOPED = { 0 };

	if (!select_next(stmt)) {
		sqlite3_finalize(stmt);
		return;
	}
	if (strcmp(column_text(stmt, 0), "works") == 0) {
		buf_text(&left, "works");
		if (sqlite3_column_int(stmt, 1) > 0)
			buf_addf(&left, "   %d GPU%s answered", sqlite3_column_int(stmt, 1),
				 sqlite3_column_int(stmt, 1) == 1 ? "" : "s");
		page_heading(p, PAGE_GOOD, left.data, column_text(stmt, 2));
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(column_text(stmt, 0), others[i].verdict) == 0)
			page_heading(p, others[i].mark, others[i].says, column_text(stmt, 2));
	sqlite3_finalize(stmt);
}

void probe_text(struct facts *f, bool verbose, struct page *p)
{
	put_heading(f, p);
	put_breaks(f, p);
	put_lines(f, answered_sql, p);
	put_lines(f, left_alone_sql, p);
	if (verbose) {
		sqlite3_stmt *all = rows_ask(f, all_sql);

		put_lines(f, files_sql, p);
		buf_char(p->out, '\n');
		rows_text(all, p->out, p->width);
		sqlite3_finalize(all);
	}
	put_lines(f, next_sql, p);
}
