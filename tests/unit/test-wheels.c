/*
 * What nineteen wheels of the registry say of themselves, through the question
 * "packages" and into facts. tests/data/python/fetch-wheels has written it down.
 */

#include <stdlib.h>
#include <sys/stat.h>

#include "check-scratch.h"
#include "check-span.h"
#include "facts/python-site.h"
#include "source-file.h"
#include "survey/ask-packages.h"

/* One wheel, put into a site of its own; *rest goes on to the next one. */
static void install(struct span *rest, const char *site)
{
	struct span line, info = { "", 0 }, ahead;
	FILE *f = NULL;

	for (ahead = *rest; span_line(&ahead, &line) && !span_starts(line, "wheel ");
	     *rest = ahead) {
		if (span_starts(line, "file ") || span_is(line, "record")) {
			struct buf path BUF_SCOPED = { 0 };

			buf_addf(&path, "%s/", site);
			if (f)
				fclose(f);
			if (span_ends(line, ".dist-info/METADATA"))
				info = (struct span){ line.data + 5, line.len - 5 - 8 };
			if (span_is(line, "record"))
				buf_addf(&path, "%.*sRECORD", (int)info.len, info.data);
			else
				buf_add(&path, line.data + 5, line.len - 5);
			f = scratch_create(path.data);
		} else if (f && line.len > 0) {
			fprintf(f, "%.*s\n", (int)line.len - 1, line.data + 1);
		}
	}
	if (f)
		fclose(f);
}

static const struct {
	const char *wheel;
	const char *name;
	const char *version;
	const char *tag;
	const char *build; /* "-": not known */
	const char *hip;
	const char *main;
} wants[] = {
	{ "torch-2.4.1-", "torch", "2.4.1+cu121", "cu121", "cuda", "",
	  "torch/lib/libtorch_cuda.so" },
	{ "torchaudio-", "torchaudio", "2.4.1+cu121", "cu121", "cuda", "", "" },
	{ "torchvision-", "torchvision", "0.19.1+cu121", "cu121", "cuda", "", "" },
	{ "tensorflow_rocm-", "tensorflow-rocm", "2.14.0.600", "", "rocm", "",
	  "tensorflow/libtensorflow_cc.so.2" },
	{ "tensorflow_cpu-", "tensorflow-cpu", "2.22.0rc0", "", "cpu", "",
	  "tensorflow/libtensorflow_cc.so.2" },
	{ "jax_rocm60_plugin-", "jax-rocm60-plugin", "0.5.0", "", "rocm", "", "" },
	{ "jax_rocm60_pjrt-", "jax-rocm60-pjrt", "0.5.0", "", "rocm", "",
	  "jax_plugins/xla_rocm60/xla_rocm_plugin.so" },
	{ "jax-0.9.2-", "jax", "0.9.2", "", "-", "", "" },
	{ "jaxlib-", "jaxlib", "0.4.13", "", "cpu", "", "jaxlib/xla_extension.so" },
	{ "onnxruntime_rocm-", "onnxruntime-rocm", "1.22.2", "", "rocm", "",
	  "onnxruntime/capi/libonnxruntime_providers_rocm.so" },
	{ "onnxruntime_gpu-", "onnxruntime-gpu", "1.31.1", "", "cuda", "",
	  "onnxruntime/capi/libonnxruntime_providers_cuda.so" },
	{ "onnxruntime_migraphx-", "onnxruntime-migraphx", "1.27.1", "", "rocm", "",
	  "onnxruntime/capi/libonnxruntime_providers_migraphx.so" },
	{ "bitsandbytes-", "bitsandbytes", "0.50.2", "", "rocm", "",
	  "bitsandbytes/libbitsandbytes_rocm72.so" },
	{ "pytorch_triton_rocm-", "pytorch-triton-rocm", "2.1.0.dev20230402", "", "-", "", "" },
	{ "vllm-", "vllm", "0.9.2", "", "cuda", "", "vllm/_C.abi3.so" },
	{ "xformers-", "xformers", "0.0.35.dev1121", "", "cuda", "", "xformers/_C.so" },
	{ "cupy_rocm_5_0-", "cupy-rocm-5-0", "13.3.0", "", "rocm", "5.0",
	  "cupy/cuda/thrust.cpython-311-x86_64-linux-gnu.so" },
	{ "ctranslate2-", "ctranslate2", "4.8.4", "", "-", "",
	  "ctranslate2.libs/libctranslate2-42c542ff.so.4.8.4" },
	{ "amd_aiter-", "amd-aiter", "0.1.7.post2.dev18", "", "rocm", "", "" },
};

static void compare(size_t i, const char *site)
{
	static struct python_site parsed;
	struct door_options options = { 0 };
	struct buf answer BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct python_site_package *p;
	const char *build;
	struct door d;

	CHECK_INT(door_init(&d, DOOR_TREE, scratch_top, &options), 0);
	d.beacon = beacon_new();
	CHECK_INT(ask_packages(&d, span_of(site), &answer), 0);
	beacon_free(d.beacon);
	door_done(&d);
	python_site_parse(buf_get(&answer), &arena, &parsed);
	p = python_site_find(&parsed, span_of(wants[i].name));
	ROW_CHECK(p != NULL, wants[i].wheel);
	if (p) {
		build = python_build_name(python_package_built_for(p));
		ROW_SPAN(python_package_version(p), wants[i].version, wants[i].wheel);
		ROW_SPAN(python_version_tag(python_package_version(p)), wants[i].tag,
			 wants[i].wheel);
		ROW_SPAN(span_of(build ? build : "-"), wants[i].build, wants[i].wheel);
		ROW_SPAN(python_package_hip(p), wants[i].hip, wants[i].wheel);
		ROW_SPAN(python_package_main(p, python_package_built_for(p),
					     SPAN_LITERAL("7.2.53211")),
			 wants[i].main, wants[i].wheel);
	}
	arena_done(&arena);
}

int main(void)
{
	struct buf text BUF_SCOPED = tree_file("tests/data/python/wheels.txt");
	struct span rest = buf_get(&text), line;
	char site[128];
	size_t i = 0;

	if (!scratch_begin())
		return check_end();
	while (i < COUNT_OF(wants) && span_line(&rest, &line)) {
		if (!span_starts(line, "wheel "))
			continue;
		ROW_CHECK(span_starts((struct span){ line.data + 6, line.len - 6 }, wants[i].wheel),
			  wants[i].wheel);
		snprintf(site, sizeof(site), "/v%zu/lib/python3.11/site-packages", i);
		install(&rest, site);
		compare(i++, site);
	}
	CHECK_INT(i, COUNT_OF(wants));
	scratch_end();
	return check_end();
}
