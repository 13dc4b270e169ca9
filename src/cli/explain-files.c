#include "cli/explain-files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/say.h"

#define DEPTH_MAX 64 /* no tree of logs is deeper; a loop of mounts would be */

static void add(struct explain_files *f, const char *path, bool found)
{
	f->list = arena_grow(&f->arena, f->list, f->count, sizeof(*f->list));
	f->list[f->count++] = (struct explain_file){ path, found };
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct explain_file *)a)->path,
		      ((const struct explain_file *)b)->path);
}

static bool is_directory(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void walk(struct explain_files *f, const char *dir, unsigned int depth);

static void look(struct explain_files *f, const char *path, unsigned int depth)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		say("%s: %s", path, strerror(errno));
	else if (S_ISREG(st.st_mode))
		add(f, path, true);
	else if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
		walk(f, path, depth + 1);
	else if (S_ISDIR(st.st_mode))
		say("%s: more than %d directories deep, and left out", path, DEPTH_MAX);
}

static void walk(struct explain_files *f, const char *dir, unsigned int depth)
{
	size_t len = strlen(dir);
	const char *slash = len > 0 && dir[len - 1] == '/' ? "" : "/";
	struct dirent **names = NULL;
	int count = scandir(dir, &names, NULL, alphasort);

	if (count < 0)
		say("%s: %s", dir, strerror(errno));
	for (int i = 0; i < count; i++) {
		if (strcmp(names[i]->d_name, ".") != 0 && strcmp(names[i]->d_name, "..") != 0)
			look(f, arena_format(&f->arena, "%s%s%s", dir, slash, names[i]->d_name),
			     depth);
		free(names[i]);
	}
	free(names);
}

/* By name within each directory that was named; the words stay in their order. */
static int take(struct explain_files *f, const char *word)
{
	size_t before = f->count;

	if (!is_directory(word)) {
		add(f, word, false);
		return 0;
	}
	walk(f, word, 0);
	if (f->count == before) {
		say("%s holds no files", word);
		return EXIT_NO_INPUT;
	}
	qsort(f->list + before, f->count - before, sizeof(*f->list), by_path);
	return 0;
}

int explain_files_find(const struct options *o, struct explain_files *ret)
{
	struct explain_files f = { 0 };
	int status = 0;

	if (o->word_count == 0)
		add(&f, "-", false);
	for (int i = 0; status == 0 && i < o->word_count; i++)
		status = take(&f, o->words[i]);
	if (status == 0)
		*ret = f;
	else
		explain_files_done(&f);
	return status;
}

void explain_files_done(struct explain_files *f)
{
	arena_done(&f->arena);
	*f = (struct explain_files){ 0 };
}
