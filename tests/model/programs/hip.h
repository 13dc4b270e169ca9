/*
 * hip.h - whichever HIP is installed, for programs that are built without one
 *
 * An error is printed with HIP's own text, as samples of HIP do, and ends the program with 1.
 * SIZE, of what is copied at once, is stated by the program before it includes this.
 */
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TO_DEVICE = 1, TO_HOST = 2 };

static void *hip_library;

typedef void (*hip_any_function)(void);

static inline hip_any_function hip_function(const char *name)
{
	hip_any_function f;

	*(void **)&f = dlsym(hip_library, name); /* as dlsym(3) says it */
	if (!f) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return f;
}

static inline void hip_check(int error, const char *call, const char *file, int line)
{
	const char *(*text)(int) = (const char *(*)(int))hip_function("hipGetErrorString");

	if (error == 0)
		return;
	fprintf(stderr, "error: '%s'(%d) at %s:%d: %s\n", text(error), error,
		strrchr(file, '/') ? strrchr(file, '/') + 1 : file, line, call);
	exit(1);
}

#define HIP(name, types, ...) \
	hip_check(((int(*) types)hip_function(#name))(__VA_ARGS__), #name, __FILE__, __LINE__)

/* The newest that is installed. One whose own libraries are missing is not passed over for an older one. */
static inline void *hip_load(void)
{
	static const char *const names[] = { "libamdhip64.so.7", "libamdhip64.so.6",
					     "libamdhip64.so.5" };
	static char said[512];

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		void *found = dlopen(names[i], RTLD_NOW);
		const char *error = found ? "" : dlerror();

		if (found)
			return found;
		if (!said[0] || strncmp(error, names[i], strlen(names[i])) != 0)
			snprintf(said, sizeof(said), "%s", error);
	}
	fprintf(stderr, "%s\n", said);
	exit(1);
}

/* How many devices HIP counts. */
static inline int hip_begin(void)
{
	int count = 0;

	setvbuf(stdout, NULL, _IOLBF, 0); /* what was printed before a crash is seen */
	hip_library = hip_load();
	HIP(hipGetDeviceCount, (int *), &count);
	return count;
}

static inline void hip_fill(unsigned char *bytes, unsigned seed)
{
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char)(i * 7 + i / 256 + seed * 31);
}

static inline void hip_copy(void *to, const void *from, int direction)
{
	HIP(hipMemcpy, (void *, const void *, size_t, int), to, from, SIZE, direction);
	HIP(hipStreamSynchronize, (void *), NULL);
}

static inline void hip_compare(const void *wanted, const void *found, const char *what)
{
	if (memcmp(wanted, found, SIZE) == 0)
		return;
	printf("FAILED: the bytes that came back are others (%s)\n", what);
	exit(1);
}
