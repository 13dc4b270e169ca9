#include "explain/component.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/text.h"
#include "explain/origin.h"
#include "explain/printed.h"
#include "facts/column.h"
#include "facts/select.h"
#include "scan/marks.h"

/* ---- head ---- */

/*
 * Which software a line says it comes from.
 *
 * Loggers write a head before each text ("MIOpen(HIP): Error [...]"), and a
 * traceback ends in a file of the package that raises. data/components.tsv has
 * both, by the names that kb.component has.
 */

extern const char data_components[];

/* The component of a line, or of a traceback's last place; NULL: it names none, or there is no text. */
static const char *head_find(struct arena *arena, const char *text)
{
	struct marks *m = text ? marks_new(span_of(data_components), NULL) : NULL;
	const struct marks_row *row = m ? marks_find(m, span_of(text)) : NULL;
	const char *name = row ? arena_text(arena, row->kind) : NULL;

	marks_free(m);
	return name;
}

/* ---- component ---- */

#define CODE_MIN 8 /* the shortest code has more bytes */

struct status {
	const char *code, *text, *component, *address;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The next identifier of a line. */
static bool next_word(struct span *line, struct span *ret)
{
	size_t from = 0, end;

	while (from < line->len && !is_word(line->data[from]))
		from++;
	end = from;
	while (end < line->len && is_word(line->data[end]))
		end++;
	*ret = (struct span){ line->data + from, end - from };
	*line = (struct span){ line->data + end, line->len - end };
	return ret->len > 0;
}

static struct status copy_status(sqlite3_stmt *stmt, struct arena *arena)
{
	return (struct status){
		.code = column_copy(stmt, 0, arena),
		.text = column_copy(stmt, 1, arena),
		.component = column_copy(stmt, 2, arena),
		.address = column_copy(stmt, 3, arena),
	};
}

static bool by_code(sqlite3 *db, struct arena *arena, struct span line, struct status *ret)
{
	sqlite3_stmt *stmt = select_kept(db, "SELECT s.code, s.text, c.name, c.address"
					     " FROM kb.status_code s"
					     " JOIN kb.component c ON c.name = s.component"
					     " WHERE s.code = ?1");
	bool found = false;
	struct span word;

	while (!found && next_word(&line, &word)) {
		if (word.len < CODE_MIN)
			continue;
		sqlite3_bind_text(stmt, 1, word.data, (int)word.len, SQLITE_STATIC);
		found = select_next(stmt);
		if (found)
			*ret = copy_status(stmt, arena);
		sqlite3_reset(stmt);
	}
	select_done(stmt);
	return found;
}

/* Whole words only: "out of memory" is not in "run out of memorymaps". */
static bool has_text(struct span line, struct span text)
{
	for (size_t i = 0; text.len > 0 && i + text.len <= line.len; i++)
		if (memcmp(line.data + i, text.data, text.len) == 0 &&
		    (i == 0 || !is_word(line.data[i - 1])) &&
		    (i + text.len == line.len || !is_word(line.data[i + text.len]) ||
		     !is_word(text.data[text.len - 1])))
			return true;
	return false;
}

static bool same_word(struct span a, struct span b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (tolower((unsigned char)a.data[i]) != b.data[i])
			return false;
	return true;
}

/* /opt/rocm/bin, rocm/pytorch and rocm-smi.py only have its name in them. */
static bool stands_apart(struct span line, struct span word)
{
	size_t from = (size_t)(word.data - line.data), end = from + word.len;

	return (from == 0 || !strchr("/.-", line.data[from - 1])) &&
	       (end == line.len || !strchr("/.-", line.data[end]));
}

/* Whether the line names the component by one of these words. */
static bool is_named(struct span line, struct span words)
{
	struct span name, word;

	while (span_word(&words, &name)) {
		struct span rest = line;

		while (next_word(&rest, &word))
			if (same_word(word, name) && stands_apart(line, word))
				return true;
	}
	return false;
}

/* The longest text that stands in the line. */
static bool by_text(sqlite3 *db, struct arena *arena, struct span line, struct status *ret)
{
	sqlite3_stmt *stmt = select_kept(db, "SELECT s.code, s.text, c.name, c.address, c.words"
					     " FROM kb.status_code s"
					     " JOIN kb.component c ON c.name = s.component"
					     " WHERE instr(?1, s.text) > 0"
					     " ORDER BY length(s.text) DESC, s.code");
	bool found = false;

	sqlite3_bind_text(stmt, 1, line.data, (int)line.len, SQLITE_STATIC);
	while (!found && select_next(stmt)) {
		struct span text = span_of(column_text(stmt, 1));

		if (!has_text(line, text) || !is_named(line, span_of(column_text(stmt, 4))))
			continue;
		*ret = copy_status(stmt, arena);
		found = true;
	}
	select_done(stmt);
	return found;
}

static void say_status(struct arena *arena, const struct status *status, struct failure *told)
{
	origin_say(
		arena, "status-code", status->address,
		arena_format(arena, "%s: %s (%s)", status->component, status->text, status->code),
		told);
	told->component = status->component;
}

static void add_if(struct buf *out, const char *before, const char *text)
{
	if (text && text[0])
		buf_addf(out, "%s%s", before, text);
}

/* RCCL (src/transport/p2p.cc, since rocm-6.2.2), where it is an error */
static void say_printed(struct arena *arena, const struct printed *printed, struct failure *told)
{
	struct buf name BUF_SCOPED = { 0 };

	buf_addf(&name, "%s (%s", printed->component, printed->path);
	add_if(&name, ", since ", printed->since);
	add_if(&name, ", up to ", printed->until);
	buf_addf(&name, "), where it is %s", printed->is_error ? "an error" : "a warning");
	add_if(&name, "; called from ", told->place);
	origin_say(arena, arena_format(arena, "printed-%s", printed->handled), printed->address,
		   name.data, told);
	told->component = printed->component;
}

/* Of a traceback with frames only what has none can be another's: Python's own files would be there. */
static bool by_printed(sqlite3 *db, struct arena *arena, const struct failure *from,
		       struct printed *ret)
{
	const char *const lines[] = { from->last.text, from->first.text, from->closing.text };
	enum printed_from which = from->place ? PRINTED_NATIVE : PRINTED_ANY;
	bool found = false;

