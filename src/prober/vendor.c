#include "prober/vendor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "prober/crash.h"

#define NAMES_MAX 6

/* Newest first. Debian's rocBLAS of ROCm 5 is librocblas.so.0, others' is .3. */
static const struct {
	const char *name;
	const char *sonames[NAMES_MAX];
} usual[VENDOR_COUNT] = {
	[VENDOR_HSA] = { "hsa", { "libhsa-runtime64.so.1" } },
	[VENDOR_HIP] = { "hip", { "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5" } },
	[VENDOR_HIPRTC] = { "hiprtc", { "libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5" } },
	[VENDOR_ROCBLAS] = { "rocblas",
			     { "librocblas.so.5", "librocblas.so.4", "librocblas.so.3",
			       "librocblas.so.0" } },
	[VENDOR_HIPBLAS] = { "hipblas",
			     { "libhipblas.so.3", "libhipblas.so.2", "libhipblas.so.1",
			       "libhipblas.so.0" } },
	[VENDOR_HIPBLASLT] = { "hipblaslt", { "libhipblaslt.so.1", "libhipblaslt.so.0" } },
	[VENDOR_MIOPEN] = { "miopen", { "libMIOpen.so.1" } },
	[VENDOR_RCCL] = { "rccl", { "librccl.so.1" } },
};

/* In the loader's path, and where AMD's own packages put them. */
static const char *const places[] = { "", "/opt/rocm/lib/" };

static const char *given[VENDOR_COUNT];
static void *loaded[VENDOR_COUNT];

bool vendor_give(const char *assignment)
{
	size_t length = strcspn(assignment, "=");

	for (size_t i = 0; i < VENDOR_COUNT; i++) {
		if (assignment[length] == '=' && strlen(usual[i].name) == length &&
		    strncmp(usual[i].name, assignment, length) == 0) {
			given[i] = assignment + length + 1;
			return true;
		}
	}
	return false;
}

static void load_given(enum vendor_library library)
{
	if (!given[library] || loaded[library])
		return;

	wire_call("dlopen");
	loaded[library] = dlopen(given[library], RTLD_NOW | RTLD_LOCAL);
	if (!loaded[library])
		wire_missing("%s", dlerror());
}

/* A file that is there and does not load says more than one that is not there. */
static char why_not[512];

static void *open_usual(enum vendor_library library, int flags)
{
	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
		for (size_t i = 0; i < NAMES_MAX && usual[library].sonames[i]; i++) {
			char path[128];
			const char *words;
			void *handle;

			snprintf(path, sizeof(path), "%s%s", places[p], usual[library].sonames[i]);
			handle = dlopen(path, flags);
			if (handle)
				return handle;
			words = dlerror(); /* begins with the path where the file is missing */
			if (words && strncmp(words, path, strlen(path)) != 0)
				snprintf(why_not, sizeof(why_not), "%s", words);
		}
	}
	return NULL;
}

static void load_usual(enum vendor_library library)
{
	if (loaded[library])
		return;

	loaded[library] = open_usual(library, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
	if (!loaded[library]) {
		wire_call("dlopen");
		loaded[library] = open_usual(library, RTLD_NOW | RTLD_LOCAL);
	}
	/* Until ROCm 5 the run-time compiler was a part of the HIP runtime. */
	if (!loaded[library] && library == VENDOR_HIPRTC)
		loaded[library] = loaded[VENDOR_HIP];
	if (!loaded[library])
		wire_missing("%s", *why_not ? why_not : usual[library].sonames[0]);
}

void vendor_load_hsa(void)
{
	load_given(VENDOR_HSA);
	load_usual(VENDOR_HSA);
	crash_loaded();
}

void vendor_load(enum vendor_library top)
{
	load_given(VENDOR_HSA);
	load_given(VENDOR_HIP);
	load_given(top);
	if (top == VENDOR_HIPRTC)
		load_usual(VENDOR_HIP);
	load_usual(top);
	load_usual(VENDOR_HIP);
	crash_loaded();
}

void vendor_fill(enum vendor_library library, const char *const *names, void *ret_pointers)
{
	bool said = false;
	Dl_info info;

	for (size_t i = 0; names[i]; i++) {
		void *pointer = dlsym(loaded[library], names[i]);

		memcpy((char *)ret_pointers + i * sizeof(void *), &pointer, sizeof(void *));
		if (pointer && !said && dladdr(pointer, &info) && info.dli_fname) {
			wire_file(info.dli_fname);
			said = true;
		}
	}
}

void vendor_begin(const char *name, bool there)
{
	if (!there)
		wire_missing("%s", name);
	wire_call(name);
}
