#include "survey/ask-packages.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check-scratch.h"
#include "check-span.h"
#include "survey/python-packages.h"

static int ask(const char *site, struct buf *ret)
{
	struct door_options options = { 0 };
	struct door d;
	int r = door_init(&d, DOOR_TREE, scratch_top, &options);

	CHECK_INT(r, 0);
	d.beacon = beacon_new();
	buf_clear(ret);
	buf_text(ret, "");
	r = ask_packages(&d, span_of(site), ret);
	beacon_free(d.beacon);
	door_done(&d);
	return r;
}

static bool says(const struct buf *answer, const char *wanted)
{
	struct span rest = buf_get(answer), line;

	while (span_line(&rest, &line))
		if (span_is(line, wanted))
			return true;
	printf("  no line \"%s\"\n", wanted);
	return false;
}

static bool mentions(const struct buf *answer, const char *text)
{
	return span_find(buf_get(answer), span_of(text)) != SIZE_MAX;
}

#define SITE "/home/ann/venv/lib/python3.11/site-packages"

/* A wheel of pytorch.org: bundled ROCm under RECORD. */
static void test_wheel(void)
{
	struct buf answer BUF_SCOPED = { 0 };

	scratch_put("/home/ann/venv/pyvenv.cfg",
		    "home = /usr/bin\nuv = 0.4.1\nversion_info = 3.11.2\n");
	scratch_put(SITE "/torch/version.py",
		    "__version__ = '2.4.1+rocm6.1'\ndebug = False\n"
		    "cuda: Optional[str] = None\nhip: Optional[str] = '6.1.40091-a8'\n");
	scratch_put(
		SITE "/torch-2.4.1+rocm6.1.dist-info/METADATA",
		"Metadata-Version: 2.1\nName: torch\nVersion: 2.4.1+rocm6.1\n"
		"Requires-Dist: filelock\nRequires-Dist: numpy ; extra == 'x'\n"
		"Requires-Dist: pytorch-triton-rocm (==3.0.0) ; platform_system == \"Linux\"\n\nVersion: 9\n");
	scratch_put(SITE "/torch-2.4.1+rocm6.1.dist-info/RECORD",
		    "../../../bin/torchrun,,\ntorch/lib/libtorch_hip.so,sha256=x,5\n"
		    "torch/lib/libdrm.so.2,,\ntorch/include/a.so.h,,\n"
		    "torch/lib/rocblas/library/TensileLibrary_gfx1100.co,,\n"
		    "torch/lib/rocblas/library/x.dat,,\ntorch/share/miopen/db/gfx90a.db,,\n"
		    "\"torch/odd, name.so\",,\n");
	scratch_put(SITE "/torch-2.4.1+rocm6.1.dist-info/direct_url.json",
		    "{\"archive_info\": {}, \"url\": \"https://ann:secret@host/t.whl?token=1\"}");
	scratch_put(SITE "/requests-2.0.dist-info/METADATA", "Name: requests\nVersion: 2.0\n");
	CHECK_INT(ask(SITE, &answer), 0);
	CHECK(says(&answer, "venv home /usr/bin"));
	CHECK(says(&answer, "venv version 3.11.2"));
	CHECK(says(&answer, "venv uv 0.4.1"));
	CHECK(says(&answer, "venv system-site no"));
	CHECK(says(&answer, "package torch 2.4.1+rocm6.1 torch-2.4.1+rocm6.1.dist-info"));
	CHECK(says(&answer,
		   "requires torch pytorch-triton-rocm==3.0.0; platform_system == \"Linux\""));
	CHECK(!mentions(&answer, "requires torch numpy"));
	CHECK(says(&answer, "build torch __version__ 2.4.1+rocm6.1"));
	CHECK(says(&answer, "build torch hip 6.1.40091-a8"));
	CHECK(says(&answer, "build torch cuda None"));
	CHECK(says(&answer, "library torch torch/lib/libtorch_hip.so"));
	CHECK(says(&answer, "library torch torch/lib/libdrm.so.2"));
	CHECK(says(&answer, "library torch torch/odd, name.so"));
	CHECK(!mentions(&answer, "a.so.h"));
	CHECK(!mentions(&answer, "torchrun"));
	CHECK(says(&answer, "kernels torch torch/lib/rocblas/library"));
	CHECK(says(&answer, "kernels torch torch/share/miopen/db"));
	CHECK(says(&answer, "record torch 8"));
	CHECK(says(&answer, "from torch https://host/t.whl"));
	CHECK(!mentions(&answer, "secret") && !mentions(&answer, "token"));
	CHECK(!mentions(&answer, "requests"));
	CHECK(!mentions(&answer, "problem"));
}

