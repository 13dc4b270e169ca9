#pragma once

/*
 * undress - a line of a log without what terminals and collectors put around it
 *
 * Colours and cursor movements go; in a line of JSON the escapes of its
 * strings are taken back, so that a traceback sent as one string has lines
 * again. What stands before the text ([rank0]:, a container's name, a time)
 * stays: patterns are not anchored.
 */

#include "base/buf.h"

/* The line around `at`, at most `reach` bytes to each side; its ends are newline, return or the text's. */
struct span undress_line(struct span text, size_t at, size_t reach, bool *ret_json);

/* Appends the line without its dress. Of JSON only the piece around `at` between two escaped newlines. */
void undress(struct span line, size_t at, bool json, struct buf *ret);
