#include "kb/kb.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "check-kb.h"
#include "check-sql.h"
#include "diagnose/diagnose.h"
#include "facts/facts.h"
#include "kb/examined.h"
#include "kb/files.h"
#include "kb/layers.h"
#include "kb/words.h"

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct buf small_kb(void)
{
	struct faults faults = { 0 };
	struct buf bytes = { 0 };

	CHECK_INT(compile_spoilt(-1, NULL, NULL, &faults, &bytes), 0);
	return bytes;
}

static int attach_beside(struct facts *f, struct span bytes, struct kb_info *info)
{
	int r = kb_attach(facts_db(f), bytes, info);

	/* Refused or not, the facts still answer, and a refused one is gone. */
	CHECK_INT(sqlite3_exec(facts_db(f), "SELECT * FROM gap", NULL, NULL, NULL), SQLITE_OK);
	CHECK((sqlite3_exec(facts_db(f), "SELECT * FROM kb.kb", NULL, NULL, NULL) == SQLITE_OK) ==
	      (r == 0));
	return r;
}

static int attach(struct span bytes, struct kb_info *info)
{
	struct facts *f = facts_new();
	int r;

	facts_end(f);
	r = attach_beside(f, bytes, info);
	facts_free(f);
	return r;
}

#define MANY(n) "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT " #n ") "

static const struct {
	const char *sql;
	const char *why;
} hostile[] = {
	{ "CREATE TRIGGER t AFTER INSERT ON cause BEGIN DELETE FROM evidence; END", "a trigger" },
	{ "CREATE VIEW v AS SELECT * FROM cause", "a view" },
	{ "CREATE VIEW bomb AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT * FROM c",
	  "a view that never ends" },
	{ "DROP TABLE kernel_floor; CREATE VIEW kernel_floor AS SELECT slug AS gfx, slug AS mainline FROM cause",
	  "a view in place of a table" },
	{ "CREATE TABLE extra (a CHECK (a > 0))", "a table that computes" },
	{ "CREATE TABLE extra (a DEFAULT (abs(1)))", "a default that computes" },
	{ "CREATE TABLE extra (a, b AS (a))", "another table with a computed column" },
	{ "CREATE TABLE extra (a); CREATE VIRTUAL TABLE v USING fts5(a)", "a virtual table" },
	{ "ANALYZE", "statistics for the planner" },
	{ "CREATE INDEX i ON evidence (weight)", "an index" },
	{ "CREATE INDEX i ON evidence (abs(weight)) WHERE weight > 0", "an index that computes" },
	{ "DROP TABLE evidence", "a table is missing" },
	{ "ALTER TABLE cause DROP COLUMN title", "a column is missing" },
	{ "ALTER TABLE cause ADD COLUMN more TEXT GENERATED ALWAYS AS (slug || slug)",
	  "a computed column" },
	{ "ALTER TABLE cause RENAME TO causes", "another name" },
	{ "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE kb (a)' WHERE name = 'kb'",
	  "another text for a table" },
	{ "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM "
	  "sqlite_schema WHERE name = 'remedy') WHERE name = 'cause'",
	  "two tables in one place" },
	{ "DELETE FROM kb", "no row about itself" },
	{ "INSERT INTO kb SELECT * FROM kb", "two rows about itself" },
	{ "UPDATE kb SET format = 0", "a format before the first" },
	{ "UPDATE cause SET title = CAST('x' AS BLOB)", "bytes for a text" },
	{ "UPDATE cause SET title = zeroblob(1000000)", "a megabyte of nothing" },
	{ "UPDATE cause SET title = zeroblob(12000000)", "a huge blob" },
	{ "UPDATE cause SET title = printf('%.*c', 40000, 'x')", "a long text" },
	{ "UPDATE cause SET title = char(27) || '[31m'", "an escape for the terminal" },
	{ "UPDATE remedy SET steps = 'a' || char(13) || 'b'", "a carriage return" },
	{ "UPDATE cause SET title = CAST(x'ff' AS TEXT)", "no UTF-8" },
	{ "UPDATE cause SET prior = 0.5", "half a deciban" },
	{ "INSERT INTO literal VALUES ('x', 0, 'ring')", "a literal too short to be looked for" },
	{ MANY(60000) "INSERT INTO kernel_floor SELECT x, '', '', '', '', '', '', '', '', '' FROM c",
	  "too many rows" },
	{ MANY(1000000) "INSERT INTO source SELECT '', '', '', '' FROM c", "a million rows" },
	{ MANY(1000000) "INSERT INTO printable SELECT -x, 16, 1, 1, 1, 1 FROM c",
	  "a million rows of numbers" },
	{ MANY(200) "INSERT INTO evidence SELECT cause, x, x, 1, NULL, '', printf('%.*c', 20000, ' '), 0, "
		    "NULL, '', 1 FROM c, evidence",
	  "megabytes of statements" },
};

