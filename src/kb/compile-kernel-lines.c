#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "kb/compile-internal.h"
#include "parse/klog.h"

/*
 * The lines of the kernel are one list, data/kernel-log.tsv: facts/kernel_log and so
 * `check` and `gate` read it as it is, and here it becomes patterns for `explain`. A
 * signature names classes and says what they suggest; the texts are not written twice.
 */

extern const char data_kernel_log[];

static const struct klog_table *kernel_rows(struct compiler *c)
{
	struct klog_flaw flaw = { 0 };
	struct klog_table *table = NULL;

	if (!c->kernel_rows &&
	    klog_table_parse(&c->arena, span_of(data_kernel_log), &table, &flaw) == 0)
		c->kernel_rows = table;
	if (!c->kernel_rows)
		faults_add(c->faults, "data/kernel-log.tsv", flaw.line, "%s", flaw.why);
	return c->kernel_rows;
}

static bool names_class(const struct yaml_node *classes, struct span class)
{
	for (const struct yaml_node *n = classes->children; n; n = n->next)
		if (span_is(class, n->text))
			return true;
	return false;
}

/* ---- a row as a pattern ---- */

/* Each literal at its first place behind the one before: the same as klog_class, and linear. */
static void add_literals(struct buf *ret, const struct klog_row *row)
{
	for (unsigned int i = 0; i <= row->holes; i++) {
		if (row->literals[i].len == 0)
			continue;
		buf_text(ret, "(?>.*?\\Q");
		buf_span(ret, row->literals[i]);
		buf_text(ret, "\\E)");
	}
}

/* A line of that row; a 1 in each hole is a number, a name and a word. */
static struct span line_of(struct compiler *c, const struct klog_row *row)
{
	struct buf line BUF_SCOPED = { 0 };

	for (unsigned int i = 0; i <= row->holes; i++) {
		buf_span(&line, row->literals[i]);
		buf_text(&line, i < row->holes ? "1" : "");
	}
	return arena_span(&c->arena, buf_get(&line));
}

static bool holds(const struct klog_row *row, struct span line)
{
	for (unsigned int i = 0; i <= row->holes; i++) {
		size_t at = span_find(line, row->literals[i]);

		if (at == SIZE_MAX)
			return false;
		at += row->literals[i].len;
		line = (struct span){ line.data + at, line.len - at };
	}
	return true;
}

/* The first row of the list wins: a line that an earlier row of another class has is not ours. */
static void add_row(struct compiler *c, const struct klog_table *table, size_t nth,
		    const struct yaml_node *classes, struct buf *ret)
{
	const struct klog_row *row = &table->rows[nth];

	for (size_t i = 0; i < nth; i++) {
		const struct klog_row *before = &table->rows[i];

		if (names_class(classes, before->class) || !holds(row, line_of(c, before)))
			continue;
		buf_text(ret, "(?!");
		add_literals(ret, before);
		buf_text(ret, ")");
	}
	add_literals(ret, row);
}

/* ---- the classes of a signature ---- */

static bool fits_kind(enum klog_severity severity, const char *kind)
{
	static const char *const kinds[][2] = {
		[KLOG_INFO] = { "harmless", "context" },
		[KLOG_WARNING] = { "warning", "failure" },
		[KLOG_PROBLEM] = { "failure", "failure" },
	};

	return strcmp(kind, kinds[severity][0]) == 0 || strcmp(kind, kinds[severity][1]) == 0;
}

static void check_classes(struct compiler *c, const struct klog_table *table,
			  const struct yaml_node *classes, const char *kind)
{
	for (const struct yaml_node *n = classes->children; n; n = n->next) {
		const struct klog_row *row = NULL;

		for (size_t i = 0; i < table->count && !row; i++)
			if (span_is(table->rows[i].class, n->text))
				row = &table->rows[i];
		if (!row)
			compile_fault(c, n, "no class of data/kernel-log.tsv:", n->text);
		else if (!fits_kind(row->severity, kind))
			compile_fault(c, n, "the kind does not fit the severity of", n->text);
	}
}

bool compile_kernel_lines(struct compiler *c, const struct yaml_node *signature,
			  struct kernel_lines *ret)
{
	const struct yaml_node *classes = yaml_find(signature, "class");
	const struct klog_table *table = classes ? kernel_rows(c) : NULL;
	const char *own = fields_text(signature, "pattern");
	struct buf pattern BUF_SCOPED = { 0 };

	*ret = (struct kernel_lines){ .pattern = own };
	if (!table)
		return !classes;
	check_classes(c, table, classes, fields_text(signature, "kind"));
	if (own)
		buf_addf(&pattern, "(?:%s)|", own);
	buf_text(&pattern, "^(?:");
	ret->literals = arena_alloc(&c->arena, table->count * sizeof(*ret->literals));
	for (size_t i = 0; i < table->count; i++) {
		if (!names_class(classes, table->rows[i].class))
			continue;
		buf_text(&pattern, ret->count > 0 ? "|" : "");
		add_row(c, table, i, classes, &pattern);
		ret->literals[ret->count++] = arena_text(&c->arena, table->rows[i].anchor);
		compile_insert(c, "source", "ssss", fields_text(signature, "id"), "source",
			       arena_text(&c->arena, table->rows[i].source),
			       arena_text(&c->arena, table->rows[i].pattern));
	}
	buf_text(&pattern, ")");
	ret->pattern = arena_text(&c->arena, buf_get(&pattern));
	return true;
}

/* ---- every problem has a cause ---- */

static void fault_of(struct compiler *c, const struct klog_row *row, const char *what,
		     const char *which)
{
	faults_add(c->faults, "data/kernel-log.tsv", row->line, "%.*s: %s %s", (int)row->class.len,
		   row->class.data, what, which);
}

/* How the action of a cause is called in the list; a GPU that must be reset takes no job either. */
#define CAUSES_OF                                                                      \
	"SELECT 1 FROM evidence e JOIN cause c ON c.slug = e.cause WHERE e.weight > 0" \
	" AND instr(e.sql, printf('''%s''', ?1)) > 0"                                  \
	" AND (?2 = 'note' OR ?2 = CASE c.action WHEN 'reset-gpu' THEN 'drain' ELSE c.action END)"

static void check_cause(struct compiler *c, const struct klog_row *row)
{
	sqlite3_stmt *stmt = select_from(c->db, CAUSES_OF);

	sqlite3_bind_text(stmt, 1, row->class.data, (int)row->class.len, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, klog_action_name(row->action), -1, SQLITE_STATIC);
	if (!select_next(stmt))
		fault_of(c, row, "no cause reads it whose action is",
			 klog_action_name(row->action));
	sqlite3_finalize(stmt);
}

/*
 * check and gate tell each problem: one that no cause reads would be known and kept to
 * ourselves. Knowledge that names no class at all is a small one, made to try something.
 */
void compile_check_kernel_lines(struct compiler *c)
{
	const struct klog_table *table = c->kernel_rows;

	for (size_t i = 0; table && i < table->count; i++) {
		const struct klog_row *row = &table->rows[i];

		if (i > 0 && span_same(row->class, table->rows[i - 1].class))
			continue;
		if (row->severity == KLOG_PROBLEM || row->action > KLOG_NOTE)
			check_cause(c, row);
	}
}
