#pragma once

/*
 * told-apart - a person's sentence among the lines of a program
 *
 * A report is often one sentence and a log that shows nothing: training that goes on, a server
 * that answers. The log is no proof against the sentence. A line counts that begins unlike all
 * others of the text, is a sentence, says that something fails or is wrong, and names an AMD GPU
 * or its software: what programs print about other failures has no such line, and a chat that is
 * trained on seldom has one.
 */

#include "explain/failure-tables.h"
#include "explain/failure.h"

/* Whether words of the text are about an AMD GPU: data/gpu-words.txt. */
bool told_names_gpu(struct span text);

/* For a text that shows no failure: sets what failed, where such a sentence stands. */
void told_apart(struct scan *scan, const struct log_signatures *signatures,
		const struct failure_tables *tables, struct arena *arena, struct failure *f);
