#include "code/kernels-count.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"
#include "code/code.h"

#define METADATA_MAX 16384 /* bytes of a kernel's JSON; they have one or two thousand */

/*
 * "AKS2", u32 size unpacked, u32 number of kernels, u32 size of the directory,
 * then one xz stream. Source: ROCm/aotriton v2src/packed_kernel.cc.
 */
struct aks2 {
	char magic[4];
	uint32_t unpacked, kernels, directory;
};

static const char *check_head(struct kernels_count *c, const struct kernels_file *file)
{
	struct source s;
	struct aks2 head;
	int r = kernels_open(c, file, &s);

	if (r < 0) /* a stream does not keep them for that */
		return r == -ENOTSUP || r == -EMFILE || r == -ENOENT ? NULL : code_opener_error(r);
	r = source_read(&s, 0, &head, sizeof(head));
	c->close(c->of, &s);
	if (r < 0 || memcmp(head.magic, "AKS2", 4) != 0)
		return "is not an AOTriton pack";
	if (endian_u32(&head.kernels) == 0 ||
	    endian_u32(&head.directory) > endian_u32(&head.unpacked))
		return "is an AOTriton pack without kernels";
	return NULL;
}

/* One pack of each target stands for all: the names say the rest. */
void kernels_aotriton_heads(struct kernels_count *c)
{
	bool seen[KERNELS_ARCHS_MAX] = { 0 };

	for (size_t i = 0; i < c->file_count; i++) {
		const struct kernels_file *f = &c->files[i];
		struct kernels_arch *a = NULL;
		const char *why;
		char id[64];

		if (f->size == 0 || !span_ends(span_of(f->name), ".aks2"))
			continue;
		if (kernels_name_aotriton(f->name, id))
			a = kernels_arch_find(c, span_of(id));
		if (!a || seen[a - c->archs])
			continue;
		seen[a - c->archs] = true;
		why = check_head(c, f);
		if (why)
			kernels_problem(c, "%s %s", f->name, why);
	}
}

/* {"target": {"backend": "hip", "arch": "gfx942", "warp_size": 64}, ...}: the text after "arch". */
static struct span arch_in(struct span json)
{
	const struct span key = SPAN_LITERAL("\"arch\"");
	size_t at = span_find(json, key);
	struct span rest, value = { 0 };

	if (at == SIZE_MAX)
		return value;
	rest = span_trim((struct span){ json.data + at + key.len, json.len - at - key.len });
	if (!span_starts(rest, ":"))
		return value;
	rest = span_trim((struct span){ rest.data + 1, rest.len - 1 });
	if (!span_starts(rest, "\"gfx"))
		return value;
	rest = (struct span){ rest.data + 1, rest.len - 1 };
	span_cut(&rest, '"', &value);
	if (rest.data == value.data + value.len) /* cut off before the quote */
		value.len = 0;
	return value;
}

static bool is_plain(struct span id)
{
	for (size_t i = 0; i < id.len; i++)
		if (!strchr("0123456789abcdefghijklmnopqrstuvwxyz:+-", id.data[i]) || !id.data[i])
			return false;
	return id.len > 0;
}

static int count_kernel(struct kernels_count *c, const struct kernels_file *file, char *text)
{
	struct source s;
	struct kernels_arch *a;
	struct span id;
	int64_t n;
	int r = kernels_open(c, file, &s);

	if (r < 0)
		return r;
	n = source_some(&s, 0, text, METADATA_MAX);
	c->close(c->of, &s);
	if (n < 0)
		return (int)n;
	id = arch_in((struct span){ text, (size_t)n });
	if (id.len == 0 && n == METADATA_MAX)
		return -EFBIG;
	a = is_plain(id) ? kernels_arch_of(c, id) : NULL;
	if (a)
		a->tuned++;
	return 0;
}

/* cache/HASH/kernel.json; __grp__kernel.json lists files and has no target. */
bool kernels_triton_opens(const char *name)
{
	struct span base = kernels_base(name);

	return span_ends(base, ".json") && !span_starts(base, "__grp__");
}

void kernels_triton_metadata(struct kernels_count *c)
{
	char *text = arena_alloc(c->arena, METADATA_MAX);
	unsigned int failed = 0, unread = 0;

	for (size_t i = 0; i < c->file_count; i++) {
		int r;

		if (!kernels_triton_opens(c->files[i].name))
			continue;
		r = count_kernel(c, &c->files[i], text);
		if (r == -EMFILE || r == -ENOTSUP)
			unread++;
		else if (r < 0)
			failed++;
	}
	if (failed > 0)
		kernels_problem(c, "%u descriptions of kernels could not be read", failed);
	if (unread > 0 && c->open)
		kernels_problem(c, "%u of its kernels were not read", unread);
}
