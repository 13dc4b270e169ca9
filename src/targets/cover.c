#include "targets/cover.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const char *const verdicts[COVER_VERDICTS] = {
	[COVER_ALL] = "all",         [COVER_FALLBACK] = "fallback", [COVER_SLOWER] = "slower",
	[COVER_UNKNOWN] = "unknown", [COVER_PART] = "part",         [COVER_NONE] = "none",
};

const char *cover_name(enum cover cover)
{
	assert(cover < COVER_VERDICTS);
	return verdicts[cover];
}

bool cover_is_enough(enum cover cover)
{
	return cover <= COVER_SLOWER;
}

/* ---- files ---- */

/* An archive of another package may hold what this library looks for. */
static bool may_be_elsewhere(const struct code *code, bool here)
{
	if (here)
		return false;
	for (size_t i = 0; i < code->archive_count; i++)
		if (!code->archives[i].found)
			return true;
	return false;
}

/* An archive that is missing or empty is said once by code/kpack.c. */
size_t cover_hiding(const struct code *code)
{
	size_t plain = 0;
	size_t found = 0;

	for (size_t i = 0; i < code->archive_count; i++) {
		found += code->archives[i].found;
		plain += code->archives[i].found && code->archives[i].kernels == 0;
	}
	plain += code->archive_count > 0 && found == 0;
	return code->problem_count > plain ? code->problem_count - plain : 0;
}

/*
 * The total that a count belongs to. A library in kpack archives has as many code
 * objects for a target as it has source files, whatever the number of targets.
 */
static unsigned int whole_of(const struct code *code)
{
	unsigned int most = 0;

	if (code->forms[CODE_KPACKED] == 0)
		return code->bundles;
	for (size_t i = 0; i < code->target_count; i++)
		most = code->targets[i].in > most ? code->targets[i].in : most;
	return most;
}

/*
 * The bundles that lack it may be the ones that could not be read. Or several
 * targets run: in how many bundles together, was not counted.
 */
static bool may_hold_more(const struct code *code, const struct cover_cell *cell, unsigned int sum)
{
	size_t hiding = cover_hiding(code);

	if (hiding > 0 && cell->of - cell->in <= hiding)
		return true;
	return sum >= cell->of && sum > cell->in;
}

struct cover_cell cover_code(const struct code *code, struct span device, bool here)
{
	struct cover_cell cell = { .cover = COVER_NONE, .of = whole_of(code) };
	unsigned int sum = 0;

	for (size_t i = 0; i < code->target_count; i++) {
		const struct code_target *t = &code->targets[i];
		enum runs how = gfx_runs(span_of(t->id), device, (struct span){ 0 });

		if (how == RUNS_NOT)
			continue;
		sum += t->in;
		if (t->in > cell.in)
			cell.in = t->in;
		if (cell.how == RUNS_NOT || how < cell.how)
			cell.how = how;
	}
	if (cell.in >= cell.of && cell.of > 0)
		cell.cover = cover_hiding(code) > 0 ? COVER_UNKNOWN : COVER_ALL;
	else if (may_hold_more(code, &cell, sum) || may_be_elsewhere(code, here))
		cell.cover = COVER_UNKNOWN;
	else if (cell.in > 0)
		cell.cover = COVER_PART;
	return cell;
}

/* ---- directories ---- */

/* AOTriton names families: gfx11xx. */
static bool is_family(struct span family, struct span device)
{
	struct span processor;

	if (!span_cut(&device, ':', &processor) || processor.len != family.len)
		return false;
	for (size_t i = 0; i < family.len; i++)
		if (family.data[i] != processor.data[i] && family.data[i] != 'x')
			return false;
	return true;
}

/* Without them the library works, after a slower start. */
static bool is_optional(const char *kind)
{
	return strcmp(kind, "miopen") == 0 || strcmp(kind, "triton-cache") == 0;
}

static bool is_lost(const struct kernels *k, const struct kernels_arch *a)
{
	return kernels_has_index(k->kind) && a->index == 0 && !a->unread;
}

