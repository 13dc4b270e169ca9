#include "kb/guard.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug.h"
#include "base/memory.h"
#include "facts/column.h"
#include "facts/functions.h"
#include "facts/select.h"
#include "facts/sql-trace.h"
#include "kb/guard-functions.h"
#include "kb/words.h"

#define TICK         500                 /* steps between two looks at the budget */
#define ASKED_MAX    5000                /* calls of the authorizer for one statement */
#define HEAP_RUN     ((int64_t)32 << 20) /* above what is in use when the guard comes on */
#define HEAP_PREPARE ((int64_t)1 << 20)  /* a WITH that doubles itself would take all of it */

/* What may be called. Everything else can read a clock, a file or the future. */
static const char *const functions[] = {
	"abs",    "avg",    "coalesce", "count",   "format", "glob",  "group_concat", "hex",
	"ifnull", "iif",    "instr",    "length",  "like",   "lower", "ltrim",        "max",
	"min",    "nullif", "printf",   "replace", "round",  "rtrim", "substr",       "substring",
	"sum",    "total",  "trim",     "typeof",  "upper",
};

/* Tables of a kb.db that are no rule's business; those of the world are. */
static const char *const inner[] = { "kb",       "cause",  "evidence",     "explained_by",
				     "remedy",   "apply",  "apply_action", "cause_remedy",
				     "advice",   "source", "workaround",   "cure",
				     "unchecked" };

static const char *const evidence_columns[] = { "subject", "value", "source", "origin", NULL };
const char *const guard_advice_columns[] = { "line",  "why",    "caveat", "checked",
					     "class", "source", NULL };
const char *const guard_workaround_columns[] = { "name", "value", "says", "source", NULL };

/*
 * Length: no fact of 42 machines has more than 200 bytes. The functions that are
 * not ours are linear, but printf fills 60 kB in 140 us for a few steps: a
 * statement could do so 11,000 times. Steps are counted, preparing is not: depth
 * and width are small. A rule has no parameters and no triggers.
 */
static const struct {
	int id;
	int most;
} limits[GUARD_LIMITS] = {
	{ SQLITE_LIMIT_LENGTH, GUARD_VALUE_MAX },
	{ SQLITE_LIMIT_SQL_LENGTH, 20000 },
	{ SQLITE_LIMIT_COLUMN, 200 },
	{ SQLITE_LIMIT_EXPR_DEPTH, 50 },
	{ SQLITE_LIMIT_COMPOUND_SELECT, 20 },
	{ SQLITE_LIMIT_VDBE_OP, 20000 },
	{ SQLITE_LIMIT_FUNCTION_ARG, 16 },
	{ SQLITE_LIMIT_ATTACHED, 1 },
	{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, GUARD_PATTERN_MAX },
	{ SQLITE_LIMIT_VARIABLE_NUMBER, 0 },
	{ SQLITE_LIMIT_TRIGGER_DEPTH, 0 },
};

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(word, list[i]) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(word, list) is_one_of((word), (list), sizeof(list) / sizeof((list)[0]))

/* ---- what may be read and called ---- */

static int refuse(struct guard *g, const char *what, const char *name)
{
	snprintf(g->said, sizeof(g->said), "%s %s", what, name ? name : "");
	g->refused = g->said;
	DEBUG(DEBUG_SQL, 0, "the guard denies: %s", g->said);
	return SQLITE_DENY;
}

/* Its own name, however the statement wrote it, or NULL. */
static const char *fact_table(const struct guard *g, const char *name)
{
	for (size_t i = 0; i < g->table_count; i++)
		if (strcasecmp(g->tables[i], name) == 0)
			return g->tables[i];
	return NULL;
}

/*
 * A table of which no column is used comes as it was written: column "", no
 * schema unless one was written. Then it may also be the name of a WITH. What
 * is in temp is a view worked out (kb/materialize.h) or one of derived-views.sql: nobody
 * else can put anything there.
 */
