#include "cli/check-judge.h"

#include "advise/wish.h"
#include "base/exit-status.h"
#include "cli/open.h"

struct choose check_judge_choice(const struct options *o)
{
	return (struct choose){ o->only, o->skip };
}

int check_judge(const struct options *o, struct context *context, struct acks *acks, bool acks_said,
		struct check_judged *ret)
{
	sqlite3 *db = context_db(context);
	struct choose choose = check_judge_choice(o);
	struct diagnosis *d = &ret->diagnosis;

	*ret = (struct check_judged){ .report = { .diagnosis = d,
						  .acks = acks,
						  .facts = context->machine.facts,
						  .kb_version = context->knowledge.info.version,
						  .kb_digest = context->knowledge.info.digest,
						  .verbose = o->verbose } };
	if (diagnose(db, NULL, d) < 0)
		return EXIT_OWN_FAULT;
	choose_checks(db, &choose, d);
	if (d->check_count == 0 && d->left_out > 0) {
		diagnose_done(d);
		return EXIT_USAGE;
	}
	if (acks_said)
		open_acks_put(acks, db, d);
	else
		ack_files_put(acks, db, d, NULL);
	ret->report.shell = steps_stated(db);
	if (o->shell)
		steps_shell(o->shell, &ret->report.shell);
	if (d->verdict == VERDICT_READY && wish_for_a_framework(db, &ret->advice))
		ret->report.advice = &ret->advice;
	return 0;
}

void check_judged_done(struct check_judged *j)
{
	if (j->report.advice)
		advise_done(&j->advice);
	diagnose_done(&j->diagnosis);
}
