#include "code/kpack.h"

#include <errno.h>

#include "check-kpack.h"
#include "check-span.h"

/* A directory tree of archives, as the door or a container shows it. */
struct file {
	const char *path;
	struct kpack_recipe recipe;
	const char *text; /* instead of an archive */
	int refused;
};

struct tree {
	const struct file *files;
	struct buf open; /* the one archive that is open */
	int opened, closed;
};

#define FILES_MAX 6

static int open_file(void *of, const char *relative, struct source *ret)
{
	struct tree *t = of;

	for (const struct file *f = t->files; f < t->files + FILES_MAX && f->path; f++) {
		if (strcmp(f->path, relative) != 0)
			continue;
		if (f->refused)
			return f->refused;
		buf_clear(&t->open);
		if (f->text)
			buf_text(&t->open, f->text);
		else
			make_kpack(&t->open, &f->recipe);
		*ret = source_memory(buf_get(&t->open));
		t->opened++;
		return 0;
	}
	return -ENOENT;
}

static void close_file(void *of, struct source *s)
{
	struct tree *t = of;

	(void)s;
	t->closed++;
}

/* Names below a directory, those of subdirectories once for each file: more than enough. */
static int list_files(void *of, const char *directory, struct arena *arena,
		      const char *const **ret_names, size_t *ret_count)
{
	struct tree *t = of;
	const char **names = arena_alloc(arena, FILES_MAX * sizeof(*names));
	size_t n = strcmp(directory, ".") == 0 ? 0 : strlen(directory) + 1;
	size_t count = 0;

	for (const struct file *f = t->files; f < t->files + FILES_MAX && f->path; f++) {
		struct span rest, name;

		if (n > 0 && (strncmp(f->path, directory, n - 1) != 0 || f->path[n - 1] != '/'))
			continue;
		rest = span_of(f->path + n);
		span_cut(&rest, '/', &name);
		names[count++] = arena_text(arena, name);
	}
	*ret_names = names;
	*ret_count = count;
	return count > 0 ? 0 : -ENOENT;
}

static void say(const struct code *code, struct buf *ret)
{
	buf_addf(ret, "%s\nbundles %u kpack %u\n", code->kpack_name ? code->kpack_name : "-",
		 code->bundles, code->forms[CODE_KPACKED]);
	for (size_t i = 0; i < code->archive_count; i++)
		buf_addf(ret, "archive %d %u %s\n", code->archives[i].found,
			 code->archives[i].kernels, code->archives[i].path);
	for (size_t i = 0; i < code->target_count; i++)
		buf_addf(ret, "target %u %s\n", code->targets[i].in, code->targets[i].id);
	for (size_t i = 0; i < code->problem_count; i++)
		buf_addf(ret, "problem %s\n", code->problems[i]);
}

