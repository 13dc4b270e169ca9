#pragma once

/*
 * dirent - mingw-w64's has no types of entries, and no scandir
 */

#include "posix.h"

#define DT_UNKNOWN 0
#define DT_DIR     4
#define DT_REG     8
#define DT_LNK     10

struct dirent {
	unsigned char d_type;
	char d_name[260];
};

typedef struct posix_dir DIR;

DIR *opendir(const char *path);
struct dirent *readdir(DIR *dir);
int closedir(DIR *dir);
int alphasort(const struct dirent **a, const struct dirent **b);
int scandir(const char *path, struct dirent ***ret, int (*wanted)(const struct dirent *),
	    int (*order)(const struct dirent **, const struct dirent **));
