#pragma once

/*
 * hand-way - from the root of a hand to the directory that a path ends in
 *
 * For the files of the hand alone: whoever else wants a path changed asks the
 * hand. Name by name, so that no link is followed where none may be.
 */

#include "fix/hand.h"

/* A descriptor of the directory (O_PATH) and the last name; -ELOOP for a link on the way. */
int hand_walk(const struct hand *h, const char *path, const char **ret_name);
