#pragma once

/*
 * act - a remedy in the words of the program that is named
 *
 * "Compute in higher precision" is --fp32-vae to ComfyUI and an option of the
 * Trainer to a script. A remedy that says which acts it is (acts: in kb/remedies)
 * gets the steps of the program's own card (kb/programs), with the user's command
 * where the text shows it. Where no program is named, or its card says nothing
 * about the act, the remedy's own words stay.
 */

#include "diagnose/ask.h"

/* The same remedy, or one with the program's steps; NULL: this program cannot do it. */
const struct remedy *act_in_program(struct asker *asker, const struct remedy *r);
