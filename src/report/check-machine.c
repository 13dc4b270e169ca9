#include "report/check.h"

#include <string.h>

#include "base/units.h"
#include "report/check-sections.h"
#include "report/rows.h"

static const char *text_of(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? text : "";
}

/* "2 x Radeon RX 7900 XT (gfx1100, 20.0 GiB)" */
static const char *product(sqlite3_stmt *stmt, const char *times, struct arena *a)
{
	struct buf out BUF_SCOPED = { 0 };
	const char *gfx = text_of(stmt, 2);
	char bytes[UNITS_MAX] = "";

	if (sqlite3_column_int(stmt, 0) > 1)
		buf_addf(&out, "%d %s ", sqlite3_column_int(stmt, 0), times);
	buf_text(&out, text_of(stmt, 1));
	if (sqlite3_column_int(stmt, 3))
		strcpy(bytes, "integrated");
	else if (sqlite3_column_type(stmt, 4) != SQLITE_NULL)
		units_bytes((uint64_t)sqlite3_column_int64(stmt, 4), bytes);
	if (gfx[0] || bytes[0])
		buf_addf(&out, " (%s%s%s)", gfx, gfx[0] && bytes[0] ? ", " : "", bytes);
	return arena_text(a, buf_get(&out));
}

static size_t products(struct facts *f, const char *times, struct arena *a, const char **ret,
		       size_t most)
{
	static const char sql[] =
		"SELECT count(*), coalesce(product, 'AMD GPU ' || device_id, 'AMD GPU') AS name, gfx, "
		"coalesce(integrated, 0) AS inside, vram_total_bytes FROM gpu "
		"GROUP BY name, gfx, inside, vram_total_bytes ORDER BY inside, min(rowid)";
	sqlite3_stmt *stmt = rows_ask(f, sql);
	size_t count = 0;

	while (stmt && count < most && sqlite3_step(stmt) == SQLITE_ROW)
		ret[count++] = product(stmt, times, a);
	sqlite3_finalize(stmt);
	return count;
}

/* Each gives one part, or none. */
static const char *const sentences[] = {
	"SELECT coalesce((SELECT 'GPUs not known (' || standing || ')' FROM gap WHERE topic = 'gpu' "
	"AND subject = '' AND standing <> 'absent' ORDER BY standing LIMIT 1), "
	"(SELECT 'the GPU of Windows (/dev/dxg)' FROM device_node WHERE path = '/dev/dxg' AND kind IS NOT NULL), "
	"'no AMD GPU') "
	"WHERE NOT EXISTS (SELECT 1 FROM gpu)",
	"SELECT 'kernel ' || kernel FROM host WHERE kernel IS NOT NULL",
	("SELECT iif(loaded, name || coalesce(' ' || version, '') || coalesce(' (' || packaging || ')', ''), "
	 "name || ' not loaded') FROM driver WHERE name = 'amdgpu' AND (loaded OR EXISTS (SELECT 1 FROM gpu))"),
	"SELECT iif(kind = 'wsl', 'under WSL', 'in ' || kind) FROM container WHERE kind <> 'none'",
};

size_t check_machine(struct facts *f, const char *times, struct arena *a,
		     const char *ret[static CHECK_PARTS_MAX])
{
	const size_t rest = sizeof(sentences) / sizeof(sentences[0]);
	size_t count = products(f, times, a, ret, CHECK_PARTS_MAX - rest);

	for (size_t i = 0; i < rest; i++) {
		sqlite3_stmt *stmt = rows_ask(f, sentences[i]);

		if (stmt && sqlite3_step(stmt) == SQLITE_ROW)
			ret[count++] = arena_text(a, span_of(text_of(stmt, 0)));
		sqlite3_finalize(stmt);
	}
	return count;
}

const char *check_not_known(struct facts *f, struct arena *a)
{
	static const char sql[] =
		"SELECT group_concat(what, ', ') FROM (SELECT name || ' (' || group_concat(standing, '/') || ')' "
		"AS what FROM (SELECT DISTINCT iif(instr(topic, '.'), substr(topic, 1, instr(topic, '.') - 1), "
		"topic) AS name, standing FROM gap WHERE standing <> 'absent' AND coalesce(detail, '') <> 'NOT WALKED' ORDER BY 1, 2) "
		"GROUP BY name ORDER BY name)";
	sqlite3_stmt *stmt = rows_ask(f, sql);
	const char *text = NULL;

	if (stmt && sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_type(stmt, 0) != SQLITE_NULL)
		text = arena_text(a, span_of(text_of(stmt, 0)));
	sqlite3_finalize(stmt);
	return text;
}

/* The first finding is the worst; how many others there are is said. */
const char *check_sentence(const struct check_report *r, struct arena *a)
{
	static const char *const words[] = { [VERDICT_READY] = "Ready",
					     [VERDICT_DEGRADED] = "Degraded",
					     [VERDICT_NOT_READY] = "Not ready",
					     [VERDICT_UNDECIDED] = "Undecided" };
	const struct diagnosis *d = r->diagnosis;
	struct buf text BUF_SCOPED = { 0 };

	buf_text(&text, words[d->verdict]);
	if (d->verdict == VERDICT_READY)
		buf_text(&text, ": nothing was found that would stop a job on this machine");
	else if (d->verdict == VERDICT_UNDECIDED && d->blind)
		buf_addf(&text, ": which GPUs there are is not known, %s", d->blind);
	else if (d->finding_count > 0) {
		buf_text(&text, ": ");
		section_title(&d->findings[0], &text);
	}
	return arena_text(a, buf_get(&text));
}
