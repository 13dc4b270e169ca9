#pragma once

/*
 * crash - says in which library this process dies
 *
 * The handler runs on a stack of its own, finds the library by /proc/self/maps,
 * writes `crashed SIGNAL PATH+OFFSET` (the offset is an address of the file, as
 * addr2line wants it) and lets the signal kill the process. Where the C or C++
 * library stopped the process (abort, a bad pointer given to memcpy) the first
 * caller outside of it is named.
 */

void crash_catch_signals(void);

/*
 * The vendor's libraries are there: from now on callers are found by unwinding.
 * Not before: that loads libgcc_s, and a library that brings its own must get its own.
 */
void crash_loaded(void);
