#include "kb/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "check-sql.h"
#include "check.h"
#include "facts/facts.h"
#include "facts/select.h"
#include "kb/kb.h"
#include "kb/words.h"

#define FOUR " AS subject, 'v' AS value, 's' AS source, 'observed' AS origin "

/* What may be prepared, and what a refused one says. */
static const struct {
	const char *sql;
	const char *says; /* NULL: it may */
	const char *why;
} statements[] = {
	{ "SELECT address AS subject, gfx AS value, source, origin FROM gpu", NULL, "a plain one" },
	{ "SELECT address AS subject, gfx AS value, source, origin FROM gpu;\n", NULL,
	  "a semicolon at the end" },
	{ "SELECT name" FOUR "FROM visible_devices", NULL, "a view of the facts" },
	{ "SELECT gfx" FOUR "FROM gfx_override", NULL, "a table of the world" },
	{ "SELECT name" FOUR "FROM program_without_torch", NULL, "a view of both" },
	{ "SELECT count(*)" FOUR "FROM program_without_torch", NULL, "of which nothing is used" },
	{ "WITH x AS (SELECT address FROM gpu) SELECT address" FOUR "FROM x", NULL,
	  "WITH, not recursive" },
	{ "WITH x AS (SELECT 1) SELECT 'm'" FOUR "FROM x", NULL,
	  "a WITH of which nothing is used" },
	{ "SELECT count(*)" FOUR "FROM gpu", NULL, "a table of which nothing is used" },
	{ "SELECT upper(trim(address))" FOUR "FROM gpu WHERE gfx LIKE 'gfx9%' AND driver GLOB 'a*'",
	  NULL, "functions of the list" },

	{ "SELECT address AS subject, gfx AS value, source FROM gpu",
	  "the columns must be subject, value, source, origin", "three columns" },
	{ "SELECT address, gfx AS value, source, origin FROM gpu",
	  "the columns must be subject, value, source, origin", "another name" },
	{ "SELECT gfx AS value, address AS subject, source, origin FROM gpu",
	  "the columns must be subject, value, source, origin", "another order" },
	{ "", "there is no statement", "nothing" },
	{ "-- nothing", "there is no statement", "a comment" },
	{ "SELECT 1" FOUR "FROM gpu; DELETE FROM gpu", "more than one statement", "a second one" },
	{ "DELETE FROM gpu", "may only SELECT", "writing" },
	{ "INSERT INTO gap VALUES ('a', 'b', 'c', 'd', 'e')", "may only SELECT", "writing" },
	{ "UPDATE gpu SET gfx = 'x'", "may only SELECT", "writing" },
	{ "CREATE TEMP TABLE t (a)", "may only SELECT", "a table" },
	{ "CREATE TEMP TRIGGER t AFTER INSERT ON gap BEGIN DELETE FROM gap; END", "may only SELECT",
	  "a trigger" },
	{ "DROP TABLE gpu", "may only SELECT", "dropping" },
	{ "ATTACH '/tmp/x' AS y", "may only SELECT", "a file" },
	{ "PRAGMA writable_schema = 1", "may only SELECT", "a pragma" },
	{ "VACUUM INTO '/tmp/x'", "may only SELECT", "writing a file" },
	{ "BEGIN", "may only SELECT", "a transaction" },
	{ "EXPLAIN SELECT 1" FOUR "FROM gpu", "may only SELECT", "no rows of ours" },
	{ "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x" FOUR "FROM c",
	  "may not use RECURSIVE", "counts for ever" },
	{ "WITH c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x" FOUR "FROM c",
	  "may not use RECURSIVE", "recursive without the word" },
	{ "SELECT sql" FOUR "FROM sqlite_schema", "may not read sqlite_master", "the schema" },
	{ "SELECT count(*)" FOUR "FROM sqlite_schema", "may not read sqlite_schema",
	  "without a column" },
	{ "SELECT story" FOUR "FROM kb.cause", "may not read cause", "other causes" },
	{ "SELECT count(*)" FOUR "FROM evidence", "may not read evidence", "without a column" },
	{ "SELECT count(*)" FOUR "FROM kb.evidence", "may not read evidence", "with its schema" },
	{ "SELECT load_extension('x')" FOUR "FROM gpu", "may not call load_extension", "code" },
	{ "SELECT readfile('/etc/shadow')" FOUR "FROM gpu", "no such function: readfile",
	  "a file" },
	{ "SELECT datetime('now')" FOUR "FROM gpu", "may not call datetime", "a clock" },
	{ "SELECT current_timestamp" FOUR "FROM gpu", "may not call current_timestamp", "a clock" },
	{ "SELECT random()" FOUR "FROM gpu", "may not call random", "chance" },
	{ "SELECT zeroblob(9)" FOUR "FROM gpu", "may not call zeroblob", "memory" },
	{ "SELECT sqlite_version()" FOUR "FROM gpu", "may not call sqlite_version", "ourselves" },
	{ "SELECT ?1" FOUR "FROM gpu", "variable number must be between ?1 and ?0", "a parameter" },
	{ "SELECT name" FOUR "FROM pragma_database_list", "no such table: pragma_database_list",
	  "a virtual table" },
	{ "SELECT value AS subject, 'v' AS value, 's' AS source, 'o' AS origin FROM json_each('[1]')",
	  "no such table: json_each", "a virtual table" },
};

