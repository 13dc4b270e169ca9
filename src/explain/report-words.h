#pragma once

/*
 * report-words - causes that a report is like, where no line of it is known
 *
 * People tell in their own words what does not work, and quote nothing that a
 * signature knows. The knowledge has words for each cause too (kb.report_word): those
 * causes are named whose words the report shares, as unclear. Words speak for a
 * cause with at most as much as one line of a log, and never decide.
 */

struct explainer;

/*
 * Of a failure that is not recognised, in a text that tells of a GPU, of ROCm or of a
 * program that computes with it: elsewhere the same words mean something else. Sets `basis`
 * where they name a cause. 0 or -EIO.
 */
int report_words(struct explainer *x);