#define DEBIAN "/usr/lib/python3/dist-packages"

/* Debian's: an egg without RECORD, libraries that are links into /usr/lib. */
static void test_debian(void)
{
	struct buf answer BUF_SCOPED = { 0 };

	scratch_put("/usr/lib/x86_64-linux-gnu/libtorch_cpu.so.1.13", "");
	scratch_put(DEBIAN "/torch/version.py",
		    "__version__ = '1.13.0a0'\ncuda = None\nhip = None\n");
	scratch_put(DEBIAN "/torch/lib/x", "");
	scratch_link(DEBIAN "/torch/lib/libtorch_cpu.so",
		     "../../../../x86_64-linux-gnu/libtorch_cpu.so.1.13");
	scratch_put(DEBIAN "/torch-1.13.0a0+gitunknown.egg-info/PKG-INFO",
		    "Name: torch\nVersion: 1.13.0a0+gitunknown\n");
	scratch_put(DEBIAN "/torch-1.13.0a0+gitunknown.egg-info/requires.txt",
		    "typing_extensions\nnumpy>=1.20\n\n[opt]\ntriton\n");
	scratch_put(DEBIAN "/numpy-1.24.2.egg-info", "Name: numpy\nVersion: 1.24.2\n");
	CHECK_INT(ask(DEBIAN, &answer), 0);
	CHECK(says(&answer,
		   "package torch 1.13.0a0+gitunknown torch-1.13.0a0+gitunknown.egg-info"));
	CHECK(says(&answer, "requires torch numpy>=1.20"));
	CHECK(!mentions(&answer, "triton"));
	CHECK(says(&answer, "build torch hip None"));
	CHECK(says(&answer, "library torch torch/lib/libtorch_cpu.so"));
	CHECK(says(&answer, "package numpy 1.24.2 numpy-1.24.2.egg-info"));
	CHECK(!mentions(&answer, "record "));
	CHECK(!mentions(&answer, "venv"));
}

#define CONDA "/opt/conda/envs/ml/lib/python3.10/site-packages"

/* Conda's files, an editable install, a .pth, links of uv, modules without metadata. */
static void test_odd(void)
{
	struct buf answer BUF_SCOPED = { 0 };

	scratch_put(
		"/opt/conda/envs/ml/conda-meta/pytorch-2.4.1-py310_rocm6.1.json",
		"{\"build\": \"py310_rocm6.1\", \"channel\": \"https://u:p@conda.host/forge\", \"name\": \"pytorch\", \"version\": \"2.4.1\"}");
	scratch_put("/opt/conda/envs/ml/conda-meta/zlib-1.2-h1.json", "{}");
	scratch_put("/opt/conda/envs/ml/conda-meta/history", "");
	scratch_put(CONDA "/vllm-0.6.3.dist-info/direct_url.json",
		    "{\"dir_info\": {\"editable\": true}, \"url\": \"file:///home/ann/src/vllm\"}");
	scratch_put("/cache/METADATA",
		    "Name: vllm\nVersion: 0.6.3+rocm614\nRequires-Dist: torch==2.4.1\n");
	scratch_link(CONDA "/vllm-0.6.3.dist-info/METADATA", "/cache/METADATA");
	scratch_put(CONDA "/__editable__.vllm-0.6.3.pth",
		    "# why\n/home/ann/src/vllm\nimport os; os.system('x')\n");
	scratch_put(CONDA "/xformers.egg-link", "/home/ann/src/xformers\n../\n");
	scratch_put(CONDA "/torch/version.py", "__version__ = '2.5.0a0+git1a2b'\nhip = '6.2.4'\n");
	scratch_put(CONDA "/torch/lib/libtorch_hip.so", "");
	scratch_put(CONDA "/torch/lib/rocblas/library/x", "");
	scratch_put(CONDA "/apex-0.1.dist-info/x", "");
	scratch_link(CONDA "/jax-0.4.dist-info", "jax-0.4.dist-info");
	CHECK_INT(ask(CONDA, &answer), 0);
	CHECK(says(&answer, "conda pytorch 2.4.1 py310_rocm6.1 https://conda.host/forge"));
	CHECK(!mentions(&answer, "zlib"));
	CHECK(says(&answer, "package vllm 0.6.3+rocm614 vllm-0.6.3.dist-info"));
	CHECK(says(&answer, "requires vllm torch==2.4.1"));
	CHECK(says(&answer, "editable vllm file:///home/ann/src/vllm"));
	CHECK(says(&answer, "pth __editable__.vllm-0.6.3.pth /home/ann/src/vllm"));
	CHECK(says(&answer, "pth __editable__.vllm-0.6.3.pth import"));
	CHECK(says(&answer, "editable xformers /home/ann/src/xformers"));
	CHECK(says(&answer, "bare torch"));
	CHECK(says(&answer, "build torch hip 6.2.4"));
	CHECK(says(&answer, "library torch torch/lib/libtorch_hip.so"));
	CHECK(says(&answer, "kernels torch torch/lib/rocblas/library"));
	CHECK(says(&answer, "package apex 0.1 apex-0.1.dist-info"));
	CHECK(says(&answer, "problem apex: its metadata cannot be read"));
	CHECK(!mentions(&answer, "package jax")); /* a link to itself is no directory */
}