/* What may be prepared and is stopped, or refused, before it costs anything. */
static const struct {
	const char *sql;
	int want; /* of the first step; 1 for "not prepared" */
	const char *why;
} heavy[] = {
	{ "SELECT count(*)" FOUR "FROM gap a, gap b, gap c, gap d, gap e", -ETIME,
	  "five times itself" },
	{ "SELECT a.topic" FOUR "FROM gap a, gap b, gap c, gap d WHERE a.topic > d.topic || 'zzzz'",
	  -ETIME, "never a row" },
	{ "SELECT printf('%*s', 1000000000, topic)" FOUR "FROM gap", 0, "a long text is NULL" },
	{ "SELECT topic || printf('%*s', 16000, topic) || printf('%*s', 16000, topic)" FOUR
	  "FROM gap",
	  -EIO, "a long text" },
	{ "SELECT group_concat(printf('%*s', 16000, a.topic))" FOUR "FROM gap a, gap b, gap c",
	  -ETIME, "a long text, bit by bit" },
	{ "SELECT hex(hex(hex(hex(printf('%*s', 9000, topic)))))" FOUR "FROM gap", -EIO,
	  "doubling" },
	{ "SELECT max(instr(printf('%*s', 16000, a.topic), printf('%*s', 8000, b.subject)))" FOUR
	  "FROM gap a, gap b, gap c",
	  -ETIME, "42 seconds once" },
	{ "SELECT max(replace(printf('%*s', 16000, a.topic), printf('%*s', 8000, b.subject), 'x'))" FOUR
	  "FROM gap a, gap b, gap c",
	  -ETIME, "the same by replace" },
	{ "SELECT max(printf('%*s', 16000, a.topic) LIKE '%a%a%a%a%a%a%a%a%a%a%a%a%c')" FOUR
	  "FROM gap a, gap b, gap c",
	  -ETIME, "many wildcards" },
	{ "SELECT max(replace(printf('%*s', 16000, a.topic), ' ', 'aaaaaaaaaaaaaaaaaaaaaaaaaa'))" FOUR
	  "FROM gap a",
	  -EIO, "growing by replace" },
	{ "SELECT trim(printf('%*s', 9000, topic), printf('%*s', 9000, topic))" FOUR "FROM gap",
	  -EIO, "every character with every one" },
	{ "SELECT a.topic" FOUR
	  "FROM gap a, gap b ORDER BY printf('%*s%s', 16000, a.topic, b.subject)",
	  -ETIME, "sorting long texts" },
	{ "SELECT a.topic" FOUR
	  "FROM gap a, gap b, gap c, gap d, gap e, gap f, gap g, gap h, gap i, gap "
	  "j, gap k, gap l, gap m, gap n, gap o, gap p, gap q, gap r, gap s, gap t, gap u, gap v, gap w "
	  "WHERE a.topic = b.subject AND b.topic = c.subject AND c.topic = d.subject AND w.topic = "
	  "a.subject",
	  0, "wide" },
	{ "WITH a AS (SELECT topic FROM gap), b AS (SELECT x.topic FROM a x, a y), c AS (SELECT "
	  "x.topic FROM b x, b y), d AS (SELECT x.topic FROM c x, c y), e AS (SELECT x.topic FROM d "
	  "x, d y), f AS (SELECT x.topic FROM e x, e y), g AS (SELECT x.topic FROM f x, f y), h AS "
	  "(SELECT x.topic FROM g x, g y), i AS (SELECT x.topic FROM h x, h y), j AS (SELECT x.topic "
	  "FROM i x, i y), k AS (SELECT x.topic FROM j x, j y), l AS (SELECT x.topic FROM k x, k y), "
	  "m AS (SELECT x.topic FROM l x, l y), n AS (SELECT x.topic FROM m x, m y), o AS (SELECT "
	  "x.topic FROM n x, n y), p AS (SELECT x.topic FROM o x, o y), q AS (SELECT x.topic FROM p "
	  "x, p y) SELECT topic" FOUR "FROM q",
	  1, "two of each, seventeen times" },
	{ "SELECT topic" FOUR
	  "FROM gap WHERE ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((topic))))))))"
	  "))))))))))))))))))))))))))))))))))))))))))))))))))) "
	  "= 1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1",
	  1, "deep" },
};

