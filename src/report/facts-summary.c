#include "facts/select.h"
#include "report/facts.h"
#include "report/page.h"

#define LABEL 11 /* columns before a sentence */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/table-write.h"
#include "base/units.h"
#include "diagnose/gaps.h"
#include "facts/column.h"
#include "report/rows.h"

/*
 * The screen is a list of sentences, each an SQL that gives one line of text
 * in its first column, or several. A sentence without rows is not printed.
 */
static const struct sentence {
	const char *label;
	const char *sql;
	size_t most;       /* lines, and how many more there are; 0: all */
	const char *topic; /* that shows them all */
} sentences[] = {
	{ "driver",
	  "SELECT CASE WHEN loaded THEN name || coalesce(' ' || version, '') || "
	  "CASE WHEN builtin THEN ', built into the kernel' WHEN packaging IS NOT NULL THEN ', ' || packaging ELSE '' END || "
	  "CASE WHEN state IS NOT NULL AND state <> 'live' THEN ', ' || state ELSE '' END || "
	  "coalesce(', KFD ' || kfd_major || '.' || kfd_minor, '') ELSE name || ' is not loaded' END "
	  "FROM driver WHERE name = 'amdgpu'" },
	{ "driver",
	  "SELECT coalesce(d.packaging || coalesce(' ' || s.value, '') || ', ', '') || d.name || coalesce(' ' || d.version, '') || coalesce(' of ' || t.value, '') "
	  "FROM driver d JOIN host h ON h.distribution = 'windows' LEFT JOIN statement s ON s.name = 'driver' AND s.source = d.source "
	  "LEFT JOIN statement t ON t.name = 'driver_date' AND t.source = d.source" },
	{ "",
	  "SELECT kind || ' ' || module || coalesce(' ' || value, '') || '  (' || source || ')' FROM module_rule "
	  "WHERE kind IN ('blacklist', 'install', 'options') AND module IN ('amdgpu', 'ttm', 'amdttm')" },
	{ "access",
	  "SELECT CASE WHEN count(*) <= 3 THEN group_concat(path, ', ') ELSE iif(sum(path = '/dev/kfd'), '/dev/kfd and ', '') || "
	  "sum(path LIKE '/dev/dri/%') || ' render nodes' END || ': ' || CASE coalesce(open_result, '?') WHEN 'opened' THEN 'opened' "
	  "WHEN '?' THEN 'not asked' WHEN 'ENOENT' THEN 'no such file' WHEN 'EACCES' THEN 'permission denied' "
	  "WHEN 'EPERM' THEN 'not permitted (device control group)' ELSE open_result END "
	  "FROM device_node GROUP BY open_result ORDER BY min(rowid)" },
	{ "judged",
	  "SELECT coalesce(user, 'user') || ' (' || uid || ')' || CASE how WHEN 'this process' THEN '' ELSE ', ' || how END || "
	  "CASE WHEN uid = 0 THEN '' ELSE coalesce(', in group ' || (SELECT group_concat(name || ' (' || gid || ')', ' and ') "
	  "FROM identity_group WHERE name IS NOT NULL), ', in none of the groups video, render') END FROM identity" },
	{ "held by",
	  "SELECT address || ': ' || group_concat(bytes(bytes) || ' ' || CASE share WHEN 'kfd' THEN coalesce(command, 'process') || ' ' || pid "
	  "WHEN 'kfd-outside' THEN 'by host process ' || pid WHEN 'drm' THEN coalesce(command, 'client') || ' ' || pid "
	  "ELSE iif(orphaned, 'orphaned', 'rest') END, ', ') FROM vram_held GROUP BY address" },
	{ "variables",
	  "SELECT name || '=' || value || CASE subject WHEN 'identity' THEN '' ELSE '  (' || subject || ')' END FROM env_told "
	  "ORDER BY subject, name",
	  8, "env" },
	{ "set by",
	  "SELECT name || ' in ' || source || CASE exported WHEN 1 THEN '' ELSE ', not exported' END FROM env_setter_told",
	  6, "env_setter" },
	{ "service",
	  "SELECT unit || CASE WHEN pid IS NULL THEN ', not running' ELSE ', pid ' || pid || coalesce(', uid ' || uid, '') END FROM service",
	  5, "service" },
	{ "inside",
	  "SELECT kind || CASE WHEN rootless THEN ', rootless' ELSE '' END || CASE WHEN own_pids THEN ', own process ids' ELSE '' END "
	  "|| '  (' || source || ')' FROM container WHERE kind <> 'none'" },
	{ "WSL",
	  "SELECT coalesce(version, service) || CASE WHEN disabled THEN ', disabled' ELSE '' END || CASE WHEN virtual_machines = 0 THEN ', no virtual machines' ELSE '' END || "
	  "coalesce(': ' || (SELECT group_concat(coalesce(flavor, 'a distribution') || coalesce(' ' || os_version, '') || ' (WSL ' || wsl_version || iif(is_default, ', default)', ')'), ', ') "
	  "FROM wsl_distribution), ', no distribution') FROM wsl_host" },
	{ "limits",
	  "SELECT group_concat(name || ' ' || CASE WHEN soft IS NULL THEN 'unlimited' WHEN unit = 'bytes' THEN bytes(soft) ELSE soft END, ' · ') "
	  "FROM resource_limit WHERE name IN ('memlock', 'nofile', 'cgroup-memory', 'shm')" },
	{ "memory",
	  "SELECT bytes(memory_available_bytes) || ' of ' || bytes(memory_total_bytes) || ' available' FROM host WHERE memory_total_bytes IS NOT NULL" },
	{ "rocm", "SELECT group_concat(version || ' in ' || prefix, ', ') FROM rocm_install" },
	{ "software",
	  "SELECT (SELECT group_concat(name || coalesce(' ' || version, ''), ', ') FROM (SELECT name, version FROM framework f WHERE f.environment = e.prefix "
	  "ORDER BY f.rowid LIMIT 3)) || iif((SELECT count(*) FROM framework f WHERE f.environment = e.prefix) > 3, ', ...', '') || ' in ' || e.prefix || iif(e.active = 1, ', in use', coalesce(', ' || e.service, '')) FROM environment e "
	  "WHERE e.prefix IN (SELECT environment FROM framework) ORDER BY coalesce(e.active, 0) DESC, e.service IS NULL, e.rowid LIMIT 2" },
	{ "",
	  "SELECT 'and in ' || (count(DISTINCT environment) - 2) || ' more  (rocsteady facts frameworks)' FROM framework "
	  "HAVING count(DISTINCT environment) > 2" },
	{ "log",
	  "SELECT severity || ': ' || class || CASE count(*) WHEN 1 THEN '' ELSE ' × ' || count(*) END || coalesce('  ' || address, '') || "
	  "coalesce(', ' || ago((SELECT uptime_s FROM run) - max(uptime_us) / 1000000), '') FROM kernel_log "
	  "WHERE severity <> 'info' AND boot = 'this' GROUP BY class, address ORDER BY max(seq)",
	  8, "log" },
	{ "",
	  "SELECT 'in an earlier boot: ' || class || coalesce('  ' || address, '') FROM kernel_log "
	  "WHERE severity = 'problem' AND boot = 'earlier' GROUP BY class, address ORDER BY max(seq)",
	  4, "log" },
	{ "health",
	  "SELECT address || ': bad memory pages: ' || bad_pages_retired || ' retired, ' || bad_pages_pending || ' pending, ' || bad_pages_failed || ' failed' "
	  "FROM gpu WHERE bad_pages_retired + bad_pages_pending + bad_pages_failed > 0" },
	{ "",
	  "SELECT address || ': ' || block || ', uncorrectable errors: ' || uncorrectable FROM ras WHERE uncorrectable > 0" },
	{ "stuck",
	  "SELECT source || ' did not answer' FROM gap WHERE detail = 'STUCK' GROUP BY source" },
	{ "as root",
	  "SELECT 'also: ' || group_concat(relation, ', ') FROM (SELECT DISTINCT relation FROM " GAPS_TOLD
	  " WHERE root_learns)" },
	{ "not known",
	  "SELECT group_concat(what, ', ') || '  (rocsteady facts gaps)' FROM (SELECT DISTINCT relation || ' ' || standing AS what "
	  "FROM " GAPS_TOLD
	  " WHERE NOT root_learns AND coalesce(detail, '') NOT IN ('ASLEEP', 'SKIPPED', 'STUCK'))" },
};

