#include "report/facts.h"

#include <errno.h>
#include <string.h>

#include "diagnose/gaps.h"
#include "facts/column.h"
#include "facts/select.h"
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
	  "SELECT standing, topic, subject, detail, source FROM " GAPS_TOLD
	  " ORDER BY standing, topic, subject" },
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
	sqlite3_stmt *stmt =
		select_from(facts_db(f), "SELECT 1 FROM sqlite_schema WHERE name = ?1");
	bool found;

	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	found = select_next(stmt);
	sqlite3_finalize(stmt);
	return found;
}

static bool is_one_of(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/*
 * In the order in which a table was filled, or a view lists them. That of a join
 * of many tables is the planner's, and another one with another SQLite.
 */
static sqlite3_stmt *all_rows(struct facts *f, const char *name)
{
	static const char *const joins[] = { "library_fit", "framework_fit", "environment_fit" };
	bool sorted = is_one_of(joins, sizeof(joins) / sizeof(joins[0]), name);
	char *sql =
		sqlite3_mprintf("SELECT * FROM \"%w\"%s", name,
				sorted ? " ORDER BY environment, framework, device, source" : "");
	sqlite3_stmt *stmt = select_from(facts_db(f), sql);

	sqlite3_free(sql);
	return stmt;
}

static sqlite3_stmt *topic_rows(struct facts *f, const char *topic, bool people)
{
	const char *table = topic;
	const char *sql = NULL;

	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
		if (strcmp(topics[i].name, topic) == 0) {
			table = topics[i].table;
			sql = people ? topics[i].sql : NULL;
		}
	if (!is_relation(f, table))
		return NULL;
	return sql ? select_from(facts_db(f), sql) : all_rows(f, table);
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
	stmt = select_from(facts_db(f), "SELECT name FROM sqlite_schema ORDER BY rowid");
	while (select_next(stmt))
		buf_addf(ret, "%s ", column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

static bool is_single(const char *table)
{
	static const char *const single[] = { "run", "host", "identity", "container" };

	return is_one_of(single, sizeof(single) / sizeof(single[0]), table);
}

void facts_json(struct facts *f, struct buf *ret)
{
	struct json j = json_on(ret);
	sqlite3_stmt *names;

	json_open(&j, NULL, '{');
	json_int(&j, "schema", 1);
	names = select_from(facts_db(f), "SELECT name FROM sqlite_schema ORDER BY rowid");
	while (select_next(names)) {
		const char *name = column_text(names, 0);
		sqlite3_stmt *rows = all_rows(f, name);

		rows_write(rows, &j, name, is_single(name));
		sqlite3_finalize(rows);
	}
	sqlite3_finalize(names);
	json_close(&j, '}');
}
