#pragma once

/*
 * explain-scrub - an explanation before it is written: names and secrets replaced
 *
 * In forms that are made to be handed on, pseudonyms for names, hosts, serials
 * and secrets, and commands with ~ and "$USER"; in all others secrets alone are
 * withheld, because people paste what a terminal shows.
 */

#include "cli/options.h"
#include "context/context.h"
#include "report/explain.h"

/* The report's own explanation is changed. False: it could not be, and must not be written. */
bool explain_scrub(struct explain_report *r, struct explanation *e, const struct context *d,
		   const struct options *o);
