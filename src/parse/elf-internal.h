#pragma once

/*
 * elf-internal - what the readers of an ELF file share
 */

#include "parse/elf.h"

/* n bytes, which is at most a window: in *ret until the window moves. */
int elf_view(struct source *s, struct elf_window *w, uint64_t at, size_t n,
	     const unsigned char **ret);

/* Where record `number` of a table stands. False if that is no place in the file. */
bool elf_place_of(const struct elf *elf, uint64_t table, uint64_t number, size_t bytes,
		  uint64_t *ret);
