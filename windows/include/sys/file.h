#pragma once

/* file - no locks: nothing is replaced here */

#include <posix.h>
