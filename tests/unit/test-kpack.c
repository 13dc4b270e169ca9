#include "parse/kpack.h"

#include <errno.h>

#include "check-kpack.h"
#include "check-span.h"

#define BYTES(text)                      \
	{                                \
		(text), sizeof(text) - 1 \
	}

static void test_ref(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct kpack_ref ref;

	make_kpack_ref(&b, "lib/librocblas.so.5", "../.kpack/blas_lib_@GFXARCH@.kpack /a/b.kpack");
	buf_text(&b, "padding behind the map");
	CHECK_INT(kpack_ref_parse(buf_get(&b), &ref), 0);
	CHECK_SPAN(ref.kernel_name, "lib/librocblas.so.5");
	CHECK_INT(ref.path_count, 2);
	CHECK_SPAN(ref.paths[0], "../.kpack/blas_lib_@GFXARCH@.kpack");
	CHECK_SPAN(ref.paths[1], "/a/b.kpack");
	CHECK(!ref.more_paths);
}

/* Each is what the runtime calls invalid metadata (error 12). */
static const struct {
	struct span in;
	const char *why;
} bad_refs[] = {
	{ BYTES(""), "empty section" },
	{ BYTES("\x93\x01\x02\x03"), "no map" },
	{ BYTES("\x81\xabkernel_name\xa1"
		"a"),
	  "no paths" },
	{ BYTES("\x81\xb2kpack_search_paths\x91\xa1"
		"p"),
	  "no name" },
	{ BYTES("\x82\xabkernel_name\xa1"
		"a\xb2kpack_search_paths\x90"),
	  "no path among the paths" },
	{ BYTES("\x82\xabkernel_name\x07\xb2kpack_search_paths\x91\xa1"
		"p"),
	  "the name is a number" },
	{ BYTES("\x82\xabkernel_name\xa1"
		"a\xb2kpack_search_paths\xa1"
		"p"),
	  "the paths are one text" },
	{ BYTES("\x82\xabkernel_name\xa1"
		"a\xb2kpack_search_paths\x91\xa9"
		"p"),
	  "cut off" },
	{ BYTES("\x82\xabkernel_name\xa1"
		"a\xb2kpack_search_paths\x91\x07"),
	  "only a number among the paths" },
};

static void test_bad_refs(void)
{
	for (size_t i = 0; i < COUNT_OF(bad_refs); i++) {
		struct kpack_ref ref;

		ROW_CHECK(kpack_ref_parse(bad_refs[i].in, &ref) == -EBADMSG, bad_refs[i].why);
	}
}

static void test_many_paths(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct kpack_ref ref;

	pack_map(&b, 2);
	pack_text(&b, "kpack_search_paths");
	pack_array(&b, 100);
	for (int i = 0; i < 100; i++)
		pack_text(&b, "p");
	pack_pair(&b, "kernel_name", "lib/a.so");
	CHECK_INT(kpack_ref_parse(buf_get(&b), &ref), 0);
	CHECK_INT(ref.path_count, KPACK_PATHS_MAX);
	CHECK(ref.more_paths);
}

static const struct {
	const char *path, *before, *behind;
} splits[] = {
	{ "../.kpack/blas_lib_@GFXARCH@.kpack", "../.kpack/blas_lib_", ".kpack" },
	{ "@GFXARCH@/@GFXARCH@", "", "/@GFXARCH@" }, /* the runtime replaces the first only */
	{ "../.kpack/rocm-gfx1100.kpack", NULL, NULL },
	{ "a@GFXARCH", NULL, NULL },
};

static void test_splits(void)
{
	for (size_t i = 0; i < COUNT_OF(splits); i++) {
		struct span before, behind;

		if (!ROW_CHECK(kpack_split_path(span_of(splits[i].path), &before, &behind) ==
				       (splits[i].before != NULL),
			       splits[i].path) ||
		    !splits[i].before)
			continue;
		ROW_SPAN(before, splits[i].before, splits[i].path);
		ROW_SPAN(behind, splits[i].behind, splits[i].path);
	}
}

static void test_targets(void)
{
	CHECK(kpack_is_target(span_of("gfx942")));
	CHECK(kpack_is_target(span_of("gfx90a:sramecc+:xnack-")));
	CHECK(kpack_is_target(span_of("gfx9-4-generic")));
	CHECK(!kpack_is_target(span_of("gfx")));
	CHECK(!kpack_is_target(span_of("gfx942_old")));
	CHECK(!kpack_is_target(span_of("gfx942/..")));
	CHECK(!kpack_is_target(span_of("manifest")));
}

