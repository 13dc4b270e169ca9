#pragma once

/* fnmatch - see posix.h */

#include "posix.h"
