#include "kb/lint.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "kb/gate.h"
#include "kb/guard.h"
#include "kb/materialize.h"
#include "kb/words.h"

/* ---- texts ---- */

const char *lint_holes(const char *text, const char *const *holes)
{
	for (const char *c = strpbrk(text, "{}"); c; c = strpbrk(c, "{}")) {
		/* ${HOME} is the shell's own. */
		bool known =
			c > text && c[-1] == '$' && isupper((unsigned char)c[1]) && strchr(c, '}');

		if (*c == '}')
			return "a } without its {";
		c++;
		for (size_t i = 0; holes[i] && !known; i++)
			known = strncmp(c, holes[i], strlen(holes[i])) == 0 &&
				c[strlen(holes[i])] == '}';
		if (!known)
			return "a name in { } that nothing fills in";
		c = strchr(c, '}') + 1;
	}
	return NULL;
}

const char *lint_claims(const char *text)
{
	for (const char *c = text; *c; c++) {
		const char *after;

		if (!isdigit((unsigned char)*c) || isdigit((unsigned char)c[1]))
			continue;
		after = c + 1 + strspn(c + 1, " ");
		if (*after == '%' || strncmp(after, "percent", 7) == 0 ||
		    strncmp(after, "per cent", 8) == 0)
			return "a percentage: who counted it?";
	}
	return NULL;
}

/* Not a proof of harmlessness: these are what forums advise first and users regret. */
static const char *const destructive[] = { "rm -rf", "rm -fr",    "mkfs",       "wipefs",
					   "dd if=", "chmod 777", "chmod 666",  "| sh",
					   "| bash", "| sudo sh", "| sudo bash" };

const char *lint_steps(const char *text)
{
	for (size_t i = 0; i < sizeof(destructive) / sizeof(destructive[0]); i++)
		if (strstr(text, destructive[i]))
			return destructive[i];
	return NULL;
}

/* ---- words that conclude from absence ---- */

struct sql_token {
	struct span text;
	bool word;
};

/* Words and single characters; comments and strings are dropped. */
static bool next_token(const char **at, struct sql_token *ret)
{
	const char *c = *at;

	for (;;) {
		c += strspn(c, " \t\n");
		if (strncmp(c, "--", 2) == 0)
			c += strcspn(c, "\n");
		else if (strncmp(c, "/*", 2) == 0)
			c = strstr(c + 2, "*/") ? strstr(c + 2, "*/") + 2 : c + strlen(c);
		else if (*c == '\'' && strchr(c + 1, '\''))
			c = strchr(c + 1, '\'') + 1;
		else
			break;
	}
	if (*c == '\0')
		return false;
	ret->text.data = c;
	ret->word = isalpha((unsigned char)*c) || *c == '_';
	do
		c++;
	while (ret->word && (isalnum((unsigned char)*c) || *c == '_'));
	ret->text.len = (size_t)(c - ret->text.data);
	*at = c;
	return true;
}

static bool says(const struct sql_token *t, const char *word)
{
	return t->text.len == strlen(word) && strncasecmp(t->text.data, word, t->text.len) == 0;
}

/* x NOT IN ('a', 'b') compares a value that is there; only a query can come back empty. */
static bool lists_a_query(const char *sql)
{
	struct sql_token t = { 0 };

	while (next_token(&sql, &t))
		if (!says(&t, "("))
			return t.word;
	return false;
}

bool lint_is_absence(const char *sql)
{
	struct sql_token before = { 0 }, t = { 0 };

	/* Brackets between the words change nothing: NOT (EXISTS (...)). */
	while (next_token(&sql, &t)) {
		bool after_count = says(&before, "count") || says(&before, "total");
		bool after_not = says(&before, "NOT");

		if ((says(&t, "(") && after_count) || says(&t, "EXCEPT") || says(&t, "ISNULL"))
			return true;
		if (after_not && (says(&t, "EXISTS") || (says(&t, "IN") && lists_a_query(sql))))
			return true;
		if (says(&before, "IS") && says(&t, "NULL"))
			return true;
		if (!says(&t, "("))
			before = t;
	}
	return false;
}