static void say_listed(void *of, struct span target)
{
	struct buf *b = of;

	buf_addf(b, "[%.*s]", (int)target.len, target.data);
}

static void say_kernel(void *of, struct span library, uint64_t index, struct span target)
{
	struct buf *b = of;

	buf_addf(b, "(%.*s %d %.*s)", (int)library.len, library.data, (int)index, (int)target.len,
		 target.data);
}

static int read_text(struct span bytes, struct buf *said, struct kpack *kpack, const char **why)
{
	struct source s = source_memory(bytes);
	struct kpack_visitor v = { say_listed, say_kernel, said };

	*why = "";
	buf_clear(said);
	return kpack_read(&s, &v, kpack, why);
}

static const struct {
	struct kpack_recipe recipe;
	int want;
	const char *said;
	unsigned int entries, kernels;
	const char *why;
} archives[] = {
	{ { .toc = "lib/a.so#0 gfx906 gfx1100;lib/a.so#12 gfx906", .listed = "gfx906 gfx1100" },
	  0,
	  "[gfx906][gfx1100](lib/a.so 0 gfx906)(lib/a.so 0 gfx1100)(lib/a.so 12 gfx906)",
	  2,
	  3,
	  "two code objects" },
	{ { .toc = "lib/a.so#0 gfx90a:xnack+", .listed = "gfx90a:xnack+", .plain = true },
	  0,
	  "[gfx90a:xnack+](lib/a.so 0 gfx90a:xnack+)",
	  1,
	  1,
	  "not packed" },
	{ { .toc = "lib/a#b.so gfx906;lib/a.so# gfx906;lib/a.so#x1 gfx906", .listed = "gfx906" },
	  0,
	  "[gfx906](lib/a#b.so 0 gfx906)(lib/a.so# 0 gfx906)(lib/a.so#x1 0 gfx906)",
	  3,
	  3,
	  "a # that is no number belongs to the name" },
	{ { .toc = "", .listed = "gfx906" }, 0, "[gfx906]", 0, 0, "an empty archive" },
	{ { .toc = "lib/a.so#0", .listed = "gfx906" }, 0, "[gfx906]", 1, 0, "no target" },
	{ { .toc = "lib/a.so#0 gfx906", .listed = "gfx906", .version = 2 },
	  -EPROTO,
	  "",
	  0,
	  0,
	  "a version that the runtime refuses" },
	{ { .toc = "lib/a.so#0 gfx906 gfx942", .listed = "gfx906", .blobs = 1 },
	  -EBADMSG,
	  "[gfx906](lib/a.so 0 gfx906)(lib/a.so 0 gfx942)",
	  1,
	  2,
	  "two kernels, one is stored" },
	{ { .toc = "lib/a.so#0 gfx906 gfx942", .listed = "gfx906", .blobs = 1, .plain = true },
	  -EBADMSG,
	  "[gfx906](lib/a.so 0 gfx906)(lib/a.so 0 gfx942)",
	  1,
	  2,
	  "the same, not packed" },
};

static void test_archives(void)
{
	struct buf said BUF_SCOPED = { 0 };

	for (size_t i = 0; i < COUNT_OF(archives); i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct kpack kpack;
		const char *why;

		make_kpack(&b, &archives[i].recipe);
		ROW_CHECK(read_text(buf_get(&b), &said, &kpack, &why) == archives[i].want,
			  archives[i].why);
		ROW_SPAN(buf_get(&said), archives[i].said, archives[i].why);
		ROW_CHECK((why[0] != 0) == (archives[i].want < 0), archives[i].why);
		ROW_CHECK(kpack.entries == archives[i].entries, archives[i].why);
		ROW_CHECK(kpack.kernels == archives[i].kernels, archives[i].why);
	}
}

/* Cut anywhere it ends in a sentence; never half an answer without one. */
static void test_cuts(void)
{
	struct kpack_recipe recipe = { .toc = "lib/a.so#0 gfx906 gfx1100;lib/b.so#1 gfx906",
				       .listed = "gfx906 gfx1100" };
	struct buf whole BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct kpack kpack;
	const char *why;

	make_kpack(&whole, &recipe);
	CHECK_INT(read_text(buf_get(&whole), &said, &kpack, &why), 0);
	for (size_t n = 0; n < whole.len; n++) {
		CHECK(read_text((struct span){ whole.data, n }, &said, &kpack, &why) < 0);
		CHECK(why[0] != 0);
	}
}

