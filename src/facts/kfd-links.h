#pragma once

/*
 * kfd-links - the connections of one KFD node, for the table agent_link
 *
 * Meant for the first partition of a GPU only: on an MI300X in CPX mode each of
 * 64 agents has 64 links, and those of one GPU go over the same wires.
 */

#include "facts/collect.h"

/* `dir` is io_links or p2p_links of a node; `peer` says which. */
void kfd_links_collect(struct collect *c, const char *subject, const char *dir, bool peer);