static const struct {
	const char *paths; /* of the reference */
	struct file files[FILES_MAX];
	const char *want;
	const char *why;
} cases[] = {
	{ "../.kpack/blas_lib_@GFXARCH@.kpack",
	  { { .path = "../.kpack/blas_lib_gfx942.kpack",
	      .recipe = { "lib/a.so#0 gfx942;lib/a.so#1 gfx942;lib/other.so#7 gfx942", "gfx942" } },
	    { .path = "../.kpack/blas_lib_gfx1100.kpack",
	      .recipe = { "lib/a.so#0 gfx1100", "gfx1100" } },
	    { .path = "../.kpack/fft_lib_gfx906.kpack",
	      .recipe = { "lib/a.so#0 gfx906", "gfx906" } },
	    { .path = "../.kpack/blas_lib_gfx942_old.kpack",
	      .recipe = { "lib/a.so#9 gfx942", "gfx942" } } },
	  "lib/a.so\nbundles 2 kpack 2\n"
	  "archive 1 1 ../.kpack/blas_lib_gfx1100.kpack\n"
	  "archive 1 2 ../.kpack/blas_lib_gfx942.kpack\n"
	  "target 1 gfx1100\ntarget 2 gfx942\n",
	  "two GPUs, one of them in half of the code objects; other archives are not ours" },
	{ "../.kpack/blas_lib_@GFXARCH@.kpack",
	  { { .path = "../.kpack/blas_lib_gfx90a.kpack",
	      .recipe = { "lib/a.so#0 gfx90a;lib/a.so#1 gfx90a", "gfx90a" } },
	    { .path = "../.kpack/blas_lib_gfx90a:xnack+.kpack",
	      .recipe = { "lib/a.so#1 gfx90a:xnack+", "gfx90a:xnack+" } } },
	  "lib/a.so\nbundles 2 kpack 2\n"
	  "archive 1 2 ../.kpack/blas_lib_gfx90a.kpack\n"
	  "archive 1 1 ../.kpack/blas_lib_gfx90a:xnack+.kpack\n"
	  "target 2 gfx90a\ntarget 1 gfx90a:xnack+\n",
	  "features stand in names of files" },
	{ "../.kpack/blas_lib_@GFXARCH@.kpack",
	  { { .path = "../.kpack/readme", .text = "x" } },
	  "lib/a.so\nbundles 0 kpack 0\n"
	  "archive 0 0 ../.kpack/blas_lib_@GFXARCH@.kpack\n"
	  "problem none of its kpack archives was found: ../.kpack/blas_lib_@GFXARCH@.kpack\n",
	  "the device package is not installed" },
	{ "../.kpack/blas_lib_@GFXARCH@.kpack",
	  { { 0 } },
	  "lib/a.so\nbundles 0 kpack 0\n"
	  "archive 0 0 ../.kpack/blas_lib_@GFXARCH@.kpack\n"
	  "problem none of its kpack archives was found: ../.kpack/blas_lib_@GFXARCH@.kpack\n",
	  "not even the directory is there" },
	{ "../.kpack/blas_lib_@GFXARCH@.kpack",
	  { { .path = "../.kpack/blas_lib_gfx942.kpack",
	      .recipe = { "lib/other.so#0 gfx942", "gfx942" } } },
	  "lib/a.so\nbundles 0 kpack 0\n"
	  "archive 1 0 ../.kpack/blas_lib_gfx942.kpack\n"
	  "problem ../.kpack/blas_lib_gfx942.kpack: holds nothing for lib/a.so\n",
	  "there, and empty for this library" },
	{ "../.kpack/blas_lib_@GFXARCH@.kpack",
	  { { .path = "../.kpack/blas_lib_gfx942.kpack",
	      .recipe = { "lib/a.so#0 gfx942", "gfx942", .version = 3 } } },
	  "lib/a.so\nbundles 0 kpack 0\n"
	  "archive 1 0 ../.kpack/blas_lib_gfx942.kpack\n"
	  "problem ../.kpack/blas_lib_gfx942.kpack: its kpack version is not 1, the only one "
	  "the runtime reads\n",
	  "a version from the future" },
	{ "../.kpack/blas_lib_@GFXARCH@.kpack",
	  { { .path = "../.kpack/blas_lib_gfx942.kpack",
	      .recipe = { "lib/a.so#0 gfx942 gfx950", "gfx942" } } },
	  "lib/a.so\nbundles 1 kpack 1\n"
	  "archive 1 1 ../.kpack/blas_lib_gfx942.kpack\n"
	  "target 1 gfx942\n"
	  "problem ../.kpack/blas_lib_gfx942.kpack: holds code for gfx950, but does not list it, so "
	  "the runtime does not look for it there\n",
	  "code that is there and never found" },
	{ "x.kpack ../y.kpack",
	  { { .path = "../y.kpack", .recipe = { "lib/a.so#0 gfx906 gfx942", "gfx906 gfx942" } } },
	  "lib/a.so\nbundles 1 kpack 1\n"
	  "archive 0 0 x.kpack\narchive 1 2 ../y.kpack\n"
	  "target 1 gfx906\ntarget 1 gfx942\n",
	  "places without a placeholder; the first need not exist" },
	{ "/opt/x.kpack",
	  { { .path = "/opt/x.kpack", .recipe = { "lib/a.so#0 gfx906", "gfx906" } } },
	  "lib/a.so\nbundles 1 kpack 1\narchive 1 1 /opt/x.kpack\ntarget 1 gfx906\n",
	  "an absolute path is used as it is" },
	{ "x.kpack x.kpack x_@GFXARCH@.kpack x_@GFXARCH@.kpack",
	  { { .path = "x.kpack", .recipe = { "lib/a.so#0 gfx906", "gfx906" } },
	    { .path = "x_gfx906.kpack", .recipe = { "lib/a.so#0 gfx906", "gfx906" } } },
	  "lib/a.so\nbundles 1 kpack 1\narchive 1 1 x.kpack\narchive 1 1 x_gfx906.kpack\n"
	  "target 1 gfx906\n",
	  "a place named twice is read once; the same code object counts once" },
	{ "../@GFXARCH@/a.kpack",
	  { { .path = "../gfx942/a.kpack", .recipe = { "lib/a.so#0 gfx942", "gfx942" } },
	    { .path = "../gfx906/b.kpack", .recipe = { "lib/a.so#0 gfx906", "gfx906" } } },
	  "lib/a.so\nbundles 1 kpack 1\narchive 1 1 ../gfx942/a.kpack\ntarget 1 gfx942\n",
	  "the placeholder is a directory" },
	{ "x.kpack",
	  { { .path = "x.kpack", .refused = -EACCES } },
	  "lib/a.so\nbundles 0 kpack 0\narchive 0 0 x.kpack\n"
	  "problem x.kpack: Permission denied\n"
	  "problem none of its kpack archives was found: x.kpack\n",
	  "there, and closed to us" },
	{ "x.kpack",
	  { { .path = "x.kpack", .text = "version https://git-lfs.github.com/spec/v1" } },
	  "lib/a.so\nbundles 0 kpack 0\narchive 1 0 x.kpack\n"
	  "problem x.kpack: it is not a kpack archive\n",
	  "a pointer of Git LFS in its place" },
	{ "x.kpack",
	  { { .path = "x.kpack",
	      .recipe = { "lib/a.so#0 gfx906;lib/a.so#4000000000 gfx906", "gfx906" } } },
	  "lib/a.so\nbundles 1 kpack 1\narchive 1 1 x.kpack\ntarget 1 gfx906\n"
	  "problem x.kpack: some kernels have a target or number that cannot be\n",
	  "a number without measure" },
	{ "x.kpack",
	  { { .path = "x.kpack", .recipe = { "lib/a.so#0 gfx9/06", "gfx906" } } },
	  "lib/a.so\nbundles 0 kpack 0\narchive 1 0 x.kpack\n"
	  "problem x.kpack: some kernels have a target or number that cannot be\n"
	  "problem x.kpack: holds nothing for lib/a.so\n",
	  "a target that is none" },
	{ "a\tb",
	  { { 0 } },
	  "lib/a.so\nbundles 0 kpack 0\n"
	  "problem a location of its kernels is not a path\n"
	  "problem none of its kpack archives was found: no location is named\n",
	  "no bytes that would break a line of the answer" },
};

