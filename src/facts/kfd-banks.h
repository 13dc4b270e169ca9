#pragma once

/*
 * kfd-banks - the memory of one KFD node, for the table agent
 *
 * On an APU the kernel gives what the GPU may map, not the carve-out (linux 6.12:
 * always; 7.2: where that is more).
 */

#include "facts/collect.h"

/* memory_bytes and memory_visible of a row, from `count` banks below `dir`. */
void kfd_banks_collect(struct collect *c, struct row *r, const char *subject, const char *dir,
		       uint64_t count);
