#include "kb/view-columns.h"

void view_columns(struct buf *sql, struct span view)
{
	struct span line, word, name = { "", 0 };
	const char *between = " (";
	size_t comment;

	span_line(&view, &line);
	while (span_line(&view, &line) && !span_starts(line, "FROM ")) {
		comment = span_find(line, SPAN_LITERAL(" -- "));
		if (comment == SIZE_MAX)
			continue;
		line.len = comment;
		while (span_word(&line, &word))
			name = word;
		buf_addf(sql, "%s%.*s", between, (int)(name.len - span_ends(name, ",")), name.data);
		between = ", ";
	}
	buf_char(sql, ')');
}
