/*
 * The bare cost of a wheel: its directory, and the members that are needed,
 * unpacked and forgotten. Arguments: the wheel, a file with names, one a line.
 */
#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **names;
static size_t count;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_names(const char *path)
{
	FILE *f = fopen(path, "re");
	char line[4096];

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		names = realloc(names, (count + 1) * sizeof(*names));
		if (!names)
			abort();
		names[count++] = strdup(line);
	}
	fclose(f);
	if (count > 0)
		qsort(names, count, sizeof(*names), by_text);
	return 0;
}

int main(int argc, char **argv)
{
	struct archive *a = archive_read_new();
	unsigned long long members = 0, needed = 0, bytes = 0;
	struct archive_entry *e;

	if (argc != 3 || read_names(argv[2]) < 0)
		return 2;
	archive_read_support_format_zip(a);
	if (archive_read_open_filename(a, argv[1], (size_t)128 << 10) != ARCHIVE_OK)
		return 1;
	while (archive_read_next_header(a, &e) == ARCHIVE_OK) {
		const char *name = archive_entry_pathname(e);
		const void *block;
		la_int64_t offset;
		size_t size;

		members++;
		if (!bsearch(&name, names, count, sizeof(*names), by_text))
			continue;
		needed++;
		while (archive_read_data_block(a, &block, &size, &offset) == ARCHIVE_OK)
			bytes += size;
	}
	printf("%llu members, %llu needed, %llu bytes\n", members, needed, bytes);
	archive_read_free(a);
	return 0;
}
