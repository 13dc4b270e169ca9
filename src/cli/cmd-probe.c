#include <string.h>

#include "cli/commands.h"
#include "cli/open.h"
#include "cli/probe-front.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "facts/column.h"
#include "facts/select.h"
#include "report/probe.h"

static int say_report(const struct options *o, struct machine *m)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);

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
	} statuses[] = { { "works", EXIT_FINE },
			 { "breaks", EXIT_PROBLEM },
			 { "missing", EXIT_PROBLEM },
			 { "none", EXIT_FINE },
			 { "nothing", EXIT_UNDECIDED } };
	sqlite3_stmt *stmt = select_from(facts_db(facts), "SELECT verdict FROM walk_verdict");
	int status = -1;

	if (select_next(stmt))
		for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
			if (strcmp(column_text(stmt, 0), statuses[i].verdict) == 0)
				status = statuses[i].status;
	sqlite3_finalize(stmt);
	return status;
}

/* Of another machine only what it recorded can be shown. */
static int tell(const struct options *o, struct machine *m)
{
	int status = o->context.from || o->context.root ? 0 : probe_front_walk(o, m);
	int verdict;

	if (status != 0)
		return status;
	verdict = exit_status(m->facts);
	if (verdict < 0) {
		say("the snapshot holds no probe results; record them with: rocsteady snapshot --probe -o FILE");
		return EXIT_UNDECIDED;
	}
	status = say_report(o, m);
	return status != 0 ? status : verdict;
}

int cmd_probe(const struct options *o)
{
	struct options words = probe_front_options(o);
	struct machine m = { 0 };
	int status;

	if (o->word_count > 0)
		return say_usage("probe", "probe takes no arguments; choose a layer with --layer");
	if (o->context.host_root)
		return say_usage("probe",
				 "the libraries of a mounted host cannot be tested from here");
	status = open_machine(&words, &m);
	if (status != 0)
		return status;
	status = tell(&words, &m);
	machine_close(&m);
	return status;
}