static sqlite3 *open_facts(struct facts **ret)
{
	struct facts *f = facts_new();
	struct kb_info info;
	struct span bytes;

	for (int i = 0; i < 300; i++)
		facts_gap_said(f, "gpu", "0000:03:00.0", "denied", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
			       "x");
	facts_end(f);
	CHECK_INT(kb_read(NULL, NULL, &bytes), 0);
	CHECK_INT(kb_attach(facts_db(f), bytes, &info), 0);
	*ret = f;
	return facts_db(f);
}

static void test_statements(sqlite3 *db)
{
	struct guard g;

	guard_on(&g, db);
	CHECK(sizeof(statements) / sizeof(statements[0]) < GUARD_REFUSALS_MAX);
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		const char *why = NULL;
		sqlite3_stmt *stmt = guard_prepare(&g, statements[i].sql, &why);

		if (!CHECK((stmt != NULL) == (statements[i].says == NULL)))
			printf("  %s: %s: %s\n", statements[i].why, statements[i].sql,
			       why ? why : "");
		if (!stmt && statements[i].says)
			CHECK_TEXT(why, statements[i].says);
		sqlite3_finalize(stmt);
	}
	guard_off(&g);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Two seconds are for the sanitizers; without them each takes some milliseconds. */
static void test_heavy(sqlite3 *db)
{
	for (size_t i = 0; i < sizeof(heavy) / sizeof(heavy[0]); i++) {
		double begin = seconds();
		struct guard g;
		const char *why = NULL;
		sqlite3_stmt *stmt;
		int r;

		guard_on(&g, db);
		stmt = guard_prepare(&g, heavy[i].sql, &why);
		do
			r = stmt ? guard_step(&g, stmt) : 1;
		while (r == 1 && stmt);
		if (!CHECK(r == heavy[i].want))
			printf("  %s: %d, %s\n", heavy[i].why, r, sqlite3_errmsg(db));
		if (!CHECK(seconds() - begin < 2))
			printf("  %s: %.1f s\n", heavy[i].why, seconds() - begin);
		if (getenv("SHOW"))
			printf("%-40s %.4f s %llu steps\n", heavy[i].why, seconds() - begin,
			       (unsigned long long)g.steps);
		sqlite3_finalize(stmt);
		guard_off(&g);
	}
}

