#include <string.h>

#include "check-diagnose.h"
#include "diagnose/workarounds.h"

/* Workarounds of the remedies r and q of the cause c, and of r again for the cause d. */
#define LINKS                                                                             \
	"INSERT INTO cause_remedy VALUES ('c', 0, 'r'), ('c', 1, 'q'), ('d', 0, 'none')," \
	"('d', 1, 'r');"
#define WORKAROUND(remedy, names, sql) \
	"INSERT INTO workaround VALUES ('" remedy "', '" names "', 'slower', '" sql "', 1);"
#define FOR_A \
	"SELECT name, ''1'' AS value, ''why'' AS says, ''src'' AS source FROM env WHERE name = ''A''"

static const struct {
	const char *why;
	const char *workarounds;
	const char *told; /* "remedy NAME=VALUE;" or "remedy -NAME;" */
} rows[] = {
	{ "no workaround", "", "" },
	{ "one row", WORKAROUND("r", "A", FOR_A), "r A=1;" },
	{ "no value is another thing than an empty one",
	  WORKAROUND(
		  "r", "A B",
		  "SELECT ''A'' AS name, NULL AS value, ''why'' AS says, source FROM env WHERE name = ''A''"
		  " UNION ALL SELECT ''B'', '''', ''why'', source FROM env WHERE name = ''A''"),
	  "r -A;r B=;" },
	{ "in the order of remedies, and once",
	  WORKAROUND("q", "A", FOR_A) WORKAROUND("r", "A", FOR_A), "r A=1;q A=1;" },
	{ "where something is not known there is no row",
	  WORKAROUND(
		  "r", "A",
		  "SELECT ''A'' AS name, ''1'' AS value, ''why'' AS says, ''src'' AS source FROM gpu"
		  " WHERE vram_used_bytes < 5"),
	  "" },
	{ "a variable that is not declared", WORKAROUND("r", "B", FOR_A), "" },
	{ "half a name is another one", WORKAROUND("r", "AB", FOR_A), "" },
	{ "no source",
	  WORKAROUND("r", "A",
		     "SELECT name, ''1'' AS value, ''why'' AS says, '''' AS source FROM env"),
	  "" },
	{ "no reason",
	  WORKAROUND("r", "A",
		     "SELECT name, ''1'' AS value, NULL AS says, ''s'' AS source FROM env"),
	  "" },
	{ "one bad row takes the others with it",
	  WORKAROUND(
		  "r", "A",
		  "SELECT ''A'' AS name, ''1'' AS value, ''why'' AS says, ''s'' AS source FROM env"
		  " UNION ALL SELECT ''LD_PRELOAD'', ''x'', ''why'', ''s'' FROM env"),
	  "" },
	{ "other columns", WORKAROUND("r", "A", "SELECT name, ''1'' AS value FROM env"), "" },
	{ "the guard stands here, too",
	  WORKAROUND("r", "A", "DELETE FROM env") WORKAROUND("q", "A", FOR_A), "q A=1;" },
	{ "knowledge is not for rules",
	  WORKAROUND(
		  "r", "A",
		  "SELECT ''A'' AS name, sql AS value, ''w'' AS says, ''s'' AS source FROM workaround"),
	  "" },
	{ "control bytes do not get through",
	  WORKAROUND(
		  "r", "A",
		  "SELECT name, CAST(x''1b'' AS TEXT) AS value, ''w'' AS says, ''s'' AS source FROM env"),
	  "" },
};

static const char *told(const struct workarounds *l)
{
	static struct buf out;

	buf_clear(&out);
	buf_text(&out, "");
	for (size_t i = 0; i < l->count; i++)
		if (l->list[i].value)
			buf_addf(&out, "%s %s=%s;", l->list[i].remedy, l->list[i].name,
				 l->list[i].value);
		else
			buf_addf(&out, "%s -%s;", l->list[i].remedy, l->list[i].name);
	return out.len ? out.data : "";
}

static void check_row(size_t i)
{
	static const char *const causes[] = { "c", "d" };
	struct buf inserts BUF_SCOPED = { 0 };
	struct facts *f = facts_new();
	struct arena a = { 0 };
	struct workarounds found;
	unsigned char *kb;

	sqlite3_exec(
		facts_db(f),
		"INSERT INTO env VALUES ('identity', 'A', '0', 's', 'observed');"
		"INSERT INTO gpu (address, vendor_id, source) VALUES ('0000:03:00.0', '1002', 's');"
		"COMMIT",
		NULL, NULL, NULL);
	buf_addf(&inserts, "%s%s", LINKS, rows[i].workarounds);
	kb = kb_with(f, inserts.data);
	CHECK_INT(workarounds_find(facts_db(f), causes, 2, &a, &found), 0);
	if (!CHECK(strcmp(told(&found), rows[i].told) == 0))
		printf("  %s: %s\n", rows[i].why, told(&found));
	if (found.count > 0)
		CHECK_TEXT(found.list[0].cause, "c");
	facts_free(f);
	sqlite3_free(kb);
	arena_done(&a);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(i);
	return check_end();
}