static void test_cases(void)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct tree tree = { .files = cases[i].files };
		struct code_opener opener = { open_file, close_file, list_files, &tree };
		struct buf ref BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
		struct arena arena = { 0 };
		struct code code = { 0 };

		make_kpack_ref(&ref, "lib/a.so", cases[i].paths);
		code_kpack(buf_get(&ref), &opener, &arena, &code);
		say(&code, &said);
		ROW_SPAN(buf_get(&said), cases[i].want, cases[i].why);
		ROW_CHECK(tree.opened == tree.closed, cases[i].why);
		buf_done(&tree.open);
		arena_done(&arena);
	}
}

static void test_no_opener(void)
{
	struct buf ref BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct code code = { 0 };

	make_kpack_ref(&ref, "lib/a.so", "../x_@GFXARCH@.kpack y.kpack");
	code_kpack(buf_get(&ref), NULL, &arena, &code);
	say(&code, &said);
	CHECK_SPAN(buf_get(&said),
		   "lib/a.so\nbundles 0 kpack 0\narchive 0 0 ../x_@GFXARCH@.kpack\n"
		   "archive 0 0 y.kpack\n"
		   "problem its kpack archives were not looked for: ../x_@GFXARCH@.kpack\n");
	arena_done(&arena);
}

/* What the library holds by itself stays, and is added to. */
static void test_added(void)
{
	static const struct file files[FILES_MAX] = {
		{ .path = "x.kpack", .recipe = { "lib/a.so#0 gfx1100 gfx906", "gfx906 gfx1100" } },
	};
	static const struct code_target targets[] = { { "gfx1030", 2 }, { "gfx906", 3 } };
	static const char *const problems[] = { "bundle 3 is cut off" };
	struct tree tree = { .files = files };
	struct code_opener opener = { open_file, close_file, list_files, &tree };
	struct buf ref BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct code code = { .bundles = 3,
			     .targets = targets,
			     .target_count = 2,
			     .problems = problems,
			     .problem_count = 1 };

	make_kpack_ref(&ref, "lib/a.so", "x.kpack");
	code_kpack(buf_get(&ref), &opener, &arena, &code);
	say(&code, &said);
	CHECK_SPAN(buf_get(&said), "lib/a.so\nbundles 4 kpack 1\narchive 1 2 x.kpack\n"
				   "target 2 gfx1030\ntarget 1 gfx1100\ntarget 4 gfx906\n"
				   "problem bundle 3 is cut off\n");
	buf_done(&tree.open);
	arena_done(&arena);
}

