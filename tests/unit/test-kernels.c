#include "code/kernels.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "check-pack.h"
#include "check-span.h"
#include "code/kernels-count.h"

static const struct {
	const char *path, *kind;
} kinds[] = {
	{ "/opt/rocm-6.4.1/lib/rocblas/library", "rocblas" },
	{ "/usr/lib/x86_64-linux-gnu/rocblas/5/library", "rocblas" },
	{ "/usr/lib/x86_64-linux-gnu/rocblas/2.47.0/library/", "rocblas" },
	{ "/venv/lib/python3.12/site-packages/torch/lib/hipblaslt/library", "hipblaslt" },
	{ "hipsparselt/library", "hipsparselt" },
	{ "/opt/rocm/share/miopen/db", "miopen" },
	{ "/home/ann/.config/miopen", "miopen" },
	{ "/home/ann/.cache/miopen", "miopen" },
	{ "torch/lib/aotriton.images", "aotriton" },
	{ "/root/.triton/cache", "triton-cache" },
	{ "/usr/lib/python3/dist-packages/aiter_meta/hsa", "aiter" },
	{ "/opt/rocm/lib/rocblas/library/gfx942", NULL },
	{ "/opt/rocm/lib/rocblas", NULL },
	{ "/x/myrocblas/library", NULL },
	{ "library", NULL },
	{ "/", NULL },
	{ "", NULL },
};

static void test_kinds(void)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		const char *kind = kernels_kind(span_of(kinds[i].path));

		ROW_CHECK(kind == kinds[i].kind ||
				  (kind && kinds[i].kind && strcmp(kind, kinds[i].kind) == 0),
			  kinds[i].path);
	}
}

static const struct {
	bool (*target)(const char *name, char ret[static 64]);
	const char *name, *id;
} names[] = {
	{ kernels_name_tensile, "TensileLibrary_lazy_gfx1151.dat", "gfx1151" },
	{ kernels_name_tensile, "TensileLibrary_Type_HH_Contraction_CU104_gfx90a.co", "gfx90a" },
	{ kernels_name_tensile, "Kernels.so-000-gfx90a-xnack+.hsaco", "gfx90a:xnack+" },
	{ kernels_name_tensile, "x_fallback_gfx90a-xnack-.hsaco", "gfx90a:xnack-" },
	{ kernels_name_tensile, "Kernels.so-000-gfx942-sramecc+-xnack-.hsaco",
	  "gfx942:sramecc+:xnack-" },
	{ kernels_name_tensile, "Kernels.so-000-gfx9-4-generic.hsaco", "gfx9-4-generic" },
	{ kernels_name_tensile, "Kernels.so-000-gfx11-generic-xnack-.hsaco",
	  "gfx11-generic:xnack-" },
	{ kernels_name_tensile, "gfx942/TensileLibrary_fallback.dat", "gfx942" },
	{ kernels_name_tensile, "gfx1250v0/TensileLibrary_lazy_gfx1250.dat", "gfx1250" },
	{ kernels_name_tensile, "gfx900/x_gfx906.co", "gfx906" },
	{ kernels_name_tensile, "x_gfx9999.co", "gfx9999" }, /* newer than us, and shown */
	{ kernels_name_tensile, "hipblasltTransform.hsaco", NULL },
	{ kernels_name_tensile, "gfx", NULL },
	{ kernels_name_tensile, "gfxabc.co", NULL },
	{ kernels_name_tensile, "", NULL },
	{ kernels_name_tensile,
	  "gfx0123456789012345678901234567890123456789012345678901234567890123456789.co", NULL },
	{ kernels_name_tensile,
	  "gfx012345678901234567890123456789012345678901234567890123456789.co",
	  "gfx012345678901234567890123456789012345678901234567890123456789" },
	{ kernels_name_tensile,
	  "gfx0123456789012345678901234567890123456789012345678901234567890.co",
	  NULL }, /* no room for the end of the text */
	{ kernels_name_miopen, "gfx90a68.HIP.fdb.txt", "gfx90a" },
	{ kernels_name_miopen, "gfx9-4-generic_64.kdb", "gfx9-4-generic" },
	{ kernels_name_miopen, "gfx1151_20.kdb", "gfx1151" },
	{ kernels_name_miopen, "gfx90a6e.db.txt", "gfx90a" },
	{ kernels_name_miopen, "gfx90878.kdb", "gfx908" },
	{ kernels_name_miopen, "gfx942130.HIP.fdb.txt", "gfx942" },
	{ kernels_name_miopen, "gfx942e4.db.txt", "gfx942" },
	{ kernels_name_miopen, "gfx94250.HIP.fdb.txt", "gfx942" },
	{ kernels_name_miopen, "gfx906_60.HIP.fdb.txt", "gfx906" },
	{ kernels_name_miopen, "gfx1030_36.kdb", "gfx1030" },
	{ kernels_name_miopen, "gfx942_ConvHipIgemmGroupXdlops_encoder.ktn.model", "gfx942" },
	{ kernels_name_miopen, "3.5.1.dabb6df2b9/gfx942130.ukdb", "gfx942" },
	{ kernels_name_miopen, "gfx7777_20.kdb", "gfx7777" },
	{ kernels_name_miopen, "README.gfx942", NULL },
	{ kernels_name_aotriton, "amd-gfx942/flash/attn_fwd/x.aks2", "gfx942" },
	{ kernels_name_aotriton, "amd-gfx11xx/flash/attn_fwd/x.aks2", "gfx11xx" },
	{ kernels_name_aotriton, "amd-gfx120x/flash/attn_fwd.zip", "gfx120x" },
	{ kernels_name_aotriton, "amd-MI300X/flash/x.aks2", NULL },
	{ kernels_name_aotriton, "amd-gfx942", NULL },
	{ kernels_name_aotriton, "nv-gfx942/x.aks2", NULL },
	{ kernels_name_aotriton, "amd-gfx942y/x.aks2", NULL },
	{ kernels_name_aiter, "gfx942/fmha_v3_fwd/fwd_gfx9.co", "gfx942" },
	{ kernels_name_aiter, "gfx942", NULL },
	{ kernels_name_aiter, "hsa/gfx942/x.co", NULL },
	{ kernels_name_aiter, "x.co", NULL },
	{ kernels_name_aiter, "", NULL },
};

