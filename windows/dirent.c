#include <dirent.h>
#include <io.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct posix_dir {
	intptr_t search;
	struct __finddata64_t found;
	bool ready; /* `found` has not been given yet */
	struct dirent entry;
};

DIR *opendir(const char *path)
{
	DIR *dir = calloc(1, sizeof(*dir));
	char pattern[1024];

	if (!dir || (size_t)snprintf(pattern, sizeof(pattern), "%s/*", path) >= sizeof(pattern)) {
		free(dir);
		errno = ENAMETOOLONG;
		return NULL;
	}
	dir->search = _findfirst64(pattern, &dir->found);
	dir->ready = true;
	if (dir->search == -1) {
		free(dir);
		errno = _access(path, 0) == 0 ? ENOTDIR : ENOENT;
		return NULL;
	}
	return dir;
}

struct dirent *readdir(DIR *dir)
{
	if (!dir->ready && _findnext64(dir->search, &dir->found) != 0)
		return NULL;
	dir->ready = false;
	dir->entry.d_type = dir->found.attrib & _A_SUBDIR ? DT_DIR : DT_REG;
	snprintf(dir->entry.d_name, sizeof(dir->entry.d_name), "%s", dir->found.name);
	return &dir->entry;
}

int closedir(DIR *dir)
{
	_findclose(dir->search);
	free(dir);
	return 0;
}

int alphasort(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int scandir(const char *path, struct dirent ***ret, int (*wanted)(const struct dirent *),
	    int (*order)(const struct dirent **, const struct dirent **))
{
	DIR *dir = opendir(path);
	struct dirent **list = NULL;
	struct dirent *entry;
	size_t count = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		if (wanted && !wanted(entry))
			continue;
		if ((count & (count - 1)) == 0) /* full at each power of two */
			list = realloc(list, (count ? 2 * count : 1) * sizeof(struct dirent *));
		list[count] = malloc(sizeof(*entry));
		*list[count++] = *entry;
	}
	closedir(dir);
	if (count > 0)
		qsort(list, count, sizeof(struct dirent *),
		      (int (*)(const void *, const void *))order);
	*ret = list;
	return (int)count;
}