static void test_hostile(const struct buf *good)
{
	struct kb_info info;

	CHECK_INT(attach(buf_get(good), &info), 0);
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		struct buf bad = kb_changed(good, hostile[i].sql);
		double begin = seconds();

		if (!CHECK(attach(buf_get(&bad), &info) == -EBADMSG))
			printf("  %s\n", hostile[i].why);
		if (!CHECK(seconds() - begin < 2))
			printf("  %s: %.1f s\n", hostile[i].why, seconds() - begin);
		buf_done(&bad);
	}
}

static void test_no_kb(const struct buf *good)
{
	struct kb_info info;
	struct buf large = { 0 };

	CHECK_INT(attach(SPAN_LITERAL(""), &info), -EBADMSG);
	CHECK_INT(attach(SPAN_LITERAL("SQLite format 3"), &info), -EBADMSG);
	CHECK_INT(attach((struct span){ good->data + 1, good->len - 1 }, &info), -EBADMSG);
	buf_span(&large, buf_get(good));
	while (large.len <= KB_SIZE_MAX)
		buf_add(&large, good->data, good->len);
	CHECK_INT(attach(buf_get(&large), &info), -EBADMSG);
	buf_done(&large);
	for (size_t cut = 0; cut < good->len; cut += 1777)
		CHECK_INT(attach((struct span){ good->data, cut }, &info), -EBADMSG);
}

/* With sanitizers some of the pages: an attachment takes four times as long. */
#define PAGES_EACH (MEMORY_HAS_LIMITS ? 1 : 7)

/* Every page in turn, spoilt in several ways: refused, or as sound as before. */
static void test_corrupt(const struct buf *good)
{
	static const unsigned char patterns[] = { 0x00, 0xff, 0x05, 0x0d };
	struct facts *f = facts_new(); /* for all of them: to make one takes longer than the rest */
	struct buf bad = { 0 };
	struct kb_info info;
	int refused = 0, kept = 0;

	facts_end(f);
	for (size_t page = 0; page * 4096 < good->len; page += PAGES_EACH)
		for (size_t at = 0; at < 120; at += 5) {
			size_t place = page * 4096 + (page == 0 ? 100 : 0) + at;

			buf_clear(&bad);
			buf_span(&bad, buf_get(good));
			bad.data[place] = (char)patterns[at % 4];
			bad.data[place + 1] = (char)patterns[at / 4 % 4];
			if (attach_beside(f, buf_get(&bad), &info) == -EBADMSG)
				refused++;
			else {
				kept++;
				CHECK_INT(sqlite3_exec(facts_db(f), "DETACH kb", NULL, NULL, NULL),
					  SQLITE_OK);
			}
		}
	facts_free(f);
	if (!CHECK(refused * PAGES_EACH > 50 && kept * PAGES_EACH > 50))
		printf("  %d refused, %d kept\n", refused, kept);
	buf_done(&bad);
}

/* ---- later knowledge ---- */

