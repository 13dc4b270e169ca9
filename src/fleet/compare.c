#include "fleet/compare.h"

#include <string.h>

#include "base/array.h"
#include "facts/column.h"
#include "facts/select.h"

extern const char data_compared_facts[];

/* ---- which facts ---- */

struct compare_line {
	struct span table, key, out;
	bool counted;
};

/* Four words with a tab between each; comments and empty lines are passed over. */
static bool next_line(struct span *rest, struct compare_line *ret)
{
	struct span line, counted;

	while (span_line(rest, &line)) {
		if (line.len == 0 || line.data[0] == '#' || !span_cut(&line, '\t', &ret->table) ||
		    !span_cut(&line, '\t', &ret->key) || !span_cut(&line, '\t', &ret->out) ||
		    !span_cut(&line, '\t', &counted))
			continue;
		ret->counted = span_is(counted, "counted");
		return true;
	}
	return false;
}

static bool find_line(const char *table, struct compare_line *ret)
{
	struct span rest = span_of(data_compared_facts);

	while (next_line(&rest, ret))
		if (span_is(ret->table, table))
			return true;
	return false;
}

/* "module || ' ' || name", or '' where all rows are one. */
static const char *key_of(const struct compare_line *line, struct arena *a)
{
	struct span rest = line->key, word;
	struct buf sql BUF_SCOPED = { 0 };

	if (span_is(line->key, "-"))
		return "''";
	while (span_word(&rest, &word))
		buf_addf(&sql, "%scoalesce(%.*s, '')", sql.len > 0 ? " || ' ' || " : "",
			 (int)word.len, word.data);
	return arena_text(a, buf_get(&sql));
}

static const char *where_of(const struct compare_line *line, struct arena *a)
{
	struct span rest = line->out, word, column;
	struct buf sql BUF_SCOPED = { 0 };

	buf_text(&sql, "1");
	while (span_word(&rest, &word))
		if (span_find(word, span_of("=")) < word.len && span_cut(&word, '=', &column)) {
			char *one = sqlite3_mprintf(" AND %.*s <> '%.*q'", (int)column.len,
						    column.data, (int)word.len, word.data);

			buf_text(&sql, one);
			sqlite3_free(one);
		}
	return arena_text(a, buf_get(&sql));
}

/* A table without rows on any machine has nothing to compare. */
static bool has_rows(sqlite3 *db, const char *table)
{
	char *sql = sqlite3_mprintf("SELECT count(*) FROM (SELECT 1 FROM main.%s_content LIMIT 1)",
				    table);
	bool any = select_count(db, sql) > 0;

	sqlite3_free(sql);
	return any;
}

/* The column that says which device a row is about. */
static const char *place_of(sqlite3 *db, const char *table)
{
	static const char *const names[] = { "address", "gpu" };

	for (size_t i = 0; i < COUNT(names); i++) {
		char *sql = sqlite3_mprintf("SELECT count(*) FROM pragma_table_info('%q_content')"
					    " WHERE name = %Q",
					    table, names[i]);
		bool has = select_count(db, sql) > 0;

		sqlite3_free(sql);
		if (has)
			return names[i];
	}
	return NULL;
}

static void add_facts(sqlite3 *db, const char *table, struct arena *a, struct compare_fact **list,
		      size_t *count)
{
	char *sql = sqlite3_mprintf("SELECT name FROM pragma_table_info('%q_content')"
				    " WHERE name NOT IN ('content', 'content_row')",
				    table);
	struct compare_fact fact = { .table = arena_text(a, span_of(table)) };
	sqlite3_stmt *stmt = select_from(db, sql);
	struct compare_line line, every;
	bool listed = find_line(table, &line) && find_line("*", &every) &&
		      !span_is(line.out, "*") && has_rows(db, table);

	if (listed) {
		fact.counted = line.counted;
		fact.key = key_of(&line, a);
		fact.where = where_of(&line, a);
	}
	if (listed)
		fact.place = place_of(db, table);
	if (listed && line.counted) {
		*list = arena_grow(a, *list, *count, sizeof(**list));
		(*list)[(*count)++] = fact;
	}
	while (select_next(stmt) && listed) {
		fact.column = column_copy(stmt, 0, a);
		if (span_lists(line.out, fact.column) || span_lists(line.key, fact.column) ||
		    span_lists(every.out, fact.column))
			continue;
		*list = arena_grow(a, *list, *count, sizeof(**list));
		(*list)[(*count)++] = fact;
	}
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
}

