#include <string.h>

#include "cli/commands.h"
#include "cli/look.h"
#include "cli/machine.h"
#include "cli/say.h"
#include "cli/walk.h"
#include "report/probe.h"

static int say_report(const struct options *o, struct machine *m)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);

	if (o->quiet)
		return 0;
	if (o->json)
		probe_json(m->facts, &text);
	else
		probe_text(m->facts, o->verbose, &page);
	return say_answer(o->output, buf_get(&text));
}

/* -1 if there was no walk. */
static int exit_status(struct facts *facts)
{
	static const struct {
		const char *verdict;
		int status;
	} statuses[] = { { "works", 0 }, { "breaks", 2 }, { "nothing", EXIT_UNDECIDED } };
	sqlite3_stmt *stmt = NULL;
	int status = -1;

	sqlite3_prepare_v2(facts_db(facts), "SELECT verdict FROM walk_verdict", -1, &stmt, NULL);
	if (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
			if (strcmp((const char *)sqlite3_column_text(stmt, 0),
				   statuses[i].verdict) == 0)
				status = statuses[i].status;
	sqlite3_finalize(stmt);
	return status;
}

/* Of another machine only what it recorded can be shown. */
static int tell(const struct options *o, struct machine *m)
{
	int status = o->from || o->root ? 0 : walk_make(o, m);
	int verdict;

	if (status != 0)
		return status;
	verdict = exit_status(m->facts);
	if (verdict < 0) {
		say("no walk is recorded there; make one with: rocsteady snapshot --probe -o FILE");
		return EXIT_UNDECIDED;
	}
	status = say_report(o, m);
	return status != 0 ? status : verdict;
}

int cmd_probe(const struct options *o)
{
	struct options words = walk_options(o);
	struct machine m = { 0 };
	int status;

	if (o->word_count > 0)
		return say_usage("probe", "probe takes no words; a layer is named with --layer");
	if (o->host_root)
		return say_usage("probe",
				 "the libraries of a mounted host cannot be tried from here");
	status = machine_open(&words, &m);
	if (status != 0)
		return status;
	status = tell(&words, &m);
	machine_close(&m);
	return status;
}
