#include "mcp/allowed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/span.h"

static bool is_below(const char *directory, const char *real)
{
	size_t n = strcmp(directory, "/") == 0 ? 0 : strlen(directory);

	return strncmp(real, directory, n) == 0 && (real[n] == '/' || real[n] == '\0');
}

/* "a:b": each as it was named and as it is, false after the last. The caller frees them. */
static bool next_directory(struct span *rest, char **ret_named, char **ret_real)
{
	struct span name;

	while (span_cut(rest, ':', &name)) {
		*ret_named = strndup(name.data, name.len);
		*ret_real = *ret_named ? realpath(*ret_named, NULL) : NULL;
		if (*ret_real)
			return true;
		free(*ret_named);
	}
	return false;
}

const char *allowed_path(const char *directories, const char *path, struct arena *arena)
{
	struct span rest = span_of(directories ? directories : "");
	const char *found = NULL;
	char *named, *directory;

	while (!found && next_directory(&rest, &named, &directory)) {
		bool asked = is_below(named, path) || is_below(directory, path);
		char *real = asked ? realpath(path, NULL) : NULL;

		if (real && is_below(directory, real))
			found = arena_text(arena, span_of(real));
		free(real);
		free(directory);
		free(named);
	}
	if (!found)
		errno = EACCES;
	return found;
}

/* What is open lies where its own name in /proc leads to. */
static bool is_open_below(const char *directories, int fd, struct arena *arena)
{
	char *real = realpath(arena_format(arena, "/proc/self/fd/%d", fd), NULL);
	bool below = real && allowed_path(directories, real, arena);

	free(real);
	return below;
}

/*
 * Between the two somebody could put a link in the place of a directory. What
 * is opened is therefore asked for its own path.
 */
int allowed_open(const char *directories, const char *path)
{
	struct arena arena = { 0 };
	const char *real = allowed_path(directories, path, &arena);
	int fd = real ? open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC) : -1;
	int r = fd < 0 ? -errno : fd;

	if (fd >= 0) {
		if (!fd_is_regular(fd))
			r = -EINVAL;
		else if (!is_open_below(directories, fd, &arena))
			r = -EACCES;
	}
	if (fd >= 0 && r < 0)
		close(fd);
	arena_done(&arena);
	return r;
}
