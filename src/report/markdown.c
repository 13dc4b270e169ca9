#include "report/markdown.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Within a word: gfx_0 needs no escape. */
static bool is_inside(const char *start, const char *at)
{
	return at > start && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
}

/* The last w of "www." where a tracker makes a link of it, in any case: at the start of a word. */
static bool ends_www(const char *start, const char *at)
{
	return at - start >= 2 && strncasecmp(at - 2, "www.", 4) == 0 &&
	       (at - start == 2 || !isalnum((unsigned char)at[-3]));
}

/*
 * Nobody's path becomes a tag, an emphasis, a table cell or a link. Behind @, #,
 * www and :// stands a space without width: trackers make mentions, references
 * and links of those after all escapes are gone.
 */
void markdown_plain(struct buf *out, const char *text)
{
	static const char marks[] = "\\`*[]|~";

	for (const char *p = text; *p; p++) {
		if (*p == '<' || *p == '>' || *p == '&')
			buf_text(out, *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : "&amp;");
		else if (strchr(marks, *p) || (*p == '_' && !is_inside(text, p)))
			buf_addf(out, "\\%c", *p);
		else if (*p == '@' || *p == '#' || strncmp(p, "://", 3) == 0 || ends_www(text, p))
			buf_addf(out, "%c&#8203;", *p);
		else
			buf_char(out, *p == '\n' ? ' ' : *p);
	}
}

/* As code: fenced by more backticks than it has in a row. */
void markdown_code(struct buf *out, const char *text)
{
	size_t longest = 0, run = 0;

	for (const char *p = text; *p; p++) {
		run = *p == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		buf_char(out, '`');
	buf_text(out, longest ? " " : "");
	for (; *text; text++) /* a bar would end the cell of a table, a line its row */
		buf_text(out, *text == '|'    ? "\\|"
			      : *text == '\n' ? " "
					      : (char[2]){ *text, '\0' });
	buf_text(out, longest ? " " : "");
	for (size_t i = 0; i <= longest; i++)
		buf_char(out, '`');
}