static const struct {
	const char *site;
	int error;
	const char *why;
} refused[] = {
	{ "/home/ann/none/site-packages", -ENOENT, "not there" },
	{ "/etc", -EINVAL, "not a directory of packages" },
	{ "/usr/lib/../lib/site-packages", -EINVAL, "goes up" },
	{ "site-packages", -EINVAL, "not from the top" },
	{ "/proc/self/site-packages", -ENOENT, "not the one of this host" },
	{ "", -EINVAL, "empty" },
};

/* Every row of the table can be read, and names what it should. */
static void test_table(void)
{
	struct span rest = python_packages(), traits, value;
	struct python_package p;
	unsigned int count = 0;

	while (python_packages_next(&rest, &p)) {
		struct python_package found;

		count++;
		CHECK(p.pattern.len > 0 && p.framework.len > 0);
		if (!memchr(p.pattern.data, '*', p.pattern.len)) {
			CHECK(python_packages_find(p.pattern, &found));
			CHECK(found.pattern.data == p.pattern.data); /* no line hides another */
		}
	}
	CHECK(count > 40);
	CHECK(python_packages_find(SPAN_LITERAL("torch"), &p));
	traits = p.traits;
	CHECK(python_package_trait(&traits, "file", &value));
	CHECK_SPAN(value, "torch/version.py");
	CHECK(python_package_has(&p, "rocm", SPAN_LITERAL("torch/lib/libtorch_hip.so")));
	CHECK(!python_package_has(&p, "rocm", SPAN_LITERAL("torch/lib/libtorch_cpu.so")));
	CHECK(python_packages_find(SPAN_LITERAL("bitsandbytes"), &p));
	CHECK(python_package_has(&p, "rocm",
				 SPAN_LITERAL("bitsandbytes/libbitsandbytes_rocm64.so")));
	CHECK(!python_package_has(&p, "rocm",
				  SPAN_LITERAL("bitsandbytes/libbitsandbytes_rocm.so")));
	CHECK(!python_package_has(&p, "rocm",
				  SPAN_LITERAL("bitsandbytes/libbitsandbytes_rocmX.so")));
	CHECK(!python_packages_find(SPAN_LITERAL("requests"), &p));
}

#define MANY "/home/ann/many/lib/python3.11/site-packages"

/* More than anybody has: what has no bound is all there, and a bound is told. */
static void test_many(void)
{
	struct buf answer BUF_SCOPED = { 0 }, record BUF_SCOPED = { 0 }, pth BUF_SCOPED = { 0 };
	struct buf metadata BUF_SCOPED = { 0 };

	for (int i = 0; i < 100; i++) {
		buf_addf(&record, "torch/%d/rocblas/library/x.dat,,\n", i);
		buf_addf(&pth, "/opt/%d\n", i);
	}
	buf_text(&metadata, "Name: torch\nVersion: 2.4.1\n");
	for (int i = 0; i < 1100; i++)
		buf_addf(&metadata, "Requires-Dist: torchvision==0.%d\n", i);
	scratch_put(MANY "/torch-2.4.1.dist-info/METADATA", metadata.data);
	scratch_put(MANY "/torch-2.4.1.dist-info/RECORD", record.data);
	scratch_put(MANY "/a\nb.pth", pth.data);
	CHECK_INT(ask(MANY, &answer), 0);
	CHECK(says(&answer, "kernels torch torch/99/rocblas/library"));
	CHECK(says(&answer, "problem torch: it has more requirements than are looked at"));
	CHECK(says(&answer, "problem a\\x0ab.pth: its further lines are left out"));
}

int main(void)
{
	struct buf answer BUF_SCOPED = { 0 };

	if (!scratch_begin())
		return check_end();
	test_wheel();
	test_debian();
	test_odd();
	test_many();
	test_table();
	for (size_t i = 0; i < COUNT_OF(refused); i++)
		ROW_CHECK(ask(refused[i].site, &answer) == refused[i].error, refused[i].why);
	scratch_end();
	return check_end();
}
