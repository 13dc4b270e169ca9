#include "door/record.h"

#include <assert.h>
#include <string.h>

#include "base/base64.h"
#include "base/text.h"
#include "door/standing.h"

static const char *const kind_names[RECORD_KINDS] = {
	[RECORD_FILE] = "file",   [RECORD_DIR] = "dir", [RECORD_LINK] = "link",
	[RECORD_NODE] = "node",   [RECORD_ASK] = "ask", [RECORD_NOTE] = "note",
	[RECORD_FILES] = "files",
};

static const struct {
	const char *word;
	unsigned int flag;
} flag_words[] = {
	{ "noeol", RECORD_NOEOL },
	{ "base64", RECORD_BASE64 },
	{ "head", RECORD_HEAD },
	{ "excerpt", RECORD_EXCERPT },
};

static bool take_flag(struct record *r, struct span word)
{
	for (size_t i = 0; i < sizeof(flag_words) / sizeof(flag_words[0]); i++)
		if (span_is(word, flag_words[i].word)) {
			r->flags |= flag_words[i].flag;
			return true;
		}
	if (!span_starts(word, "!"))
		return false;
	r->error = standing_error((struct span){ word.data + 1, word.len - 1 });
	if (r->error == 0)
		r->error = -EIO;
	return true;
}

/* A link may point to a file called "head"; only a reason is a flag there. */
static bool may_be_flag(const struct record *r, struct span word)
{
	return r->kind != RECORD_LINK || word.data[0] == '!';
}

/*
 * The words after the kind. Of a question and of a note every word that is no
 * flag belongs to it; elsewhere the second one is the detail's beginning.
 */
static void take_words(struct record *r, struct span line)
{
	bool whole = r->kind == RECORD_ASK || r->kind == RECORD_NOTE;
	struct span *into = &r->path;
	struct span word;

	while (span_word(&line, &word)) {
		if (r->path.len > 0 && may_be_flag(r, word) && take_flag(r, word))
			continue;
		if (into->len == 0)
			*into = word;
		else
			into->len = (size_t)(word.data + word.len - into->data);
		if (!whole)
			into = &r->detail;
	}
}

int record_next(struct span *rest, struct record *ret)
{
	struct span line;
	struct span word;

	while (rest->len > 0) {
		struct record r = { .kind = RECORD_UNKNOWN };
		const char *start = rest->data;

		span_line(rest, &line);
		if (!span_word(&line, &word) || word.data[0] == '#' || start[0] == '\t')
			continue;
		for (enum record_kind kind = 0; kind < RECORD_KINDS; kind++)
			if (span_is(word, kind_names[kind]))
				r.kind = kind;
		take_words(&r, line);
		r.body = (struct span){ rest->data, 0 };
		while (rest->len > 0 && rest->data[0] == '\t')
			span_line(rest, &line);
		r.body.len = (size_t)(rest->data - r.body.data);
		r.raw = (struct span){ start, (size_t)(rest->data - start) };
		*ret = r;
		return 1;
	}
	return 0;
}

bool record_content(const struct record *r, struct buf *ret)
{
	struct span rest = r->body;
	struct span line;

	if (r->has_line) {
		buf_span(ret, r->line);
		buf_char(ret, '\n');
		return true;
	}
	while (span_line(&rest, &line)) {
		line.data++; /* the tab */
		line.len--;
		if (r->flags & RECORD_BASE64) {
			if (!base64_read(ret, line))
				return false;
			continue;
		}
		buf_span(ret, line);
		if (rest.len > 0 || !(r->flags & RECORD_NOEOL))
			buf_char(ret, '\n');
	}
	return true;
}

int record_file_next(struct span *rest, struct record *ret)
{
	struct span line;

	while (span_line(rest, &line)) {
		struct record r = { .kind = RECORD_FILE, .raw = line };

		line.data++; /* the tab */
		line.len--;
		if (!span_cut(&line, ' ', &r.path) || r.path.len == 0 || line.len == 0)
			continue;
		if (line.data[0] == '!')
			take_flag(&r, line);
		else
			r.line = line;
		r.has_line = !r.error;
		*ret = r;
		return 1;
	}
	return 0;
}

