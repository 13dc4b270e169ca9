#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/compile-internal.h"
#include "kb/words.h"

#define ENTRIES_MAX 40
#define ROWS_MAX    5000

/* class and checked hold for the rows that do not say their own. */
static const struct field table_fields[] = {
	{ .key = "table", .type = FIELD_WORD, .words = words_world },
	{ .key = "class", .type = FIELD_WORD, .optional = true, .words = words_class },
	{ .key = "checked", .type = FIELD_LINE, .optional = true, .most = 10 },
	{ .key = "rows", .type = FIELD_LIST, .most = ROWS_MAX },
	{ .key = "sources", .type = FIELD_LIST, .optional = true, .most = ENTRIES_MAX },
};

/* Columns that take one of a few words. */
static const struct {
	const char *column;
	const char *const *words;
	const char *fault;
} wordy[] = {
	{ "verdict", words_verdict, "verdict is one of: good risky harmful" },
	{ "class", words_class, "class is one of: source maintainer reporter inferred official" },
	{ "line", words_release, "line is one of: production preview therock" },
	{ "handled", words_handled, "handled is one of: rocm rccl driver program" },
	{ "form", words_form, "form is one of: variable kernel flag command" },
	{ "effect", words_effect,
	  "effect is one of: none masks harmful right wrong-value debug optional" },
	{ "kind", words_build, "kind is one of: installer archive wheel source vulkan" },
};

static bool fits_words(struct compiler *c, const struct yaml_node *cell)
{
	for (size_t i = 0; i < COUNT(wordy); i++)
		if (strcmp(cell->key, wordy[i].column) == 0 &&
		    !words_has(wordy[i].words, cell->text)) {
			compile_fault(c, cell, wordy[i].fault, NULL);
			return false;
		}
	if ((strcmp(cell->key, "checked") == 0 || strcmp(cell->key, "released") == 0) &&
	    !text_is_date(cell->text)) {
		compile_fault(c, cell, "a day is YYYY-MM-DD:", cell->key);
		return false;
	}
	return true;
}

/* Columns with names of other files, blank-separated. */
static const struct {
	const char *column, *directory, *fault;
} references[] = {
	{ "cause", "causes", "no cause" },
	{ "causes", "causes", "no cause" },
	{ "counts_as", "causes", "no cause" },
	{ "remedy", "remedies", "no remedy" },
};

static bool fits_references(struct compiler *c, const struct yaml_node *cell)
{
	struct span rest = span_of(cell->text), word;

	for (size_t i = 0; i < COUNT(references); i++) {
		if (strcmp(cell->key, references[i].column) != 0)
			continue;
		while (span_word(&rest, &word)) {
			const char *name = arena_text(&c->arena, word);

			if (compile_exists(c, references[i].directory, name))
				continue;
			compile_fault(c, cell, references[i].fault, name);
			return false;
		}
	}
	return true;
}

static bool fits(struct compiler *c, const struct yaml_node *cell, bool number)
{
	int64_t n;

	if (cell->kind != YAML_SCALAR)
		compile_fault(c, cell, "must be a text or a number:", cell->key);
	else if (number && !fields_number(cell, &n))
		compile_fault(c, cell, "must be a whole number:", cell->key);
	else if (!number && cell->text[0] == '\0')
		compile_fault(c, cell, "is empty:", cell->key);
	else
		return fits_words(c, cell) && fits_references(c, cell);
	return false;
}

/* What the row says itself, or the table for all of them. */
static const struct yaml_node *cell_of(const struct yaml_node *top, const struct yaml_node *row,
				       const char *name)
{
	const struct yaml_node *cell = yaml_find(row, name);

	if (!cell && (strcmp(name, "class") == 0 || strcmp(name, "checked") == 0))
		cell = yaml_find(top, name);
	return cell;
}

/* SQLite turns the text of a number into one: the columns are INTEGER. */
static void take_row(struct compiler *c, const struct yaml_node *top, const struct yaml_node *row)
{
	struct buf names BUF_SCOPED = { 0 }, values BUF_SCOPED = { 0 }, sql BUF_SCOPED = { 0 };
	const char *table = fields_text(top, "table");
	sqlite3_stmt *columns =
		select_from(c->db, "SELECT name, type, \"notnull\" FROM pragma_table_info(?1)");
	size_t used = 0, before = c->faults->count;

	sqlite3_bind_text(columns, 1, table, -1, SQLITE_TRANSIENT);
	while (select_next(columns)) {
		const char *name = column_text(columns, 0);
		bool number = strcmp(column_text(columns, 1), "INTEGER") == 0;
		const struct yaml_node *cell = cell_of(top, row, name);
		char *quoted;

		if (!cell && sqlite3_column_int(columns, 2))
			compile_fault(c, row, "is missing:", name);
		if (!cell || !fits(c, cell, number))
			continue;
		used += yaml_find(row, name) != NULL;
		quoted = sqlite3_mprintf("%Q", cell->text);
		buf_addf(&names, "%s%s", names.len ? ", " : "", name);
		buf_addf(&values, "%s%s", values.len ? ", " : "", quoted);
		sqlite3_free(quoted);
	}
	sqlite3_finalize(columns);
	if (c->faults->count > before)
		return;
	if (used != row->count) {
		compile_fault(c, row, "a key that is no column of", table);
		return;
	}
	buf_addf(&sql, "INSERT INTO %s (%s) VALUES (%s)", table, buf_get(&names).data,
		 buf_get(&values).data);
	if (sqlite3_exec(c->db, sql.data, NULL, NULL, NULL) != SQLITE_OK)
		compile_fault(c, row, sqlite3_errmsg(c->db), NULL);
}

void compile_table(struct compiler *c, const struct yaml_node *top)
{
	if (!fields_check(top, c->file, table_fields, COUNT(table_fields), c->faults))
		return;
	compile_check_name(c, top, "table");
	for (const struct yaml_node *n = yaml_find(top, "rows")->children; n; n = n->next) {
		take_row(c, top, n);
		if (strcmp(fields_text(top, "table"), "belief") == 0)
			compile_check_belief(c, n);
	}
	compile_sources(c, top, fields_text(top, "table"));
}