static void test_reads(sqlite3 *db)
{
	static const struct {
		const char *sql, *want;
	} rows[] = {
		{ "SELECT address AS subject, gfx AS value, source, origin FROM gpu",
		  "gpu gpu.address gpu.gfx gpu.origin gpu.source" },
		{ "SELECT 'm'" FOUR "FROM gpu", "gpu" },
		{ "SELECT o.gfx" FOUR "FROM gfx_override o JOIN gpu g ON g.gfx = o.gfx",
		  "gpu gpu.gfx" },
		{ "SELECT name" FOUR "FROM visible_devices WHERE state = 'set'",
		  "env env.name env.origin env.source env.subject env.value gap gap.standing gap.topic visible_devices "
		  "visible_devices.name visible_devices.state" },
		{ "SELECT 'm'" FOUR "WHERE NOT EXISTS (SELECT 1 FROM agent a WHERE a.node = 1)",
		  "agent agent.node" },
		{ "SELECT application" FOUR "FROM program_without_torch",
		  "event event.signature event.source statement statement.name statement.source statement.value" },
	};
	struct guard g;

	guard_on(&g, db);
	g.recording = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *why;
		sqlite3_stmt *stmt = guard_prepare(&g, rows[i].sql, &why);

		CHECK(stmt != NULL);
		CHECK_TEXT(buf_get(&g.reads).data, rows[i].want);
		sqlite3_finalize(stmt);
	}
	guard_off(&g);
}

/* Every derived view is one that rules may read, and says what its name says. */
static void test_derived(sqlite3 *db)
{
	static const struct {
		const char *stated, *want;
	} rows[] = {
		{ "('framework', 'Ollama (0.5.1)')", "ollama Ollama 0" },
		{ "('framework', 'Ollama'), ('torch', '2.9.1')", "ollama Ollama 1" },
		{ "('framework', 'Ollama'), ('framework', 'PyTorch')", "ollama Ollama 1" },
		{ "('framework', 'ComfyUI')", "" },
		{ "('framework', 'jax and torch')", "" },
		{ "('torch', '2.9.1')", "" },
	};
	struct derive derived = { .as = DERIVED_VIEWS };
	size_t views = 0;

	derive_make(&derived, db, NULL);
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *sql = sqlite3_mprintf(
			"WITH n(name, value) AS (VALUES %s)"
			" INSERT INTO statement (name, value, source) SELECT name, value, 's' FROM n",
			rows[i].stated);

		CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		CHECK_TEXT(sql_text(db, "SELECT application || ' ' || name || ' ' || beside_torch"
					" FROM program_without_torch"),
			   rows[i].want);
		CHECK_INT(sqlite3_exec(db, "DELETE FROM statement", NULL, NULL, NULL), SQLITE_OK);
		sqlite3_free(sql);
	}
	for (; words_derived[views]; views++) {
		char *sql =
			sqlite3_mprintf("SELECT count(*) >= 0 FROM temp.%s", words_derived[views]);

		CHECK_TEXT(sql_text(db, sql), "1");
		sqlite3_free(sql);
	}
	CHECK_INT(atoi(sql_text(db, "SELECT count(*) FROM temp.sqlite_schema WHERE type = 'view'")),
		  (int)views);
	derive_drop(&derived, db);
	CHECK_TEXT(sql_text(db, "SELECT count(*) FROM temp.sqlite_schema"), "0");
}

