#pragma once

/*
 * paths - the closed table of what may be asked of a live host
 *
 * Some kernel files act when they are read (debugfs amdgpu_gpu_recover resets
 * the GPU), some wake a sleeping GPU, some never answer when the GPU hangs. So
 * the live door serves only paths that stand here, each with its class.
 */

#include "base/span.h"

enum path_class {
	PATH_STATIC, /* the kernel or a file system answers by itself */
	PATH_DEVICE, /* the driver asks the GPU, which may not answer */
	PATH_WAKES,  /* as DEVICE, and a sleeping GPU would be woken */
};

enum path_flag {
	PATH_BRIEF = 1,    /* belongs into a brief snapshot */
	PATH_SETTERS = 2,  /* keep only lines that name a watched variable */
	PATH_HEAD = 4,     /* the first 4 KiB say it all */
	PATH_PROCESS = 8,  /* about a process, user or container, not about the host */
	PATH_UNIT = 16,    /* as SETTERS, and lines on user, group and limits */
	PATH_MODULES = 32, /* keep only lines that name a GPU driver */
	PATH_OWN = 64,     /* a file of the site that we obey: not from other hands */
};

struct path_rule {
	const char *dir;   /* segments, `*` within a segment; `~` is the judged user's home */
	const char *names; /* blank-separated, `*` too; "." is the directory itself */
	enum path_class class;
	unsigned int flags;
};

/* The table of this system: paths-table.c, or windows/paths-table.c. */
extern const struct path_rule paths_rules[];
extern const size_t paths_rule_count;

/* NULL: not in the table. */
const struct path_rule *paths_find(struct span path);

/* "/reg/HKLM/...", "/C:/Windows": a path of a machine with Windows. */
bool paths_of_windows(struct span path);

/* All rows, for `facts --paths`. */
const struct path_rule *paths_table(size_t *ret_count);
const char *path_class_name(enum path_class class);

/* A variable that can change what ROCm does: looked for in start-up files. */
bool paths_watched_variable(struct span name);

/* A word between the underscores of one of them: "hip", "visible". */
bool paths_watched_part(struct span name);

/* Kept of an environment: the watched ones and a few that tell the surroundings. */
bool paths_kept_variable(struct span name);

/* A variable whose name says that its value is a secret: the value stays behind the door. */
bool paths_secret_variable(struct span name);
#define PATHS_WITHHELD "(withheld)"
