/*
 * A journal from text, through the writer of the program itself.
 *
 * usage: write-journal DIRECTORY ATTEMPT < TEXT
 *
 * A line "= KIND MILLISECONDS" begins a record; the lines behind it are its payload.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/diary.h"

static const char *const kinds[DIARY_KINDS] = {
	[DIARY_START] = "start",       [DIARY_OUTPUT] = "output",   [DIARY_FAILURE] = "failure",
	[DIARY_EVENT] = "event",       [DIARY_END] = "end",         [DIARY_SAMPLE] = "sample",
	[DIARY_PROGRESS] = "progress", [DIARY_KERNEL] = "kernel",   [DIARY_PREFLIGHT] = "preflight",
	[DIARY_HANG] = "hang",         [DIARY_ATTEMPT] = "attempt",
};

static enum diary_kind kind_of(const char *name)
{
	for (int i = DIARY_START; i < DIARY_KINDS; i++)
		if (strcmp(kinds[i], name) == 0)
			return (enum diary_kind)i;
	fprintf(stderr, "no kind %s\n", name);
	exit(1);
}

static void flush(struct diary *j, enum diary_kind kind, uint64_t at, struct buf *payload)
{
	if (kind != DIARY_KINDS && !diary_add(j, kind, at, buf_get(payload)))
		exit(1);
	buf_clear(payload);
}

int main(int argc, char **argv)
{
	struct buf payload BUF_SCOPED = { 0 };
	enum diary_kind kind = DIARY_KINDS;
	unsigned long long at = 0;
	static char line[20000];
	struct diary j;

	if (argc != 3 || diary_open(&j, argv[1], (unsigned int)atoi(argv[2])) < 0)
		return 1;
	while (fgets(line, sizeof(line), stdin)) {
		char name[32];
		unsigned long long next;

		if (sscanf(line, "= %31s %llu", name, &next) != 2) {
			buf_text(&payload, line);
			continue;
		}
		flush(&j, kind, at, &payload);
		kind = kind_of(name);
		at = next;
	}
	flush(&j, kind, at, &payload);
	return 0;
}
