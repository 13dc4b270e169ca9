#include "parse/code-object.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/endian.h"
#include "parse/gfx.h"

/*
 * Numbers of processors, bits 0-7 of e_flags. The numbers below 0x20 are of
 * GPUs older than GCN.
 * Source: EF_AMDGPU_MACH_AMDGCN_* of llvm/include/llvm/BinaryFormat/ELF.h, from
 * LLVM 14 (which still had 0x40 and 0x4b) to 22.
 */
static const char *const processors[] = {
	[0x20] = "gfx600",          [0x21] = "gfx601",          [0x22] = "gfx700",
	[0x23] = "gfx701",          [0x24] = "gfx702",          [0x25] = "gfx703",
	[0x26] = "gfx704",          [0x28] = "gfx801",          [0x29] = "gfx802",
	[0x2a] = "gfx803",          [0x2b] = "gfx810",          [0x2c] = "gfx900",
	[0x2d] = "gfx902",          [0x2e] = "gfx904",          [0x2f] = "gfx906",
	[0x30] = "gfx908",          [0x31] = "gfx909",          [0x32] = "gfx90c",
	[0x33] = "gfx1010",         [0x34] = "gfx1011",         [0x35] = "gfx1012",
	[0x36] = "gfx1030",         [0x37] = "gfx1031",         [0x38] = "gfx1032",
	[0x39] = "gfx1033",         [0x3a] = "gfx602",          [0x3b] = "gfx705",
	[0x3c] = "gfx805",          [0x3d] = "gfx1035",         [0x3e] = "gfx1034",
	[0x3f] = "gfx90a",          [0x40] = "gfx940",          [0x41] = "gfx1100",
	[0x42] = "gfx1013",         [0x43] = "gfx1150",         [0x44] = "gfx1103",
	[0x45] = "gfx1036",         [0x46] = "gfx1101",         [0x47] = "gfx1102",
	[0x48] = "gfx1200",         [0x49] = "gfx1250",         [0x4a] = "gfx1151",
	[0x4b] = "gfx941",          [0x4c] = "gfx942",          [0x4e] = "gfx1201",
	[0x4f] = "gfx950",          [0x50] = "gfx1310",         [0x51] = "gfx9-generic",
	[0x52] = "gfx10-1-generic", [0x53] = "gfx10-3-generic", [0x54] = "gfx11-generic",
	[0x55] = "gfx1152",         [0x58] = "gfx1153",         [0x59] = "gfx12-generic",
	[0x5a] = "gfx1251",         [0x5b] = "gfx12-5-generic", [0x5c] = "gfx1172",
	[0x5d] = "gfx1170",         [0x5e] = "gfx1171",         [0x5f] = "gfx9-4-generic",
	[0x62] = "gfx11-7-generic", [0x63] = "gfx13-generic",
};

#define PROCESSOR_COUNT (sizeof(processors) / sizeof(processors[0]))

enum {
	OSABI_HSA = 64,

	/* Version 3: a feature is on or not stated. */
	V3_XNACK = 0x100,
	V3_SRAMECC = 0x200,

	/* Version 4 and newer: two bits, 0 has no such feature, 1 any, 2 off, 3 on. */
	V4_XNACK_SHIFT = 8,
	V4_SRAMECC_SHIFT = 10,

	V6_GENERIC_SHIFT = 24,

	/* Version 2: a note of "AMD": vendor and architecture sizes, then three numbers. */
	NOTE_ISA = 3,
	NOTE_ISA_BYTES = 16,
};

const char *code_object_processor(uint32_t mach)
{
	return mach < PROCESSOR_COUNT ? processors[mach] : NULL;
}

static void read_flags(uint8_t osabi, uint8_t abi_version, uint32_t flags, struct code_object *ret)
{
	static const enum target_feature v4[] = { TARGET_ANY, TARGET_ANY, TARGET_OFF, TARGET_ON };
	const char *name = code_object_processor(flags & 0xff);
	struct target_id id = { .processor = span_of(name) };
	struct code_object o = { .osabi = osabi, .known = name };

	if (osabi == OSABI_HSA && abi_version <= 4)
		o.version = abi_version + 2u;
	if (o.version == 3) {
		id.sramecc = flags & V3_SRAMECC ? TARGET_ON : TARGET_ANY;
		id.xnack = flags & V3_XNACK ? TARGET_ON : TARGET_ANY;
	} else if (o.version >= 4) {
		id.sramecc = v4[flags >> V4_SRAMECC_SHIFT & 3];
		id.xnack = v4[flags >> V4_XNACK_SHIFT & 3];
	}
	if (o.version == 6)
		o.generic = flags >> V6_GENERIC_SHIFT;
	if (name)
		target_id_write(&id, o.target);
	else
		snprintf(o.target, sizeof(o.target), "mach 0x%02x", flags & 0xff);
	*ret = o;
}

int code_object_parse(struct span head, struct code_object *ret)
{
	if (head.len < CODE_OBJECT_HEAD)
		return -ENODATA;
	if (memcmp(head.data, "\177ELF\2\1\1", 7) != 0)
		return -ENOEXEC;
	if (endian_u16(head.data + 18) != ELF_MACHINE_AMDGPU)
		return -ENOEXEC;
	read_flags((uint8_t)head.data[7], (uint8_t)head.data[8], endian_u32(head.data + 48), ret);
	return 0;
}

/*
 * Compilers of version 2 before LLVM 7 left the number out. Data of the note:
 * 0 and 2 sizes of two names, 4 major, 8 minor, 12 stepping, the names.
 */
static bool read_isa_note(struct elf *elf, char ret[static TARGET_ID_MAX])
{
	struct elf_notes place = { 0 };
	struct elf_note note;
	uint32_t isa[4];

	while (elf_note_next(elf, &place, &note) > 0) {
		uint32_t major, minor, stepping;

		if (note.type != NOTE_ISA || strcmp(note.owner, "AMD") != 0 ||
		    note.size < NOTE_ISA_BYTES ||
		    source_read(elf->source, note.at, isa, sizeof(isa)) < 0)
			continue;
		major = endian_u32(&isa[1]);
		minor = endian_u32(&isa[2]);
		stepping = endian_u32(&isa[3]);
		return major < 100 && minor < 100 && stepping < 100 &&
		       gfx_name(major * 10000 + minor * 100 + stepping, ret) == 0;
	}
	return false;
}

int code_object_read(struct elf *elf, struct code_object *ret)
{
	if (elf->machine != ELF_MACHINE_AMDGPU)
		return -ENOEXEC;
	read_flags(elf->osabi, elf->abi_version, elf->flags, ret);
	if (!ret->known && ret->version == 2)
		ret->known = read_isa_note(elf, ret->target);
	return 0;
}
