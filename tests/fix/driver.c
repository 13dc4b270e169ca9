/*
 * The engine below `rocsteady fix --apply` and `--undo`, without an examination
 * before it: what is killed a hundred times should be that.
 *
 * usage: fix-driver ROOT RECORD_DIR apply REMEDY SUBJECT [KIND TARGET CONTENT PLACE]...
 *        fix-driver ROOT RECORD_DIR undo REMEDY SUBJECT
 *
 * ROOT is empty for this host, CONTENT and PLACE are "-" for none. With FULL_AT=N
 * the disk is full at the Nth fsync, and has room again afterwards.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fix/apply.h"

/* In place of the C library's: every mark and every file of `fix` comes through here. */
int fsync(int fd)
{
	static long count;
	const char *full = getenv("FULL_AT");

	if (full && ++count == atol(full)) {
		errno = ENOSPC;
		return -1;
	}
	return (int)syscall(SYS_fsync, fd);
}

static const char *given(const char *word)
{
	return strcmp(word, "-") == 0 ? NULL : word;
}

/* The packages of a test come from a directory. */
static const char *refusal(const struct apply_action *a)
{
	return a->place && strncmp(a->place, "file://", 7) == 0 ? NULL : apply_refusal(a);
}

int main(int argc, char **argv)
{
	struct apply_action actions[FIX_RECORD_ACTIONS_MAX];
	struct buf said BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct fix_wish wish = { .actions = actions, .cause = "test", .refusal = refusal };
	struct record_dir records;
	struct writer writer;
	int r;

	if (argc < 6 || writer_open(argv[1][0] ? argv[1] : NULL, &writer) < 0)
		return 64;
	records = (struct record_dir){ &writer, argv[2] };
	wish.remedy = argv[4];
	wish.subject = argv[5];
	for (int i = 6; i + 3 < argc; i += 4, wish.count++) {
		actions[wish.count] = (struct apply_action){ .target = argv[i + 1],
							     .content = given(argv[i + 2]),
							     .place = given(argv[i + 3]) };
		if (!apply_kind(argv[i], &actions[wish.count].kind))
			return 64;
	}
	r = strcmp(argv[3], "apply") == 0
		    ? fix_apply(&records, &wish, &said)
		    : fix_undo(&records, fix_record_name(&arena, wish.remedy, wish.subject), &said);
	if (r < 0)
		fprintf(stderr, "%s (%s)\n", said.len ? said.data : "", strerror(-r));
	writer_close(&writer);
	arena_done(&arena);
	return r == 0 ? 0 : r == -EALREADY ? 3 : r == -ENOENT ? 4 : r == -EAGAIN ? 5 : 2;
}
