#pragma once

/*
 * explain-batch - a log in each line of standard input, an answer in each line of output
 *
 * In the order of the input, each written before the next line is read. A line
 * that cannot be answered gets one that says why, and the work goes on.
 */

#include "cli/explain-answer.h"

/* EXIT_FINE: every line got its line. */
int explain_batch(const struct explain_answer *all);
