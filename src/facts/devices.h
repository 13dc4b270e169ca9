#pragma once

/*
 * devices - which GPUs the tables hold, for commands that name or try them
 */

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* A GPU that programs are meant for, without the small one of a processor beside others. */
struct meant_device {
	const char *target; /* target id that the loader chooses code for; NULL: ROCm finds none */
	const char *gfx;    /* instruction set, the true one; NULL: not known */
	const char *override; /* HSA_OVERRIDE_GFX_VERSION, if it makes another GPU of it; or NULL */
};

/* Whether KFD offers a GPU at all. */
bool devices_any(sqlite3 *db);

/* Rows of an address and its gfx, which may be NULL, by address. */
sqlite3_stmt *devices_list(sqlite3 *db);

/* Returns the number of devices; equal ones count once. */
size_t devices_meant(sqlite3 *db, struct arena *a, struct meant_device **ret);
