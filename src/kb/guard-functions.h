#pragma once

/*
 * guard-functions - SQLite's functions that search, linear and charged
 *
 * SQLite counts a call of like, instr or replace as one step, whatever it costs.
 * In their place stand ours: bounded, and paid for in steps by the bytes they
 * look at. They stay with the connection when the guard has gone.
 */

#include <sqlite3.h>
#include <stdint.h>

#define GUARD_PATTERN_MAX 100
#define GUARD_VALUE_MAX   16384 /* bytes of a text or row */

struct guard_meter;

/* Steps are added to *charged until they are off. NULL: one of SQLite's own is still in place. */
struct guard_meter *guard_functions_on(sqlite3 *db, uint64_t *charged);
void guard_functions_off(struct guard_meter *meter); /* accepts NULL */
