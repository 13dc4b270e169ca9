#include "parse/elf.h"

#include <errno.h>
#include <string.h>

#include "flat.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LOOKS 200 /* sections and notes; the limits are the unit tests' */

static void look_at_names(struct elf *elf)
{
	struct arena arena = { 0 };
	struct elf_dynamic d;
	int r = elf_dynamic(elf, &arena, &d);

	must(r <= 0);
	must(d.needed_count <= ELF_NEEDED_MAX);
	for (size_t i = 0; i < d.needed_count; i++)
		must(strlen(d.needed[i]) < FLAT_MAX);
	must(!d.soname || strlen(d.soname) < FLAT_MAX);
	must(!d.rpath || strlen(d.rpath) < FLAT_MAX);
	must(!d.runpath || strlen(d.runpath) < FLAT_MAX);
	must(!d.defines || strlen(d.defines) < ELF_NAME_MAX);
	arena_done(&arena);
}

static void look(struct source s)
{
	struct elf_notes place = { 0 };
	struct elf_section x;
	struct elf_note note;
	const char *why = NULL;
	struct elf elf;
	int r = elf_open(&s, &elf, &why);

	must(r <= 0 && (r == 0) == !why);
	if (r < 0)
		return;
	for (uint32_t i = 0; i < LOOKS && elf_section(&elf, i, &x) == 0; i++)
		must(memchr(x.name, 0, sizeof(x.name)));
	must(elf_section(&elf, elf.shnum, &x) == -ENOENT);
	look_at_names(&elf);
	for (int i = 0; i < LOOKS && (r = elf_note_next(&elf, &place, &note)) > 0; i++) {
		must(note.at <= s.size && note.size <= s.size - note.at);
		must(memchr(note.owner, 0, sizeof(note.owner)));
	}
}

/* A hole may hide a section or its name; what is read through it is the same. */
static void compare(struct source whole, struct source sieved)
{
	const char *why;
	struct elf_section x, y;
	struct elf a, b;

	if (elf_open(&whole, &a, &why) < 0 || elf_open(&sieved, &b, &why) < 0)
		return;
	for (uint32_t i = 0; i < LOOKS && elf_section(&a, i, &x) == 0; i++) {
		if (elf_section(&b, i, &y) < 0)
			continue;
		must(x.type == y.type && x.offset == y.offset && x.size == y.size);
		must(y.name[0] == 0 || strcmp(x.name, y.name) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct flat flat = flat_make(data, size);

	look(flat_whole(&flat));
	look(flat_sieved(&flat));
	compare(flat_whole(&flat), flat_sieved(&flat));
	free(flat.data);
	return 0;
}