static void test_names(void)
{
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char id[64] = "";

		if (ROW_CHECK(names[i].target(names[i].name, id) == (names[i].id != NULL),
			      names[i].name) &&
		    names[i].id)
			ROW_SPAN(span_of(id), names[i].id, names[i].name);
	}
}

static const struct {
	const char *kind, *name;
	bool opens;
} opens[] = {
	{ "rocblas", "TensileLibrary_lazy_gfx906.dat", true },
	{ "hipblaslt", "gfx942/TensileLibrary_lazy_gfx942.dat.zlib", true },
	{ "hipblaslt", "hipblasltExtOpLibrary.dat", true },
	{ "rocblas", "TensileLibrary_lazy_gfx906.yaml", false },
	{ "rocblas", "TensileLibrary.dat", false }, /* 117 MB */
	{ "rocblas", "TensileLibrary_Type_HH_gfx906.dat", false },
	{ "rocblas", "TensileLibrary_Type_HH_gfx906.co", false },
	{ "triton-cache", "AB/attn.json", true },
	{ "triton-cache", "AB/__grp__attn.json", false },
	{ "triton-cache", "AB/attn.hsaco", false },
	{ "miopen", "gfx942130.db.txt", false },
	{ "nonsense", "x", false },
};

static void test_opens(void)
{
	for (size_t i = 0; i < COUNT_OF(opens); i++)
		ROW_CHECK(kernels_opens(opens[i].kind, opens[i].name) == opens[i].opens,
			  opens[i].name);
}

/* ---- directories ---- */

/*
 * A file is its name, and for those that are opened a recipe: "index gfx1151
 * PART... any PART..." makes a lazy index, "extops gfx908 gfx90a" a list of
 * processors, anything else is its text. No text: one byte that nobody asks for.
 */
struct file {
	const char *name, *text;
};

#define FILES_MAX 12

struct directory {
	const struct file *files;
	struct buf open;
	int opened, closed;
};

static void pack_word(struct buf *b, struct span word)
{
	char text[256] = { 0 };

	memcpy(text, word.data, word.len);
	pack_text(b, text);
}

static void pack_predicate(struct buf *b, struct span processor)
{
	pack_map(b, 2);
	pack_text(b, "predicate");
	if (span_is(processor, "any")) {
		pack_map(b, 1);
		pack_pair(b, "type", "TruePred");
		return;
	}
	pack_map(b, 2);
	pack_pair(b, "type", "AMDGPU");
	pack_text(b, "value");
	pack_map(b, 2);
	pack_pair(b, "type", "Processor");
	pack_text(b, "value");
	pack_word(b, processor);
}

