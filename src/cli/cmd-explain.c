#include <errno.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/explain-input.h"
#include "cli/knowledge.h"
#include "cli/look.h"
#include "cli/machine.h"
#include "cli/say.h"
#include "report/explain.h"

static int answer(const struct options *o, sqlite3 *db, const struct kb_info *info,
		  unsigned long long lines)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o);
	struct explanation e;
	struct explain_report report = { .explanation = &e,
					 .used = o->no_machine ? "from the text alone"
							       : "from the text alone",
					 .lines = lines,
					 .kb_version = info->version,
					 .verbose = o->verbose };
	int status;

	if (explain(db, &e) < 0) {
		say("the knowledge cannot be read");
		return EXIT_OWN_FAULT;
	}
	if (o->json)
		explain_json(&report, &text);
	else
		explain_text(&report, &page);
	status = say_answer(o->output, buf_get(&text));
	if (status == 0)
		status = e.word == EXPLAIN_NOTHING ? 0 : e.word == EXPLAIN_UNDECIDED ? 3 : 2;
	explain_done(&e);
	return status;
}

static int work(const struct options *o, struct facts *facts, const struct kb_info *info)
{
	struct log_signatures signatures;
	struct state state = { .facts = facts };
	unsigned long long lines = 0;
	int status;

	if (log_signatures_load(facts_db(facts), &signatures) < 0) {
		say("the knowledge cannot be read");
		return EXIT_OWN_FAULT;
	}
	status = explain_input_stated(o, &state);
	if (status == 0)
		status = explain_input_logs(o, &signatures, &state, &lines);
	if (status == 0) {
		state_settle(&state);
		facts_end(facts);
		status = answer(o, facts_db(facts), info, lines);
	}
	state_done(&state);
	log_signatures_done(&signatures);
	return status;
}

int cmd_explain(const struct options *o)
{
	struct facts *facts = facts_new();
	struct knowledge k = { 0 };
	int status;

	if (!facts) {
		say("SQLite does not start");
		return EXIT_OWN_FAULT;
	}
	status = knowledge_attach(facts_db(facts), o, &k);
	if (status == 0)
		status = work(o, facts, &k.info);
	facts_free(facts);
	knowledge_done(&k);
	return status;
}