static void sql_bytes(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	char text[UNITS_MAX];

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	units_bytes((uint64_t)sqlite3_value_int64(argv[0]), text);
	sqlite3_result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

static void sql_ago(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	char text[UNITS_MAX + 8];

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL || sqlite3_value_int64(argv[0]) < 0)
		return;
	units_seconds((uint64_t)sqlite3_value_int64(argv[0]), text);
	strcat(text, " ago");
	sqlite3_result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

/* On a terminal it is wrapped; elsewhere a sentence stays a line, for grep. */
static void add_line(struct page *p, const char *label, const char *text)
{
	buf_addf(p->out, "%-10s ", label);
	if (p->width > 0)
		page_wrap(p, LABEL, LABEL, text);
	else
		buf_addf(p->out, "%s\n", text);
}

static void add_sentence(struct facts *f, const struct sentence *s, struct page *p)
{
	struct buf more BUF_SCOPED = { 0 };
	sqlite3_stmt *stmt = rows_ask(f, s->sql);
	size_t count = 0;

	while (select_next(stmt))
		if (sqlite3_column_type(stmt, 0) != SQLITE_NULL &&
		    (count++ < s->most || s->most == 0))
			add_line(p, count == 1 ? s->label : "", column_text(stmt, 0));
	sqlite3_finalize(stmt);
	if (s->most == 0 || count <= s->most)
		return;
	buf_addf(&more, "and %zu more  (rocsteady facts %s)", count - s->most, s->topic);
	add_line(p, "", more.data);
}

/* "2 × Radeon RX 7900 XT (gfx1100)" */
static bool add_products(struct facts *f, struct buf *ret)
{
	sqlite3_stmt *stmt = rows_ask(
		f,
		"SELECT count(*), coalesce(product, 'AMD GPU ' || device_id, 'AMD GPU'), gfx, max(integrated) "
		"FROM gpu GROUP BY 2, 3 ORDER BY max(coalesce(integrated, 0)), min(rowid)");
	bool any = false;

	while (select_next(stmt)) {
		buf_text(ret, any ? " + " : "");
		if (sqlite3_column_int(stmt, 0) > 1)
			buf_addf(ret, "%d × ", sqlite3_column_int(stmt, 0));
		buf_text(ret, column_text(stmt, 1));
		if (sqlite3_column_type(stmt, 2) != SQLITE_NULL)
			buf_addf(ret, " (%s%s)", column_text(stmt, 2),
				 sqlite3_column_int(stmt, 3) ? ", integrated" : "");
		any = true;
	}
	sqlite3_finalize(stmt);
	return any;
}

static void add_first_line(struct facts *f, struct buf *ret)
{
	sqlite3_stmt *stmt;

	if (!add_products(f, ret)) {
		stmt = rows_ask(
			f,
			"SELECT coalesce((SELECT 'no AMD GPU among ' || pci_functions || ' PCI functions' FROM no_gpu), "
			"(SELECT 'the GPU of Windows (/dev/dxg)' FROM device_node WHERE path = '/dev/dxg' AND kind IS NOT NULL), "
			"(SELECT 'GPUs not known (' || standing || ')' FROM gap WHERE topic IN ('gpu', 'host.pci_functions') "
			"ORDER BY standing = 'absent' LIMIT 1), 'GPUs not known')");
		if (select_next(stmt))
			buf_text(ret, column_text(stmt, 0));
		sqlite3_finalize(stmt);
	}
	stmt = rows_ask(
		f,
		"SELECT coalesce(coalesce(distribution_name, distribution) || iif(distribution = 'windows', coalesce(' ' || distribution_version, ''), ' · '), '') || coalesce('kernel ' || kernel, '') || "
		"iif(hypervisor, ' · virtual machine', '') FROM host");
	if (select_next(stmt) && column_text(stmt, 0)[0])
		buf_addf(ret, "\n%s", column_text(stmt, 0));
	sqlite3_finalize(stmt);
	buf_char(ret, '\n');
}

static void add_gpus(struct facts *f, struct buf *ret)
{
	static const char sql[] =
		"SELECT g.address, coalesce(g.gfx, '?') AS gfx, "
		"coalesce(bytes(g.vram_used_bytes) || ' of ' || bytes(g.vram_total_bytes), bytes(g.vram_total_bytes), '?') AS vram, "
		"CASE WHEN g.integrated THEN coalesce(bytes(g.gtt_used_bytes) || ' of ' || bytes(g.gtt_total_bytes), '') ELSE '' END AS gtt, "
		"coalesce(p.speed_gts || iif(p.max_speed_gts > p.speed_gts, ' of ' || p.max_speed_gts, '') || ' GT/s x' || p.width "
		"|| iif(p.max_width > p.width, ' of x' || p.max_width, ''), '') AS link, coalesce(g.render, '') AS node, "
		"trim(coalesce(CASE WHEN g.driver IN ('amdgpu', (SELECT name FROM driver d JOIN host h ON h.distribution = 'windows')) THEN '' ELSE 'driver ' || g.driver END, 'no driver') || ' ' || "
		"CASE g.power_state WHEN 'suspended' THEN 'asleep ' ELSE '' END || "
		"iif(EXISTS (SELECT 1 FROM gap WHERE subject = g.address AND detail = 'STUCK'), 'does not answer ', '') || coalesce(g.compute_partition || ' ', '') || "
		"CASE WHEN g.virtual_function THEN 'virtual function ' ELSE '' END || "
		"CASE (SELECT count(*) FROM agent a WHERE a.address = g.address) WHEN 0 THEN iif(EXISTS (SELECT 1 FROM gap WHERE topic = 'agent' AND standing <> 'absent'), 'KFD not known', 'not offered by KFD') WHEN 1 THEN '' "
		"ELSE (SELECT count(*) FROM agent a WHERE a.address = g.address) || ' agents' END) AS state "
		"FROM gpu g LEFT JOIN pcie p ON p.gpu = g.address AND p.hop = coalesce("
		"(SELECT min(s.hop) FROM pcie s WHERE s.gpu = g.address AND s.slot), 0) ORDER BY g.rowid";
	struct table_text t = { .drop_empty = true };
	sqlite3_stmt *stmt = rows_ask(f, sql);
	int columns = stmt ? sqlite3_column_count(stmt) : 0;

	for (int c = 0; c < columns; c++)
		table_column(&t, sqlite3_column_name(stmt, c), false);
	while (select_next(stmt)) {
		size_t row = table_row(&t);

		for (int c = 0; c < columns; c++)
			table_cell(&t, row, (size_t)c, span_of(column_text(stmt, c)));
	}
	sqlite3_finalize(stmt);
	if (t.rows > 0) {
		buf_char(ret, '\n');
		table_write(&t, ret, 0);
	}
	table_done(&t);
}

void facts_summary(struct facts *f, struct buf *ret, size_t width)
{
	struct page page = { .out = ret, .width = width > 0 ? page_width(width) : 0 };

	sqlite3_create_function(facts_db(f), "bytes", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
				sql_bytes, NULL, NULL);
	sqlite3_create_function(facts_db(f), "ago", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
				sql_ago, NULL, NULL);
	add_first_line(f, ret);
	add_gpus(f, ret);
	buf_char(ret, '\n');
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++)
		add_sentence(f, &sentences[i], &page);
}