static int may_read(struct guard *g, const char *table, const char *column, const char *schema)
{
	bool named_only = column[0] == '\0' && !schema;
	const char *fact = fact_table(g, table);

	if (fact && (named_only ||
		     (schema && (strcmp(schema, "main") == 0 || strcmp(schema, "temp") == 0)))) {
		if (g->recording)
			buf_addf(&g->reads, "%s ", fact);
		if (g->recording && column[0])
			buf_addf(&g->reads, "%s.%s ", fact, column);
		return SQLITE_OK;
	}
	if (words_has(words_derived, table) && schema && strcmp(schema, "temp") == 0)
		return SQLITE_OK; /* SQLite tells of the facts behind it by themselves */
	if (words_has(words_world, table) && (named_only || (schema && strcmp(schema, "kb") == 0)))
		return SQLITE_OK;
	if (named_only && !IS_ONE_OF(table, inner) && strncasecmp(table, "sqlite_", 7) != 0)
		return SQLITE_OK;
	return refuse(g, "may not read", table);
}

static int allow(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
	struct guard *g = ctx;

	(void)d;
	if (!g->is_on)
		return SQLITE_OK; /* a statement of our own */
	if (++g->asked > ASKED_MAX)
		return refuse(g, "too large:", "it names too many columns");
	switch (action) {
	case SQLITE_SELECT:
		return SQLITE_OK;
	case SQLITE_READ:
		return may_read(g, a ? a : "", b ? b : "", c);
	case SQLITE_FUNCTION:
		if (b && (IS_ONE_OF(b, functions) || words_has(functions_names, b)))
			return SQLITE_OK;
		return refuse(g, "may not call", b);
	case SQLITE_RECURSIVE:
		return refuse(g, "may not use", "RECURSIVE");
	default:
		return refuse(g, "may only", "SELECT");
	}
}

static int tick(void *ctx)
{
	struct guard *g = ctx;

	if (!g->is_theirs)
		return 0;
	g->ticks += TICK;
	return g->ticks + g->charged > g->allowed;
}

/* ---- on and off ---- */

static void load_tables(struct guard *g)
{
	sqlite3_stmt *stmt = select_from(
		g->db, "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view')");

	g->table_count = 0;
	while (select_next(stmt) && g->table_count < GUARD_TABLES_MAX)
		snprintf(g->tables[g->table_count++], GUARD_TABLE_NAME, "%s", column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

/* Each of these has SQLite prepare all statements of the connection anew. */
static void build(struct guard *g, sqlite3 *db)
{
	assert(!select_is_kept(db)); /* a second guard would take the walls of the first along */
	*g = (struct guard){ .db = db, .allowed = GUARD_STEPS_STATEMENT };
	load_tables(g);
	g->meter = guard_functions_on(db, &g->charged);
	if (!g->meter) /* no statement will be asked, and the answer would be another one */
		select_note(db, SQLITE_NOMEM);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, -1, &g->trusted_schema);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, -1, &g->defensive);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_set_authorizer(db, allow, g);
}

/* None of these does. */
static void walls_up(struct guard *g)
{
	assert(g->db && !g->is_on);
	g->steps_run = 0;
	g->refusals = g->meter ? 0 : GUARD_REFUSALS_MAX; /* the walls have a hole */
	for (size_t i = 0; i < GUARD_LIMITS; i++)
		g->limits[i] = sqlite3_limit(g->db, limits[i].id, limits[i].most);
	g->heap = sqlite3_hard_heap_limit64(-1);
	sqlite3_hard_heap_limit64(sqlite3_memory_used() + HEAP_RUN);
	sqlite3_progress_handler(g->db, TICK, tick, g);
	g->is_on = true;
}

void guard_resume(struct guard *g)
{
	derive_forget(&g->derived);
	walls_up(g);
}

void guard_pause(struct guard *g)
{
	assert(g->is_on);
	g->is_on = false;
	sqlite3_progress_handler(g->db, 0, NULL, NULL);
	sqlite3_hard_heap_limit64(g->heap);
	for (size_t i = 0; i < GUARD_LIMITS; i++)
		sqlite3_limit(g->db, limits[i].id, g->limits[i]);
}

struct guard_aside guard_aside(struct guard *g)
{
	struct guard_aside aside = { g->steps_run, g->refusals };

	guard_pause(g);
	return aside;
}

void guard_back(struct guard *g, const struct guard_aside *aside)
{
	walls_up(g);
	g->steps_run = aside->steps_run;
	g->refusals = aside->refusals;
}

void guard_on(struct guard *g, sqlite3 *db)
{
	build(g, db);
	guard_resume(g);
}

void guard_keep(struct guard *g, sqlite3 *db)
{
	build(g, db);
	g->keeps = true;
	derive_keep(&g->derived, db);
}

