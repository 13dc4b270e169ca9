#include "root/root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "parse/pci.h"
#include "root/asks.h"
#include "root/paths.h"
#include "root/root-internal.h"
#include "root/standing.h"

#define LINKS_MAX 40
#define SIDECAR   ".rocsteady-snapshot"

/* An unpacked snapshot is a snapshot in another dress. */
enum root_kind root_kind(const struct root *root)
{
	return root->recorded_tree ? ROOT_SNAPSHOT : root->kind;
}

const struct store *root_store(const struct root *root)
{
	return &root->store;
}

size_t root_stuck_count(const struct root *root)
{
	return root->stuck_count;
}

void root_keep(struct root *root, struct span record)
{
	struct beacon *b = root->beacon_count ? root->beacons[root->beacon_count - 1] : NULL;
	struct span kept;

	if (b && beacon_append(b, record, &kept))
		store_load(&root->store, kept);
}

/* A refusal is an answer too. */
static int note_error(struct root *root, enum record_kind kind, struct span path, int error)
{
	struct buf record BUF_SCOPED = { 0 };

	record_write_error(&record, kind, path, error);
	root_keep(root, buf_get(&record));
	return error;
}

/* ---- where a path really leads ---- */

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
	struct buf b BUF_SCOPED = { 0 };

	if (name.len == 0 || name.data[0] != '/') {
		buf_span(&b, dir);
		if (dir.len > 1)
			buf_char(&b, '/');
	}
	buf_span(&b, name);
	return arena_span(a, buf_get(&b));
}

static int door_link_of(struct root *root, struct span path, struct span *ret)
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
	return r == -EINVAL ? 0 : note_error(root, RECORD_LINK, path, r);
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
	return door_link_of(root, path, ret);
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

static int resolve(struct root *root, const char *asked, bool follow, struct span *ret)
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
		return -EXDEV;
	return r;
}

int root_real(struct root *root, const char *path, const char **ret)
{
	struct span real;
	int r = resolve(root, path, true, &real);

	if (r == 0)
		*ret = arena_text(&root->arena, real);
	return r;
}

/* ---- which device a path belongs to, and whether it may be asked ---- */

static bool is_pci_address(struct span s)
{
	struct pci_address address;

	return pci_address_parse(s, &address);
}

/* The part of a link-free sysfs path up to its last PCI address, or empty. */
static struct span device_dir(struct span path)
{
	struct span dir = path;

	while (dir.len > 1 && !is_pci_address(path_name(dir)))
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
	if (resolve(root, asked, true, &real) < 0)
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
	    resolve(root, arena_format(&root->arena, "/sys/bus/pci/devices/%s", path + 5), true,
		    &s) < 0)
		return (struct span){ path, 0 };
	return device_dir(s);
}

struct span root_device(struct root *root, const char *path)
{
	struct span dir = dir_of_device(root, path);
	const char *node = strstr(path, "/topology/nodes/");

	if (dir.len > 0)
		return path_name(dir);
	if (!node)
		return (struct span){ path, 0 };
	return (struct span){ node + 10, 6 + strcspn(node + 16, "/") }; /* "nodes/3" */
}