/* "gfx1151 A B any C": two rows. */
static void pack_index(struct buf *b, struct span words)
{
	struct span rest = words, word, row = { 0 };
	unsigned int rows = 0, parts;

	for (struct span r = rest; span_word(&r, &word);)
		rows += span_starts(word, "gfx") || span_is(word, "any");
	pack_map(b, 1);
	pack_text(b, "library");
	pack_map(b, 2);
	pack_pair(b, "type", "Hardware");
	pack_text(b, "rows");
	pack_array(b, rows);
	while (span_word(&rest, &row)) {
		struct span ahead = rest;

		for (parts = 0; span_word(&ahead, &word) && !span_starts(word, "gfx") &&
				!span_is(word, "any");)
			parts++;
		pack_predicate(b, row);
		pack_text(b, "library");
		pack_array(b, parts);
		for (; parts > 0; parts--) {
			span_word(&rest, &word);
			pack_map(b, 2);
			pack_pair(b, "type", "Placeholder");
			pack_text(b, "value");
			pack_word(b, word);
		}
	}
}

static void pack_extops(struct buf *b, struct span words)
{
	struct span word;
	unsigned int count = 0;

	for (struct span r = words; span_word(&r, &word);)
		count++;
	pack_map(b, count);
	while (span_word(&words, &word)) {
		pack_word(b, word);
		pack_map(b, 0);
	}
}

static void pack_zlib(struct buf *b)
{
	uLongf n = compressBound(b->len);
	unsigned char *packed = malloc(n);

	compress(packed, &n, (unsigned char *)b->data, b->len);
	buf_clear(b);
	buf_add(b, packed, n);
	free(packed);
}

static void make_file(const struct file *f, struct buf *b)
{
	struct span text = span_of(f->text), word;

	buf_clear(b);
	buf_text(b, "");
	if (span_starts(text, "index ") && span_word(&text, &word))
		pack_index(b, text);
	else if (span_starts(text, "extops ") && span_word(&text, &word))
		pack_extops(b, text);
	else
		buf_span(b, text);
	if (span_ends(span_of(f->name), ".zlib"))
		pack_zlib(b);
}

static int open_file(void *of, const char *name, struct source *ret)
{
	struct directory *d = of;

	for (const struct file *f = d->files; f->name; f++) {
		if (strcmp(f->name, name) != 0)
			continue;
		if (!f->text)
			return -EACCES;
		make_file(f, &d->open);
		*ret = source_memory(buf_get(&d->open));
		d->opened++;
		return 0;
	}
	return -ENOENT;
}

static void close_file(void *of, struct source *s)
{
	struct directory *d = of;

	(void)s;
	d->closed++;
}

#define AKS2 "AKS2\x10\x01\x01\x01\x02\x01\x01\x01\x08\x01\x01\x01"

