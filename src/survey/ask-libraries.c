#include "survey/ask-libraries.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "code/kernel-directories.h"
#include "door/beside.h"
#include "survey/rocm-library.h"

#define LIBRARIES_MAX 400

static void tell_path(struct buf *ret, const char *key, const char *path)
{
	buf_addf(ret, "%s ", key);
	text_word(ret, span_of(path));
	buf_char(ret, '\n');
}

/* False if it is none. */
static bool tell_kernel_dir(struct as_user *u, const char *path, struct buf *ret)
{
	char real[AS_USER_PATH_MAX];

	if (as_user_kind(u, path) != 'd' || as_user_real(u, path, real) < 0)
		return false;
	tell_path(ret, "kernels", real);
	return true;
}

/* The names in place of the star of "DIR/rocblas/(star)/library" that begin with a digit. */
static void tell_versioned(struct as_user *u, struct arena *a, const char *pattern, struct buf *ret)
{
	const char *star = strrchr(pattern, '*'); /* DIR may have one, too */
	const char *above = arena_text(a, (struct span){ pattern, (size_t)(star - pattern) });
	DIR *d = door_dir(as_user_dir(u, above));
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] >= '0' && e->d_name[0] <= '9')
			(void)tell_kernel_dir(
				u, arena_format(a, "%s%s%s", above, e->d_name, star + 1), ret);
	if (d)
		closedir(d);
}

/* Beside the libraries, or below share/ of the same install; with a version if not without. */
static void tell_kernels(struct as_user *u, struct arena *a, const char *dir, struct buf *ret)
{
	size_t count;
	const struct kernel_directory *rows = kernel_directories(&count);
	struct span found = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct kernel_directory *d = &rows[i];
		const char *path = arena_format(
			a, "%s/%s%.*s", dir, d->place == KERNEL_DIRECTORY_SHARE ? "../share/" : "",
			(int)d->ending.len, d->ending.data);

		if (d->place == KERNEL_DIRECTORY_ANYWHERE)
			continue;
		if (!d->versioned)
			found = tell_kernel_dir(u, path, ret) ? d->kind : found;
		else if (!span_same(found, d->kind))
			tell_versioned(u, a, path, ret);
	}
}

static int tell_libraries(struct as_user *u, struct arena *a, const char *dir, struct buf *ret)
{
	struct buf version BUF_SCOPED = { 0 };
	struct beside_name *names;
	unsigned int told = 0;
	size_t count;
	char real[AS_USER_PATH_MAX];
	int error = as_user_real(u, dir, real);

	if (error < 0)
		return error;
	error = as_user_dir(u, real);
	if (error < 0)
		return error;
	close(error);
	tell_path(ret, "dir", real);
	if (as_user_read(u, arena_format(a, "%s/../.info/version", real), 64, &version) == 0) {
		buf_text(ret, "version ");
		text_word(ret, span_trim(buf_get(&version)));
		buf_char(ret, '\n');
	}
	beside_files(u, real, rocm_library, a, &names, &count);
	for (size_t i = 0; i < count && told++ < LIBRARIES_MAX; i++) {
		buf_text(ret, "library ");
		text_word(ret, span_of(names[i].name));
		buf_addf(ret, " %llu\n", (unsigned long long)names[i].size);
	}
	if (count > LIBRARIES_MAX)
		buf_addf(ret, "problem more than %d libraries\n", LIBRARIES_MAX);
	if (told > 0)
		tell_kernels(u, a, real, ret);
	return 0;
}

int ask_libraries(struct door *d, struct span argument, struct buf *ret)
{
	struct arena arena = { 0 };
	char path[AS_USER_PATH_MAX];
	struct as_user user;
	int error = as_user_path(argument, path);

	if (error == 0)
		error = as_user_begin(d, &user);
	if (error < 0)
		return error;
	error = tell_libraries(&user, &arena, path, ret);
	as_user_end(&user);
	arena_done(&arena);
	return error;
}
