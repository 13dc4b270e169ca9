#include "report/check.h"

#include "diagnose/gaps.h"
#include "facts/column.h"
#include "facts/select.h"
#include "report/check-sections.h"
#include "report/finding-document.h"
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

/* What to do is folded: who reads the report is not who had the failure. */
static void finding(const struct check_report *r, size_t at, struct buf *out)
{
	const struct finding *f = &r->diagnosis->findings[at];
	struct document d = { 0 }, steps = { 0 };
	struct finding_report words = { .diagnosis = r->diagnosis,
					.parts = FINDING_WHOLE & ~FINDING_STEPS,
					.scrubbed = r->scrubbed,
					.shell = r->shell,
					.owner = check_owner(r, &d.arena) };

	finding_add(&d, &words, f);
	document_markdown.write(&d, NULL, out);
	finding_add_steps(&steps, &steps.root, &words, f);
	if (f->remedy_count > 0)
		buf_text(out, "<details><summary>Do this</summary>\n\n");
	document_markdown.write(&steps, NULL, out);
	if (f->remedy_count > 0)
		buf_text(out, "</details>\n\n");
	document_done(&steps);
	document_done(&d);
}

static void findings(const struct check_report *r, struct buf *out)
{
	for (size_t i = 0; i < r->diagnosis->finding_count; i++)
		if (section_leads(r->diagnosis, i))
			finding(r, i, out);
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
	findings(r, ret);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		table(r, tables[i].name, tables[i].sql, ret);
	buf_addf(ret, "rocsteady %s, knowledge base %s (`%.12s`)%s%s\n", ROCSTEADY_VERSION,
		 r->kb_version, r->kb_digest, r->scrubbed ? ". " : "",
		 r->scrubbed ? PAGE_SCRUBBED : "");
	arena_done(&a);
}
