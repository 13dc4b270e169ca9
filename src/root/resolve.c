/*
 * The real path of a name, the device it belongs to, and whether it may be touched
 * now.
 */

#include <stdio.h>
#include <string.h>

#include "base/debug.h"
#include "base/text.h"
#include "door/standing.h"
#include "parse/pci.h"
#include "root/root-internal.h"
#include "survey/asks.h"

#define LINKS_MAX 40

/*
 * Realms a link may not lead out of. Debugfs and tracefs are no realm: some of
 * their files act when read, and nothing there is ever opened.
 */
static int realm_of(struct span path)
{
	if (span_starts(path, "/sys/kernel/debug") || span_starts(path, "/sys/kernel/tracing") ||
	    span_starts(path, "/proc/sys/debug"))
		return -1;
	if (span_starts(path, "/sys/"))
		return 1;
	if (span_starts(path, "/proc/"))
		return 2;
	return span_starts(path, "/dev/") ? 3 : 0;
}

static struct span join(struct arena *a, struct span dir, struct span name)
{
	bool whole = name.len > 0 && name.data[0] == '/';
	size_t slash = dir.len > 1;
	size_t at = whole ? 0 : dir.len + slash;
	char *text = arena_alloc(a, at + name.len + 1);

	if (!whole && dir.len > 0) {
		memcpy(text, dir.data, dir.len);
		memset(text + dir.len, '/', slash);
	}
	if (name.len > 0)
		memcpy(text + at, name.data, name.len);
	return (struct span){ text, at + name.len };
}

int root_door_link(struct root *root, struct span path, struct span *ret)
{
	struct buf target BUF_SCOPED = { 0 };
	struct buf record BUF_SCOPED = { 0 };
	char *text = arena_text(&root->arena, path);
	int r;

	beacon_begin(root->door.beacon, RECORD_LINK, text);
	r = door_link(&root->door, text, &target);
	beacon_end(root->door.beacon);
	if (r == 0) {
		record_write_link(&record, path, buf_get(&target));
		root_keep(root, buf_get(&record));
		*ret = arena_span(&root->arena, buf_get(&target));
		return 1;
	}
	return r == -EINVAL ? 0 : root_note_error(root, RECORD_LINK, path, r);
}

/*
 * 1 and the target if path is a link, 0 if it is not, -errno. /proc/self is one
 * that changes with every process; it keeps its name.
 */
static int link_of(struct root *root, struct span path, struct span *ret)
{
	const struct record *r = store_find(&root->store, RECORD_LINK, path);
	int listed;

	if (r && r->error)
		return r->error == -EINVAL ? 0 : r->error;
	if (r) {
		struct buf target BUF_SCOPED = { 0 };

		if (!text_unword(&target, r->detail))
			return -EBADMSG;
		*ret = arena_span(&root->arena, buf_get(&target));
		return 1;
	}
	if (!root->live || root->recorded_tree || span_is(path, "/proc/self"))
		return 0;
	listed = store_listed(&root->store, path_parent(path), path_name(path));
	if (listed == '/' || listed == '.')
		return 0;
	if (listed == 0)
		return -ENOENT;
	return root_door_link(root, path, ret);
}

static int real_dir(struct root *root, struct span dir, int depth, struct span *ret);

/* Link-free parent plus one name that may be a link, "." or "..". */
static int real_step(struct root *root, struct span parent, struct span name, int depth,
		     struct span *ret)
{
	struct span here;
	struct span target;
	int r;

	if (name.len == 0 || span_is(name, ".")) {
		*ret = parent;
		return 0;
	}
	if (span_is(name, "..")) {
		*ret = path_parent(parent);
		return 0;
	}
	here = join(&root->arena, parent, name);
	if (realm_of(here) < 0)
		return -EXDEV; /* not even looked at */
	r = link_of(root, here, &target);
	if (r > 0 && depth >= LINKS_MAX)
		return -ELOOP;
	if (r > 0)
		return real_dir(root, join(&root->arena, parent, target), depth + 1, ret);
	if (r == 0)
		*ret = here;
	return r;
}

static int real_dir(struct root *root, struct span dir, int depth, struct span *ret)
{
	const struct span *known = map_find(&root->real_dirs, dir);
	struct span parent;
	struct span *keep;
	int r;

	if (dir.len <= 1) {
		*ret = SPAN_LITERAL("/");
		return 0;
	}
	if (known) {
		*ret = *known;
		return 0;
	}
	if (dir.len > 4000 || depth > LINKS_MAX)
		return -ENAMETOOLONG;
	r = real_dir(root, path_parent(dir), depth, &parent);
	if (r == 0)
		r = real_step(root, parent, path_name(dir), depth, ret);
	if (r < 0)
		return r;
	keep = arena_alloc(&root->arena, sizeof(*keep));
	*keep = *ret;
	map_put(&root->real_dirs, arena_span(&root->arena, dir), keep);
	return 0;
}

