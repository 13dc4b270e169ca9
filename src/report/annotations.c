#include "report/annotations.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "report/markdown.h"

/* GitHub drops a summary of more than 1 MiB whole. */
#define SUMMARY_MAX (512 * 1024)

static const struct {
	enum page_mark mark;
	char letter; /* that a record begins with */
	const char *word;
} levels[] = {
	{ PAGE_PROBLEM, 'e', "error" },
	{ PAGE_WARNING, 'w', "warning" },
	{ PAGE_UNDECIDED, 'w', "warning" },
	{ PAGE_NOTE, 'n', "notice" },
};

/* ---- records: a letter, then title, file and lines, each behind a tab ---- */

static void add_field(struct buf *records, struct span text)
{
	buf_char(records, '\t');
	text_clean(records, text, false);
}

void annotations_add(struct buf *records, const struct annotation *a)
{
	struct span rest = span_of(a->says), line;

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (levels[i].mark == a->mark) {
			buf_char(records, levels[i].letter);
			add_field(records, span_of(a->title));
			add_field(records, span_of(a->file ? a->file : ""));
			while (span_line(&rest, &line))
				add_field(records, line);
			buf_char(records, '\n');
		}
}

static struct span next_field(struct span *rest)
{
	struct span field = { 0 };

	return span_cut(rest, '\t', &field) ? field : (struct span){ "", 0 };
}

/* ---- GitHub ---- */

/* "%" and line ends would end a command, and so would ":" and "," in a property. */
static void add_escaped(struct buf *out, struct span text, const char *also)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (c == '%' || c == '\r' || c == '\n' || strchr(also, c))
			buf_addf(out, "%%%02X", c);
		else
			buf_char(out, text.data[i]);
	}
}

/* ::error title=rocsteady targets,file=dist/a.whl::libfoo.so has no code for gfx1151. */
static void add_command(struct buf *out, const char *word, struct span rest)
{
	struct span title = next_field(&rest), file = next_field(&rest), line;
	const char *before = "";

	buf_addf(out, "::%s title=", word);
	add_escaped(out, title, ":,");
	if (file.len > 0) {
		buf_text(out, ",file=");
		add_escaped(out, file, ":,");
	}
	buf_text(out, "::");
	while (span_cut(&rest, '\t', &line)) {
		buf_text(out, before);
		add_escaped(out, line, "");
		before = "%0A";
	}
	buf_char(out, '\n');
}

/* - **error** `dist/a.whl` rocsteady targets<br>libfoo.so has no code for gfx1151. */
static void add_item(struct buf *out, const char *word, struct span rest, struct arena *a)
{
	struct span title = next_field(&rest), file = next_field(&rest), line;

	buf_addf(out, "- **%s** ", word);
	if (file.len > 0) {
		markdown_code(out, arena_text(a, file));
		buf_char(out, ' ');
	}
	markdown_plain(out, arena_text(a, title));
	while (span_cut(&rest, '\t', &line)) {
		buf_text(out, "<br>");
		markdown_plain(out, arena_text(a, line));
	}
	buf_char(out, '\n');
}

struct written {
	struct buf *commands, *summary;
	size_t count, unlisted;
	struct arena arena;
};

static void write_record(struct written *w, const char *word, struct span record)
{
	if (w->count++ < ANNOTATIONS_SHOWN)
		add_command(w->commands, word, record);
	if (w->summary->len < SUMMARY_MAX)
		add_item(w->summary, word, record, &w->arena);
	else
		w->unlisted++;
}

/* Of each letter once: two marks may have the same. */
size_t annotations_github(struct span records, struct buf *commands, struct buf *summary)
{
	struct written w = { .commands = commands, .summary = summary };

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		struct span rest = records, line, letter;

		if (i > 0 && levels[i].letter == levels[i - 1].letter)
			continue;
		while (span_line(&rest, &line))
			if (line.data[0] == levels[i].letter && span_cut(&line, '\t', &letter))
				write_record(&w, levels[i].word, line);
	}
	if (w.unlisted > 0)
		buf_addf(summary, "- and %zu more\n", w.unlisted);
	arena_done(&w.arena);
	return w.count > ANNOTATIONS_SHOWN ? w.count - ANNOTATIONS_SHOWN : 0;
}
