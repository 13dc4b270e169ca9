#pragma once

/*
 * pe - the sections of a Windows binary, and the DLLs that it imports
 *
 * A DLL, an executable or a Python extension (.pyd). Of the format no more is
 * read than where its sections stand in the file:
 *
 *   0     "MZ"; at 60 the place of "PE\0\0", usually 0x78 to 0x180
 *   PE    machine, number of sections, symbols, size of the optional header
 *   PE+24 optional header, then 40 bytes for each section
 *
 * A section's name has eight bytes. Microsoft's and LLVM's linker cut a longer
 * one: .hip_fatbin is ".hip_fat", .hipFatBinSegment is ".hipFatB". GNU ld puts
 * it into the table of strings, and the field has its place there: "/4".
 *
 * Files of 32 and 64 bits differ in the optional header alone and are both read.
 */

#include "base/arena.h"
#include "base/source.h"

#define PE_WINDOW   4096
#define PE_NAME_MAX 64 /* with the NUL; longer ones are cut */

struct pe_window {
	uint64_t at;
	size_t len;
	unsigned char bytes[PE_WINDOW];
};

struct pe {
	struct source *source;
	uint16_t machine;
	uint32_t section_count;
	bool library;      /* the linker called it a DLL, as it does a .pyd */
	uint64_t optional; /* where the optional header begins */
	uint64_t sections; /* where their table begins */
	uint64_t strings;  /* where the names begin that are too long; 0: none */
	struct pe_window window;
};

/*
 * 0; -ENOEXEC for what is no PE file, a DOS program for one; -EBADMSG for one
 * that ends before its header does; or what the source answered. *ret_why is
 * then a sentence without a full stop.
 */
int pe_open(struct source *s, struct pe *ret, const char **ret_why);

struct pe_section {
	char name[PE_NAME_MAX]; /* ".hip_fat", or ".hip_fatbin" of GNU ld */
	uint64_t offset,
		size;     /* of its bytes in the file, without the padding; may lie past its end */
	uint64_t address; /* where it begins in memory, from the start of the image */
};

/* 0, -ENOENT if there are fewer, -EBADMSG for a table that lies past the end, or the source's. */
int pe_section(struct pe *pe, uint32_t number, struct pe_section *ret);

#define PE_IMPORTS_MAX 256

struct pe_imports {
	const char *names[PE_IMPORTS_MAX]; /* "amdhip64_7.dll", in the file's order */
	size_t count;
	bool cut; /* there are more */
};

/*
 * The DLLs that the loader must find before the file runs; those of delayed
 * imports are looked for when they are first called, and are left out. A file
 * without imports has none of them. 0 or -EBADMSG: the table cannot be read.
 */
int pe_imports(struct pe *pe, struct arena *arena, struct pe_imports *ret);
