#pragma once

/*
 * elf-internal - what the readers of an ELF file share
 */

#include "parse/elf.h"

/* n bytes, which is at most a window: in *ret until the window moves. */
int elf_view(struct source *s, struct elf_window *w, uint64_t at, size_t n,
	     const unsigned char **ret);

/* The place of record `number` of a table. False if it is outside the file. */
bool elf_place_of(const struct elf *elf, uint64_t table, uint64_t number, size_t bytes,
		  uint64_t *ret);