static const struct {
	const char *kind;
	struct file files[FILES_MAX];
	const char *want;
	const char *why;
} cases[] = {
	{ "rocblas",
	  { { "TensileLibrary_lazy_gfx1151.dat", "index gfx1151 T_HH_gfx1151 any T_HH_fallback" },
	    { "T_HH_gfx1151.dat", "" },
	    { "TensileLibrary_T_HH_gfx1151.co", NULL } },
	  "kind rocblas\nfiles 3\nindex yes\narch gfx1151 1 1 0 0 2\n"
	  "problem TensileLibrary_lazy_gfx1151.dat: 2 of 2 parts are missing, the first is "
	  "T_HH_gfx1151\n",
	  "an index whose files were not copied with it" },
	{ "rocblas",
	  { { "TensileLibrary_lazy_gfx90a.dat",
	      "index gfx90a TensileLibrary_HH_gfx90a any TensileLibrary_HH_fallback" },
	    { "TensileLibrary_HH_gfx90a.dat", "x" },
	    { "TensileLibrary_HH_gfx90a.co", NULL },
	    { "TensileLibrary_HH_fallback.dat", "x" },
	    { "TensileLibrary_HH_fallback_gfx90a-xnack+.hsaco", NULL },
	    { "TensileLibrary_HH_fallback_gfx90a-xnack-.hsaco", NULL },
	    { "Kernels.so-000-gfx90a-xnack+.hsaco", NULL },
	    { "Kernels.so-000-gfx90a-xnack-.hsaco", NULL } },
	  "kind rocblas\nfiles 8\nindex yes\narch gfx90a 1 1 0 0\narch gfx90a:xnack+ 1 0 1 1\n"
	  "arch gfx90a:xnack- 1 0 1 1\n",
	  "one index for both settings of a feature" },
	{ "rocblas",
	  { { "TensileLibrary_lazy_gfx1201.dat", "index any TensileLibrary_HH_fallback" },
	    { "TensileLibrary_HH_fallback.dat", "x" },
	    { "TensileLibrary_HH_fallback_gfx1201.hsaco", NULL },
	    { "TensileLibrary_HH_fallback_gfx1200.hsaco", NULL },
	    { "Kernels.so-000-gfx1201.hsaco", NULL } },
	  "kind rocblas\nfiles 5\nindex yes\narch gfx1200 0 0 1 0\narch gfx1201 1 0 1 1\n"
	  "problem gfx1200 has code but no index\n",
	  "slow code only; beside it code that no index leads to" },
	{ "rocblas",
	  { { "TensileLibrary_lazy_gfx1100.dat", "index any TensileLibrary_HH_fallback" },
	    { "TensileLibrary_HH_fallback.dat", "x" },
	    { "TensileLibrary_HH_fallback_gfx1101.hsaco", NULL } },
	  "kind rocblas\nfiles 3\nindex yes\narch gfx1100 1 0 0 0 1\narch gfx1101 0 0 1 0\n"
	  "problem TensileLibrary_lazy_gfx1100.dat: 1 of 1 parts are missing, the first is "
	  "TensileLibrary_HH_fallback\n"
	  "problem gfx1101 has code but no index\n",
	  "the code of another target does not count" },
	{ "rocblas",
	  { { "TensileLibrary_lazy_gfx906.dat", "index any TensileLibrary_HH_fallback" },
	    { "TensileLibrary_HH_fallback.dat", "x" },
	    { "TensileLibrary_HH_fallback_gfx9061.hsaco", NULL },
	    { "TensileLibrary_gfx9061.dat", "x" } },
	  "kind rocblas\nfiles 4\nindex yes\narch gfx906 1 0 0 0 1\narch gfx9061 1 0 1 0\n"
	  "problem TensileLibrary_lazy_gfx906.dat: 1 of 1 parts are missing, the first is "
	  "TensileLibrary_HH_fallback\n",
	  "nor does that of one whose name begins like it" },
	{ "rocblas",
	  { { "TensileLibrary.dat", "x" },
	    { "TensileLibrary_gfx906.co", NULL },
	    { "Kernels.so-000-gfx906.hsaco", NULL },
	    { "Kernels.so-000-gfx1010.hsaco", NULL } },
	  "kind rocblas\nfiles 4\nindex no\narch gfx1010 1 0 1 0\narch gfx906 1 1 1 0\n",
	  "everything in one file, as before 2022; Kernels.so has the slow code" },
	{ "rocblas",
	  { { "TensileLibrary_gfx906.dat", "x" },
	    { "TensileLibrary_gfx906.co", NULL },
	    { "Kernels.so-000-gfx906.hsaco", NULL },
	    { "Kernels.so-000-gfx1010.hsaco", NULL } },
	  "kind rocblas\nfiles 4\nindex no\narch gfx1010 0 0 0 1\narch gfx906 1 1 1 0\n",
	  "one file for each target" },
	{ "rocblas",
	  { { "gfx942/TensileLibrary_lazy_gfx942.dat", "index gfx942 TensileLibrary_HH_gfx942" },
	    { "gfx942/TensileLibrary_HH_gfx942.dat", "x" },
	    { "gfx942/TensileLibrary_HH_gfx942.co", NULL },
	    { "gfx942/Kernels.so-000-gfx942.hsaco", NULL } },
	  "kind rocblas\nfiles 4\nindex yes\narch gfx942 1 1 0 1\n",
	  "a directory for each target, as new builds have it" },
	{ "hipblaslt",
	  { { "gfx942/TensileLibrary_lazy_gfx942.dat.zlib",
	      "index gfx942 TensileLibrary_HH_gfx942" },
	    { "gfx942/TensileLibrary_HH_gfx942.dat.zlib", "x" },
	    { "gfx942/TensileLibrary_HH_gfx942.co", NULL } },
	  "kind hipblaslt\nfiles 3\nindex yes\narch gfx942 1 1 0 0\n",
	  "packed indexes" },
	{ "hipblaslt",
	  { { "TensileLibrary_lazy_gfx908.yaml", "solutions: []" },
	    { "TensileLibrary_x_gfx908.co", NULL } },
	  "kind hipblaslt\nfiles 2\nindex no\narch gfx908 1 1 0 0\n",
	  "YAML counts by its name" },
	{ "hipblaslt",
	  { { "TensileLibrary_lazy_gfx908.dat", "no index" }, { "extop_gfx908.co", NULL } },
	  "kind hipblaslt\nfiles 2\nindex no\narch gfx908 0 0 0 1\n"
	  "problem TensileLibrary_lazy_gfx908.dat is not a Tensile index\n",
	  "a damaged index is none" },
	{ "hipblaslt",
	  { { "TensileLibrary_lazy_gfx908.dat", NULL }, { "extop_gfx908.co", NULL } },
	  "kind hipblaslt\nfiles 2\nindex no\narch gfx908 ? 0 0 1\n"
	  "problem TensileLibrary_lazy_gfx908.dat Permission denied\n",
	  "an index that we may not read may be a good one" },
	{ "rocblas",
	  { { "TensileLibrary_lazy_gfx90a.dat", NULL },
	    { "TensileLibrary_x_gfx90a-xnack+.co", NULL },
	    { "TensileLibrary_gfx908.dat", NULL },
	    { "TensileLibrary_x_gfx908.co", NULL } },
	  "kind rocblas\nfiles 4\nindex no\narch gfx908 1 1 0 0\narch gfx90a ? 0 0 0\n"
	  "arch gfx90a:xnack+ ? 1 0 0\n"
	  "problem TensileLibrary_lazy_gfx90a.dat Permission denied\n",
	  "and so it is for each setting of a feature, and for no other target" },
	{ "hipblaslt",
	  { { "hipblasltExtOpLibrary.dat", "extops gfx908 gfx90a gfx942" },
	    { "extop_gfx908.co", NULL } },
	  "kind hipblaslt\nfiles 2\nindex no\narch gfx908 0 0 0 1\n"
	  "problem hipblasltExtOpLibrary.dat names 2 targets without a file, the first would be "
	  "extop_gfx90a.co\n",
	  "a list of more than there is" },
	{ "rocblas",
	  { { 0 } },
	  "kind rocblas\nfiles 0\nindex no\nproblem the directory is empty\n",
	  "nothing" },
	{ "miopen",
	  { { "gfx90a68.HIP.fdb.txt", NULL },
	    { "gfx90a6e.kdb", NULL },
	    { "gfx1030_36.db.txt", NULL },
	    { "README", NULL },
	    { "gfx942.note", NULL } },
	  "kind miopen\nfiles 5\nindex no\narch gfx1030 0 0 0 1\narch gfx90a 0 1 0 1\n",
	  "databases of several sizes of a GPU" },
	{ "aotriton",
	  { { "amd-gfx11xx/flash/attn_fwd/a.aks2", AKS2 },
	    { "amd-gfx11xx/flash/attn_fwd/b.aks2", "not looked at" },
	    { "amd-gfx942/flash/attn_fwd/a.aks2", "<html>" },
	    { "amd-gfx120x/flash/attn_fwd.zip", NULL },
	    { "amd-gfx90a/__signature__", "{}" } },
	  "kind aotriton\nfiles 5\nindex no\narch gfx11xx 0 2 0 0\narch gfx120x 0 1 0 0\n"
	  "arch gfx942 0 1 0 0\n"
	  "problem amd-gfx942/flash/attn_fwd/a.aks2 is not an AOTriton pack\n",
	  "families; one pack of each is looked at" },
	{ "aotriton",
	  { { "amd-gfx942/a.aks2", "AKS2\x10\x01\x01\x01\x02\x01\x01\x01\x20\x01\x01\x01" },
	    { "amd-gfx90a/a.aks2", NULL },
	    { "amd-gfx950/a.aks2", "AKS2" } },
	  "kind aotriton\nfiles 3\nindex no\narch gfx90a 0 1 0 0\narch gfx942 0 1 0 0\n"
	  "arch gfx950 0 1 0 0\n"
	  "problem amd-gfx942/a.aks2 is an AOTriton pack without kernels\n"
	  "problem amd-gfx90a/a.aks2 Permission denied\n"
	  "problem amd-gfx950/a.aks2 is not an AOTriton pack\n",
	  "a directory longer than the pack; one that is closed; one cut off" },
	{ "triton-cache",
	  { { "AB/attn.json", NULL }, { "CD/attn.json", "{\"arch\" 7}" } },
	  "kind triton-cache\nfiles 2\nindex no\n"
	  "problem 1 descriptions of kernels could not be read\n",
	  "closed to us" },
	{ "hipblaslt",
	  { { "hipblasltExtOpLibrary.dat", "x" } },
	  "kind hipblaslt\nfiles 1\nindex no\n"
	  "problem hipblasltExtOpLibrary.dat is not a Tensile index\n",
	  "a damaged list" },
	{ "hipblaslt",
	  { { "TensileLibrary_lazy_none.dat", "x" } },
	  "kind hipblaslt\nfiles 1\nindex no\n",
	  "an index for nobody" },
	{ "triton-cache",
	  { { "AB/attn.json", "{\"target\": {\"backend\": \"hip\", \"arch\": \"gfx942\"}}" },
	    { "AB/attn.hsaco", NULL },
	    { "CD/mm.json", "{\"arch\" : \"gfx1100\", \"name\": \"mm\"}" },
	    { "EF/mm.json", "{\"target\": {\"backend\": \"cuda\", \"arch\": 90}}" },
	    { "AB/__grp__attn.json", "{\"arch\": \"gfx906\"}" },
	    { "GH/x.json", "{\"arch\": \"gfx94" },
	    { "IJ/x.json", "{\"arch\": \"gfx\\n9\"}" },
	    { "KL/x.json", "{\"arch\"" } },
	  "kind triton-cache\nfiles 8\nindex no\narch gfx1100 0 1 0 0\narch gfx942 0 1 0 0\n",
	  "kernels of AMD's GPUs; what is cut off or CUDA's is none" },
	{ "aiter",
	  { { "gfx942/flatmm_uk_gfx9_f16f8.co", NULL },
	    { "gfx950/f4gemm/x.co", NULL },
	    { "gfx950/f4gemm/x.csv", NULL } },
	  "kind aiter\nfiles 3\nindex no\narch gfx942 0 1 0 0\narch gfx950 0 1 0 0\n",
	  "code by directories" },
	{ "nonsense", { { "gfx942.co", NULL } }, "kind none\nfiles 1\nindex no\n", "no kind" },
};

