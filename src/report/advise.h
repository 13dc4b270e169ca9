#pragma once

/*
 * advise (report) - what to install, for people and for programs
 *
 * Only renders. The line to paste is never wrapped.
 */

#include "advise/advise.h"
#include "report/page.h"

void advise_text(const struct advice *a, bool verbose, struct page *p);
void advise_json(const struct advice *a, const char *kb_version, struct buf *ret);