/* Gaps that leave something open, by what it is: a fleet has far fewer of them than rows. */
static void list_unknown(sqlite3 *db)
{
	select_exec(db, "CREATE TEMP TABLE unknown (gap INTEGER, topic TEXT,"
			" PRIMARY KEY (gap, topic)) WITHOUT ROWID;"
			"INSERT OR IGNORE INTO temp.unknown SELECT content, topic"
			" FROM main.gap_content WHERE standing <> 'absent'");
}

size_t compare_facts(sqlite3 *db, struct arena *a, struct compare_fact **ret)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT name FROM main.sqlite_schema WHERE type = 'view'"
				" AND name <> 'node' ORDER BY rowid");
	size_t count = 0;

	*ret = NULL;
	list_unknown(db);
	while (select_next(stmt))
		add_facts(db, column_text(stmt, 0), a, ret, &count);
	sqlite3_finalize(stmt);
	return count;
}

void compare_name(const struct compare_fact *fact, const char *key, struct buf *ret)
{
	if (!fact->column)
		buf_addf(ret, "number of %s", fact->table);
	else
		buf_addf(ret, "%s.%s", fact->table, fact->column);
	if (key[0])
		buf_addf(ret, " of %s", key);
}

/* ---- the value of a fact ---- */

/* Amounts of memory as people count them; other values as they are. */
static char *value_sql(const struct compare_fact *fact)
{
	if (!fact->column)
		return sqlite3_mprintf("count(*)");
	if (!span_ends(span_of(fact->column), "_bytes"))
		return sqlite3_mprintf("coalesce(%s, 'none')", fact->column);
	return sqlite3_mprintf(
		"coalesce(iif(%s < 1073741824, CAST(round(%s / 1048576.0) AS INTEGER) || ' MiB',"
		" CAST(round(%s / 1073741824.0) AS INTEGER) || ' GiB'), 'none')",
		fact->column, fact->column, fact->column);
}

/* The common part: for each of these contents and key the sorted set of values. */
static void add_listed(const struct compare_fact *fact, const char *contents, struct buf *sql)
{
	char *value = value_sql(fact);

	buf_addf(sql,
		 "WITH each_value AS (SELECT content, %s AS key, %s AS value FROM main.%s_content"
		 " WHERE content IN (%s) AND %s GROUP BY 1, 2%s ORDER BY 1, 2, 3),"
		 " listed AS MATERIALIZED (SELECT content, key, group_concat(value, ', ') AS value"
		 " FROM each_value GROUP BY 1, 2)",
		 fact->key, value, fact->table, contents, fact->where, fact->column ? ", 3" : "");
	sqlite3_free(value);
}

/* Whether what the row has in this table may be compared: it is known. */
static void add_known(const struct compare_fact *fact, struct buf *sql)
{
	buf_addf(sql,
		 "NOT EXISTS (SELECT 1 FROM temp.unknown u WHERE u.gap = k.gap"
		 " AND u.topic IN ('%s', '%s.%s'))",
		 fact->table, fact->table, fact->column ? fact->column : "");
}

static sqlite3_stmt *prepare(sqlite3 *db, const struct buf *sql)
{
	return select_from(db, sql->data);
}

/* ---- two ---- */

