#include "fleet/snapshots.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/exit-status.h"
#include "base/text.h"

static int is_snapshot(const struct dirent *entry)
{
	struct span name = span_of(entry->d_name);

	return span_ends(name, ".snap") || span_ends(name, ".snap.gz");
}

static int each_of(const char *dir, int (*visit)(void *user, const char *path), void *user,
		   struct buf *said)
{
	struct dirent **list = NULL;
	int count = scandir(dir, &list, is_snapshot, alphasort);
	int status = 0;

	for (int i = 0; i < count; i++) {
		struct buf path BUF_SCOPED = { 0 };

		buf_addf(&path, "%s/%s", dir, list[i]->d_name);
		if (status == 0)
			status = visit(user, path.data);
		free(list[i]);
	}
	free(list);
	if (count > 0)
		return status;
	text_line(said, "%s: no snapshots (*.snap, *.snap.gz)", dir);
	return EXIT_NO_INPUT;
}

int snapshots_each(const char *path, int (*visit)(void *user, const char *path), void *user,
		   struct buf *said)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? each_of(path, visit, user, said)
							   : visit(user, path);
}
