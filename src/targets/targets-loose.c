#include "targets/targets.h"

#include <string.h>

#define GROUPS_MAX 4096
#define UP_MAX     2 /* AITER has a directory for each kernel */

/* A directory with loose code, while it is counted. */
struct loose_group {
	struct loose_group *next;
	const char *container; /* NULL: files */
	struct span directory;
	const char *kind;
	struct kernels kernels;
	struct kernels_arch *archs;
	size_t only; /* row of the last file */
};

static const char *kind_of(const struct targets_row *row)
{
	if (!row->code || row->named)
		return NULL;
	switch (row->code->kind) {
	case CODE_KPACK:
		return "kpack";
	case CODE_OBJECT:
	case CODE_BUNDLE:
		return "code-objects";
	default:
		return NULL;
	}
}

static void drop_part(struct span *path)
{
	while (path->len > 0 && path->data[path->len - 1] != '/')
		path->len--;
	path->len -= path->len > 0;
}

/* hsa/gfx942/fwd.co and hsa/gfx950/fwd.co belong together. */
static struct span directory_of(const char *path)
{
	struct span directory = span_of(path);
	struct span above;

	drop_part(&directory);
	for (above = directory; above.len > 0; directory = above) {
		struct span last;

		drop_part(&above);
		last = (struct span){ directory.data + above.len + (above.len > 0),
				      directory.len - above.len - (above.len > 0) };
		if (!span_starts(last, "gfx") && !span_starts(last, "amd-gfx"))
			break;
	}
	return directory;
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* `up`: so many directories above that of the file. */
static struct loose_group *find_group(struct targets *t, struct loose_group **groups, size_t *count,
				      const struct targets_row *row, const char *kind,
				      unsigned int up)
{
	struct span directory = directory_of(row->member ? row->member : row->path);
	struct loose_group *g = *groups;

	for (; up > 0; up--)
		drop_part(&directory);

	for (; g; g = g->next)
		if (g->kind == kind && same(g->container, row->container) &&
		    span_same(g->directory, directory))
			return g;
	if (*count == GROUPS_MAX)
		return NULL;
	g = arena_alloc(&t->arena, sizeof(*g));
	*g = (struct loose_group){
		.next = *groups, .container = row->container, .directory = directory, .kind = kind
	};
	g->kernels.kind = kind;
	*groups = g;
	(*count)++;
	return g;
}

static void count_target(struct targets *t, struct loose_group *g, const char *id)
{
	struct kernels *k = &g->kernels;

	for (size_t i = 0; i < k->arch_count; i++) {
		if (strcmp(g->archs[i].id, id) != 0)
			continue;
		g->archs[i].tuned++;
		return;
	}
	g->archs = arena_grow(&t->arena, g->archs, k->arch_count, sizeof(*g->archs));
	g->archs[k->arch_count] = (struct kernels_arch){ .tuned = 1 };
	memcpy(g->archs[k->arch_count].id, id, CODE_ID_MAX);
	k->arch_count++;
	k->archs = g->archs;
}

/* Is there a library that is judged by these archives? Then they are not judged again. */
static bool is_referred_to(const struct targets *t)
{
	for (size_t i = 0; i < t->row_count; i++)
		if (t->rows[i].code && t->rows[i].code->kpack_name)
			return true;
	return false;
}

/* A broken file is judged by itself, unless a library is judged by it. */
static bool is_loose(const struct targets_row *row, bool referred)
{
	const struct code *code = row->code;

	return row->judged && kind_of(row) &&
	       (code->problem_count == 0 || (code->kind == CODE_KPACK && referred));
}

/* Files that are still alone in their directory are tried with those of the one above. */
static void gather_at(struct targets *t, unsigned int up, bool referred)
{
	struct loose_group *groups = NULL;
	size_t count = 0;
	size_t rows = t->row_count;

	for (size_t i = 0; i < rows; i++) {
		const struct targets_row *row = &t->rows[i];
		struct loose_group *g = is_loose(row, referred) ? find_group(t, &groups, &count,
									     row, kind_of(row), up)
								: NULL;

		if (!g)
			continue;
		t->rows[i].judged = false;
		g->only = i;
		g->kernels.files++;
		for (size_t k = 0; k < row->code->target_count; k++)
			count_target(t, g, row->code->targets[k].id);
	}
	for (struct loose_group *g = groups; g; g = g->next) {
		bool judged = !(referred && strcmp(g->kind, "kpack") == 0);
		const char *path = arena_text(&t->arena, g->directory);
		struct targets_row *row = &t->rows[g->only];

		if (g->kernels.files > 1) {
			struct kernels *k = arena_alloc(&t->arena, sizeof(*k));

			*k = g->kernels;
			row = targets_add(t, g->container, path[0] ? path : ".");
			row->kernels = k;
		}
		row->judged = judged;
	}
}

void targets_gather_loose(struct targets *t)
{
	bool referred = is_referred_to(t);

	for (unsigned int up = 0; up <= UP_MAX; up++)
		gather_at(t, up, referred);
}