/* A line of another program, unless the text names torch. */
static void test_line_without_torch(sqlite3 *db)
{
	static const struct {
		const char *signature, *stated, *want;
	} rows[] = {
		{ "names-ggml", "gfx", "names-ggml" }, { "ollama-no-gpu", "gfx", "ollama-no-gpu" },
		{ "names-ggml", "torch", "" },         { "names-rccl-log", "gfx", "" },
		{ "hip-no-kernel-image", "gfx", "" },
	};
	struct derive derived = { .as = DERIVED_VIEWS };

	derive_make(&derived, db, NULL);
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *sql = sqlite3_mprintf(
			"INSERT INTO event (signature, nth, kind, program, line, last_line, count, text, source)"
			" VALUES (%Q, 0, 'failure', 'p', 1, 1, 1, 't', 's');"
			"INSERT INTO statement (name, value, source) VALUES (%Q, 'v', 's')",
			rows[i].signature, rows[i].stated);

		CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		CHECK_TEXT(sql_text(db, "SELECT signature FROM line_without_torch"), rows[i].want);
		CHECK_INT(sqlite3_exec(db, "DELETE FROM event; DELETE FROM statement", NULL, NULL,
				       NULL),
			  SQLITE_OK);
		sqlite3_free(sql);
	}
	derive_drop(&derived, db);
}

/* Worked out where a statement reads one, of the facts as they are behind this guard. */
static void test_worked_out(sqlite3 *db)
{
	static const char *const stated[] = { "Ollama", "ComfyUI" }, *const want[] = { "ollama",
										       "" };
	struct guard g;

	for (size_t i = 0; i < COUNT(stated); i++) {
		char *sql = sqlite3_mprintf("INSERT INTO statement (name, value, source)"
					    " VALUES ('framework', %Q, 's')",
					    stated[i]);
		const char *why;
		sqlite3_stmt *stmt;

		CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		guard_on(&g, db);
		stmt = guard_prepare(&g, "SELECT application" FOUR "FROM program_without_torch",
				     &why);
		CHECK(stmt != NULL);
		CHECK_TEXT(guard_step(&g, stmt) == 1 ? (const char *)sqlite3_column_text(stmt, 0)
						     : "",
			   want[i]);
		guard_end(&g, stmt);
		guard_off(&g);
		CHECK_TEXT(sql_text(db, "SELECT count(*) FROM temp.sqlite_schema"), "0");
		CHECK_INT(sqlite3_exec(db, "DELETE FROM statement", NULL, NULL, NULL), SQLITE_OK);
		sqlite3_free(sql);
	}
}

/* The one that a statement names and those that it reads unless its gates are shut; none twice, none that nobody asked for. */
static void test_only_what_is_read(sqlite3 *db)
{
	static const struct {
		const char *from, *there;
	} asked[] = {
		{ "device", "" },
		{ "own_code", "own_code" },
		{ "fitting_override", "fitting_override own_code program_here usable_override" },
		{ "refuted_install", /* its gates are shut: it alone */
		  "fitting_override own_code program_here refuted_install usable_override" },
		{ "own_code",
		  "fitting_override own_code program_here refuted_install usable_override" },
	};
	struct guard g;

	CHECK_INT(sqlite3_exec(db,
			       "INSERT INTO agent (node, gfx, source) VALUES (1, 'gfx1100', 's')",
			       NULL, NULL, NULL),
		  SQLITE_OK);
	guard_on(&g, db);
	for (size_t i = 0; i < COUNT(asked); i++) {
		char *sql = sqlite3_mprintf("SELECT count(*)" FOUR "FROM %s", asked[i].from);
		const char *why;

		guard_end(&g, guard_prepare(&g, sql, &why));
		guard_pause(&g);
		CHECK_TEXT(sql_text(db,
				    "SELECT coalesce(group_concat(name, ' '), '') FROM (SELECT name"
				    " FROM temp.sqlite_schema WHERE type = 'table' ORDER BY name)"),
			   asked[i].there);
		guard_resume(&g);
		sqlite3_free(sql);
	}
	guard_off(&g);
	CHECK_INT(sqlite3_exec(db, "DELETE FROM agent", NULL, NULL, NULL), SQLITE_OK);
}

