#include "door/record.h"

#include <errno.h>

#include "check-span.h"
#include "door/standing.h"

static const struct {
	const char *why;
	const char *text;
	enum record_kind kind;
	const char *path;
	const char *detail;
	unsigned int flags;
	int error;
	const char *content; /* NULL: malformed */
} cases[] = {
	{ "a file", "file /a\n\t1\n\t2\n", RECORD_FILE, "/a", "", 0, 0, "1\n2\n" },
	{ "an empty file", "file /a\n", RECORD_FILE, "/a", "", 0, 0, "" },
	{ "an empty line", "file /a\n\t\n", RECORD_FILE, "/a", "", 0, 0, "\n" },
	{ "no newline at the end", "file /a noeol\n\t1\n\t2\n", RECORD_FILE, "/a", "", RECORD_NOEOL,
	  0, "1\n2" },
	{ "a tab in the text is not the first one", "file /a\n\t\tx\n", RECORD_FILE, "/a", "", 0, 0,
	  "\tx\n" },
	{ "base64, line by line", "file /a base64\n\tAA==\n\tAQI=\n", RECORD_FILE, "/a", "",
	  RECORD_BASE64, 0, "\0\1\2" },
	{ "damaged base64", "file /a base64\n\tA!==\n", RECORD_FILE, "/a", "", RECORD_BASE64, 0,
	  NULL },
	{ "a group cut short", "file /a base64\n\tAAA\n", RECORD_FILE, "/a", "", RECORD_BASE64, 0,
	  NULL },
	{ "two flags and one of a later version", "file /a head future excerpt\n", RECORD_FILE,
	  "/a", "future", RECORD_HEAD | RECORD_EXCERPT, 0, "" },
	{ "a refusal", "file /a !EACCES\n", RECORD_FILE, "/a", "", 0, -EACCES, "" },
	{ "a stall", "dir /a !STUCK\n", RECORD_DIR, "/a", "", 0, DOOR_STUCK, "" },
	{ "an error that we do not know", "file /a !EWHAT\n", RECORD_FILE, "/a", "", 0, -EIO, "" },
	{ "a question is all its words", "ask open /dev/kfd !EPERM\n", RECORD_ASK, "open /dev/kfd",
	  "", 0, -EPERM, "" },
	{ "a question with an answer", "ask pcie 0000:03:00.0\n\tport 4\n", RECORD_ASK,
	  "pcie 0000:03:00.0", "", 0, 0, "port 4\n" },
	{ "a note", "note left-out 3 records: brief\n", RECORD_NOTE, "left-out 3 records: brief",
	  "", 0, 0, "" },
	{ "a link", "link /a ../b\n", RECORD_LINK, "/a", "../b", 0, 0, "" },
	{ "a link to a file called head", "link /a head\n", RECORD_LINK, "/a", "head", 0, 0, "" },
	{ "a link that could not be read", "link /a !EACCES\n", RECORD_LINK, "/a", "", 0, -EACCES,
	  "" },
	{ "a node", "node /dev/kfd char 0660 0:992 235:0\n", RECORD_NODE, "/dev/kfd",
	  "char 0660 0:992 235:0", 0, 0, "" },
	{ "a later version's kind, with its body", "quux /a\n\tx\n", RECORD_UNKNOWN, "/a", "", 0, 0,
	  "x\n" },
	{ "cut in the middle of a line", "file /a noeol\n\tx", RECORD_FILE, "/a", "", RECORD_NOEOL,
	  0, "x" },
	{ "a tab alone at the end", "file /a\n\t", RECORD_FILE, "/a", "", 0, 0, "\n" },
	{ "no path at all", "file\n", RECORD_FILE, "", "", 0, 0, "" },
	{ "behind comments, blanks and a stray body", "# x\n\n\tx\n   \nfile /a\n", RECORD_FILE,
	  "/a", "", 0, 0, "" },
	{ "many blanks", "file   /a    noeol\n\tx\n", RECORD_FILE, "/a", "", RECORD_NOEOL, 0, "x" },
};

static void check_reading(void)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct buf content BUF_SCOPED = { 0 };
		struct span rest = span_of(cases[i].text);
		struct record r;

		if (!ROW_CHECK(record_next(&rest, &r) == 1, cases[i].why))
			continue;
		ROW_CHECK(r.kind == cases[i].kind && r.flags == cases[i].flags &&
				  r.error == cases[i].error,
			  cases[i].why);
		ROW_SPAN(r.path, cases[i].path, cases[i].why);
		ROW_SPAN(r.detail, cases[i].detail, cases[i].why);
		ROW_CHECK(record_content(&r, &content) == (cases[i].content != NULL), cases[i].why);
		if (cases[i].flags & RECORD_BASE64 && cases[i].content)
			ROW_CHECK(content.len == 3 &&
					  memcmp(content.data, cases[i].content, 3) == 0,
				  cases[i].why);
		else if (cases[i].content)
			ROW_SPAN(buf_get(&content), cases[i].content, cases[i].why);
		ROW_CHECK(record_next(&rest, &r) == 0, cases[i].why);
	}
}

static void check_a_body_ends(void)
{
	struct span rest = span_of("file /a\n\t1\n\nfile /b\n\t2\n# c\n\t3\nfile /c\n");
	struct record r;

	CHECK(record_next(&rest, &r) == 1);
	CHECK_SPAN(r.raw, "file /a\n\t1\n");
	CHECK(record_next(&rest, &r) == 1);
	CHECK_SPAN(r.raw,
		   "file /b\n\t2\n"); /* the comment ends it, what follows belongs to nobody */
	CHECK(record_next(&rest, &r) == 1);
	CHECK_SPAN(r.path, "/c");
	CHECK(record_next(&rest, &r) == 0);
	rest = (struct span){ NULL, 0 };
	CHECK(record_next(&rest, &r) == 0);
}

