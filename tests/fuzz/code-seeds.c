/*
 * Write seeds for the fuzz targets of device code.
 *
 * usage: code-seeds CORPUS-DIRECTORY
 *
 * Not part of the build. By hand, from the top of the tree, when a form is new:
 *   cc -D_GNU_SOURCE -Isrc -o /tmp/code-seeds tests/fuzz/code-seeds.c src/base/{buf,span}.c -lz -lzstd
 *   /tmp/code-seeds tests/fuzz/corpus
 * Files of fuzz-elf and fuzz-code are extents; see flat.h.
 */

#include <stdio.h>

#include "../unit/make-code.h"

#define HOLE 48 /* zeroes, from so many on, are left out */

static const char *corpus;

static void keep(const char *target, const char *name, struct span bytes)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/%s", corpus, target, name);
	f = fopen(path, "we");
	if (!f || fwrite(bytes.data, 1, bytes.len, f) != bytes.len || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

static size_t zeroes_at(struct span s, size_t at)
{
	size_t n = 0;

	while (at + n < s.len && s.data[at + n] == 0)
		n++;
	return n;
}

static void keep_flat(const char *target, const char *name, struct span bytes)
{
	struct buf out = { 0 };
	size_t at = 0;

	while (at < bytes.len) {
		size_t end = at;

		while (end < bytes.len && zeroes_at(bytes, end) < HOLE)
			end += zeroes_at(bytes, end) + 1;
		if (end > bytes.len)
			end = bytes.len;
		if (end > at) {
			put64(&out, at);
			put32(&out, (uint32_t)(end - at));
			buf_add(&out, bytes.data + at, end - at);
		}
		at = end + zeroes_at(bytes, end);
	}
	keep(target, name, buf_get(&out));
	buf_done(&out);
}

static const struct made_entry entries[] = {
	{ "host-x86_64-unknown-linux--", 0, 0 },
	{ "hipv4-amdgcn-amd-amdhsa--gfx1100", MADE_V4, 0x41 },
	{ "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", MADE_V4, 0xe3f },
	{ "hipv4-amdgcn-amd-amdhsa--gfx9-4-generic", MADE_V6, 0x0100005f },
	{ NULL, 0, 0 },
};
static const struct made_entry old[] = {
	{ "host-x86_64-unknown-linux", 0, 0 },
	{ "hip-amdgcn-amd-amdhsa--gfx906", MADE_V3, 0x12f },
	{ NULL, 0, 0 },
};

static void library(struct buf *out, const char *name, uint32_t type, struct span content)
{
	static const char *const needed[] = { "libamdhip64.so.7", "libc.so.6", NULL };
	static const char *const versions[] = { "libx.so.1", "hip_4.2", "hip_7.2", NULL };
	const struct made_section sections[] = { { ".text", 1, SPAN_LITERAL("x"), 0 },
						 { name, type, content, 0 },
						 { NULL, 0, { NULL, 0 }, 0 } };
	const struct made_elf e = { .type = 3,
				    .sections = sections,
				    .needed = needed,
				    .soname = "libx.so.1",
				    .rpath = "$ORIGIN",
				    .runpath = "/opt/rocm/lib",
				    .versions = versions };

	make_elf(out, &e);
}

static void keep_library(const char *name, const char *section, uint32_t type, struct span content)
{
	struct buf b = { 0 };

	library(&b, section, type, content);
	keep_flat("code", name, buf_get(&b));
	buf_done(&b);
}

static void bundles(void)
{
	struct buf plain = { 0 }, two = { 0 };

	make_bundle(&plain, entries, 4096);
	keep("bundle", "four-entries", buf_get(&plain));
	keep("bundle", "cut-in-an-id", (struct span){ plain.data, 90 });
	make_bundle(&two, old, 4096);
	put_up_to(&two, 4096);
	make_bundle(&two, entries, 4096);
	keep_library("two-bundles", ".hip_fatbin", 1, buf_get(&two));
	keep_flat("code", "bundles-alone", buf_get(&two));
	set64(&two, 24, 2000);
	keep_library("broken-first", ".hip_fatbin", 1, buf_get(&two));
	buf_done(&plain);
	buf_done(&two);
}

static void compressed(void)
{
	struct buf plain = { 0 };

	make_bundle(&plain, entries, 512);
	for (unsigned int version = 1; version <= 3; version++) {
		for (unsigned int method = 0; method < 2; method++) {
			struct buf b = { 0 };
			char name[64];

			snprintf(name, sizeof(name), "v%u-%s", version, method ? "zstd" : "zlib");
			make_ccob(&b, version, method, buf_get(&plain));
			keep("ccob", name, buf_get(&b));
			put_up_to(&b, 4096);
			make_ccob(&b, version, method, buf_get(&plain));
			keep_library(name, ".hip_fatbin", 1, buf_get(&b));
			buf_done(&b);
		}
	}
	buf_done(&plain);
}

/* Blocks that yield nothing, more in a row than anybody writes: raw, repeated, compressed. */
static void barren(void)
{
	static const struct {
		const char *bytes;
		size_t len;
	} kinds[] = { { "\0\0\0", 3 }, { "\2\0\0x", 4 }, { "\x1c\0\0\4\0\0", 6 } };
	struct buf plain = { 0 }, b = { 0 };
	uint32_t head;

	make_bundle(&plain, entries, 64);
	head = (uint32_t)plain.len << 3;
	buf_add(&b, "CCOB\1\0\1\0", 8);
	put32(&b, (uint32_t)plain.len + 100);
	put64(&b, 0);
	buf_add(&b, "\x28\xb5\x2f\xfd\0\x50", 6);
	buf_add(&b, &head, 3);
	buf_span(&b, buf_get(&plain));
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 30; k++)
			buf_add(&b, kinds[i].bytes, kinds[i].len);
	buf_add(&b, "\x29\0\0hello", 8);
	keep("ccob", "barren-blocks", buf_get(&b));
	keep_library("barren-blocks", ".hip_fatbin", 1, buf_get(&b));
	buf_done(&plain);
	buf_done(&b);
}

