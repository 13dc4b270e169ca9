#include "base/table-write.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void table_column(struct table_text *t, const char *name, bool right)
{
	assert(t->rows == 0); /* rows have as many cells as there were columns */
	if (t->columns == TABLE_COLUMNS_MAX)
		return;
	t->right[t->columns] = right;
	t->names[t->columns++] = arena_text(&t->arena, span_of(name));
}

size_t table_row(struct table_text *t)
{
	if ((t->rows + 1) * t->columns > t->cap) {
		t->cap = t->cap ? t->cap * 2 : 16 * (t->columns + 1);
		t->cells = realloc(t->cells, t->cap * sizeof(*t->cells));
		if (!t->cells)
			memory_out();
	}
	memset(t->cells + t->rows * t->columns, 0, t->columns * sizeof(*t->cells));
	return t->rows++;
}

void table_cell(struct table_text *t, size_t row, size_t column, struct span text)
{
	assert(row < t->rows && column < t->columns);
	t->cells[row * t->columns + column] = arena_span(&t->arena, text);
}

static void pad(struct buf *out, size_t n)
{
	while (n-- > 0)
		buf_char(out, ' ');
}

static void write_cell(const struct table_text *t, struct buf *out, size_t column, struct span text,
		       size_t width)
{
	size_t blanks = width - text_width(text);

	if (width == 0)
		return;
	if (t->right[column])
		pad(out, blanks);
	buf_span(out, text);
	if (!t->right[column] && column + 1 < t->columns)
		pad(out, blanks);
	if (column + 1 < t->columns)
		buf_text(out, "  ");
}

static void end_line(struct buf *out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->len--;
	buf_char(out, '\n');
}

/* Words that do not fit the line any more stand below the first; none is broken. */
static void write_words(struct buf *out, struct span text, size_t indent, size_t limit)
{
	size_t at = indent;
	struct span word;
	bool first = true;

	if (indent + text_width(text) <= limit) {
		buf_span(out, text);
		return;
	}
	while (span_word(&text, &word)) {
		size_t n = text_width(word);

		if (!first && at + 1 + n > limit) {
			buf_char(out, '\n');
			pad(out, indent);
			at = indent;
		} else if (!first) {
			buf_char(out, ' ');
			at++;
		}
		buf_span(out, word);
		at += n;
		first = false;
	}
}

static void write_paragraphs(const struct table_text *t, struct buf *out, size_t limit)
{
	size_t width = 0;

	for (size_t c = 0; c < t->columns; c++) {
		size_t n = text_width(span_of(t->names[c]));

		width = n > width ? n : width;
	}
	for (size_t row = 0; row < t->rows; row++) {
		if (row > 0)
			buf_char(out, '\n');
		for (size_t c = 0; c < t->columns; c++) {
			struct span text = t->cells[row * t->columns + c];

			if (text.len == 0)
				continue;
			buf_text(out, t->names[c]);
			pad(out, width - text_width(span_of(t->names[c])) + 2);
			write_words(out, text, width + 2, limit);
			buf_char(out, '\n');
		}
	}
}

void table_write(struct table_text *t, struct buf *out, size_t width)
{
	size_t widths[TABLE_COLUMNS_MAX];
	size_t total = 0;

	for (size_t c = 0; c < t->columns; c++) {
		size_t name = text_width(span_of(t->names[c]));

		widths[c] = t->drop_empty ? 0 : name;
		for (size_t row = 0; row < t->rows; row++) {
			size_t cell = text_width(t->cells[row * t->columns + c]);

			widths[c] = cell > widths[c] ? cell : widths[c];
		}
		if (widths[c] > 0 && widths[c] < name)
			widths[c] = name;
		total += widths[c] + (c > 0 ? 2 : 0);
	}
	if (width > 0 && total > width) {
		write_paragraphs(t, out, width);
		return;
	}
	for (size_t c = 0; c < t->columns; c++)
		write_cell(t, out, c, span_of(widths[c] ? t->names[c] : ""), widths[c]);
	end_line(out);
	for (size_t row = 0; row < t->rows; row++) {
		for (size_t c = 0; c < t->columns; c++)
			write_cell(t, out, c, t->cells[row * t->columns + c], widths[c]);
		end_line(out);
	}
}

void table_done(struct table_text *t)
{
	free(t->cells);
	arena_done(&t->arena);
	*t = (struct table_text){ 0 };
}
