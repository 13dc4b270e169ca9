#include "parse/kpack.h"

#include <errno.h>
#include <string.h>

#include "code/kpack.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct counts {
	unsigned int listed, kernels;
};

static void count_listed(void *of, struct span target)
{
	struct counts *c = of;

	must_lie_in(target, target);
	c->listed++;
}

static void count_kernel(void *of, struct span library, uint64_t index, struct span target)
{
	struct counts *c = of;

	(void)index;
	must(library.len > 0 && target.len <= 128);
	c->kernels++;
}

static void read_archive(struct span input)
{
	struct source s = source_memory(input);
	struct counts counts = { 0 };
	struct kpack_visitor v = { count_listed, count_kernel, &counts };
	const char *why = NULL;
	struct kpack kpack;
	int r = kpack_read(&s, &v, &kpack, &why);

	must((r < 0) == (why != NULL));
	must(counts.kernels == kpack.kernels);
	must(r < 0 || kpack.kernels == 0 || kpack.last_ordinal < kpack.blobs);
}

static void read_ref(struct span input)
{
	struct kpack_ref ref;

	if (kpack_ref_parse(input, &ref) < 0)
		return;
	must_lie_in(ref.kernel_name, input);
	must(ref.path_count > 0 && ref.path_count <= KPACK_PATHS_MAX);
	for (size_t i = 0; i < ref.path_count; i++)
		must_lie_in(ref.paths[i], input);
}

/* Every path leads to the input itself, and every directory lists what may fit. */
static int open_same(void *of, const char *relative, struct source *ret)
{
	(void)relative;
	*ret = source_memory(*(struct span *)of);
	return 0;
}

static void close_same(void *of, struct source *s)
{
	(void)of;
	(void)s;
}

static int list_some(void *of, const char *directory, struct arena *arena,
		     const char *const **ret_names, size_t *ret_count)
{
	static const char *const names[] = { "gfx906", "a_gfx942.kpack", ".kpack", "b", "" };

	(void)of;
	(void)directory;
	(void)arena;
	*ret_names = names;
	*ret_count = sizeof(names) / sizeof(names[0]);
	return 0;
}

/* What goes into lines of text must not break them. */
static void must_be_a_line(const char *text)
{
	must(text && !strpbrk(text, "\n\r"));
}

static void look_at(const struct code *code)
{
	for (size_t i = 0; i < code->target_count; i++) {
		must(code->targets[i].in > 0);
		must(i == 0 || strcmp(code->targets[i - 1].id, code->targets[i].id) < 0);
		must_be_a_line(code->targets[i].id);
	}
	for (size_t i = 0; i < code->archive_count; i++)
		must_be_a_line(code->archives[i].path);
	for (size_t i = 0; i < code->problem_count; i++)
		must_be_a_line(code->problems[i]);
	must(code->problem_count <= 64 && code->archive_count <= 512);
}

/* The first byte is the length of a reference; an archive follows. */
static void read_both(struct span input)
{
	struct span ref = input, rest = { 0 };
	struct code_opener opener = { open_same, close_same, list_some, &rest };
	struct arena arena = { 0 };
	struct code code = { 0 };
	struct source s = source_memory(input);
	size_t cut;

	code_kpack_archive(&s, &arena, &code);
	look_at(&code);
	if (input.len > 0) {
		cut = (unsigned char)input.data[0];
		cut = cut < input.len - 1 ? cut : input.len - 1;
		ref = (struct span){ input.data + 1, cut };
		rest = (struct span){ input.data + 1 + cut, input.len - 1 - cut };
	}
	code = (struct code){ 0 };
	code_kpack(ref, &opener, &arena, &code);
	look_at(&code);
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };

	read_archive(input);
	read_ref(input);
	read_both(input);
	return 0;
}