#define SECOND_CAUSE                                                                                                             \
	"INSERT INTO cause SELECT 'later', kind, title, plain, headline, story, scope, severity, action, repair, prior, share, " \
	"undecided, tells, file FROM cause WHERE slug = 'too-hot';"                                                              \
	"INSERT INTO evidence SELECT 'later', id, position, weight, \"group\", says, sql, absence, "                             \
	"gate, reads, line FROM evidence WHERE cause = 'too-hot';"                                                               \
	"INSERT INTO source VALUES ('later', 'inferred', 'x', NULL);"

static const struct {
	const char *sql;
	const char *slugs; /* what is left */
	unsigned int left_out;
	const char *why;
} later[] = {
	{ "UPDATE kb SET needs = '0.1.1'", "too-hot", 0, "all of it is understood" },
	{ "UPDATE kb SET needs = '2'; CREATE TABLE marvel (a); INSERT INTO marvel VALUES (1)",
	  "too-hot", 0, "a table that nobody here reads" },
	{ SECOND_CAUSE
	  "UPDATE kb SET needs = '0.10';"
	  "UPDATE evidence SET sql = 'SELECT flux AS subject, 1 AS value, source, origin "
	  "FROM gpu' WHERE cause = 'later'",
	  "too-hot", 1, "a column that this program does not have" },
	{ SECOND_CAUSE
	  "UPDATE kb SET needs = '1.0.0'; UPDATE cause SET scope = 'rack' WHERE slug = 'later'",
	  "too-hot", 1, "a word that this program does not have" },
	{ SECOND_CAUSE "UPDATE kb SET needs = '1.0.0'; UPDATE evidence SET sql = 'SELECT sin(1)' "
		       "WHERE cause = 'later'",
	  "too-hot", 1, "a function that this program does not have" },
};

static void test_later(const struct buf *good)
{
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		struct buf bytes = kb_changed(good, later[i].sql);
		struct facts *f = facts_new();
		struct kb_info info = { 0 };

		facts_end(f);
		if (!CHECK(kb_attach(facts_db(f), buf_get(&bytes), &info) == 0))
			printf("  %s\n", later[i].why);
		CHECK(info.newer);
		CHECK_INT(info.left_out, later[i].left_out);
		CHECK_TEXT(sql_text(facts_db(f), "SELECT group_concat(slug) FROM kb.cause"),
			   later[i].slugs);
		CHECK_TEXT(sql_text(facts_db(f), "SELECT count(*) FROM kb.evidence"), "1");
		CHECK_TEXT(sql_text(facts_db(f), "SELECT count(*) FROM kb.env_variable"), "1");
		CHECK_TEXT(sql_text(facts_db(f),
				    "SELECT name FROM pragma_database_list WHERE name = 'layer'"),
			   "");
		facts_free(f);
		buf_done(&bytes);
	}
}

/* What this program does not understand is not fine. */
static void test_later_check(const struct buf *good)
{
	struct buf bytes = kb_changed(good, later[2].sql);
	struct facts *f = facts_new();
	struct diagnosis d = { 0 };
	struct kb_info info;

	facts_end(f);
	CHECK_INT(kb_attach(facts_db(f), buf_get(&bytes), &info), 0);
	CHECK_INT(info.later, 1);
	CHECK_INT(diagnose(facts_db(f), NULL, &d), 0);
	CHECK_INT(d.check_count, 2);
	CHECK_INT(d.later, 1);
	CHECK_INT(d.later_statements, 1);
	CHECK_TEXT(d.checks[0].cause, "later");
	CHECK_INT(d.checks[0].state, CHECK_CRASHED);
	CHECK_TEXT(d.checks[0].error, "for a later rocsteady: no such column: flux");
	CHECK(d.checks[1].state != CHECK_CRASHED);
	diagnose_done(&d);
	CHECK_INT(diagnose(facts_db(f), "later", &d), 0);
	CHECK_INT(d.check_count, 1);
	diagnose_done(&d);
	CHECK_INT(diagnose(facts_db(f), "never", &d), -ENOENT);
	facts_free(f);
	buf_done(&bytes);
}

