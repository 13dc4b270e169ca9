#pragma once

/*
 * code-object - for whom an AMDGPU ELF file was built
 *
 * The header says it all: OS ABI, its version (which is the version of the
 * code object, minus two) and flags with a number for the processor and what
 * the code demands of the features.
 */

#include "parse/elf.h"
#include "parse/target-id.h"

#define CODE_OBJECT_HEAD 64 /* bytes of its ELF header: all that is looked at */

struct code_object {
	char target[TARGET_ID_MAX]; /* gfx90a:xnack-, or "mach 0x7f" for a number without a name */
	bool known;                 /* the number has a name */
	unsigned int version;       /* 2 to 6; 0: of another OS than HSA, or a newer one */
	uint8_t osabi;              /* 64 HSA, 65 PAL, 66 Mesa */
	unsigned int generic;       /* version of a generic target, 0: none */
};

/* 0; -ENOEXEC for what is no 64-bit ELF for AMDGPU, -ENODATA for less than its header. */
int code_object_parse(struct span head, struct code_object *ret);

/* The same of an open ELF file; the number may be missing in version 2, its notes name it then. */
int code_object_read(struct elf *elf, struct code_object *ret);

/* The name of a processor by its number in the flags, or NULL. */
const char *code_object_processor(uint32_t mach);
