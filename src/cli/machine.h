#pragma once

/*
 * machine - the machine that the options name, recorded and in tables
 */

#include "cli/options.h"
#include "facts/facts.h"

struct machine {
	struct root *root;
	struct facts *facts;
	/*
	 * Set by the caller: called with the empty tables, while a host is being recorded.
	 * Returns 0, or the exit status that opening fails with.
	 */
	int (*made)(struct machine *m);
	int made_status;
};

/* Can this host be asked at all? rocsteady.exe cannot. */
bool machine_here(void);

/* 0, or an exit status after saying what is wrong. */
int machine_open_root(const struct options *o, struct root **ret); /* recorded, no tables */
int machine_open(const struct options *o, struct machine *ret);
int machine_again(struct machine *m); /* new tables: something was added to the record */

/*
 * What passes (GPUs, and who holds their memory) looked at again, within so many
 * milliseconds. False: not whole, or a recording, and the tables are as before.
 */
bool machine_look_again(const struct options *o, int total_ms, struct facts *facts);

/*
 * The same machine with pseudonyms for names, serials and secrets, and new
 * tables of it: nothing that is made from them can tell one. Key as in scrub().
 */
int machine_scrub(struct machine *m, const char *key);

void machine_close(struct machine *m);