/* Of an earlier or later program, whose schema only grew: used as far as both know it. */
static void test_near(const struct buf *good)
{
	static const char *const near[] = {
		"CREATE TABLE extra (a)",
		"ALTER TABLE cause ADD COLUMN more TEXT; UPDATE cause SET more = 'x'",
		"ALTER TABLE cause ADD COLUMN more INTEGER NOT NULL DEFAULT 0",
		"ALTER TABLE wheel DROP COLUMN no_blas",
		"DROP TABLE advice",
		("PRAGMA writable_schema = 1;"
		 "UPDATE sqlite_schema SET sql = replace(sql, 'for life', 'for a day')"),
	};

	for (size_t i = 0; i < sizeof(near) / sizeof(near[0]); i++) {
		struct buf bytes = kb_changed(good, near[i]);
		struct facts *f = facts_new();
		struct kb_info info = { 0 };

		facts_end(f);
		if (!CHECK(kb_attach(facts_db(f), buf_get(&bytes), &info) == 0))
			printf("  %s\n", near[i]);
		CHECK(info.near && !info.newer);
		CHECK_INT(info.left_out, 0);
		CHECK_TEXT(sql_text(facts_db(f), "SELECT group_concat(slug) FROM kb.cause"),
			   "too-hot");
		CHECK_TEXT(sql_text(facts_db(f), "SELECT count(*) FROM kb.evidence"), "1");
		CHECK_TEXT(sql_text(facts_db(f), "SELECT count(*) FROM kb.remedy"), "1");
		facts_free(f);
		buf_done(&bytes);
	}
}

static void test_later_format(const struct buf *good)
{
	struct buf bytes = kb_changed(good, "UPDATE kb SET format = 2");
	struct kb_info info;

	CHECK_INT(attach(buf_get(&bytes), &info), -ENOTSUP);
	buf_done(&bytes);
}

/* ---- layers ---- */

static void test_sites(const struct buf *good)
{
	struct buf second = kb_changed(good, SECOND_CAUSE);
	struct span sites[] = { buf_get(&second), SPAN_LITERAL("no kb.db") };
	struct layers layers = { .base = buf_get(good), .sites = sites, .site_count = 2 };
	struct facts *f = facts_new(); /* in a transaction until facts_end, as in a check */
	struct kb_info info, alone;
	struct buf said = { 0 };

	attach(buf_get(good), &alone);
	CHECK_INT(layers_attach(facts_db(f), &layers, &info, &said), 0);
	CHECK(!sqlite3_get_autocommit(facts_db(f)));
	CHECK_TEXT(
		sql_text(facts_db(f), "SELECT name FROM pragma_database_list WHERE name = 'layer'"),
		"");
	facts_end(f);
	CHECK_TEXT(
		sql_text(
			facts_db(f),
			"SELECT group_concat(slug) FROM (SELECT slug FROM kb.cause ORDER BY slug)"),
		"later,too-hot");
	CHECK_TEXT(sql_text(facts_db(f), "SELECT count(*) FROM kb.evidence"), "2");
	CHECK_TEXT(sql_text(facts_db(f), "SELECT count(*) FROM kb.remedy"), "1");
	CHECK_TEXT(sql_text(facts_db(f), "SELECT count(*) FROM kb.source"), "3");
	CHECK(strstr(said.data, "too-hot is there already") != NULL);
	CHECK(strstr(said.data, "a site file is damaged") != NULL);
	CHECK(strcmp(info.digest, alone.digest) != 0);
	CHECK_INT(info.left_out, 1);
	CHECK(!info.newer);
	buf_done(&said);
	buf_done(&second);
	facts_free(f);
}

static void write_file(const char *path, const struct buf *bytes, mode_t mode)
{
	FILE *file = fopen(path, "w");

	CHECK(file != NULL);
	fwrite(bytes->data, 1, bytes->len, file);
	fclose(file);
	CHECK_INT(chmod(path, mode), 0);
}

static void read_layers(const char *dir, struct arena *arena, struct files_layers *ret,
			struct buf *said)
{
	char updated[200], site[200];

	snprintf(updated, sizeof(updated), "%s/kb.db", dir);
	snprintf(site, sizeof(site), "%s/kb.d", dir);
	buf_clear(said);
	files_read_layers(updated, site, arena, ret, said);
}

