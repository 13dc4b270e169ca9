#pragma once

/*
 * setting-notes - what is known of the settings that a text or its machine shows
 *
 * One line each, by the view `setting_note`; none of them is a cause by itself.
 * What hides the error or does harm is taken back in a step of its own, which
 * comes behind two others. Where nothing failed, only such settings are named.
 */

#include "explain/explain-internal.h"

/* After the steps. 0 or -EIO. */
int setting_notes(struct explainer *x);
