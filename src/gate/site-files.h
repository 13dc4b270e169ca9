#pragma once

/*
 * site-files - the two files by which a site steers the gate
 *
 * gate.conf says what is enforced. gate.off beside it, whatever is in it, lets
 * everything pass at once.
 */

#include "base/buf.h"
#include "gate/node-verdict.h"

#define GATE_CONF_FILE "/etc/rocsteady/gate.conf"

/*
 * Puts gate.conf to a verdict. A file that is not there observes; so does one
 * that cannot be read, could have been written by others or has a mistake, and
 * then the verdict says why it is ignored.
 */
void site_conf_apply(const char *conf, struct arena *a, struct node_verdict *v);

/* Whether the file is there and has no mistake by itself; else why not. */
bool site_conf_is_good(const char *conf, struct buf *why);

/* The path of gate.off beside that file, or NULL if it is not there. */
const char *site_off(const char *conf, struct arena *a);
