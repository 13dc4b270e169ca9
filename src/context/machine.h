#pragma once

/*
 * machine - the machine that the options name, recorded and in tables
 *
 * Prints nothing: what there is to say to the user is added to `said`, a line
 * each, also where the answer is 0.
 */

#include "context/options.h"
#include "diagnose/ack.h"
#include "facts/facts.h"

struct root;

struct machine {
	struct root *root;
	struct facts *facts;
	/*
	 * Set by the caller: called with the empty tables, while a host is being recorded.
	 * Returns 0, or the exit status that opening fails with.
	 */
	int (*made)(struct machine *m, struct buf *said);
	int made_status;
	bool hardware;    /* the tables hold only what the kernel says of GPUs and links */
	struct buf *said; /* while it is being opened */
};

/* Can this host be asked at all? rocsteady.exe and rocsteady.wasm cannot. */
bool machine_here(void);

/* 0, or an exit status. */
int machine_open_root(const struct context_options *o, struct root **ret,
		      struct buf *said); /* recorded, no tables */
int machine_open(const struct context_options *o, struct machine *ret, struct buf *said);

/*
 * The snapshot that the options name in the same tables, in place of the machine before. If it
 * cannot be read, the tables have no rows and the next one may follow.
 */
int machine_next(const struct context_options *o, struct machine *m, struct buf *said);

/* New tables: something was added to the record. */
int machine_again(struct machine *m, struct buf *said);

/*
 * Reads again, within so many milliseconds, the facts that change: GPUs, and the processes that
 * hold their memory. False: not whole, or a recording; the tables are as before.
 */
bool machine_look_again(const struct context_options *o, int total_ms, struct facts *facts);

/*
 * The same machine with pseudonyms for names, serials and secrets, and new
 * tables of it: nothing that is made from them can tell one. Key as in scrub().
 * What is acknowledged may be named by a path with somebody's name in it: those
 * subjects are replaced like the facts that they must match.
 */
int machine_scrub(struct machine *m, struct acks *acks, const char *key, struct buf *said);

/* For one that leaves in the middle of opening: nothing that it has started goes on. */
void machine_end_recording(void);

void machine_close_root(struct machine *m); /* the tables stay */
void machine_close(struct machine *m);
