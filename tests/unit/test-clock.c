#include "base/clock.h"

#include <time.h>

#include "check.h"

int main(void)
{
	uint64_t ms = clock_ms(), ns = clock_ns(CLOCK_MONOTONIC), date = clock_date_ms();

	CHECK(ms > 0 && ns / 1000000 >= ms); /* one clock in two units, and it does not go back */
	CHECK(clock_ms() >= ms);
	CHECK(date / 1000 + 2 >= (uint64_t)time(NULL) && date / 1000 <= (uint64_t)time(NULL));
	return check_end();
}
