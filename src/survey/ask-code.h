#pragma once

/*
 * ask-code - the question what device code a file holds
 *
 * code/code does the reading; here the file and what it refers to are opened,
 * with the judged user's rights, and bounded in bytes and time. The answer is
 * the text form of the reader's.
 */

#include "door/door.h"

int ask_code(struct door *d, struct span argument, struct buf *ret);
