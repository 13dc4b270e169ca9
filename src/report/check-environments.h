#pragma once

/*
 * check-environments - the environments found, as diagnose/environments.h ranks them
 */

#include "base/json-write.h"
#include "diagnose/diagnose.h"
#include "facts/facts.h"
#include "report/page.h"

/*
 * Of a healthy machine one line, about the best one, and how many others there
 * are; with `all` each has its own. Nothing if there is none, and nothing about
 * one that would not work: what is wrong is the findings' to say.
 */
void check_environments_calm(struct facts *f, struct page *p, bool all);

/*
 * Of an ill one a line each, if there are several; what is wrong with one stands in its line.
 * Of many the first, and how many others there are; with `all` every one.
 */
void check_environments_ill(struct facts *f, const struct diagnosis *d, struct page *p, bool all);

/* "environments": [...] */
void check_environments_json(struct facts *f, struct json *j);

/* A list for a page; false if there is none. */
bool check_environments_html(struct facts *f, struct buf *out);
