#include "code/sections.h"

#include <errno.h>
#include <string.h>

#include "parse/bundle.h"
#include "parse/target-id.h"

#define REFERENCE_MAX (1u << 16) /* bytes of a kpack reference: a name and some paths */

/* The bytes of a section that are there. */
static struct source section_bytes(struct gather *g, struct source *s, const struct section *x)
{
	if (x->offset > s->size || x->size > s->size - x->offset)
		gather_problem(g, "section %s ends behind the file", x->name);
	return source_part(s, x->offset, x->size);
}

static void read_fatbin(struct gather *g, struct source *s, const struct section *x)
{
	unsigned int before = g->code->bundles;
	struct source part;

	if (x->no_content) {
		if (!g->kpack.data)
			gather_problem(
				g,
				"section %s has no content, and no kpack reference stands for it",
				x->name);
		return;
	}
	part = section_bytes(g, s, x);
	gather_bundles(g, &part, !g->kpack.data);
	if (g->code->bundles == before && !g->kpack.data && x->size > 0)
		gather_problem(g, "section %s holds no bundle", x->name);
}

static void read_reference(struct gather *g, struct source *s, const struct section *x)
{
	char *bytes;

	if (x->no_content || x->size > REFERENCE_MAX) {
		gather_problem(g, "section %s is no reference: %llu bytes", x->name,
			       (unsigned long long)x->size);
		return;
	}
	bytes = arena_alloc(g->arena, (size_t)x->size + 1);
	if (source_read(s, x->offset, bytes, (size_t)x->size) < 0)
		gather_problem(g, "section %s cannot be read", x->name);
	else
		g->kpack = (struct span){ bytes, (size_t)x->size };
}

/* Relocatable device code: the section's name is the id. All sections of a file are one bundle. */
static void read_device_section(struct gather *g, const struct section *x, bool *first)
{
	struct target_entry id = target_entry_parse(span_of(x->name + BUNDLE_MAGIC_BYTES));
	struct target_id target;
	char text[TARGET_ID_MAX];

	if (target_entry_is_foreign(&id))
		return;
	if (!target_entry_is_device(&id) || !target_id_parse(id.target, &target)) {
		gather_problem(g, "section %s names no target", x->name);
		return;
	}
	if (*first && !gather_bundle(g, CODE_SECTIONS))
		return;
	*first = false;
	target_id_write(&target, text);
	gather_target(g, text);
}

/*
 * In the order in which they must be read: a fat binary that was emptied is judged by the reference.
 * PE has room for eight bytes of a name: linkers cut, and AMD's splitter has a name of its own.
 */
static const struct {
	const char *name, *in_pe;
} wanted[] = {
	{ ".rocm_kpack_ref", ".kpackrf" },
	{ ".hip_fatbin", ".hip_fat" },
	{ ".llvm.offloading", ".llvm.of" },
};

enum {
	WANTED_REFERENCE,
	WANTED_FATBIN,
	WANTED_OFFLOADED,
	WANTED_DEVICE, /* begins with the magic of a bundle */
	WANTED_COUNT,
};

static size_t which(const char *name)
{
	if (name[0] != '.' && name[0] != '_')
		return WANTED_COUNT;
	for (size_t i = 0; i < WANTED_DEVICE; i++)
		if (strcmp(name, wanted[i].name) == 0 || strcmp(name, wanted[i].in_pe) == 0)
			return i;
	return strncmp(name, BUNDLE_MAGIC, BUNDLE_MAGIC_BYTES) == 0 ? WANTED_DEVICE : WANTED_COUNT;
}

static void read_section(struct gather *g, struct source *s, const struct section *x, bool *first)
{
	struct source part;

	switch (which(x->name)) {
	case WANTED_REFERENCE:
		read_reference(g, s, x);
		break;
	case WANTED_FATBIN:
		read_fatbin(g, s, x);
		break;
	case WANTED_OFFLOADED:
		part = section_bytes(g, s, x);
		if (!x->no_content)
			gather_offloaded(g, &part);
		break;
	case WANTED_DEVICE:
		read_device_section(g, x, first);
		break;
	default:
		break;
	}
}

/* One pass finds what there is; the reference is read before the rest. */
void sections_read(struct gather *g, struct source *s, section_at *at, void *of)
{
	unsigned int seen[WANTED_COUNT + 1] = { 0 };
	struct section x;
	bool first = true;
	int r;

	for (uint32_t i = 0; (r = at(of, i, &x)) == 0; i++) {
		size_t what = which(x.name);

		seen[what]++;
		if (what == WANTED_REFERENCE)
			read_section(g, s, &x, &first);
	}
	if (r != -ENOENT)
		gather_problem(g, r == -E2BIG ? "more sections than are read"
					      : "the section table ends behind the file");
	for (uint32_t i = 0;
	     seen[WANTED_FATBIN] + seen[WANTED_OFFLOADED] + seen[WANTED_DEVICE] > 0 &&
	     at(of, i, &x) == 0;
	     i++)
		if (which(x.name) != WANTED_REFERENCE)
			read_section(g, s, &x, &first);
}
