#pragma once

/*
 * ask-loads - the question which libraries a file would get
 *
 * "loads FILE" or "loads FILE PROGRAM", the program being what opens it: the
 * walk of root/loader with the judged process's variables. Of hundreds of names
 * the answer has those of ROCm and of frameworks, and all that are missing,
 * with where else a missing one is.
 */

#include "door/door.h"

int ask_loads(struct door *d, struct span argument, struct buf *ret);
