#pragma once

/*
 * no-memory - the job, when our own memory ends
 *
 * An allocation that fails ends this program (base/memory.h), and the job must not
 * be lost by that: before its start it takes our place, after its end we end as it
 * did. While it runs we allocate nothing. Our children end as they would without.
 */

#include "run/launch.h"

void no_memory_start(char *const *arguments);      /* from now on, with the signals as they are */
void no_memory_start_as(const struct launch *job); /* the same, with them as they were */
void no_memory_runs(void);                         /* the job: nobody starts it a second time */
void no_memory_end_like(int status);               /* as wait() tells */