static void write_head(struct buf *out, enum record_kind kind, struct span path)
{
	buf_text(out, kind_names[kind]);
	buf_char(out, ' ');
	if (kind == RECORD_ASK || kind == RECORD_NOTE)
		text_clean(out, path, false);
	else
		text_word(out, path);
}

void record_write_content(struct buf *out, enum record_kind kind, struct span path,
			  unsigned int flags, struct span content)
{
	struct span line;

	assert(kind == RECORD_FILE || kind == RECORD_DIR || kind == RECORD_ASK);
	flags &= ~(unsigned int)(RECORD_NOEOL | RECORD_BASE64);
	if (!text_is_clean(content, true))
		flags |= RECORD_BASE64;
	else if (content.len > 0 && content.data[content.len - 1] != '\n')
		flags |= RECORD_NOEOL;

	write_head(out, kind, path);
	for (size_t i = 0; i < sizeof(flag_words) / sizeof(flag_words[0]); i++)
		if (flags & flag_words[i].flag) {
			buf_char(out, ' ');
			buf_text(out, flag_words[i].word);
		}
	buf_char(out, '\n');
	for (size_t i = 0; flags & RECORD_BASE64 && i < content.len; i += 57) { /* 76 columns */
		size_t n = content.len - i < 57 ? content.len - i : 57;

		buf_char(out, '\t');
		base64_write(out, (struct span){ content.data + i, n });
		buf_char(out, '\n');
	}
	if (flags & RECORD_BASE64)
		return;
	while (span_line(&content, &line)) {
		buf_char(out, '\t');
		buf_span(out, line);
		buf_char(out, '\n');
	}
}

void record_write_error(struct buf *out, enum record_kind kind, struct span path, int error)
{
	assert(error < 0 && kind <= RECORD_NOTE);
	write_head(out, kind, path);
	buf_addf(out, " !%s\n", standing_error_name(error));
}

void record_write_link(struct buf *out, struct span path, struct span target)
{
	write_head(out, RECORD_LINK, path);
	buf_char(out, ' ');
	if (span_starts(target, "!")) {
		buf_text(out, "\\x21");
		target.data++;
		target.len--;
	}
	text_word(out, target);
	buf_char(out, '\n');
}

void record_write_node(struct buf *out, struct span path, const char *attributes)
{
	write_head(out, RECORD_NODE, path);
	buf_addf(out, " %s\n", attributes);
}

bool record_is_line(const struct record *r)
{
	struct span rest = r->body;
	struct span line;

	if (r->kind != RECORD_FILE || r->flags)
		return false;
	if (r->error || r->has_line)
		return true;
	return span_line(&rest, &line) && rest.len == 0 && line.len > 1 && line.data[1] != '!';
}

void record_write_line(struct buf *out, struct span name, const struct record *r)
{
	struct span line = r->line;
	struct span rest = r->body;

	assert(record_is_line(r));
	if (!r->has_line && !r->error && span_line(&rest, &line))
		line = (struct span){ line.data + 1, line.len - 1 };
	buf_char(out, '\t');
	text_word(out, name);
	buf_char(out, ' ');
	if (r->error)
		buf_addf(out, "!%s", standing_error_name(r->error));
	else
		buf_span(out, line);
	buf_char(out, '\n');
}

void record_write(struct buf *out, const struct record *r, struct span path)
{
	struct buf content BUF_SCOPED = { 0 };

	if (r->kind != RECORD_FILE || r->raw.len == 0 || r->raw.data[0] != '\t') {
		buf_span(out, r->raw);
		if (r->raw.len > 0 && r->raw.data[r->raw.len - 1] != '\n')
			buf_char(out, '\n'); /* the text was cut there */
	} else if (r->error) {
		record_write_error(out, r->kind, path, r->error);
	} else {
		record_content(r, &content);
		record_write_content(out, r->kind, path, 0, buf_get(&content));
	}
}