static size_t list_files(const struct file *files, struct kernels_file *ret)
{
	size_t count = 0;

	for (; files[count].name; count++)
		ret[count] = (struct kernels_file){
			files[count].name,
			files[count].text ? strlen(files[count].text) : 1,
		};
	return count;
}

/* What was written is read as the same. */
static void comes_back(struct span text, const char *why)
{
	struct buf again BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct kernels k;

	if (ROW_CHECK(kernels_parse(text, &arena, &k), why)) {
		kernels_write(&k, &again);
		ROW_CHECK(again.len == text.len && memcmp(again.data, text.data, text.len) == 0,
			  why);
	}
	arena_done(&arena);
}

static void test_cases(void)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct directory d = { .files = cases[i].files };
		struct kernels_file files[FILES_MAX];
		size_t count = list_files(cases[i].files, files);
		struct buf said BUF_SCOPED = { 0 };
		struct arena arena = { 0 };
		struct kernels k;

		kernels_read(cases[i].kind, files, count, open_file, close_file, &d, &arena, &k);
		kernels_write(&k, &said);
		ROW_SPAN(buf_get(&said), cases[i].want, cases[i].why);
		ROW_CHECK(d.opened == d.closed, cases[i].why);
		comes_back(buf_get(&said), cases[i].why);
		buf_done(&d.open);
		arena_done(&arena);
	}
}