/* Columns and rows of every view, as text: each a line. */
static void tell_views(sqlite3 *db, enum derived as, struct buf *ret)
{
	struct derive derived = { .as = as };

	derive_make(&derived, db, NULL);
	for (size_t i = 0; words_derived[i]; i++) {
		char *sql =
			sqlite3_mprintf("SELECT group_concat(name) || ' ' ||"
					" (SELECT count(*) FROM temp.%s) FROM"
					" (SELECT name FROM pragma_table_info('%s') ORDER BY cid)",
					words_derived[i], words_derived[i]);

		buf_addf(ret, "%s %s\n", words_derived[i], sql_text(db, sql));
		sqlite3_free(sql);
	}
	derive_drop(&derived, db);
}

/* A gate is shut only where its view has no rows, and the empty table has its columns. */
static void test_gates_of_views(sqlite3 *db)
{
	static const char *const facts[] = {
		"DELETE FROM statement",
		"INSERT INTO statement (name, value, source) VALUES ('gfx', 'gfx1031', 's')",
		"INSERT INTO statement (name, value, version, source) VALUES ('torch_rocm', '6.4', '6.4', 's')",
		"INSERT INTO statement (name, value, source) VALUES ('framework', 'Ollama', 's')",
		"INSERT INTO statement (name, value, source) VALUES ('system', 'windows', 's')",
		"INSERT INTO statement (name, value, version, source) VALUES ('driver', '24.1', '24.1', 's')",
		"INSERT INTO setting (form, name, value, how, source) VALUES"
		" ('variable', 'HSA_OVERRIDE_GFX_VERSION', '10.3.0', 'set', 's')",
		"INSERT INTO kernel_arg (position, name, value, source) VALUES (0, 'amdgpu.noretry', '0', 's')",
		"INSERT INTO event (signature, nth, kind, program, line, last_line, count, text, source)"
		" VALUES ('names-ggml', 0, 'failure', 'p', 1, 1, 1, 't', 's')",
		"INSERT INTO agent (node, gfx, source) VALUES (1, 'gfx1031', 's')",
		"DELETE FROM statement",
		"DELETE FROM event",
		"DELETE FROM kernel_arg",
		"DELETE FROM setting",
		"DELETE FROM agent",
	};

	for (size_t i = 0; i < COUNT(facts); i++) {
		struct buf views BUF_SCOPED = { 0 }, tables BUF_SCOPED = { 0 };

		CHECK_INT(sqlite3_exec(db, facts[i], NULL, NULL, NULL), SQLITE_OK);
		tell_views(db, DERIVED_VIEWS, &views);
		tell_views(db, DERIVED_TABLES, &tables);
		CHECK_TEXT(tables.data, views.data);
	}
}

/* The same answers from our functions as from SQLite's own. */
static void test_functions(sqlite3 *db)
{
	static const char *const questions[] = {
		"SELECT instr('abcabc', 'c')",
		"SELECT instr('abc', 'x')",
		"SELECT instr('abc', '')",
		"SELECT instr('äöü', 'ü')",
		"SELECT instr(NULL, 'a') IS NULL",
		"SELECT instr(12345, 34)",
		"SELECT replace('a.b.c', '.', '--')",
		"SELECT replace('abc', '', 'x')",
		"SELECT replace('aaa', 'a', '')",
		"SELECT replace(NULL, 'a', 'b') IS NULL",
		"SELECT 'GFX1100' LIKE 'gfx11%'",
		"SELECT 'gfx1100' GLOB 'gfx11*'",
		"SELECT 'gfx1100' GLOB 'GFX*'",
		"SELECT 'a_b' LIKE 'a\\_b' ESCAPE '\\'",
		"SELECT 'axb' LIKE 'a\\_b' ESCAPE '\\'",
		"SELECT (NULL LIKE 'a') IS NULL",
		"SELECT 'ab' LIKE 'a_'",
	};
	sqlite3 *plain = NULL;

	sqlite3_open(":memory:", &plain);
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		char want[200];

		snprintf(want, sizeof(want), "%s", sql_text(plain, questions[i]));
		if (!CHECK(want[0] != '\0' || i == 8))
			printf("  %s\n", questions[i]);
		CHECK_TEXT(sql_text(db, questions[i]), want);
	}
	sqlite3_close(plain);
}

