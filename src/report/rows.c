#include "report/rows.h"

#include <string.h>

#include "base/table-write.h"
#include "base/text.h"
#include "facts/column.h"
#include "facts/select.h"

sqlite3_stmt *rows_ask(struct facts *f, const char *sql)
{
	return select_from(facts_db(f), sql);
}

static bool is_number(int type)
{
	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void add_row(sqlite3_stmt *stmt, struct table_text *t)
{
	size_t row = table_row(t);

	for (size_t c = 0; c < t->columns; c++) {
		struct buf clean BUF_SCOPED = { 0 };
		struct span text = column_span(stmt, (int)c);

		if (row == 0)
			t->right[c] = is_number(sqlite3_column_type(stmt, (int)c));
		text_clean(&clean, text, false); /* a query can make bytes that no table holds */
		table_cell(t, row, c, buf_get(&clean));
	}
}

void rows_text(sqlite3_stmt *stmt, struct buf *ret, size_t width)
{
	struct table_text t = { 0 };

	for (int c = 0; c < sqlite3_column_count(stmt); c++) {
		struct buf name BUF_SCOPED = { 0 };

		text_clean(&name, span_of(sqlite3_column_name(stmt, c)), false);
		table_column(&t, name.data ? name.data : "", false);
	}
	while (select_next(stmt))
		add_row(stmt, &t);
	if (t.rows > 0)
		table_write(&t, ret, width);
	table_done(&t);
}

static void write_value(sqlite3_stmt *stmt, int c, struct json *j)
{
	const char *name = sqlite3_column_name(stmt, c);

	switch (sqlite3_column_type(stmt, c)) {
	case SQLITE_INTEGER:
		json_int(j, name, sqlite3_column_int64(stmt, c));
		break;
	case SQLITE_FLOAT:
		json_real(j, name, sqlite3_column_double(stmt, c));
		break;
	case SQLITE_NULL:
		json_null(j, name);
		break;
	default:
		json_text(j, name, column_span(stmt, c));
	}
}

static void write_object(sqlite3_stmt *stmt, struct json *j, const char *key)
{
	if (key)
		json_open(j, key, '{');
	else
		json_open_row(j);
	for (int c = 0; c < sqlite3_column_count(stmt); c++)
		write_value(stmt, c, j);
	if (key)
		json_close(j, '}');
	else
		json_close_row(j);
}

void rows_write(sqlite3_stmt *stmt, struct json *j, const char *key, bool only_one)
{
	if (only_one) {
		if (select_next(stmt))
			write_object(stmt, j, key);
		else
			json_null(j, key);
		return;
	}
	json_open(j, key, '[');
	while (select_next(stmt))
		write_object(stmt, j, NULL);
	json_close(j, ']');
}

void rows_json(sqlite3_stmt *stmt, struct buf *ret)
{
	struct json j = json_on(ret);

	rows_write(stmt, &j, NULL, false);
}

void rows_json_lines(sqlite3_stmt *stmt, struct buf *ret)
{
	while (select_next(stmt)) {
		struct json j = json_on(ret);

		write_object(stmt, &j, NULL);
	}
}

/* ---- CSV ---- */

/* RFC 4180: quotes where a comma, a quote or a line end stands, and doubled inside. */
static void add_field(struct buf *ret, struct span text, bool quoted)
{
	struct buf clean BUF_SCOPED = { 0 };

	text_clean(&clean, text, true); /* a query can make bytes that no table holds */
	quoted = quoted || (clean.data && strpbrk(clean.data, ",\"\n"));
	if (!quoted) {
		buf_span(ret, buf_get(&clean));
		return;
	}
	buf_char(ret, '"');
	for (size_t i = 0; i < clean.len; i++) {
		buf_text(ret, clean.data[i] == '"' ? "\"" : "");
		buf_char(ret, clean.data[i]);
	}
	buf_char(ret, '"');
}

/* A spreadsheet runs a text that begins so as a formula; behind an apostrophe it is one that is shown. */
static bool is_formula(sqlite3_stmt *stmt, int c, struct span text)
{
	return sqlite3_column_type(stmt, c) == SQLITE_TEXT && text.data && text.len > 0 &&
	       text.data[0] != '\0' && strchr("=+-@\t\r", text.data[0]);
}

static void add_column(struct buf *ret, sqlite3_stmt *stmt, int c)
{
	struct span text = column_span(stmt, c);
	struct buf shown BUF_SCOPED = { 0 };

	if (is_formula(stmt, c, text)) {
		buf_char(&shown, '\'');
		buf_span(&shown, text);
		text = buf_get(&shown);
	}
	add_field(ret, text, text.len == 0 && sqlite3_column_type(stmt, c) != SQLITE_NULL);
}

void rows_csv(sqlite3_stmt *stmt, struct buf *ret)
{
	int columns = sqlite3_column_count(stmt);

	for (int c = 0; c < columns; c++) {
		buf_text(ret, c > 0 ? "," : "");
		add_field(ret, span_of(sqlite3_column_name(stmt, c)), false);
	}
	buf_text(ret, "\r\n");
	while (select_next(stmt)) {
		for (int c = 0; c < columns; c++) {
			buf_text(ret, c > 0 ? "," : "");
			add_column(ret, stmt, c);
		}
		buf_text(ret, "\r\n");
	}
}
