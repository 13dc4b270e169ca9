/*
 * kbc - compile the knowledge while the program is built
 *
 * usage: kbc DIR OUTPUT ROWS DEPFILE
 *
 * The same compiler as `rocsteady-kb build`, without a program around it. A
 * fault is file:line: what, and fails the build.
 */

#include <stdio.h>
#include <string.h>

#include "kb/carry.h"
#include "kb/compile.h"
#include "kb/files.h"
#include "kb/rows.h"

/* The compiler itself carries no knowledge. */
const unsigned char kb_embedded[1];
const unsigned char kb_embedded_end[1];
const unsigned char kb_carried[4];

static int write_file(const char *path, struct span bytes)
{
	FILE *file = fopen(path, "we");
	bool good = file && fwrite(bytes.data, 1, bytes.len, file) == bytes.len;

	if (file && fclose(file) != 0)
		good = false;
	if (!good)
		perror(path);
	return good ? 0 : 1;
}

/* The directories too: ninja notices a file that comes or goes. */
static void write_depends(const char *dir, const char *output, const struct files_set *set,
			  struct buf *ret)
{
	buf_addf(ret, "%s: %s/causes %s/remedies %s/tables %s/signatures %s/defects %s/printable",
		 output, dir, dir, dir, dir, dir, dir);
	for (size_t i = 0; i < set->count; i++)
		buf_addf(ret, " %s/%s", dir, set->list[i].path);
	buf_char(ret, '\n');
}

int main(int argc, char **argv)
{
	struct buf db BUF_SCOPED = { 0 }, rows BUF_SCOPED = { 0 }, depends BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct faults faults = { 0 };
	struct files_set set;
	const char *unread;
	int r;

	if (argc != 5) {
		fputs("usage: kbc DIR OUTPUT ROWS DEPFILE\n", stderr);
		return 64;
	}
	r = files_read_dir(argv[1], &arena, &set, &unread);
	if (r < 0) {
		fprintf(stderr, "kbc: %s/%s: %s\n", argv[1], unread, files_reason(r));
		return 1;
	}
	faults.prefix = arena_format(&arena, "%s/", argv[1]);
	r = compile(set.list, set.count, &faults, &db);
	fputs(buf_get(&faults.text).data, stderr);
	if (r < 0)
		fprintf(stderr, "kbc: %zu faults in %s\n", faults.count, argv[1]);
	write_depends(argv[1], argv[2], &set, &depends);
	if (r == 0)
		r = carry_rows(buf_get(&db), &rows);
	if (r == 0)
		r = write_file(argv[2], buf_get(&db)) || write_file(argv[3], buf_get(&rows)) ||
		    write_file(argv[4], buf_get(&depends));
	buf_done(&faults.text);
	arena_done(&arena);
	return r != 0;
}
