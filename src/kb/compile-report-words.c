#include <errno.h>

#include "base/names.h"
#include "base/stem.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/compile-internal.h"

extern const char data_plain_words[];

/*
 * Which words of a report speak for which cause, counted in what the knowledge
 * itself says of each: nothing is learnt from labelled failures. This is BM25 with
 * its usual numbers (k 1.2, b 0.6), but for the rarity of a word, where a fraction
 * stands for the logarithm: whole numbers are the same on every machine.
 */

/* Only causes that a log can show take part; their texts, one by one. */
static const char texts_sql[] =
	"WITH shown AS (SELECT slug FROM cause WHERE kind = 'cause' AND slug IN ("
	"  SELECT cause FROM suggests WHERE weight > 0 UNION SELECT cause FROM defect)),"
	" speaks AS (SELECT g.cause, s.id, s.says FROM suggests g JOIN signature s"
	"  ON s.id = g.signature WHERE g.weight > 2 AND s.kind <> 'context'),"
	" said (cause, text) AS (SELECT slug, title FROM cause"
	"  UNION ALL SELECT slug, plain FROM cause"
	"  UNION ALL SELECT slug, headline FROM cause"
	"  UNION ALL SELECT slug, story FROM cause"
	"  UNION ALL SELECT slug, undecided FROM cause"
	"  UNION ALL SELECT cause, says FROM evidence WHERE weight > 0"
	"  UNION ALL SELECT owner, says FROM source"
	"  UNION ALL SELECT c.cause, r.title FROM cause_remedy c JOIN remedy r ON r.id = c.remedy"
	"  UNION ALL SELECT cause, says FROM speaks"
	"  UNION ALL SELECT p.cause, l.text FROM speaks p JOIN literal l ON l.signature = p.id"
	"  UNION ALL SELECT cause, title FROM defect"
	"  UNION ALL SELECT cause, cure FROM defect)"
	" SELECT cause, text FROM said WHERE text IS NOT NULL AND cause IN shown";

/* A word that most causes have tells none of them from the others. */
static const char weigh_sql[] =
	"INSERT INTO report_word SELECT word, group_concat(cause || ' ' || weight, ' ') FROM ("
	" WITH lengths AS (SELECT cause, sum(times) AS length FROM temp.said GROUP BY cause),"
	"  every AS (SELECT count(*) AS causes, sum(length) / count(*) AS mean FROM lengths),"
	"  rare AS (SELECT word, 400 * (e.causes - count(*)) / (4 * count(*) + e.causes) AS rarity"
	"   FROM temp.said, every e GROUP BY word)"
	" SELECT s.word, s.cause, r.rarity * 220 * s.times * e.mean"
	"   / (100 * s.times * e.mean + 48 * e.mean + 72 * l.length) AS weight"
	" FROM temp.said s JOIN rare r ON r.word = s.word JOIN lengths l ON l.cause = s.cause, every e"
	" WHERE r.rarity >= 50 ORDER BY s.word, s.cause) WHERE weight > 0 GROUP BY word";

static void count_words(sqlite3_stmt *count, const char *cause, struct span text)
{
	struct stem stem;

	while (stem_next(&text, &stem)) {
		if (names_has(data_plain_words, stem.text))
			continue;
		sqlite3_bind_text(count, 1, cause, -1, SQLITE_STATIC);
		sqlite3_bind_text(count, 2, stem.text, -1, SQLITE_STATIC);
		select_next(count);
		sqlite3_reset(count);
	}
}

int compile_report_words(struct compiler *c)
{
	sqlite3_stmt *texts, *count;

	select_exec(c->db, "CREATE TEMP TABLE said (cause TEXT NOT NULL, word TEXT NOT NULL,"
			   " times INTEGER NOT NULL, PRIMARY KEY (cause, word))");
	texts = select_from(c->db, texts_sql);
	count = select_from(c->db, "INSERT INTO temp.said VALUES (?1, ?2, 1)"
				   " ON CONFLICT DO UPDATE SET times = times + 1");
	while (select_next(texts))
		count_words(count, column_text(texts, 0), span_of(column_text(texts, 1)));
	sqlite3_finalize(count);
	sqlite3_finalize(texts);
	select_exec(c->db, weigh_sql);
	return select_error() ? -EIO : 0;
}