static void test_bad_ref(void)
{
	struct buf ref BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct code code = { 0 };

	code_kpack(SPAN_LITERAL("\x80"), NULL, &arena, &code);
	CHECK_INT(code.problem_count, 1);
	CHECK_TEXT(code.problems[0], "its reference to kpack archives is damaged");
	make_kpack_ref(&ref, "lib/a\nb", "x");
	code = (struct code){ 0 };
	code_kpack(buf_get(&ref), NULL, &arena, &code);
	CHECK_INT(code.problem_count, 1);
	CHECK(!code.kpack_name);
	arena_done(&arena);
}

static const struct {
	struct kpack_recipe recipe;
	const char *want;
	const char *why;
} alone[] = {
	{ { .toc = "lib/a.so#0 gfx906 gfx942;lib/b.so#0 gfx906", .listed = "gfx906 gfx942" },
	  "-\nbundles 2 kpack 2\ntarget 2 gfx906\ntarget 1 gfx942\n",
	  "every library of it" },
	{ { .toc = "", .listed = "gfx906" },
	  "-\nbundles 0 kpack 0\nproblem the archive is empty: it holds no kernel\n",
	  "nothing in it" },
	{ { .toc = "lib/a.so#0 gfx906", .listed = "", .version = 9 },
	  "-\nbundles 0 kpack 0\nproblem its kpack version is not 1, the only one the "
	  "runtime reads\n",
	  "another version" },
	{ { .toc = "lib/a.so#0 amdgcnspirv", .listed = "amdgcnspirv" },
	  "-\nbundles 1 kpack 1\ntarget 1 amdgcnspirv\n",
	  "what is not called gfx" },
};

static void test_alone(void)
{
	for (size_t i = 0; i < COUNT_OF(alone); i++) {
		struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
		struct arena arena = { 0 };
		struct code code = { 0 };
		struct source s;

		make_kpack(&b, &alone[i].recipe);
		s = source_memory(buf_get(&b));
		code_kpack_archive(&s, &arena, &code);
		say(&code, &said);
		ROW_SPAN(buf_get(&said), alone[i].want, alone[i].why);
		ROW_CHECK(code.kind == CODE_KPACK, alone[i].why);
		arena_done(&arena);
	}
}