static bool is_stuck(const struct root *root, struct span device)
{
	for (size_t i = 0; i < root->stuck_count; i++)
		if (device.len == root->stuck[i].len &&
		    memcmp(device.data, root->stuck[i].data, device.len) == 0)
			return true;
	return false;
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
static int refusal(struct root *root, const char *real, bool wakes)
{
	struct span device;

	if (root->stuck_count > 0) {
		device = root_device(root, real);
		if (device.len > 0 && is_stuck(root, device))
			return ROOT_SKIPPED;
	}
	if (wakes && !root->door.options.may_wake && root->kind != ROOT_TREE) {
		struct span dir = dir_of_device(root, real);

		if (dir.len > 0 && is_asleep(root, dir))
			return ROOT_ASLEEP;
	}
	return 0;
}

static bool is_foreign(const struct root *root)
{
	return root->kind != ROOT_LIVE && !root->annotated;
}

/* ---- asking ---- */

static int content_of(struct root *root, const struct record *r, struct span *ret)
{
	struct buf text BUF_SCOPED = { 0 };

	if (r->error)
		return r->error;
	if (!record_content(r, &text))
		return -EBADMSG;
	*ret = arena_span(&root->arena, buf_get(&text));
	return 0;
}

/* Lines that name a watched variable, each behind its number. */
static bool names_watched(struct span line)
{
	for (size_t i = 0; i < line.len;) {
		size_t n = 0;

		while (i + n < line.len && ((line.data[i + n] >= 'A' && line.data[i + n] <= 'Z') ||
					    (line.data[i + n] >= '0' && line.data[i + n] <= '9') ||
					    line.data[i + n] == '_'))
			n++;
		if (n > 2 && paths_watched_variable((struct span){ line.data + i, n }))
			return true;
		i += n + 1;
	}
	return false;
}

static bool names_identity(struct span line)
{
	static const char *const keys[] = {
		"User=",         "Group=",          "SupplementaryGroups=",
		"DynamicUser=",  "PrivateDevices=", "DeviceAllow=",
		"DevicePolicy=", "Limit",           "EnvironmentFile=",
		"ProtectHome="
	};

	line = span_trim(line);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (span_starts(line, keys[i]))
			return true;
	return false;
}

static bool names_driver(struct span line)
{
	static const char *const words[] = { "amdgpu", "radeon", "ttm", "amdkcl", "vfio" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_find(line, span_of(words[i])) != SIZE_MAX)
			return true;
	return false;
}

static bool is_excerpted(struct span line, unsigned int flags)
{
	if (flags & PATH_MODULES)
		return names_driver(line);
	return names_watched(line) || (flags & PATH_UNIT && names_identity(line));
}

#define PATH_EXCERPTS (PATH_SETTERS | PATH_UNIT | PATH_MODULES)

static void excerpt(struct span text, unsigned int flags, struct buf *ret)
{
	struct span line;

	for (int number = 1; span_line(&text, &line); number++)
		if (is_excerpted(line, flags)) {
			buf_addf(ret, "%d:", number);
			buf_span(ret, line);
			buf_char(ret, '\n');
		}
}

static int read_live(struct root *root, struct span real, const struct path_rule *rule,
		     struct span *ret)
{
	const char *path = arena_text(&root->arena, real);
	size_t max = rule->flags & PATH_HEAD ? DOOR_HEAD_MAX : DOOR_FILE_MAX;
	unsigned int flags = rule->flags & PATH_HEAD ? RECORD_HEAD : 0;
	struct buf text BUF_SCOPED = { 0 };
	struct buf lines BUF_SCOPED = { 0 };
	struct buf record BUF_SCOPED = { 0 };
	int r = door_read(&root->door, path, max, &text);

	if (r == -ELOOP)
		return r; /* a link: it is followed, and asked again */
	if (r == -ENOENT && root->recorded_tree)
		return ROOT_UNASKED; /* absence would have been recorded */
	if (r < 0)
		return note_error(root, RECORD_FILE, real, r);
	if (rule->flags & PATH_EXCERPTS) {
		excerpt(buf_get(&text), rule->flags, &lines);
		flags |= RECORD_EXCERPT;
		*ret = arena_span(&root->arena, buf_get(&lines));
	} else {
		*ret = arena_span(&root->arena, buf_get(&text));
	}
	record_write_content(&record, RECORD_FILE, real, flags, *ret);
	root_keep(root, buf_get(&record));
	return 0;
}

static int list_live(struct root *root, struct span real, struct span *ret)
{
	const char *path = arena_text(&root->arena, real);
	struct buf text BUF_SCOPED = { 0 };
	struct buf record BUF_SCOPED = { 0 };
	int r = door_list(&root->door, path, &text);

	if (r < 0)
		return note_error(root, RECORD_DIR, real, r);
	*ret = arena_span(&root->arena, buf_get(&text));
	record_write_content(&record, RECORD_DIR, real, 0, *ret);
	root_keep(root, buf_get(&record));
	return 0;
}

static int stat_live(struct root *root, struct span real, struct span *ret)
{
	static const char *const kinds[] = { "char", "block", "dir", "link", "socket", "fifo" };
	struct root_node node;
	struct buf record BUF_SCOPED = { 0 };
	const char *at;
	char *text;
	int r = door_stat(&root->door, arena_text(&root->arena, real), &node);

	if (r < 0)
		return note_error(root, RECORD_NODE, real, r);
	at = strchr("cbdlsp", node.kind);
	text = arena_format(&root->arena, "%s %04o %u:%u %u:%u",
			    at ? kinds[at - &"cbdlsp"[0]] : "file", node.mode, node.uid, node.gid,
			    node.major, node.minor);
	record_write_node(&record, real, text);
	root_keep(root, buf_get(&record));
	*ret = span_of(text);
	return 0;
}

static int link_live(struct root *root, struct span real, struct span *ret)
{
	int r = door_link_of(root, real, ret);

	if (r == 0)
		return note_error(root, RECORD_LINK, real, -EINVAL);
	return r < 0 ? r : 0;
}

static int ask_door(struct root *root, enum record_kind kind, struct span real,
		    const struct path_rule *rule, struct span *ret)
{
	switch (kind) {
	case RECORD_FILE:
		return read_live(root, real, rule, ret);
	case RECORD_DIR:
		return list_live(root, real, ret);
	case RECORD_NODE:
		return stat_live(root, real, ret);
	default:
		return link_live(root, real, ret);
	}
}

/* Not in the store: ask the host, if there is one and the table allows it. */
static int ask_live(struct root *root, enum record_kind kind, const struct path_rule *rule,
		    struct span real, struct span *ret)
{
	const char *path = arena_text(&root->arena, real);
	int r;

	r = refusal(root, path, rule->class == PATH_WAKES && kind == RECORD_FILE);
	if (r < 0)
		return note_error(root, kind, real, r);
	beacon_begin(root->door.beacon, (int)kind, path);
	r = ask_door(root, kind, real, rule, ret);
	beacon_end(root->door.beacon);
	return r;
}

void root_brief(struct root *root)
{
	root->brief = true;
	for (size_t i = 0; i < root->store.count; i++)
		root->store.records[i]->touched = false;
}

/* May this be asked here at all? Said before a single link is looked at. */
static bool is_served(const struct root *root, const struct path_rule *rule)
{
	if (root->brief && !(rule && rule->flags & PATH_BRIEF))
		return false;
	return !root->live || (rule && !(rule->flags & PATH_PROCESS && is_foreign(root)));
}

static int stored_answer(struct root *root, const struct record *r, struct span *ret)
{
	if (r->kind != RECORD_NODE && r->kind != RECORD_LINK)
		return content_of(root, r, ret);
	*ret = r->detail;
	return r->error;
}

/* A directory that may not be listed may still be entered: a host is asked. */
static int missing(const struct root *root, struct span path)
{
	int error = store_missing(&root->store, path);

	return root->live && !root->recorded_tree && error == -EACCES ? ROOT_UNASKED : error;
}

/*
 * Most files are no links. Reading one without following its last name saves
 * asking whether it is one; -ELOOP says that it has to be followed.
 */
static int read_unlinked(struct root *root, const struct path_rule *rule, const char *asked,
			 struct span *ret)
{
	const struct record *r;
	struct span real;
	int error = resolve(root, asked, false, &real);

	if (error < 0)
		return error;
	r = store_find(&root->store, RECORD_FILE, real);
	if (r)
		return stored_answer(root, r, ret);
	if (!root->live || store_find(&root->store, RECORD_LINK, real))
		return -ELOOP;
	error = missing(root, real);
	return error == ROOT_UNASKED ? ask_live(root, RECORD_FILE, rule, real, ret) : error;
}

/* The raw answer of one question about a path, from the store or the host. */
static int answer(struct root *root, enum record_kind kind, const char *asked, struct span *ret)
{
	const struct path_rule *rule =
		root->live || root->brief ? paths_find(span_of(asked)) : NULL;
	bool follow = kind == RECORD_FILE || kind == RECORD_DIR;
	const struct record *r;
	struct span real;
	int error;

	if (!is_served(root, rule))
		return ROOT_UNASKED;
	r = root->annotated ? store_find(&root->store, kind, span_of(asked)) : NULL;
	if (r)
		return stored_answer(root, r, ret); /* the tree need not even have its directory */
	error = kind == RECORD_FILE ? read_unlinked(root, rule, asked, ret) : -ELOOP;
	if (error != -ELOOP)
		return error;
	error = resolve(root, asked, follow, &real);
	if (error < 0)
		return error;
	r = store_find(&root->store, kind, real);
	if (r)
		return stored_answer(root, r, ret);
	error = missing(root, real);
	if (error != ROOT_UNASKED || !root->live || (root->recorded_tree && kind != RECORD_FILE))
		return error;
	return ask_live(root, kind, rule, real, ret);
}

int root_read(struct root *root, const char *path, struct span *ret)
{
	return answer(root, RECORD_FILE, path, ret);
}

int root_link(struct root *root, const char *path, struct span *ret)
{
	struct buf target BUF_SCOPED = { 0 };
	struct span word;
	int r = answer(root, RECORD_LINK, path, &word);

	if (r < 0)
		return r;
	if (!text_unword(&target, word))
		return -EBADMSG;
	*ret = arena_span(&root->arena, buf_get(&target));
	return 0;
}

static const char *plain_name(struct root *root, struct span line)
{
	struct buf name BUF_SCOPED = { 0 };

	if (line.len > 0 && strchr("/@", line.data[line.len - 1]))
		line.len--;
	if (!text_unword(&name, line))
		return arena_text(&root->arena, line);
	return arena_text(&root->arena, buf_get(&name));
}

int root_list(struct root *root, const char *path, struct root_names *ret)
{
	struct span text;
	struct span rest;
	struct span line;
	const char **names;
	size_t count = 0;
	int r = answer(root, RECORD_DIR, path, &text);

	if (r < 0)
		return r;
	for (rest = text; span_line(&rest, &line);)
		count++;
	names = arena_alloc(&root->arena, (count + 1) * sizeof(*names));
	count = 0;
	for (rest = text; span_line(&rest, &line);)
		names[count++] = plain_name(root, line);
	*ret = (struct root_names){ names, count };
	return 0;
}

/* "char 0660 0:992 226:128" */
static int node_parse(struct span text, struct root_node *ret)
{
	static const char *const kinds[] = { "char", "block", "dir", "link", "socket", "fifo" };
	struct root_node node = { .kind = '-' };
	char line[128];
	char kind[16];

	snprintf(line, sizeof(line), "%.*s", (int)(text.len < 100 ? text.len : 100), text.data);
	if (sscanf(line, "%15s %o %u:%u %u:%u", kind, &node.mode, &node.uid, &node.gid, &node.major,
		   &node.minor) < 4)
		return -EBADMSG;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kind, kinds[i]) == 0)
			node.kind = "cbdlsp"[i];
	*ret = node;
	return 0;
}

