#include "kb/rows.h"

#include <errno.h>

#include "base/endian.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/kb.h"

#define CELL 4

const char *const kb_rows_sql[KB_ROWS_KINDS] = {
	/* The column before `repair`: for such a cause a node is taken out of service. */
	[KB_ROWS_CAUSES] =
		"SELECT slug, kind, title, story, scope, severity, action, prior, undecided, share,"
		" plain, headline, tells, scope IN ('node', 'gpu', 'link', 'nic') AND"
		" action IN ('reset-gpu', 'reboot', 'drain', 'replace'), repair"
		" FROM kb.cause ORDER BY slug",
	[KB_ROWS_EVIDENCE] =
		"SELECT cause, id, weight, \"group\", says, sql, absence, gate, reads, position"
		" FROM kb.evidence",
	[KB_ROWS_EXPLAINED_BY] =
		"SELECT cause, by_cause FROM kb.explained_by ORDER BY cause, by_cause",
	[KB_ROWS_REMEDIES] =
		"SELECT r.id, r.title, r.steps, r.risk, r.verify, r.sql, r.needs, r.changes, r.undo,"
		" r.minutes, l.costs = 'cpu',"
		" coalesce((SELECT group_concat(kind, ' ') FROM kb.cure WHERE owner = r.id), ''),"
		" r.gate, r.windows, u.reason, r.wsl, r.acts FROM kb.remedy r"
		" LEFT JOIN kb.workaround l ON l.remedy = r.id"
		" LEFT JOIN kb.unchecked u ON u.owner = r.id",
	[KB_ROWS_CAUSE_REMEDIES] =
		"SELECT cause, remedy FROM kb.cause_remedy ORDER BY cause, position",
	[KB_ROWS_SIGNATURES] =
		"SELECT id, pattern, kind, program, below FROM kb.signature ORDER BY rowid",
	[KB_ROWS_LITERALS] = "SELECT l.signature, l.text FROM kb.signature s JOIN kb.literal l"
			     " ON l.signature = s.id ORDER BY s.rowid, l.position",
	[KB_ROWS_STATES] = "SELECT t.signature, t.name, t.value FROM kb.signature s"
			   " JOIN kb.states t ON t.signature = s.id ORDER BY s.rowid, t.name",
};

static size_t head(size_t at)
{
	return endian_u32(kb_carried + CELL * at);
}

/* The program's own bytes, and nothing of a site beside them. The page carries no rows. */
static bool is_carried(sqlite3 *db)
{
	return head(0) > 0 &&
	       sqlite3_serialize(db, "kb", NULL, SQLITE_SERIALIZE_NOCOPY) == kb_embedded;
}

struct kb_rows kb_rows_of(sqlite3 *db, enum kb_rows_of which, struct arena *keep)
{
	size_t at = 3 * (size_t)which;

	if (!is_carried(db))
		return (struct kb_rows){ .keep = keep,
					 .stmt = select_from(db, kb_rows_sql[which]) };
	return (struct kb_rows){
		.left = head(at),
		.width = CELL * head(at + 1),
		.next = kb_carried + head(at + 2),
		.texts = (const char *)kb_carried + head(KB_ROWS_HEAD - 2),
	};
}

size_t kb_rows_count(sqlite3 *db, enum kb_rows_of which)
{
	char *sql;
	size_t count;

	if (is_carried(db))
		return head(3 * (size_t)which);
	sql = sqlite3_mprintf("SELECT count(*) FROM (%s)", kb_rows_sql[which]);
	count = select_count(db, sql);
	sqlite3_free(sql);
	return count;
}

bool kb_rows_next(struct kb_rows *r)
{
	if (r->stmt)
		return select_next(r->stmt);
	if (r->left == 0)
		return false;
	r->left--;
	r->next += r->width;
	return true;
}

int kb_rows_done(struct kb_rows *r)
{
	sqlite3_finalize(r->stmt);
	*r = (struct kb_rows){ 0 };
	return select_error() ? -EIO : 0;
}

static uint32_t cell(const struct kb_rows *r, int column)
{
	return endian_u32(r->next - r->width + CELL * (size_t)column);
}

const char *kb_rows_look(const struct kb_rows *r, int column)
{
	uint32_t place;

	if (r->stmt)
		return column_text_or_null(r->stmt, column);
	place = cell(r, column);
	return place > 0 ? r->texts + place - 1 : NULL;
}

const char *kb_rows_text(const struct kb_rows *r, int column)
{
	return r->stmt ? column_copy_or_null(r->stmt, column, r->keep) : kb_rows_look(r, column);
}

int kb_rows_int(const struct kb_rows *r, int column)
{
	return r->stmt ? sqlite3_column_int(r->stmt, column) : (int)cell(r, column);
}

const struct needle_tables *kb_rows_needle(sqlite3 *db)
{
	return is_carried(db) ? (const void *)(kb_carried + head(KB_ROWS_HEAD - 1)) : NULL;
}