/* A frame of several blocks, whose later ones use the tables of earlier ones. */
static void blocks(void)
{
	struct buf plain = { 0 }, b = { 0 };
	ZSTD_CCtx *ctx = ZSTD_createCCtx();
	char packed[4000];
	ZSTD_outBuffer out = { packed, sizeof(packed), 0 };

	make_bundle(&plain, entries, 512);
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, 19);
	for (size_t at = 0; at < plain.len; at += 300) {
		size_t left = plain.len - at;
		ZSTD_inBuffer in = { plain.data + at, left < 300 ? left : 300, 0 };

		ZSTD_compressStream2(ctx, &out, &in, left <= 300 ? ZSTD_e_end : ZSTD_e_flush);
	}
	buf_add(&b, "CCOB\3\0\1\0", 8);
	put64(&b, 32 + out.pos);
	put64(&b, plain.len);
	put64(&b, 0);
	buf_add(&b, packed, out.pos);
	keep("ccob", "many-blocks", buf_get(&b));
	keep_library("many-blocks", ".hip_fatbin", 1, buf_get(&b));
	ZSTD_freeCCtx(ctx);
	buf_done(&plain);
	buf_done(&b);
}

static void elves(void)
{
	struct buf b = { 0 }, note = { 0 };

	library(&b, ".hip_fatbin", 8, (struct span){ NULL, 0 });
	keep_flat("elf", "shared-library", buf_get(&b));
	keep_flat("code", "nobits", buf_get(&b));
	set64(&b, 40, 0);
	keep_flat("elf", "no-sections", buf_get(&b));
	make_object(&note, 0, 0);
	set64(&note, 32, 64);
	set16(&note, 56, 1);
	put_zeroes(&note, 56);
	set32(&note, 64, 4);
	set64(&note, 72, note.len);
	set64(&note, 96, 36);
	put32(&note, 4);
	put32(&note, 20);
	put32(&note, 3);
	buf_add(&note, "AMD", 4);
	put32(&note, 0x00070004);
	put32(&note, 9);
	put32(&note, 0);
	put32(&note, 10);
	put32(&note, 0);
	keep("code-object", "v2-with-a-note", buf_get(&note));
	keep_flat("elf", "notes", buf_get(&note));
	keep_flat("code", "code-object-v2", buf_get(&note));
	for (uint8_t abi = 1; abi <= 4; abi++) {
		struct buf o = { 0 };
		char name[64];

		snprintf(name, sizeof(name), "v%d", abi + 2);
		make_object(&o, abi, abi == 4 ? 0x01000054 : 0x63f);
		keep("code-object", name, buf_get(&o));
		buf_done(&o);
	}
	buf_done(&b);
	buf_done(&note);
}

