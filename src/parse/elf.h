#pragma once

/*
 * elf - what a 64-bit little-endian ELF file says about itself
 *
 * Header, sections by name, segments, notes, and what the loader reads of the
 * dynamic section. Over a source, in few reads: the first 4 KB hold header and
 * segments of every file that a linker made. Every number is checked against
 * the size of the file before it is used; a table that lies elsewhere is an
 * error of that table and not of the file.
 */

#include "base/arena.h"
#include "base/source.h"

#define ELF_WINDOW       4096
#define ELF_NAME_MAX     256 /* of a section, with the NUL; longer ones are cut */
#define ELF_SECTIONS_MAX (1u << 20)
#define ELF_NEEDED_MAX   1024
#define ELF_NOTES_MAX    (1u << 16) /* Tensile's objects have one for each kernel: hundreds */

enum {
	ELF_RELOCATABLE = 1,
	ELF_EXECUTABLE = 2,
	ELF_SHARED = 3,
	ELF_CORE = 4,

	ELF_MACHINE_AMDGPU = 224,

	ELF_NOBITS = 8,
};

struct elf_window {
	uint64_t at;
	size_t len;
	unsigned char bytes[ELF_WINDOW];
};

struct elf {
	struct source *source;
	uint16_t type, machine;
	uint32_t flags;
	uint8_t osabi, abi_version;
	uint64_t phoff, shoff;
	uint32_t phnum, shnum; /* 0: there is no table, or none that can be read */
	uint64_t sections;     /* bytes of the table by the header alone, read or not */
	uint32_t names_index;
	uint64_t names_at, names_size; /* of the section names; size 0: none */

	struct elf_window head, table, names;
};

/*
 * 0; -ENOEXEC for what is no ELF, -EPROTONOSUPPORT for one of 32 bits or
 * big-endian, -EBADMSG for a header that is cut or damaged, or what the source
 * answered. *ret_why is then a sentence without a full stop.
 */
int elf_open(struct source *s, struct elf *ret, const char **ret_why);

struct elf_section {
	char name[ELF_NAME_MAX];
	uint32_t type;
	uint64_t offset, size; /* as the file says: may lie past its end */
};

/*
 * The section with this number: 0, -ENOENT if there are fewer, -EBADMSG for a
 * table that lies past the end, -E2BIG for a number of ELF_SECTIONS_MAX, or
 * what the source answered.
 */
int elf_section(struct elf *elf, uint32_t number, struct elf_section *ret);

struct elf_segment {
	uint32_t type;
	uint64_t offset, address, size; /* in the file */
	uint64_t align;
};

enum {
	ELF_LOAD = 1,
	ELF_DYNAMIC = 2,
	ELF_INTERPRETER = 3,
	ELF_NOTES = 4,
};

int elf_segment(struct elf *elf, uint32_t number, struct elf_segment *ret);

struct elf_dynamic {
	bool found;         /* there is a dynamic segment */
	bool pie;           /* the linker called it an executable */
	const char *soname; /* NULL: none; this and all below in the arena, any bytes */
	const char *rpath, *runpath;
	const char *defines; /* the highest version that it defines: hip_7.2 */
	const char **needed;
	size_t needed_count;
};

/*
 * Through segments alone, as the loader does: a file without section headers
 * is read all the same. -EBADMSG for a table or a string that lies elsewhere,
 * -E2BIG for more entries, needed libraries or versions than are read; what was
 * read until then stands in *ret.
 */
int elf_dynamic(struct elf *elf, struct arena *arena, struct elf_dynamic *ret);

struct elf_note {
	char owner[16]; /* cut */
	uint32_t type;
	uint64_t at; /* of its data, which lies inside the file */
	uint32_t size;
};

/* A place in the notes; begin with zeroes. */
struct elf_notes {
	uint32_t segment;
	uint32_t count; /* handed out so far */
	uint64_t at;    /* in the segment */
};

/* 1, 0 at the end, -EBADMSG, -E2BIG, or what the source answered. */
int elf_note_next(struct elf *elf, struct elf_notes *place, struct elf_note *ret);
