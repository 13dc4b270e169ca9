#pragma once

/*
 * stat - without symbolic links
 */

#include_next <sys/stat.h>

#define lstat         stat
#define S_ISLNK(mode) 0
