#pragma once

/*
 * ways - how an application gets code for GPUs: the knowledge's advice, asked
 *
 * Each way is a statement over the tables of the world, with a rank. It reads what is wished for
 * as statements, so what was stated besides is put aside while it is asked.
 */

#include <sqlite3.h>
#include <stdint.h>

#include "base/arena.h"
#include "kb/guard.h"

struct install_way {
	const char *id;
	const char *kind; /* wheel, device-package, image, ...; none: there is none */
	const char *line; /* to be pasted; NULL of kind none */
	const char *why;
	const char *caveat; /* or NULL */
	const char *checked;
	int64_t days; /* since then, if it is long ago (advise.h); else 0 */
	const char *class;
	const char *source;
};

struct way_rule {
	const char *id;
	const char *kind;
	const char *sql;
};

struct way_wish {
	const char *application; /* torch, ollama, ... */
	const char *system;      /* linux, windows, wsl */
	const char *python;      /* 3.12, or NULL: any will do */
	const char *const *gfxs; /* one line is to serve all of them */
	size_t gfx_count;
};

/* Those for an application on a system, best first. Not behind the guard. */
struct way_rule *ways_load(sqlite3 *db, struct arena *a, const char *application,
			   const char *system, size_t *ret_count);

/*
 * At most `most` of them that fit, best first, and how many there are. What is said when there is
 * none is dropped where there is one. The guard is on.
 */
size_t ways_ask(struct guard *g, struct arena *a, const struct way_wish *wish,
		const struct way_rule *rules, size_t rule_count, struct install_way *ret,
		size_t most);