/* ---- statements ---- */

size_t lint_load(sqlite3 *db, struct arena *arena, struct lint_statement **ret)
{
	size_t most = select_count(db, "SELECT (SELECT count(*) FROM kb.evidence)"
				       " + (SELECT count(sql) FROM kb.remedy)"
				       " + (SELECT count(sql) FROM kb.apply)");
	size_t count = 0;
	struct lint_statement *list = arena_alloc(arena, (most + 1) * sizeof(*list));
	sqlite3_stmt *stmt = select_from(
		db, "SELECT e.cause, e.id, c.file, e.line, e.sql, e.gate, e.absence"
		    " FROM kb.evidence e JOIN kb.cause c ON c.slug = e.cause"
		    " UNION ALL SELECT id, id, 'remedies/' || id || '.yaml', line, sql,"
		    " gate, 1 FROM kb.remedy WHERE sql IS NOT NULL"
		    " UNION ALL SELECT remedy, remedy, 'remedies/' || remedy || '.yaml', line,"
		    " sql, NULL, 1 FROM kb.apply WHERE sql IS NOT NULL ORDER BY 1, 2");

	while (count < most && select_next(stmt))
		list[count++] = (struct lint_statement){
			.cause = column_copy_or_null(stmt, 0, arena),
			.id = column_copy_or_null(stmt, 1, arena),
			.file = column_copy_or_null(stmt, 2, arena),
			.line = (unsigned int)sqlite3_column_int(stmt, 3),
			.sql = column_copy_or_null(stmt, 4, arena),
			.gate = column_copy_or_null(stmt, 5, arena),
			.absence = sqlite3_column_int(stmt, 6),
		};
	sqlite3_finalize(stmt);
	*ret = list;
	return count;
}

static bool reads_name(const char *reads, struct span name)
{
	struct span rest = span_of(reads);
	struct span word;

	while (span_word(&rest, &word))
		if (span_same(word, name))
			return true;
	return false;
}

/* Every table or column of it must be read, and a column must wait for something. */
static bool is_derived(struct span name)
{
	for (size_t i = 0; words_derived[i]; i++)
		if (span_is(name, words_derived[i]))
			return true;
	return false;
}

/* Of a derived view only its tables are told to be read. */
static bool reads_term(const struct lint_statement *s, const struct gate_term *term)
{
	return is_derived(term->table) ? span_find(span_of(s->sql), term->table) != SIZE_MAX
				       : reads_name(s->reads, term->name);
}

static bool reads_one_gate(const struct lint_statement *s, struct span gate)
{
	struct gate_term term;
	bool any = false;

	while (gate_next(&gate, &term)) {
		if (!reads_term(s, &term) || (term.column.len > 0) != (term.words.len > 0))
			return false;
		any = true;
	}
	return any;
}

static bool reads_gate(const struct lint_statement *s)
{
	struct span rest = span_of(s->gate), one;
	bool any = false;

	while (gate_next_of(&rest, &one)) {
		if (!reads_one_gate(s, one))
			return false;
		any = true;
	}
	return any;
}

/* Evidence is decided on before a view can be worked out, and told by one gate what is not known. */
static bool is_for_remedies(const char *gate)
{
	struct span rest = span_of(gate);
	struct gate_term term;

	if (strchr(gate, '|'))
		return true;
	while (gate_next(&rest, &term))
		if (is_derived(term.table))
			return true;
	return false;
}

static void check_empty(struct guard *g, sqlite3_stmt *stmt, const struct lint_statement *s,
			struct faults *faults)
{
	int r = guard_step(g, stmt);

	if (r < 0)
		faults_add(faults, s->file, s->line, "%s: %s", s->id,
			   r == -ETIME ? "takes too many steps without any fact"
				       : sqlite3_errmsg(g->db));
	else if (r > 0 && s->gate)
		faults_add(faults, s->file, s->line, "%s: has rows though its gate %s is empty",
			   s->id, s->gate);
	else if (r > 0 && !s->absence)
		faults_add(faults, s->file, s->line,
			   "%s: says yes where nothing is known; if it concludes from absence, "
			   "say absence: true",
			   s->id);
}

