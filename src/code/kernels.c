#include "code/kernels.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/kernel-directories.h"
#include "code/kernels-count.h"

enum role {
	ROLE_NONE,
	ROLE_TUNED,
	ROLE_FALLBACK,
	ROLE_HELPER,
	ROLE_NAMED, /* names a target that has nothing yet */
};

/* By the name of a file: how it begins, what stands in it, how it ends. First match wins. */
struct name_rule {
	const char *start, *middle, *end;
	enum role role;
};

static const struct name_rule tensile[] = {
	{ "TensileLibrary_lazy_", NULL, ".dat", ROLE_NAMED },
	{ "TensileLibrary_lazy_", NULL, ".dat.zlib", ROLE_NAMED },
	{ "TensileLibrary_lazy_", NULL, ".yaml", ROLE_NAMED },
	{ "Kernels.so-", NULL, ".hsaco", ROLE_HELPER },
	{ "Kernels.so-", NULL, ".co", ROLE_HELPER },
	{ "extop_", NULL, ".co", ROLE_HELPER },
	{ "TensileLibrary", "_fallback", ".hsaco", ROLE_FALLBACK },
	{ "TensileLibrary", "_fallback", ".co", ROLE_FALLBACK },
	{ "TensileLibrary", NULL, ".hsaco", ROLE_TUNED },
	{ "TensileLibrary", NULL, ".co", ROLE_TUNED },
	{ 0 },
};

/* .kdb holds compiled kernels; the others are what was measured and learned. u: the user's. */
static const struct name_rule miopen[] = {
	{ "gfx", NULL, ".kdb", ROLE_TUNED },      { "gfx", NULL, ".ukdb", ROLE_TUNED },
	{ "gfx", NULL, ".fdb.txt", ROLE_HELPER }, { "gfx", NULL, ".ufdb.txt", ROLE_HELPER },
	{ "gfx", NULL, ".db.txt", ROLE_HELPER },  { "gfx", NULL, ".udb.txt", ROLE_HELPER },
	{ "gfx", NULL, ".model", ROLE_HELPER },   { 0 },
};

static const struct name_rule aotriton[] = {
	{ "", NULL, ".aks2", ROLE_TUNED },
	{ "", NULL, ".zip", ROLE_TUNED },
	{ "", NULL, ".hsaco", ROLE_TUNED },
	{ 0 },
};

static const struct name_rule aiter[] = {
	{ "", NULL, ".co", ROLE_TUNED },
	{ "", NULL, ".hsaco", ROLE_TUNED },
	{ 0 },
};

static const struct name_rule nothing[] = { { 0 } };

static void finish_rocblas(struct kernels_count *c)
{
	kernels_tensile_indexes(c, true);
}

static void finish_lite(struct kernels_count *c)
{
	kernels_tensile_indexes(c, false);
}

struct kind {
	const char *name;
	const struct name_rule *rules;
	bool (*target)(const char *name, char ret[static 64]);
	bool never_empty; /* a file without content is a damaged one */
	void (*finish)(struct kernels_count *c);
	bool (*opens)(const char *name); /* NULL: none that matters */
};

