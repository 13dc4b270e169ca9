#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "root/root-internal.h"
#include "root/root.h"

#define SIDECAR ".rocsteady-snapshot"

static struct root *new_root(enum door_kind kind)
{
	struct root *root = memory_new(1, sizeof(*root));

	*root = (struct root){ .kind = kind, .door.top = -1 };
	return root;
}

/*
 * A tree may carry records beside its files: what no file can say (a refusal, a
 * device node, the answer to a question). With the note "unpacked" it is a
 * whole snapshot, and what is neither recorded nor a file was not asked.
 */
static void load_sidecar(struct root *root)
{
	struct beacon *scratch = beacon_new();

	root->door.beacon = scratch;
	if (scratch && door_read(&root->door, "/" SIDECAR, (size_t)64 << 20, &root->text) == 0) {
		store_load(&root->store, buf_get(&root->text));
		root->annotated = true;
		root->recorded_tree =
			store_find(&root->store, RECORD_NOTE, SPAN_LITERAL("unpacked")) != NULL;
	}
	root->door.beacon = beacon_free(scratch);
}

int root_new_dir(enum door_kind kind, const char *dir, const struct door_options *options,
		 struct root **ret)
{
	struct root *root = new_root(kind);
	int r = door_init(&root->door, kind, dir, options);

	if (r < 0) {
		free(root);
		return r;
	}
	if (kind == DOOR_TREE)
		load_sidecar(root);
	*ret = root;
	return 0;
}

int root_new_text(struct buf *take, struct root **ret)
{
	struct root *root;

	if (!span_starts(buf_get(take), RECORD_MAGIC "\n"))
		return -EBADMSG;
	root = new_root(DOOR_SNAPSHOT);
	root->text = *take;
	*take = (struct buf){ 0 };
	store_load(&root->store, buf_get(&root->text));
	*ret = root;
	return 0;
}

/* The note `program VERSION` stands at the head of what a host has said, the note `end` is its last line. */
static bool says_program(const struct store *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->records[i]->kind == RECORD_NOTE &&
		    span_starts(s->records[i]->path, "program "))
			return true;
	return false;
}

bool root_is_cut_off(const struct root *root)
{
	return root->kind == DOOR_SNAPSHOT &&
	       !store_find(&root->store, RECORD_NOTE, SPAN_LITERAL("end")) &&
	       says_program(&root->store);
}

struct root *root_free(struct root *root)
{
	if (!root)
		return NULL;
	store_done(&root->store);
	door_done(&root->door);
	for (size_t i = 0; i < root->beacon_count; i++)
		beacon_free(root->beacons[i]);
	map_done(&root->real_dirs);
	arena_done(&root->arena);
	buf_done(&root->text);
	free(root);
	return NULL;
}
