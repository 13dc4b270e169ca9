#include "explain/printed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sha256.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/printable.h"

/*
 * The oldest revision of a component says nothing about when a text was new, nor the newest about
 * when it went.
 */
static const char found_sql[] =
	"WITH edge AS (SELECT component, min(id) AS oldest, max(id) AS newest"
	"  FROM kb.printable_tree GROUP BY component)"
	" SELECT c.name, c.address, coalesce(c.handled, 'rocm'), f.path, p.is_error,"
	" (SELECT revision FROM kb.printable_tree WHERE id = p.first AND id > e.oldest),"
	" (SELECT revision FROM kb.printable_tree WHERE id = p.last AND id < e.newest)"
	" FROM kb.printable p JOIN kb.printable_file f ON f.id = p.file"
	" JOIN kb.component c ON c.name = f.component JOIN edge e ON e.component = f.component"
	" WHERE p.digest = ?1 AND (?2 = 0 OR f.path NOT LIKE '%.py')";

/* The upper bits of a SHA-256. */
static int64_t bits_of(struct span bytes, unsigned int count)
{
	struct sha256 s;
	char hex[SHA256_HEX];

	sha256_init(&s);
	sha256_add(&s, bytes);
	sha256_end(&s, hex);
	hex[16] = '\0';
	return (int64_t)(strtoull(hex, NULL, 16) >> (64 - count));
}

/* Blanks and tabs in a row count as one blank, as they do in the table. */
static void squeeze(struct span line, struct buf *ret)
{
	for (size_t i = 0; i < line.len; i++) {
		bool blank = isspace((unsigned char)line.data[i]);

		if (!blank)
			buf_char(ret, line.data[i]);
		else if (ret->len > 0 && ret->data[ret->len - 1] != ' ')
			buf_char(ret, ' ');
	}
}

/* Whether the text behind a digest stands at the beginning of `rest`. */
static bool stands(struct span rest, int64_t digest, int64_t length)
{
	if (length < PRINTABLE_MIN || length > PRINTABLE_MAX || (uint64_t)length > rest.len)
		return false;
	rest.len = (size_t)length;
	return bits_of(rest, PRINTABLE_WHOLE) == (digest & (((int64_t)1 << PRINTABLE_WHOLE) - 1));
}

struct hit {
	int64_t digest, length; /* 0: none */
};

/* Whether only a head stands before: "Error: ", "  what():  ", "[rank0] ", "msg=\"". */
static bool begins_saying(struct span line, size_t at)
{
	while (at > 0 && line.data[at - 1] == ' ')
		at--;
	return at == 0 || strchr(":]|\"", line.data[at - 1]);
}

/* The longest text that stands at `at`. */
static void look(sqlite3_stmt *alike, struct span line, size_t at, struct hit *ret)
{
	struct span rest = { line.data + at, line.len - at };
	int64_t start = bits_of((struct span){ rest.data, PRINTABLE_MIN }, PRINTABLE_START);

	sqlite3_bind_int64(alike, 1, start << PRINTABLE_WHOLE);
	sqlite3_bind_int64(alike, 2, ((start + 1) << PRINTABLE_WHOLE) - 1);
	while (select_next(alike)) {
		int64_t length = sqlite3_column_int64(alike, 1);
		bool alone = length & PRINTABLE_ALONE;
		struct hit h = { sqlite3_column_int64(alike, 0), length & ~PRINTABLE_ALONE };

		if (h.length > ret->length && stands(rest, h.digest, h.length) &&
		    (!alone || begins_saying(line, at)))
			*ret = h;
	}
	sqlite3_reset(alike);
}

static bool begins_word(struct span line, size_t at)
{
	return (isalnum((unsigned char)line.data[at]) || line.data[at] == '_') &&
	       !span_inside_word(line, at);
}

static struct hit find_longest(sqlite3 *db, struct span line)
{
	sqlite3_stmt *alike =
		select_kept(db, "SELECT digest, length FROM kb.printable"
				" WHERE digest BETWEEN ?1 AND ?2 LIMIT " PRINTABLE_ALIKE);
	struct hit best = { 0 };

	for (size_t i = 0; i + PRINTABLE_MIN <= line.len; i++)
		if (begins_word(line, i))
			look(alike, line, i, &best);
	select_done(alike);
	return best;
}

bool printed_find(sqlite3 *db, struct arena *arena, struct span line, enum printed_from from,
		  struct printed *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	sqlite3_stmt *stmt;
	struct hit hit;
	bool found;

	squeeze(line, &text);
	hit = find_longest(db, buf_get(&text));
	if (hit.length == 0)
		return false;
	stmt = select_kept(db, found_sql);
	sqlite3_bind_int64(stmt, 1, hit.digest);
	sqlite3_bind_int(stmt, 2, from == PRINTED_NATIVE);
	found = select_next(stmt);
	if (found)
		*ret = (struct printed){
			.component = column_copy(stmt, 0, arena),
			.address = column_copy(stmt, 1, arena),
			.handled = column_copy(stmt, 2, arena),
			.path = column_copy(stmt, 3, arena),
			.is_error = sqlite3_column_int(stmt, 4),
			.since = column_copy_or_null(stmt, 5, arena),
			.until = column_copy_or_null(stmt, 6, arena),
		};
	select_done(stmt);
	return found;
}
