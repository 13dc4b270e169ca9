#include "survey/ask-libraries.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "door/beside.h"
#include "door/paths.h"

#define LIBRARIES_MAX 400
#define VERSIONS_MAX  64 /* names of a directory that may be versions */

bool libraries_is_rocm(struct span name)
{
	static const char *const patterns[] = {
		"libamd_comgr*", "libamd_smi*",  "libamdhip64*",
		"libamdocl64*",  "libaotriton*", "libggml-hip*",
		"libhip*",       "libhsa*",      "libMIOpen*",
		"libmagma*",     "libmigraphx*", "librccl*",
		"libroc*",       "librpp*",      "libdevice_*operations*",
	};

	if (!span_starts(name, "lib") || span_find(name, SPAN_LITERAL(".so")) == SIZE_MAX)
		return false;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (paths_glob(span_of(patterns[i]), name))
			return true;
	return false;
}

static void tell_path(struct buf *ret, const char *key, const char *path)
{
	buf_addf(ret, "%s ", key);
	text_word(ret, span_of(path));
	buf_char(ret, '\n');
}

/* False if it is none. */
static bool tell_kernel_dir(struct reach *r, const char *path, struct buf *ret)
{
	char real[REACH_PATH_MAX];

	if (reach_kind(r, path) != 'd' || reach_real(r, path, real) < 0)
		return false;
	tell_path(ret, "kernels", real);
	return true;
}

/* Debian puts a version between: rocblas/4.4.1/library. */
static void tell_versioned(struct reach *r, struct arena *a, const char *dir, struct buf *ret)
{
	int fd = reach_dir(r, dir);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	for (int i = 0; d && i < VERSIONS_MAX && (e = readdir(d)); i++)
		if (e->d_name[0] >= '0' && e->d_name[0] <= '9')
			(void)tell_kernel_dir(r, arena_format(a, "%s/%s/library", dir, e->d_name),
					      ret);
	if (d)
		closedir(d);
}

/* Beside the libraries, or below share/ of the same install. */
static void tell_kernels(struct reach *r, struct arena *a, const char *dir, struct buf *ret)
{
	static const char *const names[] = { "rocblas", "hipblaslt", "hipsparselt" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *above = arena_format(a, "%s/%s", dir, names[i]);

		if (!tell_kernel_dir(r, arena_format(a, "%s/library", above), ret))
			tell_versioned(r, a, above, ret);
	}
	(void)tell_kernel_dir(r, arena_format(a, "%s/../share/miopen/db", dir), ret);
}

static void tell_version(struct reach *r, struct arena *a, const char *dir, struct buf *ret)
{
	struct buf text BUF_SCOPED = { 0 };

	if (reach_read(r, arena_format(a, "%s/../.info/version", dir), 64, &text) < 0)
		return;
	buf_text(ret, "version ");
	text_word(ret, span_trim(buf_get(&text)));
	buf_char(ret, '\n');
}

static int tell_libraries(struct reach *r, struct arena *a, const char *dir, struct buf *ret)
{
	struct beside_name *names;
	unsigned int told = 0;
	size_t count;
	char real[REACH_PATH_MAX];
	int error = reach_real(r, dir, real);

	if (error < 0)
		return error;
	error = reach_dir(r, real);
	if (error < 0)
		return error;
	close(error);
	tell_path(ret, "dir", real);
	tell_version(r, a, real, ret);
	beside_files(r, real, libraries_is_rocm, a, &names, &count);
	for (size_t i = 0; i < count && told++ < LIBRARIES_MAX; i++) {
		buf_text(ret, "library ");
		text_word(ret, span_of(names[i].name));
		buf_addf(ret, " %llu\n", (unsigned long long)names[i].size);
	}
	if (count > LIBRARIES_MAX)
		buf_addf(ret, "problem more than %d libraries\n", LIBRARIES_MAX);
	if (told > 0)
		tell_kernels(r, a, real, ret);
	return 0;
}

int ask_libraries(struct door *d, struct span argument, struct buf *ret)
{
	struct arena arena = { 0 };
	char path[REACH_PATH_MAX];
	struct reach reach;
	int error = reach_path(argument, path);

	if (error == 0)
		error = reach_begin(d, &reach);
	if (error < 0)
		return error;
	error = tell_libraries(&reach, &arena, path, ret);
	reach_end(&reach);
	arena_done(&arena);
	return error;
}