static void test_names_alone(void)
{
	static const struct kernels_file files[] = {
		{ "TensileLibrary_lazy_gfx1100.dat", 9 },
		{ "TensileLibrary_lazy_gfx1101.dat", 0 },
		{ "TensileLibrary_x_gfx1100.co", 9 },
		{ "TensileLibrary_x_gfx1101.co", 0 },
	};
	struct buf said BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct kernels k;

	kernels_read("rocblas", files, COUNT_OF(files), NULL, NULL, NULL, &arena, &k);
	kernels_write(&k, &said);
	CHECK_SPAN(
		buf_get(&said),
		"kind rocblas\nfiles 4\nindex no\narch gfx1100 1 1 0 0\narch gfx1101 0 0 0 0\n"
		"problem 2 of its files are empty, the first is TensileLibrary_lazy_gfx1101.dat\n");
	arena_done(&arena);
}

/* 5,000 targets, 5,000 kernels to be opened: capped, and told. */
static void test_caps(void)
{
	static const struct file metadata[] = { { "x.json", "{\"arch\": \"gfx942\"}" }, { 0 } };
	struct directory d = { .files = metadata };
	struct kernels_file *files = calloc(5000, sizeof(*files));
	struct arena arena = { 0 };
	struct kernels k;

	for (unsigned int i = 0; i < 5000; i++)
		files[i] = (struct kernels_file){ arena_format(&arena, "x_gfx%u.kdb", i), 1 };
	kernels_read("miopen", files, 5000, NULL, NULL, NULL, &arena, &k);
	CHECK_INT(k.arch_count, 0);
	for (unsigned int i = 0; i < 5000; i++)
		files[i].name += 2;
	kernels_read("miopen", files, 5000, NULL, NULL, NULL, &arena, &k);
	CHECK_INT(k.arch_count, 256);
	CHECK_INT(k.problem_count, 1);
	CHECK_TEXT(k.problems[0], "more than 256 targets; the others were left out");
	for (unsigned int i = 0; i < 5000; i++)
		files[i].name = "x.json";
	kernels_read("triton-cache", files, 5000, open_file, close_file, &d, &arena, &k);
	CHECK_INT(k.archs[0].tuned, 4096);
	CHECK_TEXT(k.problems[0], "904 of its kernels were not read");
	free(files);
	buf_done(&d.open);
	arena_done(&arena);
}

