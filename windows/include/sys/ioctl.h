#pragma once

/* ioctl - see posix.h */

#include <posix.h>
