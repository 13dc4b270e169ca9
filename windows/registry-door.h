#pragma once

/* registry-door - keys and values of the registry, read and never written; paths begin with "/reg" */

#include "base/buf.h"

bool registry_door_has(const char *path);
int registry_door_read(const char *path, struct buf *ret);
int registry_door_list(const char *path, struct buf *ret);
