#include <string.h>

#include "cli/commands.h"
#include "cli/open.h"
#include "cli/say.h"
#include "facts/column.h"
#include "facts/select.h"
#include "report/rows.h"

extern const char data_class_facts[];

/* ---- record ---- */

/* Facts with one value on the whole node; each network card is a fact of its own. */
static const char same[] =
	"SELECT name, min(value) FROM class_fact GROUP BY name, iif(name = 'nic', value, '') "
	"HAVING count(DISTINCT value) = 1 ORDER BY 1, 2";

static const char differs[] = "SELECT DISTINCT name FROM class_fact WHERE name <> 'nic' "
			      "GROUP BY name HAVING count(DISTINCT value) > 1 ORDER BY 1";

static void write_class(sqlite3 *db, struct buf *ret)
{
	sqlite3_stmt *stmt = select_from(db, same);

	buf_text(ret, "# A node class, recorded by rocsteady. It belongs into\n"
		      "# /etc/rocsteady/expect.conf of every node that should be equal; take out\n"
		      "# lines that need not be. See rocsteady-expect(1).\n");
	while (select_next(stmt))
		buf_addf(ret, "%s = %s\n", column_text(stmt, 0), column_text(stmt, 1));
	sqlite3_finalize(stmt);
	stmt = select_from(db, differs);
	while (select_next(stmt))
		buf_addf(ret, "# %s is not the same everywhere on this node: not recorded\n",
			 column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

static int record(const struct options *o, sqlite3 *db)
{
	struct buf text BUF_SCOPED = { 0 };
	size_t gaps = select_count(db, "SELECT count(*) FROM class_unread");

	write_class(db, &text);
	if (gaps > 0)
		say("%zu facts could not be read and are not in the class; see: rocsteady facts gaps",
		    gaps);
	return say_answer(o->output, buf_get(&text));
}

/* ---- show ---- */

static int show(const struct options *o, sqlite3 *db)
{
	struct buf text BUF_SCOPED = { 0 };
	bool any = select_count(db, "SELECT count(*) FROM expected") > 0;
	bool broken = select_count(db, "SELECT count(*) FROM gap WHERE topic = 'expected'") > 0;
	sqlite3_stmt *stmt =
		select_from(db, "SELECT name, expected, here FROM class_state ORDER BY 1, 2");
	int status;

	if (o->json)
		rows_json(stmt, &text);
	else if (any)
		rows_text(stmt, &text, o->output ? 0 : say_width());
	sqlite3_finalize(stmt);
	if (!any && !broken)
		say("nothing is expected of this machine; record it: "
		    "rocsteady expect record -o /etc/rocsteady/expect.conf");
	status = say_answer(o->output, buf_get(&text));
	return status != 0 ? status : any ? 0 : broken ? EXIT_UNDECIDED : 2;
}

static const struct {
	const char *word;
	int (*write)(const struct options *o, sqlite3 *db);
} verbs[] = { { "record", record }, { "show", show } };

int cmd_expect(const struct options *o)
{
	struct did_you_mean near;
	struct machine m = { 0 };
	size_t i = 0;
	int status;

	if (o->word_count != 1)
		return say_usage("expect", "expect takes one word: record or show");
	while (i < 2 && strcmp(o->words[0], verbs[i].word) != 0)
		i++;
	if (i == 2) {
		near = did_you_mean(o->words[0]);
		did_you_mean_try_words(&near, "record show");
		return say_no("expect", "word", &near, "words: record show");
	}
	status = open_machine(o, &m);
	if (status != 0)
		return status;
	if (select_exec(facts_db(m.facts), data_class_facts))
		status = verbs[i].write(o, facts_db(m.facts));
	if (select_error())
		status = say_unread_tables();
	machine_close(&m);
	return status;
}
