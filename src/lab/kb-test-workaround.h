#pragma once

/*
 * kb-test-workaround - the cases of workarounds, run as `run --heal` would
 *
 * Each block of tests/causes/workarounds/<remedy>.cases is a machine, edited, and
 * lines that a job has printed; the workaround has its rows there or has none. Where
 * it is a near miss and where something is not known, it must have none.
 */

#include "lab/kb-test.h"

/* Every workaround of the knowledge must have its cases. */
void kb_test_workarounds(struct kb_test *t);

/* Only the form. */
void kb_test_workarounds_lint(const char *tests, struct span kb, struct faults *faults);