void guard_off(struct guard *g)
{
	if (!g->db)
		return;
	if (g->is_on)
		guard_pause(g);
	statements_done(&g->kept);
	sqlite3_set_authorizer(g->db, NULL, NULL);
	derive_drop(&g->derived, g->db);
	sqlite3_db_config(g->db, SQLITE_DBCONFIG_DEFENSIVE, g->defensive, NULL);
	sqlite3_db_config(g->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, g->trusted_schema, NULL);
	guard_functions_off(g->meter);
	buf_done(&g->reads);
	*g = (struct guard){ 0 };
}

/* ---- statements ---- */

static int order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted and each once, so that the same statement always reads the same. */
static void sort_reads(struct buf *reads)
{
	struct buf out = { 0 };
	char **words = memory_new(reads->len / 2 + 1, sizeof(*words));
	size_t count = 0;

	for (char *word = reads->data ? strtok(reads->data, " ") : NULL; word;
	     word = strtok(NULL, " "))
		words[count++] = word;
	if (count > 0)
		qsort(words, count, sizeof(*words), order);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || strcmp(words[i], words[i - 1]) != 0)
			buf_addf(&out, "%s%s", out.len > 0 ? " " : "", words[i]);
	free(words);
	buf_done(reads);
	*reads = out;
}

static bool has_columns(sqlite3_stmt *stmt, const char *const *columns)
{
	int count = 0;

	for (; columns[count]; count++)
		if (count >= sqlite3_column_count(stmt) ||
		    strcmp(sqlite3_column_name(stmt, count), columns[count]) != 0)
			return false;
	return count == sqlite3_column_count(stmt);
}

static const char *no_select(struct guard *g, sqlite3_stmt *stmt, const char *tail,
			     const char *const *columns)
{
	size_t used;

	if (!stmt)
		return "there is no statement";
	if (tail[strspn(tail, " \t\n;")] != '\0')
		return "more than one statement";
	if (sqlite3_stmt_isexplain(stmt) || !sqlite3_stmt_readonly(stmt))
		return "may only SELECT";
	if (has_columns(stmt, columns))
		return NULL;
	used = (size_t)snprintf(g->said, sizeof(g->said), "the columns must be");
	for (; *columns && used < sizeof(g->said); columns++)
		used += (size_t)snprintf(g->said + used, sizeof(g->said) - used, " %s%s", *columns,
					 columns[1] ? "," : "");
	return g->said;
}

/*
 * What a statement cannot have done is our own failure: tables that are damaged,
 * or no memory though it has used less than a quarter of what it may.
 */
static void note_failure(struct guard *g, int result, int64_t heap)
{
	int64_t left = sqlite3_hard_heap_limit64(-1) - sqlite3_memory_highwater(0);

	result &= 0xff;
	if (result == SQLITE_CORRUPT || result == SQLITE_IOERR ||
	    (result == SQLITE_NOMEM && left > heap / 4 * 3))
		select_note(g->db, result);
}

/* A statement begins, with a budget of its own. */
static void begin(struct guard *g)
{
	g->refused = NULL;
	g->asked = 0;
	g->steps = 0;
	g->ticks = 0;
	g->charged = 0;
	g->allowed =
		GUARD_STEPS_RUN - (g->steps_run < GUARD_STEPS_RUN ? g->steps_run : GUARD_STEPS_RUN);
	if (g->allowed > GUARD_STEPS_STATEMENT)
		g->allowed = GUARD_STEPS_STATEMENT;
	buf_clear(&g->reads);
}

/* One of an earlier log. What it reads is told only while it is prepared. */
static sqlite3_stmt *take_kept(struct guard *g, const char *sql, const char *const *columns)
{
	sqlite3_stmt *stmt = g->keeps && !g->recording ? statements_take(&g->kept, sql) : NULL;

	if (!stmt)
		return NULL;
	if (!has_columns(stmt, columns)) {
		statements_put(&g->kept, stmt);
		return NULL;
	}
	(void)sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 1);
	return stmt;
}

/* What is kept takes nothing from those that come after it. */
static void keep(struct guard *g, sqlite3_stmt *stmt)
{
	if (g->keeps && !g->recording && statements_add(&g->kept, stmt))
		sqlite3_hard_heap_limit64(sqlite3_memory_used() + HEAP_RUN);
}