static void others(void)
{
	struct buf b = { 0 }, member = { 0 };
	const struct made_section rdc[] = {
		{ "__CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx1030", 1, SPAN_LITERAL("BC"),
		  0 },
		{ "__CLANG_OFFLOAD_BUNDLE__sycl-spir64", 1, SPAN_LITERAL("BC"), 0 },
		{ NULL, 0, { NULL, 0 }, 0 },
	};
	const struct made_elf e = { .type = 1, .sections = rdc };

	make_elf(&b, &e);
	keep_flat("code", "sections-per-target", buf_get(&b));
	buf_clear(&b);
	make_bundle(&member, entries, 64);
	buf_addf(&b, "!<arch>\n%-16s%-12d%-6d%-6d%-8d%-10zu`\n", "a.o/", 0, 0, 0, 644, member.len);
	buf_span(&b, buf_get(&member));
	keep_flat("code", "static-archive", buf_get(&b));
	keep_library(
		"kpack", ".rocm_kpack_ref", 1,
		SPAN_LITERAL("\x82\xabkernel_name\xa6lib/x1\xb2kpack_search_paths\x91\xa5../k1"));
	buf_clear(&b);
	/* One entry, two strings, version 2. */
	buf_add(&b, "\x10\xff\x10\xad\2\0\0\0", 8);
	put64(&b, 158);
	put64(&b, 32);
	put64(&b, 1);
	put16(&b, 1);
	put16(&b, 4);
	put32(&b, 0);
	put64(&b, 72);
	put64(&b, 2);
	put64(&b, 150);
	put64(&b, 8);
	put64(&b, 120);
	put64(&b, 125);
	put64(&b, 7);
	put64(&b, 133);
	put64(&b, 140);
	put64(&b, 6);
	buf_add(&b, "arch\0gfx1100\0triple\0amdgcn\0\0\0\0image", 38);
	keep("offload-binary", "version-2", buf_get(&b));
	keep_library("offloading", ".llvm.offloading", 1, buf_get(&b));
	set32(&b, 4, 1);
	keep("offload-binary", "version-1", buf_get(&b));
	keep("target-id", "usual", SPAN_LITERAL("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"));
	keep("target-id", "generic",
	     SPAN_LITERAL("hipv4-amdgcn-amd-amdhsa-unknown--gfx9-4-generic"));
	keep("target-id", "rocm3", SPAN_LITERAL("hip-amdgcn-amd-amdhsa-gfx803"));
	keep("target-id", "host", SPAN_LITERAL("host-x86_64-unknown-linux-gnu-"));
	keep("target-id", "bare", SPAN_LITERAL("gfx90a:xnack-:sramecc+"));
	keep("code-text", "library",
	     SPAN_LITERAL(
		     "size 189034872\nhead 3f2a9c0144d1b2aa\nkind shared-library\nsoname librocblas.so.5\n"
		     "needed libamdhip64.so.7\nrpath $ORIGIN\nrunpath $ORIGIN/../lib\ndefines hip_7.2\n"
		     "kpack lib/librocblas.so.5\narchive 120 ../.kpack/a.kpack\narchive missing b\n"
		     "found index\nbundles 65\nform ccob3 65\ncov 4 6\ntarget 65 gfx1100\n"
		     "target 64 gfx90a:xnack-\nproblem bundle 12 at 0x1f000: no entries\n"));
	buf_done(&b);
	buf_done(&member);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: code-seeds CORPUS-DIRECTORY\n", stderr);
		return 64;
	}
	corpus = argv[1];
	bundles();
	compressed();
	barren();
	blocks();
	elves();
	others();
	return 0;
}
