#pragma once

/*
 * probe (report) - a walk through the GPU stack, for people and for programs
 *
 * Only renders: what breaks is decided by the views of schema.sql. A walk is
 * shown from the tables, so that one of last year reads like one of now.
 */

#include "facts/facts.h"
#include "report/page.h"

/* What breaks first, where, and how it ended; or that nothing does. */
void probe_text(struct facts *f, bool verbose, struct page *p);

/* One object: verdict, walk, probes with their values; docs/probe.schema.json. */
void probe_json(struct facts *f, struct buf *ret);