static const struct kind kinds[] = {
	{ "rocblas", tensile, kernels_name_tensile, true, finish_rocblas, kernels_tensile_opens },
	{ "hipblaslt", tensile, kernels_name_tensile, true, finish_lite, kernels_tensile_opens },
	{ "hipsparselt", tensile, kernels_name_tensile, true, finish_lite, kernels_tensile_opens },
	{ "miopen", miopen, kernels_name_miopen, false, NULL, NULL },
	{ "aotriton", aotriton, kernels_name_aotriton, true, kernels_aotriton_heads, NULL },
	{ "aiter", aiter, kernels_name_aiter, true, NULL, NULL },
	{ "triton-cache", nothing, NULL, false, kernels_triton_metadata, kernels_triton_opens },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const struct kind *find_kind(struct span name)
{
	for (size_t i = 0; i < KINDS; i++)
		if (span_is(name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

const char *kernels_kind(struct span directory)
{
	const struct kernel_directory *d = kernel_directory_of(directory);
	const struct kind *k = d ? find_kind(d->kind) : NULL;

	return k ? k->name : NULL;
}

bool kernels_has_index(const char *kind)
{
	const struct kind *k = find_kind(span_of(kind));

	return k && k->rules == tensile;
}

void kernels_problem(struct kernels_count *c, const char *format, ...)
{
	char text[512];
	va_list args;

	if (c->problem_count == KERNELS_PROBLEMS_MAX - 1) { /* the last one tells of the others */
		c->problems_left++;
		return;
	}
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	c->problems[c->problem_count++] = arena_text(c->arena, span_of(text));
}

struct kernels_arch *kernels_arch_find(struct kernels_count *c, struct span id)
{
	for (size_t i = 0; i < c->arch_count; i++)
		if (span_is(id, c->archs[i].id))
			return &c->archs[i];
	return NULL;
}

struct kernels_arch *kernels_arch_of(struct kernels_count *c, struct span id)
{
	struct kernels_arch *a = kernels_arch_find(c, id);

	if (a || id.len == 0 || id.len >= sizeof(a->id))
		return a;
	if (c->arch_count >= KERNELS_ARCHS_MAX) {
		c->archs_cut = true;
		return NULL;
	}
	a = &c->archs[c->arch_count++];
	memcpy(a->id, id.data, id.len);
	return a;
}

int kernels_open(struct kernels_count *c, const struct kernels_file *file, struct source *ret)
{
	if (!c->open)
		return -ENOTSUP;
	if (c->opened >= KERNELS_OPENED_MAX)
		return -EMFILE;
	c->opened++;
	return c->open(c->of, file->name, ret);
}

static enum role role_of(const struct name_rule *rules, struct span base)
{
	for (; rules->role != ROLE_NONE; rules++)
		if (span_starts(base, rules->start) && span_ends(base, rules->end) &&
		    (!rules->middle || span_find(base, span_of(rules->middle)) != SIZE_MAX))
			return rules->role;
	return ROLE_NONE;
}

static void count_names(struct kernels_count *c, const struct kind *kind)
{
	const char *empty = NULL;
	unsigned int empties = 0;

	for (size_t i = 0; i < c->file_count; i++) {
		const struct kernels_file *f = &c->files[i];
		enum role role = role_of(kind->rules, kernels_base(f->name));
		struct kernels_arch *a;
		char id[64];

		if (role == ROLE_NONE || !kind->target(f->name, id))
			continue;
		a = kernels_arch_of(c, span_of(id));
		if (kind->never_empty && f->size == 0) {
			empty = empty ? empty : f->name;
			empties++;
		} else if (a) {
			a->tuned += role == ROLE_TUNED;
			a->fallback += role == ROLE_FALLBACK;
			a->helper += role == ROLE_HELPER;
		}
	}
	if (empties > 0)
		kernels_problem(c, "%u of its files are empty, the first is %s", empties, empty);
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct kernels_arch *)a)->id, ((const struct kernels_arch *)b)->id);
}

static void conclude(struct kernels_count *c, struct kernels *ret)
{
	if (c->archs_cut)
		kernels_problem(c, "more than %d targets; the others were left out",
				KERNELS_ARCHS_MAX);
	qsort(c->archs, c->arch_count, sizeof(*c->archs), by_id);
	if (c->problems_left > 0)
		c->problems[c->problem_count++] =
			arena_format(c->arena, "and %zu more problems", c->problems_left);
	ret->indexed = c->indexed;
	ret->archs = c->archs;
	ret->arch_count = c->arch_count;
	ret->problems = c->problems;
	ret->problem_count = c->problem_count;
}

bool kernels_opens(const char *kind, const char *name)
{
	const struct kind *k = find_kind(span_of(kind));

	return k && k->opens && k->opens(name);
}

void kernels_read(const char *kind, const struct kernels_file *files, size_t count,
		  int (*open)(void *of, const char *name, struct source *ret),
		  void (*close)(void *of, struct source *s), void *of, struct arena *arena,
		  struct kernels *ret)
{
	const struct kind *k = find_kind(span_of(kind));
	struct kernels_count c = {
		.arena = arena,
		.files = files,
		.file_count = count,
		.open = open,
		.close = close,
		.of = of,
	};

	*ret = (struct kernels){ .kind = k ? k->name : NULL, .files = (unsigned int)count };
	if (!k)
		return;
	c.archs = arena_alloc(arena, KERNELS_ARCHS_MAX * sizeof(*c.archs));
	c.problems = arena_alloc(arena, KERNELS_PROBLEMS_MAX * sizeof(*c.problems));
	count_names(&c, k);
	if (k->finish)
		k->finish(&c);
	conclude(&c, ret);
}
