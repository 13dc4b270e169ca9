#include "facts/python-site.h"

#include "base/buf.h"
#include "check-span.h"

/* What one package's lines say. Lines as the real wheels give them where a version is named. */
static const struct {
	const char *package;
	const char *text;
	const char *version;
	const char *build; /* NULL: not known */
	const char *hip;
	const char *main;
	const char *why;
} rows[] = {
	{ "torch",
	  "package torch 2.4.1+rocm6.1 torch-2.4.1+rocm6.1.dist-info\n"
	  "build torch __version__ 2.4.1+rocm6.1\nbuild torch hip 6.1.40091-a8dbc0c19\n"
	  "build torch cuda None\nlibrary torch torch/lib/libtorch_cpu.so\n"
	  "library torch torch/lib/libtorch_hip.so\n",
	  "2.4.1+rocm6.1", "rocm", "6.1.40091-a8dbc0c19", "torch/lib/libtorch_hip.so",
	  "pytorch.org" },
	{ "torch",
	  "package torch 2.4.1 torch-2.4.1.dist-info\nbuild torch __version__ 2.4.1+cu121\n"
	  "build torch hip None\nbuild torch cuda 12.1\nlibrary torch torch/lib/libtorch_cuda.so\n",
	  "2.4.1+cu121", "cuda", "", "torch/lib/libtorch_cuda.so",
	  "the registry's: only the version file has the tag" },
	{ "torch",
	  "package torch 1.13.0a0+gitunknown torch-1.13.0a0+gitunknown.egg-info\n"
	  "build torch __version__ 1.13.0a0\nbuild torch hip None\nbuild torch cuda None\n"
	  "library torch torch/lib/libtorch_cpu.so\n",
	  "1.13.0a0", "cpu", "", "torch/lib/libtorch_cpu.so", "Debian's" },
	{ "torch",
	  "package torch 2.5.0a0+git1234 x\nbuild torch __version__ 2.5.0a0+git1234\n"
	  "build torch hip 6.3.42131\nbuild torch cuda None\n",
	  "2.5.0a0+git1234", "rocm", "6.3.42131", "", "AMD's own: only hip tells" },
	{ "torch", "bare torch\nbuild torch __version__ 2.14.0+rocm7.14\nbuild torch rocm 7.14.0\n",
	  "2.14.0+rocm7.14", "rocm", "7.14.0", "", "no metadata, and the name of later versions" },
	{ "torch", "package torch 2.9.0+rocmsdk20251116 x\n", "2.9.0+rocmsdk20251116", "rocm", "",
	  "", "TheRock's, by its tag alone" },
	{ "torch", "package torch 2.4.1+cpu x\n", "2.4.1+cpu", "cpu", "", "", "by its tag alone" },
	{ "torch", "package torch 2.4.1 x\n", "2.4.1", NULL, "", "", "nothing says it" },
	{ "torch", "package torch 2.4.1 x\nlibrary torch torch/lib/libtorch_hip.so\n", "2.4.1",
	  "rocm", "", "torch/lib/libtorch_hip.so", "by a library alone" },
	{ "tensorflow-rocm",
	  "package tensorflow-rocm 2.14.0.600 x\nbuild tensorflow-rocm is_rocm_build True\n"
	  "build tensorflow-rocm is_cuda_build False\n"
	  "library tensorflow-rocm tensorflow/libtensorflow_cc.so.2\n",
	  "2.14.0.600", "rocm", "", "tensorflow/libtensorflow_cc.so.2", "tensorflow-rocm 2.14" },
	{ "tensorflow-rocm",
	  "package tensorflow-rocm 2.14.0.600 x\nbuild tensorflow-rocm is_rocm_build False\n"
	  "build tensorflow-rocm is_cuda_build True\n",
	  "2.14.0.600", "cuda", "", "",
	  "overwritten: the file that is there counts, not the name" },
	{ "tensorflow-cpu",
	  "package tensorflow-cpu 2.22.0rc0 x\nbuild tensorflow-cpu is_rocm_build False\n"
	  "build tensorflow-cpu is_cuda_build False\n",
	  "2.22.0rc0", "cpu", "", "", "tensorflow-cpu 2.22" },
	{ "cupy-rocm-5-0",
	  "package cupy-rocm-5-0 13.3.0 x\nbuild cupy-rocm-5-0 __version__ 13.3.0\n"
	  "build cupy-rocm-5-0 cuda rocm-5.0\n",
	  "13.3.0", "rocm", "5.0", "", "cupy says cuda and means rocm-5.0" },
	{ "bitsandbytes",
	  "package bitsandbytes 0.50.2 x\nlibrary bitsandbytes bitsandbytes/libbitsandbytes_cuda118.so\n"
	  "library bitsandbytes bitsandbytes/libbitsandbytes_rocm64.so\n"
	  "library bitsandbytes bitsandbytes/libbitsandbytes_rocm70.so\n",
	  "0.50.2", "rocm", "", "bitsandbytes/libbitsandbytes_rocm70.so",
	  "a library for each HIP; 7.0 is asked for" },
	{ "vllm",
	  "package vllm 0.9.2 x\nbuild vllm __version__ version\nbuild vllm version 0.9.2+rocm641\n"
	  "library vllm vllm/_C.abi3.so\nlibrary vllm vllm/_rocm_C.abi3.so\n",
	  "0.9.2", "rocm", "", "vllm/_rocm_C.abi3.so",
	  "a version that is a name is none; _rocm_C tells" },
	{ "xformers",
	  "package xformers 0.0.35 x\nbuild xformers version.hip null\n"
	  "build xformers version.cuda 1208\n",
	  "0.0.35", "cuda", "", "", "of JSON" },
	{ "jax-rocm7-pjrt",
	  "package jax-rocm7-pjrt 0.9.2b1 x\n"
	  "library jax-rocm7-pjrt jax_plugins/xla_rocm7/xla_rocm_plugin.so\n",
	  "0.9.2b1", "rocm", "", "jax_plugins/xla_rocm7/xla_rocm_plugin.so", "jax's plugin" },
	{ "flash-attn", "package flash-attn 2.6.3 x\nlibrary flash-attn flash_attn_2_cuda.so\n",
	  "2.6.3", NULL, "", "flash_attn_2_cuda.so", "it is called cuda in either build" },
};

