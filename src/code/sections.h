#pragma once

/*
 * sections - device code in the sections of a host binary
 *
 * ELF and PE name the same sections, and their content is the same; only the
 * table is another one. So its reader gives sections by number, and what
 * stands in them is read here.
 */

#include "code/gather.h"

#define SECTION_NAME_MAX 256 /* with the NUL */

struct section {
	char name[SECTION_NAME_MAX];
	bool no_content;       /* the loader fills it with zeroes */
	uint64_t offset, size; /* as the file says: may lie past its end */
};

/* 0, -ENOENT behind the last one, -E2BIG behind the last that is read, else it cannot be read. */
typedef int section_at(void *of, uint32_t number, struct section *ret);

void sections_read(struct gather *g, struct source *s, section_at *at, void *of);