static void choose_form(struct guard *g)
{
	if (!g->keeps && g->derived.made == 0)
		g->derived.as = g->recording ? DERIVED_VIEWS : DERIVED_TABLES;
}

bool guard_shuts_view(struct guard *g, struct span name)
{
	assert(!g->is_on);
	choose_form(g);
	return derive_is_shut(&g->derived, g->db, name);
}

/* Before a statement that reads one. */
static void derive(struct guard *g, const char *sql)
{
	struct guard_aside aside;

	if (!g->is_on || !derive_is_wanted(&g->derived, sql))
		return;
	aside = guard_aside(g);
	choose_form(g);
	derive_make(&g->derived, g->db, sql);
	guard_back(g, &aside);
}

static sqlite3_stmt *prepare(struct guard *g, const char *sql, const char *const *columns,
			     const char **ret_why)
{
	sqlite3_stmt *stmt = NULL;
	const char *tail = "";
	int64_t limit;
	int r;

	if (g->refusals >= GUARD_REFUSALS_MAX || !g->is_on) {
		*ret_why = g->is_on ? "too many statements were refused before"
				    : "nothing is prepared while the guard is off";
		return NULL;
	}
	limit = sqlite3_hard_heap_limit64(sqlite3_memory_used() + HEAP_PREPARE);
	sqlite3_memory_highwater(1);
	g->is_theirs = true;
	r = sqlite3_prepare_v3(g->db, sql, -1, SQLITE_PREPARE_NO_VTAB, &stmt, &tail);
	g->is_theirs = false;
	note_failure(g, r, HEAP_PREPARE);
	sqlite3_hard_heap_limit64(limit);
	if (r != SQLITE_OK) {
		g->refusals++;
		*ret_why = g->refused ? g->refused : sqlite3_errmsg(g->db);
		return NULL;
	}
	g->refused = no_select(g, stmt, tail, columns);
	if (g->refused) {
		g->refusals++;
		*ret_why = g->refused;
		sqlite3_finalize(stmt);
		return NULL;
	}
	sort_reads(&g->reads);
	keep(g, stmt);
	return stmt;
}

sqlite3_stmt *guard_prepare_as(struct guard *g, const char *sql, const char *const *columns,
			       const char **ret_why)
{
	uint64_t began = DEBUG_NOW(DEBUG_SQL);
	char line[SQL_LINE_MAX];
	sqlite3_stmt *stmt;

	assert(g->db && sql && columns[0]); /* between guard_on() and guard_off() */
	derive(g, sql);
	begin(g);
	stmt = g->is_on ? take_kept(g, sql, columns) : NULL;
	if (stmt)
		return stmt;
	stmt = prepare(g, sql, columns, ret_why);
	DEBUG(DEBUG_SQL, began, "%s%s: %s", stmt ? "prepared" : "refused, ", stmt ? "" : *ret_why,
	      sql_line(sql, line));
	return stmt;
}

sqlite3_stmt *guard_prepare(struct guard *g, const char *sql, const char **ret_why)
{
	return guard_prepare_as(g, sql, evidence_columns, ret_why);
}

void guard_end(struct guard *g, sqlite3_stmt *stmt)
{
	if (!stmt || !statements_put(&g->kept, stmt))
		sqlite3_finalize(stmt);
}

int guard_step(struct guard *g, sqlite3_stmt *stmt)
{
	uint64_t before = g->steps;
	int r;

	assert(g->db && sqlite3_db_handle(stmt) == g->db);
	if (!g->is_on)
		return -EIO; /* SQLite may prepare it anew, and would do so without the walls */
	g->is_theirs = true;
	r = sqlite3_step(stmt);
	g->is_theirs = false;
	/* The handler counts in ticks; the statement itself knows exactly. */
	g->steps = (uint64_t)sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 0) + g->charged;
	g->steps_run += g->steps - before;
	if (r == SQLITE_INTERRUPT || (g->steps > g->allowed && r != SQLITE_DONE)) {
		DEBUG(DEBUG_SQL, 0, "the guard stops a statement: %llu steps of %llu",
		      (unsigned long long)g->steps, (unsigned long long)g->allowed);
		return -ETIME;
	}
	if (r == SQLITE_ROW || r == SQLITE_DONE)
		return r == SQLITE_ROW;
	note_failure(g, r, HEAP_RUN);
	return -EIO;
}