int root_stat(struct root *root, const char *path, struct root_node *ret)
{
	struct span text;
	int r = answer(root, RECORD_NODE, path, &text);

	return r < 0 ? r : node_parse(text, ret);
}

static int ask_host(struct root *root, const char *question, struct span *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct buf record BUF_SCOPED = { 0 };
	int r;

	if (root->annotated || (asks_process(question) && is_foreign(root)))
		return ROOT_UNASKED;
	r = refusal(root, question, asks_wakes(question));
	if (r == 0) {
		beacon_begin(root->door.beacon, RECORD_ASK, question);
		r = asks_answer(&root->door, question, &text);
		beacon_end(root->door.beacon);
	}
	if (r < 0)
		return note_error(root, RECORD_ASK, span_of(question), r);
	*ret = arena_span(&root->arena, buf_get(&text));
	record_write_content(&record, RECORD_ASK, span_of(question), 0, *ret);
	root_keep(root, buf_get(&record));
	return 0;
}

int root_ask(struct root *root, const char *question, struct span *ret)
{
	const struct record *r;

	if (root->brief && !asks_brief(question))
		return ROOT_UNASKED;
	r = store_find(&root->store, RECORD_ASK, span_of(question));
	if (r)
		return content_of(root, r, ret);
	return root->live ? ask_host(root, question, ret) : ROOT_UNASKED;
}

/* ---- making one ---- */

static struct root *new_root(enum root_kind kind)
{
	struct root *root = calloc(1, sizeof(*root));

	if (root)
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

int root_new_dir(enum root_kind kind, const char *dir, const struct root_options *options,
		 struct root **ret)
{
	struct root *root = new_root(kind);
	int r;

	if (!root)
		return -ENOMEM;
	r = door_init(&root->door, kind, dir, options);
	if (r < 0) {
		free(root);
		return r;
	}
	if (kind == ROOT_TREE)
		load_sidecar(root);
	*ret = root;
	return 0;
}

int root_new_live(const struct root_options *options, struct root **ret)
{
	return root_new_dir(ROOT_LIVE, "/", options, ret);
}

int root_new_text(struct buf *take, struct root **ret)
{
	struct root *root;

	if (!span_starts(buf_get(take), RECORD_MAGIC "\n"))
		return -EBADMSG;
	root = new_root(ROOT_SNAPSHOT);
	if (!root)
		return -ENOMEM;
	root->text = *take;
	*take = (struct buf){ 0 };
	store_load(&root->store, buf_get(&root->text));
	*ret = root;
	return 0;
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
