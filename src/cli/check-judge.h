#pragma once

/*
 * check-judge - one machine judged as the options of `check` want it
 */

#include "cli/options.h"
#include "context/context.h"
#include "diagnose/choose.h"
#include "report/check.h"

struct check_judged {
	struct diagnosis diagnosis;
	struct advice advice;
	struct check_report report; /* of both */
};

/* --only and --skip. */
struct choose check_judge_choice(const struct options *o);

/*
 * 0; EXIT_USAGE if --only and --skip leave no check, EXIT_OWN_FAULT if the tables could not be
 * read, both unsaid. What is wrong with acknowledgements is said, with `acks_said`. After 0
 * check_judged_done() ends it.
 */
int check_judge(const struct options *o, struct context *context, struct acks *acks, bool acks_said,
		struct check_judged *ret);
void check_judged_done(struct check_judged *j);