/* Neither there, then older, newer, damaged, and writable by others. */
static void test_files(const struct buf *good)
{
	struct buf old = kb_changed(good, "UPDATE kb SET version = '2020-01-01'");
	struct buf new = kb_changed(good, "UPDATE kb SET version = '2999-01-01'");
	struct buf broken = { 0 }, said = { 0 };
	struct files_layers layers;
	struct arena arena = { 0 };
	char dir[] = "/tmp/rocsteady-kb.XXXXXX", path[64];

	CHECK(mkdtemp(dir) != NULL);
	buf_text(&broken, "no kb.db");
	read_layers(dir, &arena, &layers, &said);
	CHECK(!layers.updated && layers.site_count == 0 && said.len == 0);
	CHECK(layers.base.data == (const char *)kb_embedded);

	snprintf(path, sizeof(path), "%s/kb.db", dir);
	write_file(path, &old, 0644);
	read_layers(dir, &arena, &layers, &said);
	CHECK(!layers.updated && said.len == 0);
	write_file(path, &new, 0644);
	read_layers(dir, &arena, &layers, &said);
	CHECK(layers.updated && said.len == 0);
	write_file(path, &new, 0666);
	read_layers(dir, &arena, &layers, &said);
	CHECK(!layers.updated && strstr(said.data, "kb.db: left out: others may write it") != NULL);
	write_file(path, &broken, 0644);
	read_layers(dir, &arena, &layers, &said);
	CHECK(!layers.updated && strstr(said.data, "left out: damaged, or no kb.db") != NULL);
	unlink(path);

	snprintf(path, sizeof(path), "%s/kb.d", dir);
	CHECK_INT(mkdir(path, 0755), 0);
	snprintf(path, sizeof(path), "%s/kb.d/b.db", dir);
	write_file(path, &old, 0644);
	snprintf(path, sizeof(path), "%s/kb.d/a.db", dir);
	CHECK_INT(mkfifo(path, 0644), 0);
	snprintf(path, sizeof(path), "%s/kb.d/notes.txt", dir);
	write_file(path, &broken, 0644);
	read_layers(dir, &arena, &layers, &said);
	CHECK_INT(layers.site_count, 1);
	CHECK(strstr(said.data, "a.db: left out: no plain file") != NULL);
	CHECK(strstr(said.data, "notes") == NULL);
	for (int i = 0; i < LAYERS_SITES_MAX; i++) { /* one more than there may be */
		snprintf(path, sizeof(path), "%s/kb.d/c%02d.db", dir, i);
		write_file(path, &old, 0644);
	}
	read_layers(dir, &arena, &layers, &said);
	CHECK_INT(layers.site_count, LAYERS_SITES_MAX);
	CHECK(strstr(said.data, "c31.db: left out: a site has at most 32 files") != NULL);

	snprintf(path, sizeof(path), "rm -r %s", dir);
	CHECK_INT(system(path), 0);
	arena_done(&arena);
	buf_done(&broken);
	buf_done(&said);
	buf_done(&old);
	buf_done(&new);
}

