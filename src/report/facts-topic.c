#include "report/facts.h"

#include <errno.h>
#include <string.h>

#include "report/rows.h"

/* Names people would try first, and what is left out when people read it. */
static const struct {
	const char *name;
	const char *table;
	const char *sql; /* for people; NULL: the whole table */
} topics[] = {
	{ "gpus", "gpu", NULL },
	{ "agents", "agent", NULL },
	{ "access", "device_node", NULL },
	{ "nodes", "device_node", NULL },
	{ "links", "pcie", NULL },
	{ "log", "kernel_log",
	  "SELECT boot, uptime_us / 1000000 AS uptime_s, severity, class, address, text FROM kernel_log ORDER BY seq" },
	{ "gaps", "gap",
	  "SELECT standing, topic, subject, detail, source FROM gap WHERE standing <> 'absent' AND coalesce(detail, '') <> 'NOT WALKED' ORDER BY standing, topic, subject" },
	{ "owners", "vram_owner", NULL },
	{ "limits", "resource_limit", NULL },
	{ "groups", "identity_group", NULL },
	{ "drivers", "driver", NULL },
	{ "services", "service", NULL },
	{ "setters", "env_setter", NULL },
	{ "sensors", "sensor", NULL },
	{ "installs", "rocm_install", NULL },
	{ "environments", "environment",
	  "SELECT prefix, kind, python, iif(active, 'yes', NULL) AS active, service FROM environment" },
	{ "frameworks", "framework",
	  "SELECT name, version, coalesce(build, '?') AS build, coalesce(hip, cuda) AS built_with, environment FROM framework ORDER BY environment, rowid" },
	{ "packages", "package",
	  "SELECT name, version, environment, requires FROM package ORDER BY environment, name" },
	{ "libraries", "library",
	  "SELECT l.name, l.version, CASE WHEN l.target_set IS NULL THEN NULL ELSE "
	  "(SELECT count(*) FROM target_set t WHERE t.set_id = l.target_set) END AS targets, "
	  "coalesce(l.environment, l.install, l.path) AS place FROM library l ORDER BY place, l.name" },
	{ "targets", "target_set",
	  "SELECT group_concat(names, ' ') AS libraries, targets FROM (SELECT (SELECT group_concat(name, ' ') FROM (SELECT DISTINCT name "
	  "FROM library l WHERE l.target_set = s.set_id ORDER BY name)) AS names, (SELECT group_concat(text, ' ') FROM (SELECT target || "
	  "iif(bundles < of_bundles, ' (' || bundles || ' of ' || of_bundles || ')', '') AS text FROM target_set t WHERE t.set_id = s.set_id "
	  "ORDER BY target NOT LIKE 'gfx%', CAST(substr(target, 4, instr(target || ':', ':') - 6) AS INTEGER), target)) AS targets "
	  "FROM (SELECT DISTINCT set_id FROM target_set) s) GROUP BY targets" },
	{ "kernels", "kernel_dir",
	  "SELECT kind, coalesce(environment, install) AS place, gfx, iif(indexed, 'yes', 'no') AS indexed, tuned, fallback FROM kernel_dir "
	  "ORDER BY place, kind, rowid" },
	{ "loads", "load",
	  "SELECT framework, wanted, how, CASE WHEN instr(file, '-packages/') THEN '.../' || substr(file, instr(file, '-packages/') + 10) "
	  "ELSE file END AS file, environment FROM (SELECT *, coalesce(path, elsewhere, other_major) AS file FROM load) "
	  "ORDER BY environment, framework, how <> 'missing', rowid" },
};

static bool is_relation(struct facts *f, const char *name)
{
	sqlite3_stmt *stmt;
	bool found;

	sqlite3_prepare_v2(facts_db(f), "SELECT 1 FROM sqlite_schema WHERE name = ?1", -1, &stmt,
			   NULL);
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	found = sqlite3_step(stmt) == SQLITE_ROW;
	sqlite3_finalize(stmt);
	return found;
}

static sqlite3_stmt *topic_rows(struct facts *f, const char *topic, bool people)
{
	sqlite3_stmt *stmt = NULL;
	const char *table = topic;
	const char *sql = NULL;
	char *made;

	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
		if (strcmp(topics[i].name, topic) == 0) {
			table = topics[i].table;
			sql = people ? topics[i].sql : NULL;
		}
	if (!is_relation(f, table))
		return NULL;
	made = sqlite3_mprintf("SELECT * FROM \"%w\"", table);
	sqlite3_prepare_v2(facts_db(f), sql ? sql : made, -1, &stmt, NULL);
	sqlite3_free(made);
	return stmt;
}

int facts_topic(struct facts *f, const char *topic, struct buf *ret, size_t width)
{
	sqlite3_stmt *stmt = topic_rows(f, topic, true);

	if (!stmt)
		return -ENOENT;
	rows_text(stmt, ret, width ? width : 160);
	sqlite3_finalize(stmt);
	return 0;
}

int facts_topic_json(struct facts *f, const char *topic, struct buf *ret)
{
	sqlite3_stmt *stmt = topic_rows(f, topic, false);

	if (!stmt)
		return -ENOENT;
	rows_json(stmt, ret);
	sqlite3_finalize(stmt);
	return 0;
}

void facts_topics(struct facts *f, struct buf *ret)
{
	sqlite3_stmt *stmt;

	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
		buf_addf(ret, "%s ", topics[i].name);
	sqlite3_prepare_v2(facts_db(f), "SELECT name FROM sqlite_schema ORDER BY rowid", -1, &stmt,
			   NULL);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		buf_addf(ret, "%s ", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

static bool is_single(const char *table)
{
	static const char *const single[] = { "run", "host", "identity", "container" };

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		if (strcmp(single[i], table) == 0)
			return true;
	return false;
}

void facts_json(struct facts *f, struct buf *ret)
{
	struct json j = json_on(ret);
	sqlite3_stmt *names;

	json_open(&j, NULL, '{');
	json_int(&j, "schema", 1);
	sqlite3_prepare_v2(facts_db(f), "SELECT name FROM sqlite_schema ORDER BY rowid", -1, &names,
			   NULL);
	while (sqlite3_step(names) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(names, 0);
		char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
		sqlite3_stmt *rows;

		sqlite3_prepare_v2(facts_db(f), sql, -1, &rows, NULL);
		rows_write(rows, &j, name, is_single(name));
		sqlite3_finalize(rows);
		sqlite3_free(sql);
	}
	sqlite3_finalize(names);
	json_close(&j, '}');
}
