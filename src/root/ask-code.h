#pragma once

/*
 * ask-code - the questions what device code a file or a directory holds
 *
 * The readers of src/code do the reading; here the files are opened, with the
 * judged user's rights, and bounded: in bytes, in names and in time. The answer
 * is the text form of the reader's.
 */

#include "root/door.h"

int ask_code(struct door *d, struct span argument, struct buf *ret);
