#pragma once

/*
 * kb-test-lever - the cases of levers, run as `run --heal` would
 *
 * Each block of tests/causes/levers/<remedy>.cases is a machine, edited, and
 * lines that a job has printed; the lever has its rows there or has none. Where
 * it is a near miss and where something is not known, it must have none.
 */

#include "cli/kb-test.h"

/* Every lever of the knowledge must have its cases. */
void kb_test_levers(struct kb_test *t);

/* Only the form. */
void kb_test_levers_lint(const char *tests, struct span kb, struct faults *faults);