/* Offsets that point anywhere. */
static void test_offsets(void)
{
	static const uint64_t places[] = { 0, 15, 16, 1u << 20, UINT64_MAX, UINT64_MAX - 3 };
	struct kpack_recipe recipe = { .toc = "lib/a.so#0 gfx906", .listed = "gfx906" };
	struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct kpack kpack;
	const char *why;

	make_kpack(&b, &recipe);
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		memcpy(b.data + 8, &places[i], sizeof(places[i]));
		CHECK(read_text(buf_get(&b), &said, &kpack, &why) < 0);
	}
	memcpy(b.data + 8, &(uint64_t){ b.len }, sizeof(uint64_t));
	CHECK_INT(read_text(buf_get(&b), &said, &kpack, &why), -EBADMSG);
	CHECK_TEXT(why, "its table of contents lies outside of the file");
}

/* A number of 8 bytes behind a key, changed in place. */
static void set_uint(struct buf *b, const char *key, uint64_t value)
{
	size_t at = span_find(buf_get(b), span_of(key)) + strlen(key) + 1;

	for (size_t i = 0; i < 8; i++)
		b->data[at + i] = (char)(value >> (56 - 8 * i));
}

static const struct {
	const char *key;
	uint64_t value;
	bool plain;
	const char *why;
} lies[] = {
	{ "zstd_offset", 1u << 30, false, "packed kernels behind the end" },
	{ "zstd_offset", UINT64_MAX - 1, false, "an offset that overflows" },
	{ "zstd_size", 1u << 30, false, "longer than the archive" },
	{ "zstd_size", UINT64_MAX, false, "a size that overflows" },
	{ "zstd_size", 3, false, "too short for its own count" },
	{ "zstd_size", 4, false, "room for no kernel" },
	{ "ordinal", 99, false, "a kernel beyond the stored ones" },
	{ "offset", 1u << 30, true, "a blob behind the end" },
	{ "size", UINT64_MAX, true, "a blob without end" },
};

static void test_lies(void)
{
	for (size_t i = 0; i < COUNT_OF(lies); i++) {
		struct kpack_recipe recipe = { .toc = "lib/a.so#0 gfx906",
					       .listed = "gfx906",
					       .plain = lies[i].plain };
		struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
		struct kpack kpack;
		const char *why;

		make_kpack(&b, &recipe);
		set_uint(&b, lies[i].key, lies[i].value);
		ROW_CHECK(read_text(buf_get(&b), &said, &kpack, &why) < 0, lies[i].why);
		ROW_CHECK(strstr(why, "not in it") != NULL, lies[i].why);
	}
}

/* Values of other kinds than they should be: passed over, as the runtime does, or refused. */
static void pack_arches_text(struct buf *b)
{
	pack_map(b, 1);
	pack_pair(b, "gfx_arches", "gfx906");
}

static void pack_arches_mixed(struct buf *b)
{
	pack_map(b, 1);
	pack_text(b, "gfx_arches");
	pack_array(b, 2);
	pack_uint(b, 906);
	pack_text(b, "gfx942");
}

static void pack_blobs_text(struct buf *b)
{
	pack_map(b, 1);
	pack_pair(b, "blobs", "none");
}

static void pack_toc_text(struct buf *b)
{
	pack_map(b, 1);
	pack_pair(b, "toc", "none");
}

static void pack_entry_text(struct buf *b)
{
	pack_map(b, 1);
	pack_text(b, "toc");
	pack_map(b, 2);
	pack_pair(b, "lib/a.so#0", "gfx906");
	pack_uint(b, 7);
	pack_map(b, 1);
	pack_text(b, "gfx906");
	pack_map(b, 0);
}

static void pack_target_text(struct buf *b)
{
	pack_map(b, 1);
	pack_text(b, "toc");
	pack_map(b, 1);
	pack_text(b, "lib/a.so#0");
	pack_map(b, 1);
	pack_pair(b, "gfx906", "hsaco");
}

static void pack_long_target(struct buf *b)
{
	char name[201] = { 0 };

	memset(name, 'g', 200);
	pack_map(b, 2);
	pack_text(b, "blobs");
	pack_array(b, 1);
	pack_map(b, 0);
	pack_text(b, "toc");
	pack_map(b, 1);
	pack_text(b, "lib/a.so#0");
	pack_map(b, 1);
	pack_text(b, name);
	pack_map(b, 0);
}

