#include "report/check.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "diagnose/gaps.h"
#include "facts/column.h"
#include "facts/select.h"
#include "report/check-sections.h"
#include "report/rows.h"

/* ---- text that is not ours ---- */

/* Within a word: gfx_0 needs no escape. */
static bool is_inside(const char *start, const char *at)
{
	return at > start && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
}

/* The last w of "www." where a tracker makes a link of it, in any case: at the start of a word. */
static bool ends_www(const char *start, const char *at)
{
	return at - start >= 2 && strncasecmp(at - 2, "www.", 4) == 0 &&
	       (at - start == 2 || !isalnum((unsigned char)at[-3]));
}

/*
 * Nobody's path becomes a tag, an emphasis, a table cell or a link. Behind @, #,
 * www and :// stands a space without width: trackers make mentions, references
 * and links of those after all escapes are gone.
 */
static void plain(struct buf *out, const char *text)
{
	static const char marks[] = "\\`*[]|~";

	for (const char *p = text; *p; p++) {
		if (*p == '<' || *p == '>' || *p == '&')
			buf_text(out, *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : "&amp;");
		else if (strchr(marks, *p) || (*p == '_' && !is_inside(text, p)))
			buf_addf(out, "\\%c", *p);
		else if (*p == '@' || *p == '#' || strncmp(p, "://", 3) == 0 || ends_www(text, p))
			buf_addf(out, "%c&#8203;", *p);
		else
			buf_char(out, *p == '\n' ? ' ' : *p);
	}
}

/* As code: fenced by more backticks than it has in a row. */
static void code(struct buf *out, const char *text)
{
	size_t longest = 0, run = 0;

	for (const char *p = text; *p; p++) {
		run = *p == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		buf_char(out, '`');
	buf_text(out, longest ? " " : "");
	for (; *text; text++) /* a bar would end the cell of a table, a line its row */
		buf_text(out, *text == '|'    ? "\\|"
			      : *text == '\n' ? " "
					      : (char[2]){ *text, '\0' });
	buf_text(out, longest ? " " : "");
	for (size_t i = 0; i <= longest; i++)
		buf_char(out, '`');
}

/* The steps of a remedy below a point of a list: words as paragraphs, commands in a fence. */
static void points(struct arena *a, const char *steps, struct buf *out)
{
	struct span rest = span_of(steps), line;
	bool fenced = false;

	while (span_line(&rest, &line)) {
		bool command = span_starts(line, "    ");

		if (span_trim(line).len == 0)
			continue;
		if (command != fenced)
			buf_text(out, command ? "\n   ````sh\n" : "   ````\n");
		fenced = command;
		buf_text(out, command ? "   " : "\n   ");
		if (command)
			buf_add(out, line.data + 4, line.len - 4);
		else
			plain(out, arena_text(a, line));
		buf_char(out, '\n');
	}
	buf_text(out, fenced ? "   ````\n" : "");
}

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
		buf_text(
			out,
			"Tracker: none is known for this cause; it is usually settled on the machine itself.\n\n");
}

static void machine(const struct check_report *r, struct arena *a, struct buf *out)
{
	size_t count;
	const char **parts = check_machine(r->facts, "x", a, &count);

	for (size_t i = 0; i < count; i++) {
		buf_text(out, "- ");
		plain(out, parts[i]);
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
		plain(out, l->says);
		buf_text(out, " | ");
		code(out, l->source[0] ? l->source : "-");
		buf_text(out, " |\n");
	}
	buf_char(out, '\n');
}

static void steps(const struct check_report *r, const struct finding *f, struct arena *a,
		  struct buf *out)
{
	for (size_t i = 0; i < f->remedy_count; i++) {
		buf_addf(out, "%zu. ", i + 1);
		plain(out, f->remedies[i]->title);
		buf_char(out, '\n');
		points(a, steps_for(a, f->remedies[i]->steps, r->shell), out);
	}
	buf_text(out, f->remedy_count > 0 ? "\n" : "");
}

static void finding(const struct check_report *r, size_t at, struct arena *a, struct buf *out)
{
	const struct finding *f = &r->diagnosis->findings[at];
	struct buf text BUF_SCOPED = { 0 };

	buf_text(out, "### ");
	plain(out, f->title);
	buf_addf(out, "\n\n`%s`, %s", f->cause, diagnose_belief_name(f->belief));
	if (f->subject[0]) {
		buf_text(out, ", ");
		code(out, f->subject);
	}
	section_others(r->diagnosis, at, &text);
	if (text.len > 0) {
		buf_text(out, "; ");
		plain(out, text.data);
	}
	buf_text(out, "\n\n");
	evidence(f, out);
	if (f->remedy_count > 0)
		buf_text(out, "<details><summary>What to do</summary>\n\n");
	steps(r, f, a, out);
	if (f->remedy_count > 0)
		buf_text(out, "</details>\n\n");
	plain(out, f->story);
	buf_text(out, "\n\n");
}

static void findings(const struct check_report *r, struct arena *a, struct buf *out)
{
	for (size_t i = 0; i < r->diagnosis->finding_count; i++)
		if (r->diagnosis->findings[i].section <= SECTION_UNDECIDED &&
		    !section_repeats(r->diagnosis, i))
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
			plain(out, column_text(stmt, i));
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
	plain(ret, check_sentence(r, &a));
	buf_text(ret, "\n\n");
	say_where(r, &a, ret);
	machine(r, &a, ret);
	findings(r, &a, ret);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		table(r, tables[i].name, tables[i].sql, ret);
	buf_addf(ret, "rocsteady %s, knowledge of %s (`%.12s`)%s\n", ROCSTEADY_VERSION,
		 r->kb_version, r->kb_digest,
		 r->scrubbed ? "; names and secrets are pseudonyms" : "");
	arena_done(&a);
}
