#pragma once

/*
 * units - amounts as people read them
 *
 * Bytes in binary units, with one decimal below a hundred: "20.0 GiB",
 * "512 MiB". Time in its two largest units: "3 h 12 min". The same amount
 * always gives the same text, whatever the locale.
 */

#include <stdint.h>

#define UNITS_MAX 32

void units_bytes(uint64_t bytes, char ret[static UNITS_MAX]);
void units_seconds(uint64_t seconds, char ret[static UNITS_MAX]);

/*
 * A moment since 1970 in UTC, "2026-11-16T21:05:23Z". The C library opens the file
 * that TZ names before it tells even UTC, and that may be anybody's.
 */
void units_moment(uint64_t seconds, char ret[static UNITS_MAX]);

/* Days since 1970-01-01 in the Gregorian calendar. */
int64_t units_day(int64_t year, int64_t month, int64_t day);
