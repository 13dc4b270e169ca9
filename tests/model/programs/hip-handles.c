/*
 * hip-handles - makes the handle of each of AMD's libraries that is installed, as frameworks do at their start
 *
 * rocBLAS, hipBLASLt, MIOpen and RCCL. A handle allocates memory and makes queues; some load kernels for
 * the GPU. What a library returns is printed with its name. Ends with 0, or with 1 if one refused.
 */
#include <dlfcn.h>
#include <stdio.h>

typedef int (*make_function)(void **);

static int make_rccl(void *library)
{
	int (*make)(void **, int, const int *);
	void *communicator = NULL;

	*(void **)&make = dlsym(library, "ncclCommInitAll"); /* as dlsym(3) says it */
	return make ? make(&communicator, 1, NULL) : -1;
}

static int make_handle(void *library, const char *name)
{
	make_function make;
	void *handle = NULL;

	*(void **)&make = dlsym(library, name);
	return make ? make(&handle) : -1;
}

static const struct {
	const char *name, *files[3], *function;
} libraries[] = {
	{ "rocBLAS", { "librocblas.so.5", "librocblas.so.4" }, "rocblas_create_handle" },
	{ "hipBLASLt", { "libhipblaslt.so.1", "libhipblaslt.so.0" }, "hipblasLtCreate" },
	{ "MIOpen", { "libMIOpen.so.1" }, "miopenCreate" },
	{ "RCCL", { "librccl.so.1" }, NULL },
};

static void *load(const char *const *files)
{
	void *library = NULL;

	for (unsigned i = 0; !library && files[i]; i++)
		library = dlopen(files[i], RTLD_NOW);
	return library;
}

int main(void)
{
	int failed = 0;

	for (unsigned i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		void *library = load(libraries[i].files);
		int status;

		if (!library)
			continue;
		status = libraries[i].function ? make_handle(library, libraries[i].function)
					       : make_rccl(library);
		printf("%s: %s", libraries[i].name, status == 0 ? "handle made\n" : "");
		if (status != 0)
			printf("status %d\n", status);
		fflush(stdout);
		failed |= status != 0;
	}
	return failed;
}
