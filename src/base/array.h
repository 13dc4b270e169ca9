#pragma once

/* array - how many items an array has; of a pointer the compiler warns. */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
