#pragma once

/*
 * head - which software a line says it comes from
 *
 * Loggers write a head before each text ("MIOpen(HIP): Error [...]"), and a
 * traceback ends in a file of the package that raises. data/components.tsv has
 * both, by the names that kb.component has.
 */

#include "base/arena.h"

/* The component of a line, or of a traceback's last place; NULL: it names none, or there is no text. */
const char *head_find(struct arena *arena, const char *text);
