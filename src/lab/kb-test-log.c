#include "lab/kb-test-log.h"

#include <stdio.h>
#include <string.h>

#include "kb/kb.h"

/* A symptom that is named is as good as likely; one that is only told of stands behind. */
static bool take_symptom(const struct explanation *e, const char *cause, struct kb_test_said *ret)
{
	if (!e->failure->symptom || strcmp(e->failure->symptom, cause) != 0)
		return false;
	*ret = e->symptom ? (struct kb_test_said){ .word = BELIEF_LIKELY, .rank = 1, .belief = 1 }
			  : (struct kb_test_said){ .word = BELIEF_UNDECIDED, .rank = 2 };
	snprintf(ret->first, sizeof(ret->first), "%s", e->symptom ? cause : "");
	return true;
}

static void take(const struct explanation *e, const char *cause, struct kb_test_said *ret)
{
	if (take_symptom(e, cause, ret))
		return;
	*ret = (struct kb_test_said){ .word = e->word };
	if (e->spoken > 0)
		snprintf(ret->first, sizeof(ret->first), "%s", e->causes[0].cause);
	for (size_t i = 0; i < e->spoken && ret->rank == 0; i++)
		if (strcmp(e->causes[i].cause, cause) == 0) {
			ret->rank = i + 1;
			ret->belief = e->causes[i].belief;
		}
}

void kb_test_tell_read(struct facts *facts, const struct log_signatures *signatures,
		       struct scan *log, const char *states, bool machine)
{
	struct state state = { .facts = facts, .has_gpu = machine };
	struct span rest = span_of(states), line, name;
	struct described described;

	while (span_line(&rest, &line))
		if (span_cut(&line, '=', &name))
			state_say(&state, &(struct said){ arena_text(&state.arena, name), line,
							  "case", "stated" });
	described_read(&signatures->words, log, &state.arena, &described);
	described_tell(&state, &described, "log");
	log_events(&state, signatures, log, "log");
	described_tell_behind(&state, &described, "log");
	state_conclude(&state);
	state_done(&state);
}

int kb_test_tell(struct facts *facts, const char *log, const char *states, bool machine,
		 struct arena *arena, struct failure *ret_failure)
{
	struct log_signatures signatures;
	struct scan *scan;
	int r = log_signatures_load(facts_db(facts), &signatures);

	if (r < 0)
		return r;
	scan = log_scan(&signatures);
	scan_feed(scan, span_of(log));
	scan_end(scan);
	kb_test_tell_read(facts, &signatures, scan, states, machine);
	if (ret_failure)
		failure_find(scan, &signatures, "log", arena, ret_failure);
	scan_free(scan);
	log_signatures_done(&signatures);
	return 0;
}

int kb_test_explain(struct span kb, const char *cause, const char *log, const char *states,
		    struct kb_test_said *ret)
{
	struct facts *facts = facts_new();
	struct failure failure;
	struct arena arena = { 0 };
	struct explanation e;
	struct kb_info info;
	int r = kb_attach(facts_db(facts), kb, &info);

	*ret = (struct kb_test_said){ 0 };
	if (r == 0)
		r = kb_test_tell(facts, log, states, false, &arena, &failure);
	if (r == 0) {
		facts_end(facts);
		r = explain(&(struct explain_means){ .db = facts_db(facts) }, &failure, &e);
	}
	if (r == 0) {
		take(&e, cause, ret);
		explain_done(&e);
	}
	facts_free(facts);
	arena_done(&arena);
	return r;
}
