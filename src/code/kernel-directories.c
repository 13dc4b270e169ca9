#include "code/kernel-directories.h"

#include <assert.h>
#include <string.h>

#include "base/names.h"

#define ROWS_MAX   32
#define INSIDE_MAX 48

extern const char data_kernel_directories[];

/* Read once from the text the program carries. */
static struct {
	struct kernel_directory rows[ROWS_MAX];
	char inside[ROWS_MAX][INSIDE_MAX];
	size_t count;
} table;

static void take_row(struct span ending, struct span words)
{
	struct kernel_directory *row = &table.rows[table.count];
	char *inside = table.inside[table.count];
	struct span place = { 0 };

	assert(table.count < ROWS_MAX && ending.len + 2 <= INSIDE_MAX);
	*row = (struct kernel_directory){ .ending = ending, .inside = { inside, ending.len + 2 } };
	inside[0] = inside[ending.len + 1] = '/';
	memcpy(inside + 1, ending.data, ending.len);
	row->versioned = memchr(ending.data, '*', ending.len) != NULL;
	(void)span_word(&words, &row->kind);
	(void)span_word(&words, &place);
	row->place = span_is(place, "lib")     ? KERNEL_DIRECTORY_LIB
		     : span_is(place, "share") ? KERNEL_DIRECTORY_SHARE
					       : KERNEL_DIRECTORY_ANYWHERE;
	table.count++;
}

const struct kernel_directory *kernel_directories(size_t *ret_count)
{
	struct span rest = span_of(data_kernel_directories), ending, words;

	if (table.count == 0)
		while (names_next(&rest, &ending, &words))
			take_row(ending, words);
	*ret_count = table.count;
	return table.rows;
}

/* Cut the last part off a path. */
static struct span last_part(struct span *path)
{
	size_t at = path->len;
	struct span part;

	while (at > 0 && path->data[at - 1] != '/')
		at--;
	part = (struct span){ path->data + at, path->len - at };
	path->len = at > 0 ? at - 1 : 0;
	return part;
}

static bool path_ends(struct span path, struct span ending)
{
	while (ending.len > 0) {
		struct span want = last_part(&ending), got = last_part(&path);

		if (got.len == 0)
			return false;
		if (!span_is(want, "*") && !span_same(got, want))
			return false;
	}
	return true;
}

const struct kernel_directory *kernel_directory_of(struct span path)
{
	size_t count;
	const struct kernel_directory *rows = kernel_directories(&count);

	while (path.len > 0 && path.data[path.len - 1] == '/')
		path.len--;
	for (size_t i = 0; i < count; i++)
		if (path_ends(path, rows[i].ending))
			return &rows[i];
	return NULL;
}