/* 1,000 targets and 700 archives: capped, and told. */
static void test_caps(void)
{
	struct buf toc BUF_SCOPED = { 0 }, b BUF_SCOPED = { 0 };
	struct kpack_recipe recipe = { .listed = "gfx906" };
	struct arena arena = { 0 };
	struct code code = { 0 };
	struct source s;

	buf_text(&toc, "lib/a.so#0");
	for (int i = 0; i < 1000; i++)
		buf_addf(&toc, " gfx%d", 1000 + i);
	recipe.toc = toc.data;
	make_kpack(&b, &recipe);
	s = source_memory(buf_get(&b));
	code_kpack_archive(&s, &arena, &code);
	CHECK_INT(code.target_count, 255); /* and gfx906, which has none */
	CHECK(strstr(code.problems[0], "more than 256 targets") != NULL);
	CHECK_INT(code.problem_count, 65);
	CHECK_TEXT(code.problems[64], "and more problems");
	arena_done(&arena);
}

/* A directory of 700 archives, each for a GPU of its own. */
static int list_many(void *of, const char *directory, struct arena *arena,
		     const char *const **ret_names, size_t *ret_count)
{
	const char **names = arena_alloc(arena, 700 * sizeof(*names));

	(void)of;
	(void)directory;
	for (int i = 0; i < 700; i++)
		names[i] = arena_format(arena, "gfx%d.kpack", 1000 + i);
	*ret_names = names;
	*ret_count = 700;
	return 0;
}

static int open_any(void *of, const char *relative, struct source *ret)
{
	struct tree *t = of;
	char target[64];
	struct kpack_recipe recipe = { .toc = target, .listed = relative + 2 };

	snprintf(target, sizeof(target), "lib/a.so#0 %.7s", relative + 2);
	recipe.listed = target + strlen("lib/a.so#0 ");
	buf_clear(&t->open);
	make_kpack(&t->open, &recipe);
	*ret = source_memory(buf_get(&t->open));
	t->opened++;
	return 0;
}

static void test_many_archives(void)
{
	struct tree tree = { 0 };
	struct code_opener opener = { open_any, close_file, list_many, &tree };
	struct buf ref BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct code code = { 0 };

	make_kpack_ref(&ref, "lib/a.so", "k/@GFXARCH@.kpack");
	code_kpack(buf_get(&ref), &opener, &arena, &code);
	CHECK_INT(code.archive_count, 512);
	CHECK_INT(code.target_count, 256);
	CHECK_INT(tree.opened, tree.closed);
	CHECK_INT(code.archives[255].kernels, 1);
	CHECK_INT(code.archives[511].kernels, 1);
	CHECK_INT(code.problem_count, 2);
	CHECK_TEXT(code.problems[0], "more than 256 targets; the others were left out");
	CHECK_TEXT(code.problems[1], "more than 512 kpack archives; the others were left out");
	buf_done(&tree.open);
	arena_done(&arena);
}

static void test_many_places(void)
{
	struct buf ref BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct code code = { 0 };

	pack_map(&ref, 2);
	pack_pair(&ref, "kernel_name", "lib/a.so");
	pack_text(&ref, "kpack_search_paths");
	pack_array(&ref, 100);
	for (int i = 0; i < 100; i++)
		pack_text(&ref, arena_format(&arena, "%d.kpack", i));
	code_kpack(buf_get(&ref), NULL, &arena, &code);
	CHECK_INT(code.archive_count, 64);
	CHECK_TEXT(code.problems[0],
		   "more than 64 places of kpack archives; the others were left out");
	arena_done(&arena);
}

int main(void)
{
	test_many_archives();
	test_many_places();
	test_cases();
	test_no_opener();
	test_added();
	test_bad_ref();
	test_alone();
	test_caps();
	return check_end();
}
