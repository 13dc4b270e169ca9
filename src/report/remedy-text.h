#pragma once

/*
 * remedy-text - one numbered thing to do
 *
 * The same in every text report. Prose is wrapped; commands are printed as they
 * are, so that they can be pasted.
 */

#include "diagnose/diagnose.h"
#include "diagnose/steps.h"
#include "report/page.h"

struct remedy_text {
	size_t number;
	size_t indent; /* of the number */
	bool whole;    /* its steps, not the title alone */
	bool risk;     /* whether the title tells that root or a reboot is needed */
	enum shell shell;
};

void remedy_text(struct page *p, const struct remedy *r, const struct remedy_text *how);

/* A sentence in place of a remedy, numbered in the same way. */
void remedy_sentence(struct page *p, const char *text, const struct remedy_text *how);
