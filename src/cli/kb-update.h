#pragma once

/*
 * kb-update - `kb update`, and where the knowledge in use comes from
 */

#include "cli/options.h"
#include "context/knowledge.h"

int kb_update(const struct options *o);

/* Lines for `kb version`: the file, who signed it, the site's own. */
void kb_update_origin(const struct options *o, const struct knowledge *k, struct buf *ret);
