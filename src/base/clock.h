#pragma once

/*
 * clock - what time it is, as one number
 *
 * Deadlines, rates and ages are told by clock_ms(), which never jumps; what a
 * person or another host reads is dated by clock_date_ms(), which does when the
 * host's clock is set. tools/check-layers says who may ask at all: what a parser
 * makes of its bytes must not depend on the hour.
 */

#include <stdint.h>
#include <time.h>

uint64_t clock_ns(clockid_t clock);
uint64_t clock_ms(void);      /* since some point in the past */
uint64_t clock_date_ms(void); /* since 1970 */
