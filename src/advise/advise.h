#pragma once

/*
 * advise - what to install for a GPU, from the knowledge's tables alone
 *
 * A pure function of a wish (which GPUs, which application, which system and
 * Python) and the knowledge: each way to get the application is a statement
 * over the tables of the world, with a rank. What is printed stands in a
 * table, with the day on which it was last known to exist. Several kinds of
 * GPUs get one line that serves all of them, or each its own.
 */

#include <sqlite3.h>
#include <stdint.h>

#include "base/arena.h"
#include "diagnose/ways.h"

struct advise_gpu {
	const char *gfx;
	const char *name; /* as it was asked for, or the product; NULL: not known */
};

struct advise_wish {
	const char *application; /* torch, ollama, ... */
	const char *system;      /* linux, windows, wsl */
	const char *python;      /* 3.12, or NULL: any will do */
	struct advise_gpu *gpus; /* each gfx once */
	size_t gpu_count;
	size_t most; /* as many ways of each part as are wanted; 0: all */
};

#define ADVISE_FRESH_DAYS 90 /* what was checked longer ago is said to be old */

/* What serves some of the GPUs. */
struct advise_part {
	const struct advise_gpu *gpus;
	size_t gpu_count;
	bool other_python;  /* there is none for the Python of the wish, but for another */
	const char *kernel; /* what the driver must be, on Linux; or NULL */
	const char *memory; /* how much of it an iGPU may use, and where that is set; or NULL */
	struct install_way *ways; /* best first; never empty */
	size_t way_count;
};

/* Its parts point into its wish: it stays where it was made. */
struct advice {
	struct arena arena;
	struct advise_wish wish;
	struct advise_part *parts;
	size_t part_count;
};

/*
 * `db` holds facts, with the knowledge attached as "kb"; its table statement
 * is used and left as it was. 0; -ENOENT: nothing is known of the application;
 * -EIO: the knowledge cannot be read.
 */
int advise(sqlite3 *db, const struct advise_wish *wish, struct advice *ret);
void advise_done(struct advice *a);

bool advise_is_none(const struct advise_part *part);

/* Applications that there is advice for, blank-separated. */
const char *advise_applications(sqlite3 *db, struct arena *a);
