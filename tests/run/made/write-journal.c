/*
 * A journal from text, through the writer of the program itself.
 *
 * usage: write-journal DIRECTORY ATTEMPT < TEXT
 *
 * A line "= KIND MILLISECONDS" begins a record; the lines behind it are its payload.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "story/run-journal.h"

static enum run_journal_kind kind_of(const char *name)
{
	for (int i = RUN_JOURNAL_START; i < RUN_JOURNAL_KINDS; i++)
		if (strcmp(run_journal_kind_name((enum run_journal_kind)i), name) == 0)
			return (enum run_journal_kind)i;
	fprintf(stderr, "no kind %s\n", name);
	exit(1);
}

static void flush(struct run_journal *j, enum run_journal_kind kind, uint64_t at,
		  struct buf *payload)
{
	if (kind != RUN_JOURNAL_KINDS && !run_journal_add(j, kind, at, buf_get(payload)))
		exit(1);
	buf_clear(payload);
}

int main(int argc, char **argv)
{
	struct buf payload BUF_SCOPED = { 0 };
	enum run_journal_kind kind = RUN_JOURNAL_KINDS;
	unsigned long long at = 0;
	static char line[20000];
	struct run_journal j;

	if (argc != 3 || run_journal_open(&j, open(argv[1], O_RDONLY | O_DIRECTORY),
					  (unsigned int)atoi(argv[2])) < 0)
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