static void check_one(struct guard *g, struct arena *arena, struct lint_statement *s,
		      struct faults *faults)
{
	const char *why = "";
	sqlite3_stmt *stmt = guard_prepare(g, s->sql, &why);

	if (!stmt) {
		faults_add(faults, s->file, s->line, "%s: %s", s->id, why);
		return;
	}
	s->reads = arena_text(arena, buf_get(&g->reads));
	if (s->reads[0] == '\0')
		faults_add(faults, s->file, s->line, "%s: reads no fact", s->id);
	if (s->gate && !reads_gate(s))
		faults_add(faults, s->file, s->line, "%s: its gate %s is no table that it reads",
			   s->id, s->gate);
	if (s->gate && strcmp(s->cause, s->id) != 0 && is_for_remedies(s->gate))
		faults_add(faults, s->file, s->line,
			   "%s: only the gate of a remedy names a derived view, or has a bar",
			   s->id);
	if (!s->absence && lint_is_absence(s->sql))
		faults_add(faults, s->file, s->line,
			   "%s: concludes from something not being there: say absence: true",
			   s->id);
	else
		check_empty(g, stmt, s, faults);
	sqlite3_finalize(stmt);
}

void lint_statements(sqlite3 *db, struct arena *arena, struct lint_statement *list, size_t count,
		     struct faults *faults)
{
	struct guard g;

	guard_on(&g, db);
	g.recording = true;
	for (size_t i = 0; i < count; i++) {
		g.steps_run = 0; /* the run's budget is for a real machine */
		g.refusals = 0;
		check_one(&g, arena, &list[i], faults);
	}
	guard_off(&g);
}

static void run_one(struct guard *g, struct lint_statement *s, struct faults *faults)
{
	const char *why = "";
	sqlite3_stmt *stmt = guard_prepare(g, s->sql, &why);
	size_t rows = 0;
	int r;

	if (!stmt)
		return; /* said before */
	while ((r = guard_step(g, stmt)) > 0 && rows < GUARD_ROWS_MAX)
		rows++;
	s->steps = g->steps;
	if (rows > 0 && s->shut)
		faults_add(faults, s->file, s->line, "%s: has rows though its gate %s is shut",
			   s->id, s->gate);
	if (r > 0)
		faults_add(faults, s->file, s->line, "%s: more than %d rows", s->id,
			   GUARD_ROWS_MAX);
	else if (r == -ETIME)
		faults_add(faults, s->file, s->line, "%s: more than %d steps of SQLite", s->id,
			   GUARD_STEPS_STATEMENT);
	else if (r < 0)
		faults_add(faults, s->file, s->line, "%s: %s", s->id, sqlite3_errmsg(g->db));
	sqlite3_finalize(stmt);
}

void lint_run(sqlite3 *db, struct lint_statement *list, size_t count, struct faults *faults)
{
	struct derive derived = { .as = DERIVED_VIEWS };
	struct gates gates = { 0 };
	struct guard g;
	uint64_t all = 0;

	derive_make(&derived, db, NULL);
	for (size_t i = 0; i < count; i++)
		list[i].shut = !gates_open(&gates, db, span_of(list[i].gate));
	gates_done(&gates);
	derive_drop(&derived, db);
	materialize_views(db);
	guard_on(&g, db);
	for (size_t i = 0; i < count; i++) {
		g.steps_run = 0;
		g.refusals = 0;
		run_one(&g, &list[i], faults);
		all += list[i].steps;
	}
	if (all > GUARD_STEPS_RUN)
		faults_add(faults, "VERSION", 1,
			   "all statements together: %llu steps of SQLite, more than %d",
			   (unsigned long long)all, GUARD_STEPS_RUN);
	guard_off(&g);
}
