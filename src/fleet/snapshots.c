#include "fleet/snapshots.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/exit-status.h"
#include "base/text.h"

static const char *const suffixes[] = { ".snap", ".snap.gz" };

/* The name without its suffix; empty if it is no snapshot's. */
static struct span node_of(const char *file)
{
	struct span name = span_of(file);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (span_ends(name, suffixes[i]))
			return (struct span){ name.data, name.len - strlen(suffixes[i]) };
	return (struct span){ name.data, 0 };
}

static int is_snapshot(const struct dirent *entry)
{
	return node_of(entry->d_name).len > 0;
}

bool snapshots_is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int by_node(const void *a, const void *b)
{
	const struct snapshots_file *x = a, *y = b;
	int r = strcmp(x->node, y->node);

	return r ? r : strcmp(x->path, y->path);
}

static struct snapshots_file file_of(struct arena *a, const char *directory, const char *name)
{
	struct buf node BUF_SCOPED = { 0 };

	text_clean(&node, node_of(name), false);
	return (struct snapshots_file){ arena_format(a, "%s/%s", directory, name),
					arena_text(a, buf_get(&node)) };
}

/* Rows of two machines under one name could not be told apart. */
static int refuse_twins(const struct snapshots *s, struct buf *said)
{
	for (size_t i = 1; i < s->count; i++)
		if (strcmp(s->list[i - 1].node, s->list[i].node) == 0) {
			text_line(said, "%s and %s are both called %s; rename one of them",
				  s->list[i - 1].path, s->list[i].path, s->list[i].node);
			return EXIT_NO_INPUT;
		}
	return 0;
}

int snapshots_list(const char *directory, struct snapshots *ret, struct buf *said)
{
	struct dirent **found = NULL;
	int count = scandir(directory, &found, is_snapshot, NULL);

	*ret = (struct snapshots){ 0 };
	if (count > 0)
		ret->list = arena_alloc(&ret->arena, sizeof(*ret->list) * (size_t)count);
	for (int i = 0; i < count; i++) {
		ret->list[ret->count++] = file_of(&ret->arena, directory, found[i]->d_name);
		free(found[i]);
	}
	free(found);
	if (count < 0)
		text_line(said, "%s: %s", directory, strerror(errno));
	else if (count == 0)
		text_line(said, "%s: no snapshots (*.snap, *.snap.gz)", directory);
	if (count <= 0)
		return EXIT_NO_INPUT;
	qsort(ret->list, ret->count, sizeof(*ret->list), by_node);
	return refuse_twins(ret, said);
}

void snapshots_done(struct snapshots *s)
{
	arena_done(&s->arena);
}

/* A FIFO or a device among the files would keep the others waiting for ever. */
int snapshots_open(const struct snapshots_file *file, const struct context_options *o,
		   struct machine *m, struct buf *said)
{
	struct context_options one = *o;
	struct stat st;

	if (stat(file->path, &st) == 0 && !S_ISREG(st.st_mode)) {
		text_line(said, "%s: it is not a regular file", file->path);
		return EXIT_NO_INPUT;
	}
	one.from = file->path;
	return machine_next(&one, m, said);
}

const char *snapshots_reason(struct buf *said)
{
	if (said->len == 0)
		return "it cannot be read";
	said->data[said->len - 1] = '\0'; /* its line end */
	return said->data;
}

int snapshots_each(const char *path, int (*visit)(void *user, const char *path), void *user,
		   struct buf *said)
{
	struct snapshots all;
	int status;

	if (!snapshots_is_directory(path))
		return visit(user, path);
	status = snapshots_list(path, &all, said);
	for (size_t i = 0; status == 0 && i < all.count; i++)
		status = visit(user, all.list[i].path);
	snapshots_done(&all);
	return status;
}
