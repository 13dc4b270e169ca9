#pragma once

/*
 * wide - text of Windows (UTF-16) and ours (UTF-8), and the paths of a door
 *
 * A name that is not ASCII reaches a call of Windows only in its wide form.
 */

#include <wchar.h>

#include "base/buf.h"

#define WIDE_MAX 4096

/* False: it does not fit. */
bool wide_of(struct span text, wchar_t ret[static WIDE_MAX]);
void wide_add(struct buf *ret, const wchar_t *text, size_t len);

/* "C:/Users/ada" as a call wants it, longer than 260 characters or not. */
bool wide_path(struct span path, wchar_t ret[static WIDE_MAX]);

/* A variable of this process with slashes; false: it is not set. */
bool wide_variable(const wchar_t *name, struct buf *ret);
