#pragma once

/*
 * gpu-columns - what the PCI directory of one GPU says, into its row
 *
 * Also fills what later collectors want to know of the GPU: whether amdgpu
 * drives it, its gfx, the VRAM in use. What a sleeping GPU does not tell, and
 * what its kind does not have, is a gap.
 */

#include "facts/collect.h"

/* `g` has its address and directory; everything else is filled here. */
void gpu_columns_add(struct collect *c, struct collect_gpu *g, struct row *row);
