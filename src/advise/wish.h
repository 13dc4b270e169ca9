#pragma once

/*
 * wish - what a machine wants advice for
 *
 * From the facts: the GPUs that programs are meant for, the system and the
 * Python of the environment in use.
 */

#include "advise/advise.h"

/* GPUs, system and Python; application is left alone. The texts live in the arena. */
void wish_of_machine(sqlite3 *db, struct arena *a, struct advise_wish *ret);

/*
 * What to install, for a machine with a GPU on which no framework was found
 * and nothing was left unasked where one might be. False: there is no need to
 * say anything, or nothing to say.
 */
bool wish_for_a_framework(sqlite3 *db, struct advice *ret);
