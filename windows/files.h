#pragma once

/* files - files and directories of Windows by their names in UTF-8, as "C:/Users/ada" */

#include "base/arena.h"
#include "base/buf.h"

struct file_name {
	const char *name;
	bool is_dir;
	bool is_link; /* a junction or symbolic link: not entered */
	uint64_t size;
};

bool file_is_there(const char *path);
int file_open(const char *path, uint64_t *ret_size); /* a descriptor, or -errno */
int file_read(const char *path, size_t max, struct buf *ret);
size_t file_names(const char *dir, size_t max, struct arena *a, struct file_name **ret);

/* A file of a directory whose name is this in any case, as it is written there; NULL: none. */
const char *file_find(const char *dir, const char *name, struct arena *a);
