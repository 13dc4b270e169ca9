#pragma once

/* random - see posix.h */

#include <posix.h>