sqlite3_stmt *compare_two(sqlite3 *db, const struct compare_fact *fact)
{
	const char *none = fact->column ? "none" : "0";
	struct buf sql BUF_SCOPED = { 0 }, contents BUF_SCOPED = { 0 };

	buf_addf(&contents, "SELECT %s FROM main.kept", fact->table);
	add_listed(fact, contents.data, &sql);
	buf_addf(&sql,
		 ", known AS (SELECT k.node, k.%s AS content FROM main.kept k"
		 " WHERE k.error IS NULL AND ",
		 fact->table);
	add_known(fact, &sql);
	buf_addf(&sql,
		 "), keys AS (SELECT DISTINCT key FROM listed)"
		 " SELECT s.key, coalesce(x.value, '%s') AS one, coalesce(y.value, '%s') AS two"
		 " FROM keys s JOIN known a ON a.node = '1' JOIN known b ON b.node = '2'"
		 " LEFT JOIN listed x ON x.content = a.content AND x.key = s.key"
		 " LEFT JOIN listed y ON y.content = b.content AND y.key = s.key"
		 " WHERE one <> two ORDER BY 1",
		 none, none);
	return prepare(db, &sql);
}

/* ---- many ---- */

bool compare_classes(sqlite3 *db)
{
	static const char sql[] =
		"CREATE TEMP TABLE kind AS SELECT k.node AS node,"
		" trim(coalesce(h.vendor, '') || ' ' || coalesce(h.product, '')) AS system,"
		" coalesce((SELECT group_concat(n || ' x ' || name, ' and ') FROM"
		"  (SELECT coalesce(g.product, g.device_id, '?') AS name, count(*) AS n"
		"   FROM main.gpu_content g WHERE g.content = k.gpu GROUP BY 1)), 'no AMD GPU') AS gpus"
		" FROM main.kept k LEFT JOIN main.host_content h ON h.content = k.host"
		" WHERE k.error IS NULL;"
		"CREATE TEMP TABLE kinds AS SELECT system, gpus, count(*) AS nodes FROM temp.kind"
		" GROUP BY 1, 2;"
		"CREATE TEMP TABLE class AS SELECT row_number() OVER (ORDER BY nodes DESC, system, gpus)"
		"  AS class, system, gpus FROM temp.kinds a WHERE a.system = '' OR NOT EXISTS"
		"  (SELECT 1 FROM temp.kinds b WHERE b.system = a.system"
		"   AND b.nodes > a.nodes AND a.nodes <= max(1, b.nodes / 10));"
		/* Those that are in none: of their system the commonest, which is always one. */
		"CREATE TEMP TABLE member AS SELECT i.node AS node, coalesce("
		"  (SELECT c.class FROM temp.class c WHERE c.system = i.system AND c.gpus = i.gpus),"
		"  (SELECT min(c.class) FROM temp.class c WHERE c.system = i.system)) AS class"
		" FROM temp.kind i;"
		"CREATE UNIQUE INDEX temp.member_node ON member (node, class)";

	return select_exec(db, sql);
}

sqlite3_stmt *compare_class_list(sqlite3 *db)
{
	return select_from(db, "SELECT c.class, c.gpus || iif(c.system = '', '', ', ' || c.system),"
			       " (SELECT count(*) FROM temp.member m WHERE m.class = c.class)"
			       " FROM temp.class c ORDER BY c.class");
}

/*
 * Machines have few values in common that are not compared: memory in use
 * makes another content of each. So contents are first told apart by what is
 * compared of them; those that are alike have one form, called by the least.
 */
static void add_forms(const struct compare_fact *facts, size_t count, struct buf *sql)
{
	buf_addf(sql,
		 "CREATE TEMP TABLE form (content INTEGER PRIMARY KEY, form INTEGER);"
		 "INSERT INTO temp.form SELECT content, min(content) OVER (PARTITION BY compared)"
		 " FROM (SELECT content, group_concat(%s",
		 facts->key);
	for (size_t i = 0; i < count; i++) {
		char *value = facts[i].column ? value_sql(&facts[i]) : NULL;

		if (value)
			buf_addf(sql, " || char(31) || %s", value);
		sqlite3_free(value);
	}
	buf_addf(sql, ", char(30)) AS compared FROM main.%s_content WHERE %s GROUP BY content);",
		 facts->table, facts->where);
}

