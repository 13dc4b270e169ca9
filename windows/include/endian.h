#pragma once

/* endian - see posix.h */

#include "posix.h"
