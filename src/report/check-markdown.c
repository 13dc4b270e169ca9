#include "report/check.h"

#include "diagnose/gaps.h"
#include "facts/column.h"
#include "facts/select.h"
#include "report/check-sections.h"
#include "report/markdown.h"
#include "report/rows.h"

/* ---- the beginning ---- */

struct tracker {
	const char *project, *address;
};

/* Of the first cause that has one. */
static bool find_tracker(const struct check_report *r, struct arena *a, struct tracker *ret)
{
	sqlite3_stmt *stmt =
		rows_ask(r->facts, "SELECT project, address FROM kb.tracker WHERE cause = ?1");
	bool found = false;

	for (size_t i = 0; stmt && !found && i < r->diagnosis->finding_count; i++) {
		const struct finding *f = &r->diagnosis->findings[i];

		if (f->section > SECTION_CONSEQUENCE)
			continue;
		sqlite3_reset(stmt);
		sqlite3_bind_text(stmt, 1, f->cause, -1, SQLITE_STATIC);
		found = select_next(stmt);
		if (found)
			*ret = (struct tracker){ column_copy(stmt, 0, a), column_copy(stmt, 1, a) };
	}
	sqlite3_finalize(stmt);
	return found;
}

static void say_where(const struct check_report *r, struct arena *a, struct buf *out)
{
	struct tracker t;

	if (find_tracker(r, a, &t))
		buf_addf(out, "Tracker: https://%s (%s)\n\n", t.address, t.project);
	else if (r->diagnosis->verdict != VERDICT_READY)
		buf_text(out,
			 "Tracker: none; this cause is usually fixed on the machine itself.\n\n");
}

static void machine(const struct check_report *r, struct arena *a, struct buf *out)
{
	size_t count;
	const char **parts = check_machine(r->facts, "x", a, &count);

	for (size_t i = 0; i < count; i++) {
		buf_text(out, "- ");
		markdown_plain(out, parts[i]);
		buf_char(out, '\n');
	}
	buf_char(out, '\n');
}

/* ---- findings ---- */

static void evidence(const struct finding *f, struct buf *out)
{
	buf_text(out, "| seen | where |\n|---|---|\n");
	for (size_t i = 0; i < f->line_count; i++) {
		const struct line *l = &f->lines[i];

		if (l->answer != ANSWER_YES || l->counted == 0)
			continue;
		buf_text(out, "| ");
		markdown_plain(out, l->says);
		buf_text(out, " | ");
		markdown_code(out, l->source[0] ? l->source : "-");
		buf_text(out, " |\n");
	}
	buf_char(out, '\n');
}

static void steps(const struct check_report *r, const struct finding *f, struct arena *a,
		  struct buf *out)
{
	struct steps_owner owner = check_owner(r, a);

	for (size_t i = 0; i < f->remedy_count; i++) {
		buf_addf(out, "%zu. ", i + 1);
		markdown_plain(out, f->remedies[i]->title);
		buf_char(out, '\n');
		markdown_steps(out, steps_shared(a, steps_of(a, f->remedies[i], r->shell), &owner));
	}
	buf_text(out, f->remedy_count > 0 ? "\n" : "");
}

static void finding(const struct check_report *r, size_t at, struct arena *a, struct buf *out)
{
	const struct finding *f = &r->diagnosis->findings[at];
	struct buf text BUF_SCOPED = { 0 };

	buf_text(out, "### ");
	markdown_plain(out, f->title);
	buf_addf(out, "\n\n`%s`, %s", f->cause, diagnose_belief_name(f->belief));
	if (f->subject[0]) {
		buf_text(out, ", ");
		markdown_code(out, f->subject);
	}
	section_others(r->diagnosis, at, &text);
	if (text.len > 0) {
		buf_text(out, "; ");
		markdown_plain(out, text.data);
	}
	buf_text(out, "\n\n");
	evidence(f, out);
	if (f->remedy_count > 0)
		buf_text(out, "<details><summary>Do this</summary>\n\n");
	steps(r, f, a, out);
	if (f->remedy_count > 0)
		buf_text(out, "</details>\n\n");
	markdown_plain(out, f->story);
	buf_text(out, "\n\n");
}

static void findings(const struct check_report *r, struct arena *a, struct buf *out)
{
	for (size_t i = 0; i < r->diagnosis->finding_count; i++)
		if (section_leads(r->diagnosis, i))
			finding(r, i, a, out);
}

/* ---- details ---- */

static void open_details(struct buf *out, const char *name)
{
	buf_addf(out, "<details><summary>%s</summary>\n\n", name);
}

static void close_details(struct buf *out)
{
	buf_text(out, "\n</details>\n\n");
}

/* The rows of a statement as a table; nothing if there is none. */
static void table(const struct check_report *r, const char *name, const char *sql, struct buf *out)
{
	sqlite3_stmt *stmt = rows_ask(r->facts, sql);
	size_t rows = 0;

	while (select_next(stmt)) {
		int columns = sqlite3_column_count(stmt);

		if (rows++ == 0) {
			open_details(out, name);
			for (int i = 0; i < columns; i++)
				buf_addf(out, "| %s ", sqlite3_column_name(stmt, i));
			buf_text(out, "|\n");
			for (int i = 0; i < columns; i++)
				buf_text(out, "|---");
			buf_text(out, "|\n");
		}
		for (int i = 0; i < columns; i++) {
			buf_text(out, "| ");
			markdown_plain(out, column_text(stmt, i));
			buf_char(out, ' ');
		}
		buf_text(out, "|\n");
	}
	if (rows > 0)
		close_details(out);
	sqlite3_finalize(stmt);
}

static const struct {
	const char *name, *sql;
} tables[] = {
	{ "GPUs",
	  "SELECT address, product, gfx, vram_total_bytes / 1048576 AS vram_mib, vram_used_bytes / 1048576 AS used_mib,"
	  " driver, vbios, compute_partition AS partition FROM gpu" },
	{ "System",
	  "SELECT distribution_name AS system, kernel, cpu, memory_total_bytes / 1048576 AS memory_mib FROM host" },
	{ "Driver and ROCm",
	  "SELECT name, version, packaging AS kind FROM driver WHERE loaded UNION ALL SELECT prefix, version, kind FROM rocm_install" },
	{ "Frameworks",
	  "SELECT environment, framework, version, device, verdict, why FROM environment_fit" },
	{ "Variables", "SELECT subject, name, value FROM env_told" },
	{ "Kernel log, newest first, at most 20 lines",
	  "SELECT class, severity, address, text FROM kernel_log WHERE severity <> 'info' ORDER BY seq DESC LIMIT 20" },
	{ "Not known",
	  "SELECT topic, standing, coalesce(detail, '') AS why, count(*) AS times FROM " GAPS_TOLD
	  " GROUP BY 1, 2, 3" },
};

void check_markdown(const struct check_report *r, struct buf *ret)
{
	struct arena a = { 0 };

	buf_text(ret, "## ");
	markdown_plain(ret, check_sentence(r, &a));
	buf_text(ret, "\n\n");
	say_where(r, &a, ret);
	machine(r, &a, ret);
	findings(r, &a, ret);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		table(r, tables[i].name, tables[i].sql, ret);
	buf_addf(ret, "rocsteady %s, knowledge base %s (`%.12s`)%s%s\n", ROCSTEADY_VERSION,
		 r->kb_version, r->kb_digest, r->scrubbed ? ". " : "",
		 r->scrubbed ? PAGE_SCRUBBED : "");
	arena_done(&a);
}
