#pragma once

/*
 * ack-files - the acknowledgements of a site, out of its directory
 *
 * Every *.conf in the order of the names. A file that cannot be read, or has
 * one mistake, acknowledges nothing; that is said, and the others count.
 */

#include "cli/options.h"
#include "diagnose/ack.h"

#define ACK_FILES_DIR "/etc/rocsteady/ack.d"

/* Those that the options name, or this host's; and put to a diagnosis: what is of no use is said. */
void ack_files_take(const struct options *o, struct acks *ret);
void ack_files_put(struct acks *acks, sqlite3 *db, struct diagnosis *d);
void ack_files_put_again(struct acks *acks, sqlite3 *db, struct diagnosis *d); /* says nothing */
void ack_files_apply(const struct options *o, sqlite3 *db, struct diagnosis *d,
		     struct acks *ret); /* both */
