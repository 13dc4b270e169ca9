#pragma once

/*
 * judge - what several findings mean together
 *
 * Which of them follows from which, their order, and one word for the machine
 * (diagnose_judge, in diagnose.h, since an acknowledgement calls for it again).
 */

#include "diagnose/rules.h"

/* Set because_of where another finding that holds explains one. */
void judge_consequences(struct diagnosis *d, const struct rules *rules);

/* The state of a cause as a check, from its own findings. */
enum check_state judge_check(const struct finding *findings, size_t count, bool applicable);
