#pragma once

/*
 * base64 - bytes that are no text, inside a text format
 *
 * Standard alphabet with padding. The decoder skips white space and refuses
 * everything else that is not part of a well-formed group.
 */

#include "base/buf.h"

void base64_write(struct buf *out, struct span bytes); /* one line, no newline */
bool base64_read(struct buf *out, struct span text);
