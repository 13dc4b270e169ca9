#pragma once

/*
 * pasted - output of tools in a text, as rows of the machine's tables
 *
 * People paste `ls -l /dev/kfd`, `id`, `lsmod`, `lspci` or the `docker run` that
 * they typed. Signatures find those lines (kb/signatures/pasted.yaml), and
 * data/pasted-facts.sql makes rows of them, of origin `log`.
 */

#include "explain/state.h"

/* Says what follows from ids on the PCI bus. Before state_conclude() decides. */
void pasted_products(struct state *s);

/* Rows for a text that no machine stands behind. At the end. */
void pasted_rows(struct state *s);
