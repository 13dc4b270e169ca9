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

/*
 * The views that pasted_rows() reads. It makes them itself; where tables are
 * emptied by going back to before a text (facts_clear()), they are made before it.
 */
bool pasted_views(sqlite3 *db);

/* Rows for a text that no machine stands behind. At the end. */
void pasted_rows(struct state *s);