/* "~/x" is below the home of the judged user, as the identity answer has it. */
static int expand_home(struct root *root, struct span path, struct span *ret)
{
	struct span identity;
	struct span line;
	int r = root_ask(root, "identity", &identity);

	if (r < 0)
		return r;
	while (span_line(&identity, &line))
		if (span_starts(line, "home /")) {
			struct span home = { line.data + 5, line.len - 5 };

			*ret = join(
				&root->arena, home,
				(struct span){ path.data + 2, path.len > 2 ? path.len - 2 : 0 });
			return 0;
		}
	return -ENOENT;
}

int root_resolve(struct root *root, const char *asked, bool follow, struct span *ret)
{
	struct span path = span_of(asked);
	struct span parent;
	int r;

	if (path.len > 4000)
		return -ENAMETOOLONG;
	if (asked[0] == '~') {
		r = expand_home(root, path, &path);
		if (r < 0)
			return r;
	}
	if (follow) {
		r = real_dir(root, path, 0, ret);
	} else {
		r = real_dir(root, path_parent(path), 0, &parent);
		if (r == 0)
			*ret = join(&root->arena, parent, path_name(path));
	}
	if (r == 0 && realm_of(*ret) != realm_of(path))
		r = -EXDEV;
	if (r == -EXDEV)
		DEBUG(DEBUG_DOOR, 0,
		      "refuse %s: it leads out of /sys, /proc or /dev, or into what acts when it is read",
		      asked);
	return r;
}

int root_real(struct root *root, const char *path, const char **ret)
{
	struct span real;
	int r = root_resolve(root, path, true, &real);

	if (r == 0)
		*ret = arena_text(&root->arena, real);
	return r;
}

/* ---- which device a path belongs to, and whether it may be asked ---- */

/* The part of a link-free sysfs path up to its last PCI address, or empty. */
static struct span device_dir(struct span path)
{
	struct pci_address address;
	struct span dir = path;

	while (dir.len > 1 && !pci_address_parse(path_name(dir), &address))
		dir = path_parent(dir);
	return dir.len > 1 ? dir : (struct span){ path.data, 0 };
}

/* "/dev/dri/renderD128" -> the directory of its PCI function. */
static struct span node_device_dir(struct root *root, struct span path)
{
	char asked[128];
	struct span real;

	snprintf(asked, sizeof(asked), "/sys/class/drm/%.*s/device", (int)path_name(path).len,
		 path_name(path).data);
	if (root_resolve(root, asked, true, &real) < 0)
		return (struct span){ path.data, 0 };
	return device_dir(real);
}

static struct span dir_of_device(struct root *root, const char *path)
{
	struct span s = span_of(path);
	const char *node = strstr(path, "/dev/dri/");
	const char *address = strstr(path, "pcie ");

	if (node)
		return node_device_dir(root, span_of(node));
	if (address == path &&
	    root_resolve(root, arena_format(&root->arena, "/sys/bus/pci/devices/%s", path + 5),
			 true, &s) < 0)
		return (struct span){ path, 0 };
	return device_dir(s);
}

struct span root_device(struct root *root, const char *path)
{
	struct span dir = dir_of_device(root, path);
	const char *node = strstr(path, "/topology/nodes/");

	if (asks_is_about_file(path))
		return path_parent(span_of(strchr(path, ' ') + 1));
	if (dir.len > 0)
		return path_name(dir);
	if (!node && path[0] == '/' && realm_of(span_of(path)) == 0)
		return path_parent(span_of(path)); /* a home, an install: its file system is dead */
	if (!node)
		return (struct span){ path, 0 };
	return (struct span){ node + 10, 6 + strcspn(node + 16, "/") }; /* "nodes/3" */
}

/* A question of its own: should it hang, it is the one that is named. */
static bool is_asleep(struct root *root, struct span dir)
{
	const char *path =
		arena_format(&root->arena, "%.*s/power/runtime_status", (int)dir.len, dir.data);
	bool asleep;

	beacon_begin(root->door.beacon, RECORD_FILE, path);
	asleep = door_asleep(&root->door, dir);
	beacon_end(root->door.beacon);
	return asleep;
}

/* 0, or why this is not asked. */
int root_refusal(struct root *root, const char *real, bool wakes)
{
	struct span device;

	if (root->stuck_count > 0) {
		device = root_device(root, real);
		if (device.len > 0 && door_is_stuck(&root->door, device)) {
			DEBUG(DEBUG_DOOR, 0, "refuse %s: %.*s is stuck", real, (int)device.len,
			      device.data);
			return DOOR_SKIPPED;
		}
	}
	if (wakes && !root->door.options.may_wake && root->kind != DOOR_TREE) {
		struct span dir = dir_of_device(root, real);

		if (dir.len > 0 && is_asleep(root, dir)) {
			DEBUG(DEBUG_DOOR, 0, "refuse %s: %.*s is asleep, and asking would wake it",
			      real, (int)dir.len, dir.data);
			return DOOR_ASLEEP;
		}
	}
	return 0;
}
