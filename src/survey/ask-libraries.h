#pragma once

/*
 * ask-libraries - the question which libraries of ROCm a directory holds
 *
 * "libraries /opt/rocm-6.4.1/lib": files, not the links to them, by the names
 * that ROCm's libraries have, directories of kernels beside them, and the
 * version that the install gives itself.
 */

#include "door/door.h"

int ask_libraries(struct door *d, struct span argument, struct buf *ret);
