#include "story/runs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_age(const void *a, const void *b)
{
	const struct runs_one *x = a, *y = b;

	if (x->at_ms != y->at_ms)
		return x->at_ms < y->at_ms ? 1 : -1;
	return -strcmp(x->directory, y->directory);
}

/* When the first journal there was last written to; false: there is none. */
static bool find_journal(const char *directory, struct arena *a, uint64_t *ret_ms)
{
	int fd = open(arena_format(a, "%s/journal", directory), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	bool there = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);

	if (fd >= 0)
		close(fd);
	if (there)
		*ret_ms = 1000ull * (uint64_t)st.st_mtim.tv_sec +
			  (uint64_t)st.st_mtim.tv_nsec / 1000000;
	return there;
}

void runs_below(const char *directory, struct arena *a, struct runs *ret)
{
	DIR *d = opendir(directory);
	struct dirent *entry;

	*ret = (struct runs){ 0 };
	while (d && (entry = readdir(d))) {
		struct runs_one *one;

		ret->list = arena_grow(a, ret->list, ret->count, sizeof(*ret->list));
		one = &ret->list[ret->count];
		one->directory = arena_format(a, "%s/%s", directory, entry->d_name);
		ret->count +=
			entry->d_name[0] != '.' && find_journal(one->directory, a, &one->at_ms);
	}
	if (d)
		closedir(d);
	if (ret->count > 1)
		qsort(ret->list, ret->count, sizeof(*ret->list), by_age);
}
