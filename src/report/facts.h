#pragma once

/*
 * facts (report) - what is known, for people and for programs
 *
 * Only renders: every number here stands in a table, and every table can be
 * had whole by its name.
 */

#include "base/buf.h"
#include "facts/facts.h"

/* The machine on one screen. */
void facts_summary(struct facts *f, struct buf *ret, size_t width);

/* One topic whole: 0, or -ENOENT if there is none of that name. */
int facts_topic(struct facts *f, const char *topic, struct buf *ret, size_t width);
int facts_topic_json(struct facts *f, const char *topic, struct buf *ret);

/* Every table and view, one object. */
void facts_json(struct facts *f, struct buf *ret);

/* Names a topic may have, blank-separated. */
void facts_topics(struct facts *f, struct buf *ret);