static void test_rows(void)
{
	static struct python_site site;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct arena arena = { 0 };
		struct python_site_package *p;
		enum python_build build;
		const char *name;

		python_site_parse(span_of(rows[i].text), &arena, &site);
		p = python_site_find(&site, span_of(rows[i].package));
		ROW_CHECK(p != NULL && site.count == 1, rows[i].why);
		if (p) {
			build = python_package_built_for(p);
			name = python_build_name(build);
			ROW_SPAN(python_package_version(p), rows[i].version, rows[i].why);
			ROW_SPAN(span_of(name ? name : "-"), rows[i].build ? rows[i].build : "-",
				 rows[i].why);
			ROW_SPAN(python_package_hip(p), rows[i].hip, rows[i].why);
			ROW_SPAN(python_package_main(p, build, SPAN_LITERAL("7.0.51831")),
				 rows[i].main, rows[i].why);
		}
		arena_done(&arena);
	}
}

static void test_answer(void)
{
	static struct python_site site;
	struct arena arena = { 0 };
	struct python_site_package *p;

	python_site_parse(
		SPAN_LITERAL(
			"venv home /usr/bin\nvenv system-site yes\nnew key of later\n"
			"conda pytorch 2.4.1 py311_rocm6.1 conda-forge\nconda libtorch 1 x y\n"
			"package requests 2.0 x\npackage vllm 0.6\\x201 a b.dist-info\n"
			"editable vllm file:///home/ann/my vllm\nfrom vllm https://host/x\n"
			"requires vllm torch==2.4.1\nrequires vllm numpy<2\n"
			"kernels vllm vllm/x\nreal vllm vllm/_C.abi3.so /cache/x\n"
			"missing vllm vllm/_rocm_C.abi3.so\nproblem vllm: its RECORD is too long\n"
			"package\npackage \nlibrary\nrequires vllm\npth x.pth /home\n"),
		&arena, &site);
	CHECK_INT(site.count, 1);
	CHECK_SPAN(site.home, "/usr/bin");
	CHECK(site.system_site && site.conda);
	CHECK_SPAN(site.torch_build, "py311_rocm6.1");
	p = python_site_find(&site, SPAN_LITERAL("vllm"));
	CHECK(p != NULL && !python_site_find(&site, SPAN_LITERAL("requests")));
	if (p) {
		CHECK_SPAN(p->version, "0.6 1");
		CHECK_SPAN(p->info, "a b.dist-info");
		CHECK_SPAN(p->editable, "file:///home/ann/my vllm");
		CHECK_SPAN(p->from, "https://host/x");
		CHECK_INT(p->requires.count, 3);
		CHECK_SPAN(p->requires.first->next->text, "numpy<2");
		CHECK_INT(p->kernels.count, 1);
		CHECK_SPAN(p->reals.first->text, "vllm/_C.abi3.so /cache/x");
		CHECK_SPAN(p->missing.first->text, "vllm/_rocm_C.abi3.so");
	}
	CHECK_INT(site.problems.count, 1);
	CHECK_SPAN(site.problems.first->text, "vllm: its RECORD is too long");
	arena_done(&arena);
}

/* A forged answer cannot make more than the tables hold. */
static void test_bounds(void)
{
	static struct python_site site;
	struct buf text BUF_SCOPED = { 0 };
	struct arena arena = { 0 };

	for (int i = 0; i < 400; i++)
		buf_addf(&text, "package jax-rocm%d-pjrt 1 x\n", i);
	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "library torch torch/lib/lib%d.so\n", i);
	python_site_parse(buf_get(&text), &arena, &site);
	CHECK_INT(site.count, PYTHON_SITE_PACKAGES_MAX);
	buf_clear(&text);
	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "library torch torch/lib/lib%d.so\n", i);
	python_site_parse(buf_get(&text), &arena, &site);
	CHECK_INT(site.packages[0].libraries.count, PYTHON_TEXTS_MAX);
	arena_done(&arena);
}

int main(void)
{
	test_rows();
	test_answer();
	test_bounds();
	CHECK_SPAN(python_version_tag(SPAN_LITERAL("2.4.1+rocm6.1")), "rocm6.1");
	CHECK_SPAN(python_version_tag(SPAN_LITERAL("2.4.1")), "");
	return check_end();
}
