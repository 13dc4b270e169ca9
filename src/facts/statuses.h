#pragma once

/*
 * statuses - what the status of a vendor's call is called
 *
 * Reads data/statuses.tsv, which is compiled in. The name of the call tells
 * whose status it is: 2 is hipErrorOutOfMemory of hipMalloc and
 * HIPBLAS_STATUS_ALLOC_FAILED of hipblasCreate.
 */

#include "base/span.h"

/* The text of data/statuses.tsv, as compiled in. */
extern const char data_statuses[];

/* Borrowed from the table. False, and *ret untouched, if it has none. */
bool statuses_name(struct span table, struct span call, int64_t number, struct span *ret);