/* Afterwards the connection is what it was. */
static void test_off(sqlite3 *db)
{
	struct guard g;
	int64_t heap = sqlite3_hard_heap_limit64(-1);
	int length = sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1);

	guard_on(&g, db);
	CHECK(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1) < length);
	CHECK(sqlite3_hard_heap_limit64(-1) > 0);
	CHECK(sqlite3_exec(db, "DELETE FROM gap", NULL, NULL, NULL) != SQLITE_OK);
	guard_off(&g);
	guard_off(&g);
	CHECK_INT(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1), length);
	CHECK_INT(sqlite3_hard_heap_limit64(-1), heap);
	CHECK_INT(sqlite3_exec(db, "DELETE FROM gap WHERE topic = 'nothing'", NULL, NULL, NULL),
		  SQLITE_OK);
	CHECK_TEXT(sql_text(db, "SELECT date('2026-01-01')"), "2026-01-01");
}

/* A run has a budget too, however many statements share it. */
static void test_run_budget(sqlite3 *db)
{
	const char *why;
	struct guard g;
	int over = 0;

	guard_on(&g, db);
	for (int i = 0; i < 30; i++) {
		sqlite3_stmt *stmt =
			guard_prepare(&g,
				      "SELECT a.topic" FOUR
				      "FROM gap a, gap b WHERE a.topic = b.subject || a.rowid",
				      &why);
		int r;

		CHECK(stmt != NULL);
		do
			r = guard_step(&g, stmt);
		while (r == 1);
		over += r == -ETIME;
		sqlite3_finalize(stmt);
	}
	CHECK(over > 0);
	CHECK(g.steps_run <= GUARD_STEPS_RUN + 60 * 1000);
	guard_off(&g);
}

/* What a statement has spent is its own: one of ours that comes after it is not stopped for that. */
static void test_ours(sqlite3 *db)
{
	const char *why;
	struct guard g;
	sqlite3_stmt *stmt;

	guard_on(&g, db);
	stmt = guard_prepare(&g, heavy[0].sql, &why);
	CHECK_INT(guard_step(&g, stmt), -ETIME);
	CHECK(select_count(db, "SELECT count(*) FROM gap a, gap b WHERE a.topic = b.topic") >=
	      90000);
	CHECK(!select_error());
	guard_end(&g, stmt);
	guard_off(&g);
	select_forget();
}

/* Whoever sends thousands of refused statements is not listened to for ever. */
static void test_refusals(sqlite3 *db)
{
	const char *good = "SELECT address AS subject, gfx AS value, source, origin FROM gpu";
	const char *why = "";
	struct guard g;

	guard_on(&g, db);
	for (int i = 0; i < GUARD_REFUSALS_MAX; i++)
		CHECK(guard_prepare(&g, "SELECT random()", &why) == NULL);
	CHECK(guard_prepare(&g, good, &why) == NULL);
	CHECK_TEXT(why, "too many statements were refused before");
	guard_off(&g);
}

static int rows_of(struct guard *g, const char *sql, sqlite3_stmt **ret)
{
	const char *why = "";
	sqlite3_stmt *stmt = guard_prepare(g, sql, &why);
	int rows = 0, r = stmt ? 1 : -EACCES;

	while (r == 1 && (r = guard_step(g, stmt)) == 1)
		rows++;
	guard_end(g, stmt);
	*ret = stmt;
	return r < 0 ? r : rows;
}

