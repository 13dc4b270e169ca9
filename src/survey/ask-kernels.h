#pragma once

/*
 * ask-kernels - the question for which GPUs a directory of kernels is made
 *
 * The names in it, bounded, and its index files; code/kernels does the reading.
 */

#include "door/door.h"

int ask_kernels(struct door *d, struct span argument, struct buf *ret);
