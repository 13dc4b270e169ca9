#pragma once

/*
 * check-drawing - the machine as a picture in a page
 *
 * A card for each GPU with its memory, in four shares where they are known,
 * and its partitions; boxes for memory nodes; a ring of GPUs with the links
 * between them. From one GPU to 64. What is not known is not drawn, and said.
 */

#include "base/buf.h"
#include "diagnose/diagnose.h"
#include "facts/facts.h"

void check_drawing(struct facts *f, const struct diagnosis *d, struct buf *out);