/* 20 MB of nothing in 20 KB: given up before the memory is. */
struct bomb {
	struct buf b;
	uint64_t asked;
};

static int open_bomb(void *of, const char *name, struct source *ret)
{
	struct bomb *bomb = of;

	(void)name;
	*ret = source_memory(buf_get(&bomb->b));
	return 0;
}

static void close_bomb(void *of, struct source *s)
{
	struct bomb *bomb = of;

	bomb->asked = s->asked;
}

static void test_bomb(void)
{
	static const struct kernels_file files[] = { { "TensileLibrary_lazy_gfx906.dat.zlib", 1 } };
	struct bomb bomb = { 0 };
	struct buf *b = &bomb.b;
	struct arena arena = { 0 };
	struct kernels k;

	buf_room(b, 20u << 20);
	memset(b->data, 0x91, 20u << 20);
	b->len = 20u << 20;
	pack_zlib(b);
	CHECK(b->len < 30000);
	kernels_read("hipblaslt", files, 1, open_bomb, close_bomb, &bomb, &arena, &k);
	CHECK_INT(k.problem_count, 1);
	CHECK_TEXT(k.problems[0], "TensileLibrary_lazy_gfx906.dat.zlib is too long to be read");
	CHECK(bomb.asked < b->len);
	b->len /= 8;
	kernels_read("hipblaslt", files, 1, open_bomb, close_bomb, &bomb, &arena, &k);
	CHECK_TEXT(k.problems[0], "TensileLibrary_lazy_gfx906.dat.zlib is cut short");
	b->data[0] = 0;
	kernels_read("hipblaslt", files, 1, open_bomb, close_bomb, &bomb, &arena, &k);
	CHECK_TEXT(k.problems[0], "TensileLibrary_lazy_gfx906.dat.zlib is not a Tensile index");
	buf_done(b);
	arena_done(&arena);
}

/* Blocks of zlib that are stored and empty: not read to the end. */
static void test_empty_blocks(void)
{
	static const struct kernels_file files[] = { { "TensileLibrary_lazy_gfx906.dat.zlib", 1 } };
	struct bomb bomb = { 0 };
	struct arena arena = { 0 };
	struct kernels k;

	buf_text(&bomb.b, "\x78\x9c");
	while (bomb.b.len < 4u << 20)
		buf_add(&bomb.b, "\0\0\0\xff\xff", 5);
	kernels_read("hipblaslt", files, 1, open_bomb, close_bomb, &bomb, &arena, &k);
	CHECK_INT(k.problem_count, 1);
	CHECK_TEXT(k.problems[0], "TensileLibrary_lazy_gfx906.dat.zlib is not a Tensile index");
	CHECK(bomb.asked < 100000);
	buf_done(&bomb.b);
	arena_done(&arena);
}