bool compare_weigh(sqlite3 *db, const struct compare_fact *facts, size_t count)
{
	struct buf sql BUF_SCOPED = { 0 };

	add_forms(facts, count, &sql);
	buf_addf(
		&sql,
		"CREATE TEMP TABLE holder AS SELECT m.class AS class, f.form AS content,"
		"  k.gap AS gap, k.node AS node FROM main.kept k"
		"  JOIN temp.member m ON m.node = k.node LEFT JOIN temp.form f ON f.content = k.%s;"
		"CREATE TEMP TABLE weighed AS SELECT class, content, gap, count(*) AS nodes"
		"  FROM temp.holder GROUP BY 1, 2, 3",
		facts->table);
	return select_exec(db, sql.data);
}

/* The addresses of those rows of the node whose value differs from that of most nodes. */
static void add_devices(const struct compare_fact *fact, struct buf *sql)
{
	char *value = value_sql(fact);

	if (!fact->column || !fact->place)
		buf_text(sql, "''");
	else
		buf_addf(sql,
			 "coalesce((SELECT group_concat(DISTINCT t.%s) FROM main.%s_content t"
			 " WHERE t.content = (SELECT o.%s FROM main.kept o WHERE o.node = n.node)"
			 " AND %s AND (%s) = h.key"
			 " AND instr(', ' || m.value || ', ', ', ' || (%s) || ', ') = 0), '')",
			 fact->place, fact->table, fact->table, fact->where, fact->key, value);
	sqlite3_free(value);
}

/* Values, how many nodes have each of them, and what most have: of classes in which that is known. */
static void add_tally(const struct compare_fact *fact, struct buf *sql)
{
	add_listed(fact, "SELECT form FROM temp.form", sql);
	buf_text(sql, ", known AS MATERIALIZED (SELECT * FROM temp.weighed k WHERE ");
	add_known(fact, sql);
	buf_addf(sql,
		 "), keys AS (SELECT DISTINCT k.class, l.key FROM known k"
		 "  JOIN listed l ON l.content = k.content),"
		 " had AS MATERIALIZED (SELECT k.class, k.content, k.gap, s.key, k.nodes,"
		 "  coalesce(l.value, '%s') AS value FROM known k JOIN keys s ON s.class = k.class"
		 "  LEFT JOIN listed l ON l.content = k.content AND l.key = s.key),"
		 " tally AS MATERIALIZED (SELECT class, key, value, sum(nodes) AS nodes FROM had"
		 "  GROUP BY 1, 2, 3),"
		 " most AS MATERIALIZED (SELECT class, key, value, max(nodes) AS nodes,"
		 "  sum(nodes) AS all_nodes FROM tally GROUP BY 1, 2)",
		 fact->column ? "none" : "0");
}

/* Nodes with the same form are weighed together; which they are is asked only of those that differ. */
sqlite3_stmt *compare_outliers(sqlite3 *db, const struct compare_fact *fact)
{
	struct buf sql BUF_SCOPED = { 0 };

	add_tally(fact, &sql);
	buf_text(&sql, " SELECT h.class, h.key, h.value, m.value, m.nodes, m.all_nodes, n.node, ");
	add_devices(fact, &sql);
	buf_addf(
		&sql,
		" FROM had h"
		" JOIN most m ON m.class = h.class AND m.key = h.key"
		" JOIN temp.holder n ON n.class = h.class AND n.content IS h.content"
		"  AND n.gap IS h.gap"
		" WHERE h.value <> m.value AND m.nodes * 2 > m.all_nodes AND %s"
		" UNION ALL SELECT class, key, (SELECT group_concat(word, ', ') FROM"
		"   (SELECT t.value || ' on ' || t.nodes AS word FROM tally t"
		"    WHERE t.class = m.class AND t.key = m.key ORDER BY t.nodes DESC, t.value LIMIT 4)),"
		"  '', nodes, all_nodes, '', '' FROM most m WHERE m.nodes * 2 <= m.all_nodes"
		" ORDER BY 1, 2, 3, 7",
		fact->column && fact->counted ? "h.content IS NOT NULL" : "1");
	return prepare(db, &sql);
}