/* A kb.db whose line says that it was examined is believed, if the line is for these bytes and safe. */
static void test_examined(const struct buf *good)
{
	struct buf new = kb_changed(good, "UPDATE kb SET version = '2999-01-01'");
	struct buf bad = kb_changed(good, "UPDATE kb SET version = '2999-01-01';"
					  " UPDATE cause SET title = char(27)");
	struct buf of_new = { 0 }, of_bad = { 0 }, cut = { 0 }, said = { 0 };
	const struct {
		const struct buf *db, *line;
		mode_t mode;
		bool taken;
		const char *why;
	} cases[] = {
		{ &new, NULL, 0, true, "it is examined here" },
		{ &new, &of_new, 0644, true, "its own line" },
		{ &bad, NULL, 0, false, "an escape in a text" },
		{ &bad, &of_new, 0644, false, "the line of another file" },
		{ &bad, &of_bad, 0666, false, "a line that others may write" },
		{ &bad, &cut, 0644, false, "half a line" },
		{ &bad, &of_bad, 0644, true, "its rows are not read again" },
	};
	char dir[] = "/tmp/rocsteady-kb.XXXXXX", path[64], line[80], remove[64];
	struct files_layers layers;
	struct arena arena = { 0 };

	CHECK(mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/kb.db", dir);
	snprintf(line, sizeof(line), "%s" EXAMINED_END, path);
	examined_text(buf_get(&new), &of_new);
	examined_text(buf_get(&bad), &of_bad);
	buf_add(&cut, of_bad.data, of_bad.len / 2);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unlink(line);
		write_file(path, cases[i].db, 0644);
		if (cases[i].line)
			write_file(line, cases[i].line, cases[i].mode);
		read_layers(dir, &arena, &layers, &said);
		if (!CHECK((layers.updated != NULL) == cases[i].taken) ||
		    !CHECK(layers.examined == cases[i].taken))
			printf("%s\n", cases[i].why);
	}
	snprintf(remove, sizeof(remove), "rm -r %s", dir);
	CHECK_INT(system(remove), 0);
	arena_done(&arena);
	buf_done(&said);
	buf_done(&cut);
	buf_done(&of_bad);
	buf_done(&of_new);
	buf_done(&bad);
	buf_done(&new);
}

/* What the program carries passes the same examination as a stranger's file. */
static void test_embedded(void)
{
	struct buf copy = { 0 };
	struct kb_info own, same;
	struct span bytes;

	CHECK_INT(kb_read(NULL, NULL, &bytes), 0);
	CHECK_INT(attach(bytes, &own), 0);
	buf_span(&copy, bytes);
	CHECK_INT(attach(buf_get(&copy), &same), 0);
	CHECK_TEXT(same.digest, own.digest);
	CHECK_INT(own.format, KB_FORMAT);
	CHECK(!own.newer);
	buf_done(&copy);
	CHECK_INT(kb_read("/nonexistent/kb.db", &copy, &bytes), -ENOENT);
	CHECK_INT(kb_read("/dev/zero", &copy, &bytes), -EINVAL);
	buf_done(&copy);
}

/*
 * A table of the schema belongs to causes or to the world, and none has the
 * name of a table of facts: in a statement that one would win.
 */
static void test_names(void)
{
	static const char *const inner[] = { "kb",
					     "cause",
					     "evidence",
					     "explained_by",
					     "remedy",
					     "cause_remedy",
					     "source",
					     "signature",
					     "literal",
					     "suggests",
					     "states",
					     "defect",
					     "defect_when",
					     "defect_signature",
					     "advice",
					     "workaround",
					     "cure",
					     "unchecked",
					     "apply",
					     "apply_action",
					     "printable",
					     "printable_file",
					     "printable_tree",
					     "report_word",
					     NULL };
	sqlite3 *db = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t tables = 0, listed = 0;

	sqlite3_open(":memory:", &db);
	CHECK_INT(sqlite3_exec(db, kb_schema, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type = 'table'", -1, &stmt,
			   NULL);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(stmt, 0);

		if (!CHECK(words_has(words_world, name) != words_has(inner, name)))
			printf("  %s\n", name);
		tables++;
	}
	sqlite3_finalize(stmt);
	while (words_world[listed])
		listed++;
	CHECK_INT(tables, listed + sizeof(inner) / sizeof(inner[0]) - 1);
	if (!CHECK(sqlite3_exec(db, facts_schema, NULL, NULL, NULL) == SQLITE_OK))
		printf("  %s\n", sqlite3_errmsg(db));
	sqlite3_close(db);
}

int main(void)
{
	struct buf good = small_kb();

	test_names();
	test_embedded();
	test_hostile(&good);
	test_no_kb(&good);
	test_corrupt(&good);
	test_later(&good);
	test_later_check(&good);
	test_near(&good);
	test_later_format(&good);
	test_sites(&good);
	test_files(&good);
	test_examined(&good);
	buf_done(&good);
	return check_end();
}