static void pack_long_key(struct buf *b)
{
	char name[1101] = { 0 };

	memset(name, 'l', 1100);
	pack_map(b, 1);
	pack_text(b, "toc");
	pack_map(b, 1);
	pack_text(b, name);
	pack_map(b, 1);
	pack_text(b, "gfx906");
	pack_map(b, 0);
}

static void pack_keys_of_maps(struct buf *b)
{
	pack_map(b, 1);
	pack_map(b, 1);
	pack_pair(b, "a", "b");
	pack_text(b, "value");
}

static void pack_no_map(struct buf *b)
{
	pack_array(b, 0);
}

static const struct {
	void (*pack)(struct buf *b);
	int want;
	const char *said;
	const char *why;
} odd[] = {
	{ pack_arches_text, 0, "", "a text for a list of targets" },
	{ pack_arches_mixed, 0, "[gfx942]", "a number among the targets" },
	{ pack_blobs_text, 0, "", "a text for the list of blobs" },
	{ pack_toc_text, -EBADMSG, "", "a text for the table" },
	{ pack_entry_text, 0, "", "entries that have no targets, or no name" },
	{ pack_target_text, 0, "", "a target without a kernel" },
	{ pack_long_target, 0, "", "a target that none is called" },
	{ pack_long_key, 0, "", "a library whose name has no end" },
	{ pack_keys_of_maps, 0, "", "a map for a key" },
	{ pack_no_map, -EBADMSG, "", "a list" },
};

static void test_odd(void)
{
	for (size_t i = 0; i < COUNT_OF(odd); i++) {
		struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
		const uint64_t at = 16;
		const uint32_t version = 1;
		struct kpack kpack;
		const char *why;

		buf_text(&said, "");
		buf_text(&b, "KPAK");
		buf_add(&b, &version, sizeof(version));
		buf_add(&b, &at, sizeof(at));
		odd[i].pack(&b);
		ROW_CHECK(read_text(buf_get(&b), &said, &kpack, &why) == odd[i].want, odd[i].why);
		ROW_SPAN(buf_get(&said), odd[i].said, odd[i].why);
	}
}

/* Only the table of contents was kept while the archive streamed by. */
static int read_toc_only(const struct source *s, uint64_t at, void *ret, size_t n)
{
	if (at >= 16 && at < KPACK_BLOBS_AT + 4)
		return -ENODATA;
	memcpy(ret, (const char *)s->of + at, n);
	return 0;
}

static void test_hole(void)
{
	struct kpack_recipe recipe = { .toc = "lib/a.so#0 gfx906", .listed = "gfx906" };
	struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct kpack_visitor v = { say_listed, say_kernel, &said };
	struct kpack kpack;
	const char *why;
	struct source s;

	make_kpack(&b, &recipe);
	s = source_memory(buf_get(&b));
	s.read = read_toc_only;
	CHECK_INT(kpack_read(&s, &v, &kpack, &why), 0);
	CHECK_SPAN(buf_get(&said), "[gfx906](lib/a.so 0 gfx906)");
}

/* Unknown keys, also such as hold much, are passed over; of two names the first counts. */
static void test_ref_keys(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct kpack_ref ref;

	pack_map(&b, 5);
	pack_pair(&b, "kernel_name", "lib/a.so");
	pack_text(&b, "future");
	pack_array(&b, 1);
	pack_pair(&b, "x", "kernel_name");
	pack_text(&b, "y");
	pack_pair(&b, "kernel_name", "lib/b.so");
	pack_text(&b, "kpack_search_paths");
	pack_array(&b, 2);
	pack_map(&b, 1);
	pack_pair(&b, "no", "path");
	pack_text(&b, "p");
	CHECK_INT(kpack_ref_parse(buf_get(&b), &ref), 0);
	CHECK_SPAN(ref.kernel_name, "lib/a.so");
	CHECK_INT(ref.path_count, 1);
	CHECK_SPAN(ref.paths[0], "p");
}

int main(void)
{
	test_odd();
	test_hole();
	test_ref_keys();
	test_ref();
	test_bad_refs();
	test_many_paths();
	test_splits();
	test_targets();
	test_archives();
	test_cuts();
	test_offsets();
	test_lies();
	return check_end();
}
