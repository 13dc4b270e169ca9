#include "kb/cases.h"

#include <assert.h>
#include <string.h>

static const char *const kind_names[CASES_KINDS] = { "fires", "near-miss", "undecided" };

struct cases_reader {
	struct arena *arena;
	struct faults *faults;
	const char *file;
	bool workaround;
	unsigned int line;
	struct cases_block *block; /* open, or NULL */
	struct cases_block **tail;
	struct buf edits, log, states;
};

const char *cases_kind_name(enum cases_kind kind)
{
	assert(kind < CASES_KINDS);
	return kind_names[kind];
}

static void fault(struct cases_reader *r, const char *what, struct span which)
{
	faults_add(r->faults, r->file, r->line, "%s%s%.*s", what, which.len ? " " : "",
		   (int)which.len, which.data ? which.data : "");
}

/* `#` begins a comment at the start of a line or after a blank. */
static struct span without_comment(struct span line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.data[i] == '#' &&
		    (i == 0 || line.data[i - 1] == ' ' || line.data[i - 1] == '\t'))
			line.len = i;
	return span_trim(line);
}

static const char *take_text(struct cases_reader *r, struct buf *from)
{
	const char *text = arena_text(r->arena, buf_get(from));

	buf_clear(from);
	return text;
}

static void close_block(struct cases_reader *r)
{
	if (!r->block)
		return;
	if (!r->block->machine && r->log.len + r->states.len == 0)
		faults_add(r->faults, r->file, r->block->line,
			   "this block names no machine and no log");
	else if (r->block->machine && r->log.len + r->states.len > 0 && !r->workaround)
		faults_add(r->faults, r->file, r->block->line, "a machine or a log, not both");
	r->block->edits = take_text(r, &r->edits);
	if (!r->block->machine || r->workaround) {
		r->block->log = take_text(r, &r->log);
		r->block->states = take_text(r, &r->states);
	}
	buf_clear(&r->log);
	buf_clear(&r->states);
	*r->tail = r->block;
	r->tail = &r->block->next;
	r->block = NULL;
}

/* "/dev/kfd certain", "- likely" */
static void take_fires(struct cases_reader *r, struct span value)
{
	struct span subject, word;

	if (!span_word(&value, &subject) || !span_word(&value, &word) ||
	    (!span_is(word, "certain") && !span_is(word, "likely")) || span_trim(value).len > 0) {
		fault(r, "fires: a subject (or -), then certain or likely", SPAN_LITERAL(""));
		return;
	}
	if (!span_is(subject, "-"))
		r->block->subject = arena_text(r->arena, subject);
	r->block->certain = span_is(word, "certain");
}

static void open_block(struct cases_reader *r, enum cases_kind kind, struct span value)
{
	close_block(r);
	r->block = arena_alloc(r->arena, sizeof(*r->block));
	r->block->kind = kind;
	r->block->line = r->line;
	r->block->subject = "";
	if (kind == CASES_FIRES && r->workaround)
		r->block->subject = arena_text(r->arena, value);
	else if (kind == CASES_FIRES)
		take_fires(r, value);
	else if (value.len > 0)
		fault(r, "nothing is expected behind this", value);
}

/* A line of the snapshot. \t at its start, or a blank and a tab before it, make it one of a body. */
static void take_edit(struct cases_reader *r, struct span rest)
{
	struct span value = span_trim(rest);

	if (span_starts(rest, " \t")) {
		buf_char(&r->edits, '\t');
	} else if (span_starts(value, "\\t")) {
		buf_char(&r->edits, '\t');
		value.data += 2;
		value.len -= 2;
	}
	buf_span(&r->edits, value);
	buf_char(&r->edits, '\n');
}

static void take_line(struct cases_reader *r, struct span line)
{
	struct span rest = line, key;

	if (!span_cut(&rest, ':', &key) || key.len == line.len) {
		fault(r, "no key:", line);
		return;
	}
	for (int i = 0; i < CASES_KINDS; i++)
		if (span_is(key, kind_names[i])) {
			open_block(r, (enum cases_kind)i, without_comment(rest));
			return;
		}
	if (!r->block)
		fault(r, "a block begins with fires:, near-miss: or undecided:", SPAN_LITERAL(""));
	else if (span_is(key, "machine") && !r->block->machine && without_comment(rest).len > 0)
		r->block->machine = arena_text(r->arena, without_comment(rest));
	else if (span_is(key, "edit"))
		take_edit(r, rest);
	else if (span_is(key, "log"))
		buf_addf(&r->log, "%.*s\n", (int)span_trim(rest).len, span_trim(rest).data);
	else if (span_is(key, "state") && memchr(rest.data, '=', rest.len))
		buf_addf(&r->states, "%.*s\n", (int)span_trim(rest).len, span_trim(rest).data);
	else
		fault(r, "unknown, empty or second key", key);
}

struct cases_block *cases_parse(struct span text, const char *file, bool workaround,
				struct arena *arena, struct faults *faults)
{
	struct cases_block *list = NULL;
	struct cases_reader r = { .arena = arena,
				  .faults = faults,
				  .file = file,
				  .workaround = workaround,
				  .tail = &list };
	struct span line;

	while (span_line(&text, &line)) {
		struct span trimmed = span_trim(line);

		r.line++;
		if (trimmed.len == 0)
			close_block(&r);
		else if (trimmed.data[0] != '#')
			take_line(&r, trimmed);
	}
	close_block(&r);
	buf_done(&r.edits);
	buf_done(&r.log);
	buf_done(&r.states);
	return list;
}

void cases_check_kinds(const struct cases_block *list, const char *file, struct faults *faults)
{
	bool seen[CASES_KINDS] = { false };

	for (const struct cases_block *b = list; b; b = b->next)
		seen[b->kind] = true;
	for (int i = 0; i < CASES_KINDS; i++)
		if (!seen[i])
			faults_add(faults, file, 1, "no block %s:", kind_names[i]);
}
