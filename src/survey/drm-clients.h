#pragma once

/*
 * drm-clients - who holds a DRM device, and how much memory with it
 *
 * The answer is a paragraph for each open file of a GPU: the line
 * "process PID UID COMMAND", then the drm-* lines of its fdinfo. A last line
 * "denied N" counts the processes that could not be looked into.
 */

#include "door/door.h"

int drm_clients(struct door *d, struct span argument, struct buf *ret);