/* The walls stay, and a flag puts them on and off: off they are nothing, on they are whole. */
static void test_flag(sqlite3 *db)
{
	static const char good[] = "SELECT topic" FOUR "FROM gap LIMIT 3";
	static const char bad[] = "SELECT sql" FOUR "FROM sqlite_schema";
	static const char own[] = "DELETE FROM gap WHERE topic = 'nothing'";
	static const char endless[] = "SELECT a.topic" FOUR "FROM gap a, gap b WHERE a.topic ="
				      " b.subject || a.rowid";
	sqlite3_stmt *first, *stmt;
	uint64_t steps;
	struct guard g;
	const char *why = "";

	guard_keep(&g, db);
	for (int log = 0; log < 3; log++) {
		CHECK_INT(sqlite3_exec(db, own, NULL, NULL, NULL), SQLITE_OK);
		CHECK(guard_prepare(&g, good, &why) == NULL);
		CHECK_TEXT(why, "nothing is prepared while the guard is off");
		guard_resume(&g);
		CHECK_INT(rows_of(&g, good, &stmt), 3);
		first = log == 0 ? stmt : first;
		steps = log == 0 ? g.steps : steps;
		CHECK(stmt == first);
		CHECK_INT((long)g.steps, (long)steps);
		CHECK_INT(sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_REPREPARE, 0), 0);
		CHECK_INT(rows_of(&g, bad, &stmt), -EACCES);
		CHECK_INT((int)g.refusals, 1);
		CHECK_INT(rows_of(&g, endless, &stmt),
			  -ETIME); /* the same one, and again too long */
		CHECK(sqlite3_exec(db, own, NULL, NULL, NULL) != SQLITE_OK);
		guard_pause(&g);
		CHECK_INT(guard_step(&g, first), -EIO);
	}
	guard_off(&g);
}

/* Of each log its own, by the same statement, which is not prepared anew. */
static void test_kept_views(sqlite3 *db)
{
	static const char sql[] = "SELECT effect" FOUR "FROM refuted_install";
	static const struct {
		const char *said;
		int rows;
	} logs[] = { { "Ollama", 1 }, { "PyTorch", 0 }, { "Ollama", 1 }, { "Ollama", 1 } };
	sqlite3_stmt *stmt;
	struct guard g;

	guard_keep(&g, db);
	for (size_t i = 0; i < COUNT(logs); i++) {
		struct guard_aside aside;
		char *facts = sqlite3_mprintf(
			"DELETE FROM statement; INSERT INTO statement (name, value, source)"
			" VALUES ('framework', %Q, 's')",
			logs[i].said);

		CHECK_INT(sqlite3_exec(db, facts, NULL, NULL, NULL), SQLITE_OK);
		guard_resume(&g);
		CHECK_INT(rows_of(&g, sql, &stmt), logs[i].rows);
		aside = guard_aside(&g);
		CHECK_INT(sqlite3_exec(db, "DELETE FROM statement", NULL, NULL, NULL), SQLITE_OK);
		guard_back(&g, &aside);
		CHECK_INT(rows_of(&g, sql, &stmt), logs[i].rows); /* worked out once a log */
		CHECK_INT(sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_REPREPARE, 0), 0);
		guard_pause(&g);
		sqlite3_free(facts);
	}
	guard_off(&g);
	CHECK_TEXT(sql_text(db, "SELECT count(*) FROM temp.sqlite_schema"), "0");
}

/* A statement that we prepared ourselves is never taken for one of the knowledge. */
static void test_own_text(sqlite3 *db)
{
	static const char sql[] = "SELECT name" FOUR "FROM sqlite_schema";
	struct guard g;
	sqlite3_stmt *stmt;

	guard_keep(&g, db);
	select_keep(db);
	stmt = select_kept(db, sql);
	CHECK(select_next(stmt));
	select_done(stmt);
	guard_resume(&g);
	CHECK_INT(rows_of(&g, sql, &stmt), -EACCES);
	guard_off(&g);
	select_let_go(db);
}

int main(void)
{
	struct facts *f = NULL;
	sqlite3 *db = open_facts(&f);

	test_statements(db);
	test_heavy(db);
	test_reads(db);
	test_derived(db);
	test_line_without_torch(db);
	test_worked_out(db);
	test_only_what_is_read(db);
	test_gates_of_views(db);
	test_functions(db);
	test_off(db);
	test_run_budget(db);
	test_ours(db);
	test_refusals(db);
	test_flag(db);
	test_own_text(db);
	test_kept_views(db);
	facts_free(f);
	return check_end();
}
