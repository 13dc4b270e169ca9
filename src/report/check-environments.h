#pragma once

/*
 * check-environments - which of the environments found would work on this GPU
 *
 * From the view environment_fit, best first: those in use before others, what
 * runs before what does not. Frameworks that only help another one have no
 * line of their own.
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

/* Of an ill one a line each, if there are several; what is wrong with one stands in its line. */
void check_environments_ill(struct facts *f, const struct diagnosis *d, struct page *p);

/* "environments": [...] */
void check_environments_json(struct facts *f, struct json *j);

/* A list for a page; false if there is none. */
bool check_environments_html(struct facts *f, struct buf *out);
