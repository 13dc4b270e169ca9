#pragma once

/*
 * ack-files - the acknowledgements of a site, out of its directory
 *
 * Every *.conf in the order of the names. A file that cannot be read, or has
 * one mistake, acknowledges nothing; that is added to `said`, a line each, and
 * the others count.
 */

#include "context/options.h"
#include "diagnose/ack.h"

#define ACK_FILES_DIR "/etc/rocsteady/ack.d"

/* Those that the options name, or this host's. */
void ack_files_take(const struct context_options *o, struct acks *ret, struct buf *said);

/* Put to a diagnosis; what is of no use is told, with `said` NULL to nobody. */
void ack_files_put(struct acks *acks, sqlite3 *db, struct diagnosis *d, struct buf *said);