struct cover_cell cover_kernels(const struct kernels *k, struct span device)
{
	struct cover_cell cell = { .cover = COVER_NONE };
	unsigned int tuned = 0;
	unsigned int fallback = 0;
	unsigned int helper = 0;
	unsigned int missing = 0;
	bool unread = false;

	for (size_t i = 0; i < k->arch_count; i++) {
		const struct kernels_arch *a = &k->archs[i];
		struct span id = span_of(a->id);
		bool family = id.len > 4 && id.data[id.len - 1] == 'x' && is_family(id, device);
		enum runs how = family ? RUNS_EXACT : gfx_runs(id, device, (struct span){ 0 });

		if (how == RUNS_NOT || is_lost(k, a))
			continue;
		if (cell.how == RUNS_NOT || how < cell.how)
			cell.how = how;
		tuned += a->tuned;
		fallback += a->fallback;
		helper += a->helper;
		missing += a->missing;
		unread |= a->unread;
	}
	cell.in = tuned + fallback + helper;
	cell.of = k->files;
	if (unread)
		cell.cover = COVER_UNKNOWN;
	else if (missing > 0) { /* the product that needs one of them fails */
		cell.cover = cell.in > 0 ? COVER_PART : COVER_NONE;
		cell.of = cell.in + missing;
	} else if (tuned > 0)
		cell.cover = COVER_ALL;
	else if (fallback > 0)
		cell.cover = COVER_FALLBACK;
	else if (is_optional(k->kind))
		cell.cover = helper > 0 ? COVER_ALL : COVER_SLOWER;
	return cell;
}

/* ---- lists ---- */

static struct cover_cell listed_arch(const struct kernels *k, const struct kernels_arch *a)
{
	struct cover_cell cell = { .cover = COVER_ALL, .how = RUNS_EXACT, .of = k->files };

	if (is_lost(k, a))
		return (struct cover_cell){ .cover = COVER_NONE, .of = k->files };
	cell.in = a->tuned + a->fallback + a->helper;
	if (a->unread) {
		cell.cover = COVER_UNKNOWN;
	} else if (a->missing > 0) {
		cell.cover = COVER_PART;
		cell.of = cell.in + a->missing;
	} else if (a->tuned == 0 && a->fallback > 0) {
		cell.cover = COVER_FALLBACK;
	}
	return cell;
}

struct cover_cell cover_listed(const struct code *code, const struct kernels *kernels,
			       const char *target)
{
	struct cover_cell cell = { .cover = COVER_NONE };

	for (size_t i = 0; kernels && i < kernels->arch_count; i++)
		if (strcmp(kernels->archs[i].id, target) == 0)
			return listed_arch(kernels, &kernels->archs[i]);
	if (!code)
		return cell;
	cell.of = whole_of(code);
	cell.in = code_holds(code, span_of(target));
	if (cell.in > 0) {
		cell.how = RUNS_EXACT;
		cell.cover = cell.in < cell.of ? COVER_PART : COVER_ALL;
	}
	return cell;
}

/* ---- order ---- */

/* gfx1151 is of generation 11, gfx90a of 9, gfx9-4-generic of 9. */
static unsigned long generation(const char *id, bool *ret_generic)
{
	size_t digits = 0;
	unsigned long value = 0;
	const char *at;

	*ret_generic = strstr(id, "generic") != NULL;
	if (strncmp(id, "gfx", 3) != 0)
		return 1000;
	at = id + 3;
	while (digits < 8 && isxdigit((unsigned char)at[digits]))
		digits++;
	if (!*ret_generic)
		digits = digits > 2 ? digits - 2 : 0;
	for (size_t i = 0; i < digits; i++)
		value = value * 10 + (unsigned long)(at[i] - '0') % 10;
	return value;
}

int cover_order(const char *a, const char *b)
{
	bool a_generic;
	bool b_generic;
	unsigned long x = generation(a, &a_generic);
	unsigned long y = generation(b, &b_generic);

	if (x != y)
		return x < y ? -1 : 1;
	if (a_generic != b_generic)
		return a_generic ? 1 : -1;
	return strcmp(a, b);
}
