#pragma once

/*
 * own-gfx - the gfx that a GPU has, where programs print another
 *
 * HSA_OVERRIDE_GFX_VERSION makes rocminfo, torch and llama.cpp print the gfx
 * that it names for every GPU. Their name of the product stays true. So a gfx
 * of the text that is an override's is not the GPU's if the GPU is known by
 * its product and that has another one; and a program that prints a product
 * with a gfx that it has not runs under an override.
 */

#include "explain/state.h"

/* After overrides and the system are said. True if a gfx was taken back. */
bool own_gfx(struct state *s);
