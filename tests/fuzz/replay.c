/*
 * Feed kept inputs to a fuzz target, without a fuzzer: every file of the
 * directories and every file named. Nothing to feed is a failure, so that a
 * target cannot lose its corpus unnoticed.
 */

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * The buffer has exactly the input's size, so that the sanitizer sees a read
 * of the first byte behind it. The path is printed before: the last line ahead
 * of a crash names its input.
 */
static int feed_file(const char *path, size_t size)
{
	uint8_t *data = malloc(size ? size : 1);
	FILE *f = fopen(path, "re");
	int r = 0;

	printf("%s, %zu bytes\n", path, size);
	(void)fflush(stdout);
	if (!f || !data)
		r = -errno;
	else if (fread(data, 1, size, f) != size)
		r = -EIO;
	else
		(void)LLVMFuzzerTestOneInput(data, size);
	if (f)
		(void)fclose(f);
	free(data);
	return r;
}

static int feed_path(const char *path, int *fed);

static int feed_directory(const char *path, int *fed)
{
	struct dirent **names;
	int count = scandir(path, &names, NULL, alphasort);
	int r = count < 0 ? -errno : 0;

	for (int i = 0; i < count; i++) {
		char inside[4096];

		(void)snprintf(inside, sizeof(inside), "%s/%s", path, names[i]->d_name);
		if (r == 0 && names[i]->d_name[0] != '.')
			r = feed_path(inside, fed);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
	return r;
}

static int feed_path(const char *path, int *fed)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return feed_directory(path, fed);
	(*fed)++;
	return feed_file(path, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
	int fed = 0;

	for (int i = 1; i < argc; i++) {
		int r = feed_path(argv[i], &fed);

		if (r < 0) {
			printf("%s: %s\n", argv[i], strerror(-r));
			return 1;
		}
	}
	printf("%d inputs\n", fed);
	if (fed == 0)
		puts("no kept input: a target without a corpus proves nothing");
	return fed == 0;
}
