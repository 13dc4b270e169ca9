#pragma once

/* host - questions to Windows that are neither a file nor a value of the registry */

#include "base/buf.h"

/* "total N", "available N", "commit_limit N", "commit_left N", in bytes */
int windows_memory(struct buf *ret);
