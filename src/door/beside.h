#pragma once

/*
 * beside - files below one directory, for a reader that opens by name
 *
 * The readers of src/code open nothing by themselves: what a library refers to
 * and the index files of a directory of kernels come from here, with the judged
 * user's rights and bounded in bytes and time.
 */

#include "door/open-as-user.h"

#define BESIDE_OPEN_MAX  8
#define BESIDE_NAMES_MAX 20000
#define BESIDE_MS_MAX    4000

struct beside {
	struct as_user *user;
	const char *dir;
	uint64_t until_ms;
	uint64_t limit; /* bytes of one file */
	struct as_user_file files[BESIDE_OPEN_MAX];
	bool used[BESIDE_OPEN_MAX];
};

/* For struct code_opener and kernels_read(). */
int beside_open(void *of, const char *relative, struct source *ret);
void beside_close(void *of, struct source *s);
int beside_list(void *of, const char *relative_dir, struct arena *arena,
		const char *const **ret_names, size_t *ret_count);

struct beside_name {
	const char *name; /* relative */
	uint64_t size;
};

/* Those of one directory that are no links, and whose name fits. */
void beside_files(struct as_user *u, const char *dir, bool (*fits)(struct span name),
		  struct arena *arena, struct beside_name **ret_names, size_t *ret_count);

/* Told of each directory that was not listed, or with -E2BIG of the rest of one. */
struct beside_left {
	void (*tell)(void *of, const char *path, int error);
	void *of;
};

/*
 * Files in a directory and so many levels below it, sorted. Only those that
 * `sized` names are measured, since that costs more than the listing; the
 * others count as one byte. NULL: none. Beyond BESIDE_NAMES_MAX the rest is
 * left out; `left` may be NULL.
 */
void beside_names(struct as_user *u, const char *dir, unsigned int levels,
		  bool (*sized)(const void *of, const char *name), const void *of,
		  const struct beside_left *left, struct arena *arena,
		  struct beside_name **ret_names, size_t *ret_count);