	for (size_t i = 0; from->is_vague && !found && i < COUNT(lines); i++)
		found = printed_find(db, arena, span_of(lines[i]), which, ret);
	return found;
}

/* Its name alone, if that is more than is told already. */
static void say_head(sqlite3 *db, struct arena *arena, const char *name, struct failure *told)
{
	sqlite3_stmt *stmt = select_kept(db, "SELECT name, address, coalesce(handled, 'rocm')"
					     " FROM kb.component WHERE name = ?1");

	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (select_next(stmt)) {
		if (told->is_vague)
			origin_say(arena, arena_format(arena, "printed-%s", column_text(stmt, 2)),
				   column_copy(stmt, 1, arena), name, told);
		told->component = column_copy(stmt, 0, arena);
	}
	select_done(stmt);
}

/* What stands in the line tells more than who wrote it, unless another wrote it. */
static void find_printer(sqlite3 *db, struct arena *arena, struct failure *told)
{
	const char *head = head_find(arena, told->last.text);
	struct printed printed;

	if (by_printed(db, arena, told, &printed) &&
	    (!head || strcmp(head, printed.component) == 0)) {
		say_printed(arena, &printed, told);
		return;
	}
	if (!head && !told->is_clear)
		head = head_find(arena, told->place);
	if (head)
		say_head(db, arena, head, told);
}

/* The text of a status, unless the line says that another library writes it. */
static bool by_own_text(sqlite3 *db, struct arena *arena, struct span line, struct status *ret)
{
	const char *head;

	if (!by_text(db, arena, line, ret))
		return false;
	head = head_find(arena, line.data);
	return !head || strcmp(head, ret->component) == 0;
}

int component_find(sqlite3 *db, struct arena *arena, const struct failure *from,
		   struct failure *ret)
{
	struct span line = span_of(from->last.text ? from->last.text : "");
	struct failure told = *from;
	struct status status;

	if (by_code(db, arena, line, &status) ||
	    (!from->is_clear && by_own_text(db, arena, line, &status)))
		say_status(arena, &status, &told);
	else
		find_printer(db, arena, &told);
	if (select_error() || !told.component)
		return select_error() ? -EIO : 0;
	*ret = told;
	return 1;
}

/* The last line is an error of its source: the text fails. */
static void fail_with(struct arena *arena, const struct printed *printed, struct failure *told)
{
	told->counts = true;
	told->first = told->last = told->closing;
	told->begins = told->closing.line;
	say_printed(arena, printed, told);
}

int component_of_closing(sqlite3 *db, struct arena *arena, const struct failure *from,
			 struct failure *ret)
{
	struct failure told = *from;
	struct printed printed;
	bool found = printed_find(db, arena, span_of(from->closing.text), PRINTED_ANY, &printed);

	if (found && printed.is_error)
		fail_with(arena, &printed, &told);
	else
		told.component = head_find(arena, from->closing.text);
	if (select_error() || !told.component)
		return select_error() ? -EIO : 0;
	*ret = told;
	return 1;
}
