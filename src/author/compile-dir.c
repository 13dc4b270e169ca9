#include "author/compile-dir.h"

#include <errno.h>

#include "base/arena.h"
#include "cli/say.h"
#include "kb/compile.h"
#include "kb/files.h"

int say_faults(struct faults *faults, const char *dir)
{
	say_bare(buf_get(&faults->text));
	say("%s: %zu %s", dir, faults->count, faults->count == 1 ? "fault" : "faults");
	buf_done(&faults->text);
	return EXIT_NO_INPUT;
}

int compile_dir(const char *dir, struct faults *faults, struct buf *ret)
{
	struct arena arena = { 0 };
	struct files_set set;
	const char *unread;
	int r = files_read_dir(dir, &arena, &set, &unread);
	int status = 0;

	if (r < 0) {
		say("%s%s%s: %s", dir, unread[0] ? "/" : "", unread, files_reason(r));
		arena_done(&arena);
		return EXIT_NO_INPUT;
	}
	faults->prefix = arena_format(&arena, "%s/", dir);
	r = compile(set.list, set.count, faults, ret);
	faults->prefix = "";
	if (r == -ENOMEM)
		say("SQLite does not start");
	if (r < 0)
		status = faults->count > 0 ? say_faults(faults, dir) : EXIT_OWN_FAULT;
	arena_done(&arena);
	return status;
}
