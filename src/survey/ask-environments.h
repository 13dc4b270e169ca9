#pragma once

/*
 * ask-environments - the question where software for GPUs is installed
 *
 * Python environments of the judged user and of the system, those that
 * services run from, and a few applications. Not asked of network file systems
 * unless somebody names a path; what was left out stands in the answer.
 */

#include "door/door.h"

int ask_environments(struct door *d, struct span argument, struct buf *ret);
