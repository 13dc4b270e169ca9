#include "cli/commands.h"
#include "cli/open.h"
#include "cli/probe-front.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "probe/verdict.h"
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

/* A snapshot or another root cannot be probed: only its recorded results are shown. */
static int tell(const struct options *o, struct machine *m)
{
	int status = o->context.from || o->context.root ? 0 : probe_front_walk(o, m);
	int verdict;

	if (status != 0)
		return status;
	verdict = verdict_exit_status(facts_db(m->facts));
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
