#include "parse/pe.h"

#include <errno.h>
#include <string.h>

#include "flat.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LOOKS 200 /* sections; a file of 128 KB has no more that are worth it */

static void look(struct source s)
{
	struct pe_section x;
	struct pe_imports imports;
	struct arena a = { 0 };
	const char *why = NULL;
	struct pe pe;
	int r = pe_open(&s, &pe, &why);

	must(r <= 0 && (r == 0) == !why);
	if (r < 0)
		return;
	must(pe.sections + 1 > 24 && pe.section_count <= 65535);
	for (uint32_t i = 0; i < LOOKS && pe_section(&pe, i, &x) == 0; i++) {
		must(memchr(x.name, 0, sizeof(x.name)));
		must(x.offset <= UINT32_MAX && x.size <= UINT32_MAX);
		must(pe.sections + (i + 1) * 40 <= s.size);
	}
	must(pe_section(&pe, pe.section_count, &x) == -ENOENT);
	r = pe_imports(&pe, &a, &imports);
	must(r <= 0 && imports.count <= PE_IMPORTS_MAX);
	for (size_t i = 0; i < imports.count; i++)
		must(strlen(imports.names[i]) < 256);
	arena_done(&a);
}

/* A hole may hide a section or the rest of its name; what is read through it is the same. */
static void compare(struct source whole, struct source sieved)
{
	struct pe_section x, y;
	const char *why;
	struct pe a, b;

	if (pe_open(&whole, &a, &why) < 0 || pe_open(&sieved, &b, &why) < 0)
		return;
	for (uint32_t i = 0; i < LOOKS && pe_section(&a, i, &x) == 0; i++) {
		if (pe_section(&b, i, &y) < 0)
			continue;
		must(x.offset == y.offset && x.size == y.size);
		must(y.name[0] == '/' || strncmp(x.name, y.name, strlen(y.name)) == 0);
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
