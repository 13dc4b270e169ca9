#include "kb/counts.h"

#include "facts/select.h"
#include "kb/words.h"

/* What is there, and how many of them nothing speaks for. */
static const struct {
	const char *name;
	const char *count;
	const char *bare;
} kinds[] = {
	{ "causes", "SELECT count(*) FROM kb.cause",
	  "SELECT count(*) FROM kb.cause WHERE slug NOT IN (SELECT owner FROM kb.source)" },
	{ "statements of evidence", "SELECT count(*) FROM kb.evidence",
	  "SELECT count(*) FROM kb.evidence WHERE cause NOT IN (SELECT owner FROM kb.source)" },
	{ "remedies", "SELECT count(*) FROM kb.remedy",
	  "SELECT count(*) FROM kb.remedy WHERE id NOT IN (SELECT owner FROM kb.source)" },
	{ "of them workarounds for a job", "SELECT count(*) FROM kb.workaround",
	  "SELECT count(*) FROM kb.workaround WHERE remedy NOT IN (SELECT owner FROM kb.source)" },
	{ "ways to install", "SELECT count(*) FROM kb.advice",
	  "SELECT count(*) FROM kb.advice WHERE id NOT IN (SELECT owner FROM kb.source)" },
	{ "signatures", "SELECT count(*) FROM kb.signature",
	  "SELECT count(*) FROM kb.signature WHERE id NOT IN (SELECT owner FROM kb.source)" },
	{ "defects", "SELECT count(*) FROM kb.defect",
	  "SELECT count(*) FROM kb.defect WHERE trim(source) = ''" },
};

static size_t count_world(sqlite3 *db, size_t *ret_bare)
{
	struct buf sql BUF_SCOPED = { 0 };
	size_t rows = 0;

	for (size_t i = 0; words_world[i]; i++) {
		buf_clear(&sql);
		buf_addf(&sql, "SELECT count(*) FROM kb.%s", words_world[i]);
		rows += select_count(db, buf_get(&sql).data);
		buf_text(&sql,
			 " WHERE trim(source) = '' OR trim(class) = '' OR trim(checked) = ''");
		*ret_bare += select_count(db, buf_get(&sql).data);
	}
	return rows;
}

/* Of the lists of sources, and of the rows of the world. */
static size_t count_class(sqlite3 *db, const char *class)
{
	struct buf sql BUF_SCOPED = { 0 };

	buf_addf(&sql, "SELECT (SELECT count(*) FROM kb.source WHERE class = '%s')", class);
	for (size_t i = 0; words_world[i]; i++)
		buf_addf(&sql, " + (SELECT count(*) FROM kb.%s WHERE class = '%s')", words_world[i],
			 class);
	return select_count(db, buf_get(&sql).data);
}

size_t counts_text(sqlite3 *db, struct buf *ret)
{
	size_t bare = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		buf_addf(ret, "  %6zu %s\n", select_count(db, kinds[i].count), kinds[i].name);
		bare += select_count(db, kinds[i].bare);
	}
	buf_addf(ret, "  %6zu rows of the world\n", count_world(db, &bare));
	for (size_t i = 0; words_class[i]; i++)
		buf_addf(ret, "  %6zu sources of class %s\n", count_class(db, words_class[i]),
			 words_class[i]);
	buf_addf(ret, "  %6zu without a source\n", bare);
	return bare;
}
