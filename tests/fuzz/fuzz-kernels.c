#include "code/kernels.h"

#include <errno.h>
#include <string.h>

#include "code/kernels-count.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FILES_MAX 256

/* The input: a kind, names of files, an empty line, what every file holds. */
struct directory {
	struct span content;
	int open;
};

static int open_file(void *of, const char *name, struct source *ret)
{
	struct directory *d = of;

	if (strstr(name, "closed"))
		return -EACCES;
	*ret = source_memory(d->content);
	d->open++;
	return 0;
}

static void close_file(void *of, struct source *s)
{
	struct directory *d = of;

	(void)s;
	d->open--;
}

static size_t read_names(struct span *input, struct arena *arena, struct kernels_file *ret)
{
	struct span line;
	size_t count = 0;

	while (count < FILES_MAX && span_line(input, &line) && line.len > 0)
		ret[count++] = (struct kernels_file){
			arena_text(arena, line),
			span_starts(line, "empty") ? 0 : line.len,
		};
	return count;
}

/* Everything that an answer says is a line, and what was written is read as the same. */
static void look_at(const struct kernels *k, struct arena *arena)
{
	struct buf text BUF_SCOPED = { 0 }, again BUF_SCOPED = { 0 };
	struct kernels parsed;
	unsigned int files = 0;

	for (size_t i = 0; i < k->arch_count; i++) {
		const struct kernels_arch *a = &k->archs[i];

		must(i == 0 || strcmp(k->archs[i - 1].id, a->id) < 0);
		must(a->id[0] && a->index <= 1 && !strpbrk(a->id, " \n"));
		files += a->tuned + a->fallback + a->helper;
	}
	must(files <= k->files && k->arch_count <= KERNELS_ARCHS_MAX);
	must(k->problem_count <= KERNELS_PROBLEMS_MAX);
	kernels_write(k, &text);
	must(kernels_parse(buf_get(&text), arena, &parsed));
	kernels_write(&parsed, &again);
	must(again.len == text.len && memcmp(again.data, text.data, text.len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size }, kind = { 0 };
	struct kernels_file files[FILES_MAX];
	struct directory d = { 0 };
	struct arena arena = { 0 };
	struct kernels k;
	size_t count;

	(void)kernels_kind(input);
	span_line(&input, &kind);
	count = read_names(&input, &arena, files);
	d.content = input;
	kernels_read(arena_text(&arena, kind), files, count, open_file, close_file, &d, &arena, &k);
	must(d.open == 0);
	look_at(&k, &arena);
	kernels_read(arena_text(&arena, kind), files, count, NULL, NULL, NULL, &arena, &k);
	look_at(&k, &arena);
	arena_done(&arena);
	return 0;
}