/* Written and read again: the same bytes, whatever they are. */
static void check_writing(void)
{
	const struct {
		struct span content;
		const char *text;
	} rows[] = {
		{ SPAN_LITERAL("1\n2\n"), "file /a\\x20b\n\t1\n\t2\n" },
		{ SPAN_LITERAL("1"), "file /a\\x20b noeol\n\t1\n" },
		{ SPAN_LITERAL(""), "file /a\\x20b\n" },
		{ SPAN_LITERAL("\n"), "file /a\\x20b\n\t\n" },
		{ SPAN_LITERAL("a\n\n"), "file /a\\x20b\n\ta\n\t\n" },
		{ SPAN_LITERAL("a\r\n"), "file /a\\x20b base64\n\tYQ0K\n" },
		{ SPAN_LITERAL("\0"), "file /a\\x20b base64\n\tAA==\n" },
		{ SPAN_LITERAL("\033[31m"), "file /a\\x20b base64\n\tG1szMW0=\n" },
		{ SPAN_LITERAL("\xff"), "file /a\\x20b base64\n\t/w==\n" },
		{ SPAN_LITERAL("\xc3\xa4\n"), "file /a\\x20b\n\t\xc3\xa4\n" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf text BUF_SCOPED = { 0 };
		struct buf content BUF_SCOPED = { 0 };
		struct record r;
		struct span rest;

		record_write_content(&text, RECORD_FILE, SPAN_LITERAL("/a b"), 0, rows[i].content);
		CHECK_TEXT(text.data, rows[i].text);
		rest = buf_get(&text);
		CHECK(record_next(&rest, &r) == 1 && record_content(&r, &content));
		CHECK(content.len == rows[i].content.len &&
		      memcmp(buf_get(&content).data, rows[i].content.data, content.len) == 0);
	}
}

static void check_other_writers(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest;
	struct record r;

	record_write_link(&text, SPAN_LITERAL("/a"),
			  SPAN_LITERAL("!EACCES")); /* a file may be called so */
	record_write_link(&text, SPAN_LITERAL("/b"), SPAN_LITERAL("c d"));
	record_write_error(&text, RECORD_ASK, SPAN_LITERAL("open /dev/kfd"), DOOR_ASLEEP);
	record_write_node(&text, SPAN_LITERAL("/dev/kfd"), "char 0660 0:1 2:3");
	CHECK_TEXT(text.data, "link /a \\x21EACCES\nlink /b c\\x20d\nask open /dev/kfd !ASLEEP\n"
			      "node /dev/kfd char 0660 0:1 2:3\n");
	rest = buf_get(&text);
	CHECK(record_next(&rest, &r) == 1 && r.error == 0);
	CHECK_SPAN(r.detail, "\\x21EACCES");
}

static void check_files(void)
{
	struct span rest = span_of(
		"\tinitstate live\n\tversion !ENOENT\n\todd\\x20name a  b \n\tnothing\n\t x\n\tlast !EWHAT");
	struct buf content BUF_SCOPED = { 0 };
	struct record r;

	CHECK(record_file_next(&rest, &r) == 1 && r.kind == RECORD_FILE && r.error == 0);
	CHECK_SPAN(r.path, "initstate");
	CHECK(record_content(&r, &content));
	CHECK_TEXT(content.data, "live\n");
	CHECK(record_file_next(&rest, &r) == 1 && r.error == -ENOENT);
	CHECK_SPAN(r.path, "version");
	CHECK(record_file_next(&rest, &r) == 1);
	CHECK_SPAN(r.path, "odd\\x20name");
	CHECK_SPAN(r.line, "a  b ");
	CHECK(record_file_next(&rest, &r) ==
	      1); /* a name without a line, and no name, are nothing */
	CHECK_SPAN(r.path, "last");
	CHECK_INT(r.error, -EIO);
	CHECK(record_file_next(&rest, &r) == 0);
}

static void check_lines(void)
{
	static const struct {
		const char *text;
		bool line;
		const char *written;
	} rows[] = {
		{ "file /d/a\n\tx y\n", true, "\ta x y\n" },
		{ "file /d/a !EACCES\n", true, "\ta !EACCES\n" },
		{ "file /d/a\n\tcut", true, "\ta cut\n" },
		{ "file /d/a\n\tx\n\ty\n", false, NULL },
		{ "file /d/a\n", false, NULL },
		{ "file /d/a\n\t\n", false, NULL },
		{ "file /d/a noeol\n\tx\n", false, NULL },
		{ "file /d/a\n\t!x\n", false, NULL }, /* would read as a refusal */
		{ "dir /d/a\n\tx\n", false, NULL },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf out BUF_SCOPED = { 0 };
		struct span rest = span_of(rows[i].text);
		struct record r;

		CHECK(record_next(&rest, &r) == 1);
		ROW_CHECK(record_is_line(&r) == rows[i].line, rows[i].text);
		if (!rows[i].line)
			continue;
		record_write_line(&out, SPAN_LITERAL("a"), &r);
		CHECK_TEXT(out.data, rows[i].written);
	}
}

int main(void)
{
	check_reading();
	check_a_body_ends();
	check_writing();
	check_other_writers();
	check_files();
	check_lines();
	return check_end();
}
