#include "base/table-write.h"

#include "check.h"

static const char *const cells[][3] = { { "a", "1", "" }, { "\xc3\xa4\xc3\xb6", "200", "" } };

static const char *written(bool drop, size_t width, size_t rows)
{
	static struct buf out;
	struct table_text t = { .drop_empty = drop };

	buf_clear(&out);
	buf_text(&out, "");
	table_column(&t, "name", false);
	table_column(&t, "n", true);
	table_column(&t, "none", false);
	for (size_t i = 0; i < rows; i++) {
		size_t row = table_row(&t);

		for (size_t c = 0; c < 3; c++)
			table_cell(&t, row, c, span_of(cells[i][c]));
	}
	table_write(&t, &out, width);
	table_done(&t);
	return out.data;
}

static void check_many(void)
{
	struct table_text t = { 0 };
	struct buf out BUF_SCOPED = { 0 };

	for (int c = 0; c < 100; c++)
		table_column(&t, "c", false);
	for (int i = 0; i < 1000; i++) {
		size_t row = table_row(&t);

		table_cell(&t, row, 99, SPAN_LITERAL("x"));
		CHECK(row == (size_t)i && t.cells[row * 100].len == 0);
	}
	CHECK(t.columns == 100);
	table_write(&t, &out, 0);
	CHECK(out.len > 1000 && out.data[out.len - 2] == 'x');
	table_done(&t);
	table_done(&t);
}

/* A value that is too long goes on below itself, at its blanks. */
static void check_wrapped(void)
{
	struct table_text t = { 0 };
	struct buf out BUF_SCOPED = { 0 };
	size_t row;

	table_column(&t, "file", false);
	table_column(&t, "targets", false);
	row = table_row(&t);
	table_cell(&t, row, 0, SPAN_LITERAL("/a/name/without/any/blank"));
	table_cell(&t, row, 1, SPAN_LITERAL("gfx906 gfx90a gfx1030 gfx1100"));
	table_write(&t, &out, 24);
	CHECK_TEXT(out.data, "file     /a/name/without/any/blank\n"
			     "targets  gfx906 gfx90a\n"
			     "         gfx1030 gfx1100\n");
	table_done(&t);
}

int main(void)
{
	check_wrapped();
	/* Two blanks between, none at the end; widths in letters and not in bytes. */
	CHECK_TEXT(written(false, 0, 2), "name    n  none\na       1\n\xc3\xa4\xc3\xb6    200\n");
	CHECK_TEXT(written(true, 0, 2), "name    n\na       1\n\xc3\xa4\xc3\xb6    200\n");
	CHECK_TEXT(written(false, 15, 2), written(false, 0, 2));
	/* Too narrow: a paragraph for each row, without what is empty. */
	CHECK_TEXT(written(false, 14, 2),
		   "name  a\nn     1\n\nname  \xc3\xa4\xc3\xb6\nn     200\n");
	CHECK_TEXT(written(false, 0, 0), "name  n  none\n");
	check_many();
	return check_end();
}
