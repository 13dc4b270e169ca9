/* A machine with Windows is recorded by this process: there is no fork, and no question here hangs. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "root/root-internal.h"

/* Records are kept as they come; the store points into them. */
struct kept {
	struct kept *next;
	char text[];
};

static struct kept *all_kept; /* of the one machine that a run records */

bool root_can_record(void)
{
	return true;
}

struct beacon *beacon_new(void)
{
	return calloc(1, sizeof(struct beacon));
}

struct beacon *beacon_free(struct beacon *b)
{
	while (b && all_kept) {
		struct kept *next = all_kept->next;

		free(all_kept);
		all_kept = next;
	}
	free(b);
	return NULL;
}

void beacon_begin(struct beacon *b, int kind, const char *path)
{
	(void)b;
	(void)kind;
	(void)path;
}

void beacon_end(struct beacon *b)
{
	(void)b;
}

bool beacon_append(struct beacon *b, struct span record, struct span *ret_kept)
{
	struct kept *one = malloc(sizeof(*one) + record.len + 1);

	(void)b;
	if (!one)
		return false;
	memcpy(one->text, record.data, record.len);
	one->text[record.len] = '\0';
	one->next = all_kept;
	all_kept = one;
	*ret_kept = (struct span){ one->text, record.len };
	return true;
}

/* Asked by nobody on Linux, so that it has no row in the table of questions that are answered. */
static void keep_memory(struct root *root)
{
	struct buf text BUF_SCOPED = { 0 }, record BUF_SCOPED = { 0 };
	int r = windows_memory(&text);

	if (r == 0)
		record_write_content(&record, RECORD_ASK, SPAN_LITERAL("memory"), 0,
				     buf_get(&text));
	else
		record_write_error(&record, RECORD_ASK, SPAN_LITERAL("memory"), r);
	root_keep(root, buf_get(&record));
}

int root_record(struct root *root, void (*collect)(struct root *root))
{
	if (root->kind == DOOR_SNAPSHOT)
		return 0;
	root->beacons[0] = beacon_new();
	if (!root->beacons[0])
		return -ENOMEM;
	root->beacon_count = 1;
	if (root->meanwhile)
		root->meanwhile(root->meanwhile_ctx);
	root->live = true;
	keep_memory(root);
	collect(root);
	root->live = false;
	return 0;
}

void root_end_recording(void)
{
}

void root_meanwhile(struct root *root, void (*work)(void *ctx), void *ctx)
{
	root->meanwhile = work;
	root->meanwhile_ctx = ctx;
}

void root_waiting(struct root *root, void (*tell)(void *ctx, const char *path), void *ctx)
{
	(void)root;
	(void)tell;
	(void)ctx;
}
