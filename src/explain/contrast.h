#pragma once

/*
 * contrast - the cause that a person tells by what differs between where it works and where it fails
 *
 * "Works with kernel 6.8, fails with 6.11", "since ROCm 6.4 it segfaults", "fine on the host, not in
 * docker". A sentence, or two that follow each other, is cut into clauses; each works or fails, and
 * names kernels, releases, GPUs or ways to run (data/contrasts.tsv). Where both sides name the same
 * kind of thing, or a turning point names one, that is an event of the signature contrast-NAME, with
 * the values `works`, `fails` and `what`. What works alone is a remark: where the rest of the text
 * fails, it is the other side. "Only as root" tells both. Questions, advice and lines of programs tell nothing.
 */

#include "explain/contrast-words.h"
#include "facts/facts.h"

struct contrast {
	struct span name;
	struct span works, fails; /* without data: not said. Plain: letters, digits and .+_- */
	bool turns;               /* it is said to fail since then */
	bool has_both;            /* or turns; otherwise a remark */
	unsigned long long line;
	struct span text;
};

struct contrasts {
	struct contrast *list; /* in the arena; one of each name */
	size_t count;
};

/* The first of the lines has this number. What was found before stays. */
void contrast_read(const struct contrast_words *words, struct span text, unsigned long long number,
		   struct arena *arena, struct contrasts *ret);

/* As events, after log_events(). */
void contrast_tell(struct facts *facts, const struct contrasts *contrasts, const char *file);
