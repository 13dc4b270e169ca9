#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/fleet-load.h"
#include "cli/open.h"
#include "cli/say.h"
#include "facts/query.h"
#include "fleet/merged.h"
#include "report/rows.h"

/* Many machines have many rows: an object a line, which nobody has to hold as a whole. */
static void write_rows(sqlite3_stmt *stmt, const struct options *o, bool many, struct buf *ret)
{
	if (o->json && many)
		rows_json_lines(stmt, ret);
	else if (o->json)
		rows_json(stmt, ret);
	else if (o->format && strcmp(o->format, "csv") == 0)
		rows_csv(stmt, ret);
	else
		rows_text(stmt, ret, o->output ? 0 : say_width());
}

#define CPU_SECONDS 15

static void end_of_cpu(int signal)
{
	static const char why[] = "rocsteady: SQL: the statement took too much CPU time\n";

	(void)signal;
	_exit(write(STDERR_FILENO, why, sizeof(why) - 1) < 0 ? EXIT_OWN_FAULT : EXIT_USAGE);
}

/* One step of SQLite can take minutes, printf('%.*c', 900000000, 'x'), and no handler of its own is asked meanwhile. */
static void limit_cpu(void)
{
	struct rusage used;
	struct rlimit cpu;
	rlim_t most;

	if (getrusage(RUSAGE_SELF, &used) < 0 || getrlimit(RLIMIT_CPU, &cpu) < 0)
		return;
	most = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + CPU_SECONDS);
	signal(SIGXCPU, end_of_cpu);
	if (cpu.rlim_cur > most) { /* RLIM_INFINITY is above all */
		cpu.rlim_cur = most;
		setrlimit(RLIMIT_CPU, &cpu);
	}
}

static int answer(sqlite3 *db, const struct options *o, bool many)
{
	struct buf text BUF_SCOPED = { 0 };
	struct query query;
	const char *why = NULL;
	sqlite3_stmt *stmt = query_prepare(&query, db, o->words[0], &why);

	if (!stmt) {
		say("SQL: %s", why);
		return say_usage("query", "tables and columns: rocsteady query "
					  "'SELECT name, sql FROM sqlite_schema'");
	}
	limit_cpu();
	write_rows(stmt, o, many, &text);
	if (sqlite3_finalize(stmt) != SQLITE_OK) {
		say("SQL: %s", query_failure(db));
		return EXIT_USAGE;
	}
	return say_answer(o->output, buf_get(&text));
}

static int write_database(sqlite3 *db, const struct options *o)
{
	struct buf bytes BUF_SCOPED = { 0 };

	merged_bytes(db, &bytes);
	return say_bytes(o->output, buf_get(&bytes));
}

static int query_many(const struct options *o)
{
	struct fleet fleet;
	int status, answered = 0;

	if (o->word_count != 1 && !(o->word_count == 0 && o->output && !o->format))
		return say_usage("query", "query --from DIR takes one SELECT in quotes, "
					  "or -o FILE alone for an SQLite file of all facts");
	status = fleet_load(o, o->context.from, &fleet);
	if (status == 0 || status == EXIT_UNDECIDED)
		answered = o->word_count == 0 ? write_database(fleet.db, o)
					      : answer(fleet.db, o, true);
	fleet_done(&fleet);
	return answered != 0 ? answered : status;
}

int cmd_query(const struct options *o)
{
	struct machine m = { 0 };
	int status;

	if (o->context.from && fleet_is_many(o->context.from))
		return query_many(o);
	if (o->word_count != 1)
		return say_usage(
			"query",
			"query takes one SELECT in quotes: rocsteady query 'SELECT * FROM gpu'");
	status = open_machine(o, &m);
	if (status != 0)
		return status;
	status = answer(facts_db(m.facts), o, false);
	machine_close(&m);
	return status;
}