/* A directory and a part that together are longer than any path: not looked for. */
static void test_long_part(void)
{
	struct bomb bomb = { 0 };
	struct kernels_file file = { .size = 1 };
	struct arena arena = { 0 };
	struct kernels k;
	char name[1800], part[1001];

	memset(name, 'd', sizeof(name));
	strcpy(name + 1500, "/TensileLibrary_lazy_gfx906.dat");
	memset(part, 'p', 1000);
	part[1000] = 0;
	file.name = name;
	pack_map(&bomb.b, 1);
	pack_text(&bomb.b, "library");
	pack_map(&bomb.b, 2);
	pack_pair(&bomb.b, "type", "Hardware");
	pack_text(&bomb.b, "rows");
	pack_array(&bomb.b, 1);
	pack_predicate(&bomb.b, span_of("any"));
	pack_text(&bomb.b, "library");
	pack_map(&bomb.b, 2);
	pack_pair(&bomb.b, "type", "Placeholder");
	pack_pair(&bomb.b, "value", part);
	kernels_read("hipblaslt", &file, 1, open_bomb, close_bomb, &bomb, &arena, &k);
	CHECK_INT(k.arch_count, 1);
	CHECK_INT(k.archs[0].index, 1);
	buf_done(&bomb.b);
	arena_done(&arena);
}

/* 40 targets with code and no index: 32 sentences say it. */
static void test_many_problems(void)
{
	struct kernels_file files[40];
	struct arena arena = { 0 };
	struct kernels k;

	for (int i = 0; i < 40; i++)
		files[i] = (struct kernels_file){
			arena_format(&arena, "TensileLibrary_gfx%d.co", 900 + i), 1
		};
	kernels_read("rocblas", files, 40, NULL, NULL, NULL, &arena, &k);
	CHECK_INT(k.arch_count, 40);
	CHECK_INT(k.problem_count, KERNELS_PROBLEMS_MAX);
	arena_done(&arena);
}

/* A name with a newline must not forge a line of the answer. */
static void test_forged(void)
{
	static const struct kernels_file files[] = { { "TensileLibrary_\narch gfx1_gfx906.co",
						       0 } };
	struct buf said BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct kernels k;

	kernels_read("rocblas", files, 1, NULL, NULL, NULL, &arena, &k);
	kernels_write(&k, &said);
	CHECK_SPAN(buf_get(&said), "kind rocblas\nfiles 1\nindex no\narch gfx906 0 0 0 0\n"
				   "problem 1 of its files are empty, the first is "
				   "TensileLibrary_?arch gfx1_gfx906.co\n");
	arena_done(&arena);
}

static const struct {
	const char *text;
	bool good;
	const char *why;
} texts[] = {
	{ "kind rocblas\nfiles 3\nindex yes\narch gfx906 1 2 3 4\n", true, "all of it" },
	{ "kind rocblas\nfuture 7 8\n", true, "unknown keys are passed over" },
	{ "kind rocblas", true, "no newline at the end" },
	{ "", false, "no kind" },
	{ "files 3\n", false, "still no kind" },
	{ "kind \n", false, "an empty kind" },
	{ "kind x\nfiles many\n", false, "no number" },
	{ "kind x\nfiles 99999999999\n", false, "too large a number" },
	{ "kind x\nindex maybe\n", false, "neither yes nor no" },
	{ "kind x\narch gfx906 1 2 3\n", false, "a count is missing" },
	{ "kind x\narch\n", false, "nothing behind the key" },
	{ "kind x\r\n", false, "a control character" },
	{ "kind x\narch gfx9999999999999999999999999999999999999999999999999999999999999 1 2 3 4\n",
	  false, "a name of 64 bytes" },
};

static void test_texts(void)
{
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct arena arena = { 0 };
		struct kernels k = { .files = 77 };

		ROW_CHECK(kernels_parse(span_of(texts[i].text), &arena, &k) == texts[i].good,
			  texts[i].why);
		ROW_CHECK(texts[i].good || k.files == 77, texts[i].why);
		arena_done(&arena);
	}
}

int main(void)
{
	test_kinds();
	test_names();
	test_opens();
	test_cases();
	test_names_alone();
	test_caps();
	test_bomb();
	test_empty_blocks();
	test_long_part();
	test_many_problems();
	test_forged();
	test_texts();
	return check_end();
}
