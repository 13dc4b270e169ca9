#pragma once

/*
 * targets (report) - device code and whom it covers, for people and programs
 *
 * Only renders: targets/targets.h has decided. Text, JSON, SARIF and annotations
 * name the same files and the same verdicts.
 */

#include "report/page.h"
#include "targets/targets.h"

void targets_text(const struct targets *t, struct page *p, bool verbose);

/* One object; docs/targets.schema.json. The same bytes for the same files. */
void targets_json(const struct targets *t, struct buf *ret);

/* SARIF 2.1.0: a result for each file and target that is not covered or not known. */
void targets_sarif(const struct targets *t, struct buf *ret);

/* Records of report/annotations.h: what is not covered, not known or not read. */
void targets_annotations(const struct targets *t, struct buf *ret);
