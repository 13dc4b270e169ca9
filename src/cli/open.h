#pragma once

/*
 * open - the machine and the knowledge that a command line names
 *
 * As src/context opens them; what that has to say is said, and whoever waits
 * for a machine sees what is being asked. Each returns 0 or an exit status.
 */

#include "cli/options.h"
#include "context/ack-files.h"
#include "context/context.h"

struct progress_line;

/* The context options of a command, with its progress line. progress_line_end() must follow. */
struct context_options open_options(const struct options *o, struct progress_line *p);

int open_root(const struct options *o, struct root **ret); /* recorded, no tables */
int open_machine(const struct options *o, struct machine *ret);
int open_machine_again(struct machine *m);
int open_scrubbed(struct machine *m, struct acks *acks, const char *key);
int open_context(const struct options *o, struct context *ret);
int open_bare(const struct options *o, struct context *ret); /* no machine is asked */

/* The site's acknowledgements; and put to a diagnosis. */
void open_acks(const struct options *o, struct acks *ret);
void open_acks_put(struct acks *acks, sqlite3 *db, struct diagnosis *d);

/* Reports the error of a kb.db; returns the exit status. */
int open_bad_kb(const char *path, int error);
