#pragma once

/*
 * name-gpus - findings about a GPU name it as programs count
 *
 * The view gpu_name makes the names. The subject of a finding stays the PCI
 * address, for programs and for commands; sentences for people get the name.
 */

#include "diagnose/diagnose.h"

void name_gpus(sqlite3 *db, struct arena *a, struct finding *findings, size_t count);
