#include "root/root.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/debug.h"
#include "base/text.h"
#include "door/host.h"
#include "door/keep-lines.h"
#include "door/paths.h"
#include "door/standing.h"
#include "door/subject.h"
#include "door/trust.h"
#include "root/root-internal.h"
#include "survey/asks.h"

/* An unpacked snapshot is a snapshot in another dress. */
enum door_kind root_kind(const struct root *root)
{
	return root->recorded_tree ? DOOR_SNAPSHOT : root->kind;
}

const struct store *root_store(const struct root *root)
{
	return &root->store;
}

struct span root_text(const struct root *root)
{
	return buf_get(&root->text);
}

void root_keep(struct root *root, struct span record)
{
	struct beacon *b = root->beacon_count ? root->beacons[root->beacon_count - 1] : NULL;
	struct span kept;

	if (b && beacon_append(b, record, &kept))
		store_load(&root->store, kept);
}

int root_note_error(struct root *root, enum record_kind kind, struct span path, int error)
{
	struct buf record BUF_SCOPED = { 0 };

	record_write_error(&record, kind, path, error);
	root_keep(root, buf_get(&record));
	return error;
}

static bool is_foreign(const struct root *root)
{
	return root->kind != DOOR_LIVE && !root->annotated;
}

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
		return DOOR_UNASKED; /* absence would have been recorded */
	if (r < 0)
		return root_note_error(root, RECORD_FILE, real, r);
	if (rule->flags & KEEP_LINES_FLAGS) {
		keep_lines(buf_get(&text), rule->flags, &lines);
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
		return root_note_error(root, RECORD_DIR, real, r);
	*ret = arena_span(&root->arena, buf_get(&text));
	record_write_content(&record, RECORD_DIR, real, 0, *ret);
	root_keep(root, buf_get(&record));
	return 0;
}

static int stat_live(struct root *root, struct span real, struct span *ret)
{
	static const char *const kinds[] = { "char", "block", "dir", "link", "socket", "fifo" };
	struct door_node node;
	struct buf record BUF_SCOPED = { 0 };
	const char *at;
	char *text;
	int r = door_stat(&root->door, arena_text(&root->arena, real), &node);

	if (r < 0)
		return root_note_error(root, RECORD_NODE, real, r);
	at = strchr("cbdlsp", node.kind);
	text = arena_format(&root->arena, "%s %04o %u:%u %u:%u",
			    at ? kinds[at - &"cbdlsp"[0]] : "file", node.mode, node.uid, node.gid,
			    node.major, node.minor);
	record_write_node(&record, real, text);
	root_keep(root, buf_get(&record));
	*ret = span_of(text);
	return 0;
}

/* A site's file is judged on its own hosts by the path that was asked for: links count. */
static bool is_in_other_hands(const struct root *root, const struct path_rule *rule,
			      const char *asked)
{
	return rule->flags & PATH_OWN && root->kind == DOOR_LIVE && !trust_file(asked);
}

/* Not in the store: ask the host, if there is one and the table allows it. */
static int ask_live(struct root *root, enum record_kind kind, const struct path_rule *rule,
		    const char *asked, struct span real, struct span *ret)
{
	const char *path = arena_text(&root->arena, real);
	int r;

	assert(rule); /* why_unserved() has refused what has none */
	r = root_refusal(root, path, rule->class == PATH_WAKES && kind == RECORD_FILE);
	if (r == 0 && is_in_other_hands(root, rule, asked))
		r = -EPERM;
	if (r < 0)
		return root_note_error(root, kind, real, r);
	if (kind == RECORD_LINK) {
		r = root_door_link(root, real, ret); /* which names it in the beacon */
		if (r == 0)
			return root_note_error(root, RECORD_LINK, real, -EINVAL);
		return r < 0 ? r : 0;
	}
	beacon_begin(root->door.beacon, (int)kind, path);
	if (kind == RECORD_FILE)
		r = read_live(root, real, rule, ret);
	else if (kind == RECORD_DIR)
		r = list_live(root, real, ret);
	else
		r = stat_live(root, real, ret);
	beacon_end(root->door.beacon);
	return r;
}

void root_brief(struct root *root)
{
	assert(!root->live);
	root->brief = true;
	for (size_t i = 0; i < root->store.count; i++)
		root->store.records[i]->touched = false;
}

/* Why this is not asked here at all, or NULL. Said before a single link is looked at. */
static const char *why_unserved(const struct root *root, const struct path_rule *rule)
{
	if (root->brief && !(rule && rule->flags & PATH_BRIEF))
		return "a brief snapshot leaves it out";
	if (root->live && !rule)
		return "not in the closed table of paths";
	if (root->live && rule->flags & PATH_PROCESS && is_foreign(root))
		return "it is about a process, and this root has none of ours";
	return NULL;
}

/* Not asked, for a reason that the one error number for it does not tell. */
static int refuse(const char *asked, const char *why)
{
	DEBUG(DEBUG_DOOR, 0, "refuse %s: %s", asked, why);
	return DOOR_UNASKED;
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

	return root->live && !root->recorded_tree && error == -EACCES ? DOOR_UNASKED : error;
}

/* A record that ended early left the question out for being late. */
static int unrecorded(const struct root *root, int error)
{
	return error == DOOR_UNASKED && root->late ? DOOR_LATE : error;
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
	int error = root_resolve(root, asked, false, &real);

	if (error < 0)
		return error;
	r = store_find(&root->store, RECORD_FILE, real);
	if (r)
		return stored_answer(root, r, ret);
	if (store_find(&root->store, RECORD_LINK, real))
		return -ELOOP;
	error = missing(root, real);
	if (!root->live)
		return unrecorded(root, error);
	return error == DOOR_UNASKED ? ask_live(root, RECORD_FILE, rule, asked, real, ret) : error;
}

/*
 * The table is for hosts with Linux. A recorded machine with Windows is small: all of it is brief,
 * and all that is in its tree was asked.
 */
static const struct path_rule *rule_of(const struct root *root, const char *asked)
{
	static const struct path_rule of_windows = { "", "*", PATH_STATIC, PATH_BRIEF };

	if (((root->brief && !root->live) || root->recorded_tree) &&
	    paths_of_windows(span_of(asked)))
		return &of_windows;
	return root->live || root->brief ? paths_find(span_of(asked)) : NULL;
}

/* The raw answer of one question about a path, from the store or the host. */
static int answer_as_we_are(struct root *root, enum record_kind kind, const char *asked,
			    struct span *ret)
{
	const struct path_rule *rule = rule_of(root, asked);
	const char *why = why_unserved(root, rule);
	bool follow = kind == RECORD_FILE || kind == RECORD_DIR;
	const struct record *r;
	struct span real;
	int error;

	if (why)
		return refuse(asked, why);
	r = root->annotated ? store_find(&root->store, kind, span_of(asked)) : NULL;
	if (r)
		return stored_answer(root, r, ret); /* the tree need not even have its directory */
	error = kind == RECORD_FILE ? read_unlinked(root, rule, asked, ret) : -ELOOP;
	if (error != -ELOOP)
		return error;
	error = root_resolve(root, asked, follow, &real);
	if (error < 0)
		return error;
	r = store_find(&root->store, kind, real);
	if (r)
		return stored_answer(root, r, ret);
	error = missing(root, real);
	if (!root->live)
		return unrecorded(root, error);
	if (error != DOOR_UNASKED || (root->recorded_tree && kind != RECORD_FILE))
		return error;
	return ask_live(root, kind, rule, asked, real, ret);
}

/* A home is read with its owner's rights: a link in it may point at what only root may read. */
static int answer_with_rights(struct root *root, enum record_kind kind, const char *asked,
			      struct span *ret)
{
	bool home = asked[0] == '~' && root->live && root->kind == DOOR_LIVE;
	struct subject_worn worn;
	struct span identity;
	int wears = 0;
	int r;

	if (home && root_ask(root, "identity", &identity) == 0) {
		/* A second child has the answer from the first, and looks the user up once more. */
		beacon_begin(root->door.beacon, RECORD_ASK, "identity");
		wears = subject_wear(&root->door, &worn);
		beacon_end(root->door.beacon);
	}
	if (wears < 0)
		return refuse(asked, "we cannot take the rights of the judged user");
	r = answer_as_we_are(root, kind, asked, ret);
	if (wears)
		subject_take_off(&worn);
	return r;
}

static void trace(const struct root *root, enum record_kind kind, const char *asked, int r,
		  const struct span *answer, uint64_t began)
{
	static const char *const verbs[] = { [RECORD_FILE] = "read",
					     [RECORD_DIR] = "list",
					     [RECORD_LINK] = "link",
					     [RECORD_NODE] = "stat",
					     [RECORD_ASK] = "ask" };

	if (r < 0)
		debug_line(DEBUG_DOOR, began, "%s %s: %s%s", verbs[kind], asked,
			   standing_error_name(r),
			   r == DOOR_UNASKED && !root->live ? ", not in the record" : "");
	else
		debug_line(DEBUG_DOOR, began, "%s %s: %zu bytes", verbs[kind], asked, answer->len);
}

static int answer(struct root *root, enum record_kind kind, const char *asked, struct span *ret)
{
	uint64_t began = DEBUG_NOW(DEBUG_DOOR);
	int r = answer_with_rights(root, kind, asked, ret);

	if (DEBUG_ON(DEBUG_DOOR))
		trace(root, kind, asked, r, ret, began);
	return r;
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
	for (rest = text; span_line(&rest, &line);) {
		struct buf name BUF_SCOPED = { 0 };

		if (line.len > 0 && strchr("/@", line.data[line.len - 1]))
			line.len--;
		names[count++] =
			arena_text(&root->arena, text_unword(&name, line) ? buf_get(&name) : line);
	}
	*ret = (struct root_names){ names, count };
	return 0;
}

/* "char 0660 0:992 226:128" */
static int node_parse(struct span text, struct door_node *ret)
{
	static const char *const kinds[] = { "char", "block", "dir", "link", "socket", "fifo" };
	struct door_node node = { .kind = '-' };
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

int root_stat(struct root *root, const char *path, struct door_node *ret)
{
	struct span text;
	int r = answer(root, RECORD_NODE, path, &text);

	return r < 0 ? r : node_parse(text, ret);
}

/* An unpacked tree has no kernel that runs; a mount may be of this host. */
static bool shares_kernel(struct root *root, const char *question)
{
	bool shares;

	beacon_begin(root->door.beacon, RECORD_ASK, question);
	shares = host_shares_kernel(&root->door);
	beacon_end(root->door.beacon);
	return shares;
}

static bool is_elsewhere(struct root *root, const char *question)
{
	return root->annotated || (asks_is_about_process(question) && is_foreign(root)) ||
	       (asks_is_about_kernel(question) && !shares_kernel(root, question));
}

static int ask_host(struct root *root, const char *question, struct span *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct buf record BUF_SCOPED = { 0 };
	int r;

	if (is_elsewhere(root, question))
		return refuse(question, "only a host answers it");
	r = root_refusal(root, question, asks_wakes(question));
	if (r == 0) {
		beacon_begin(root->door.beacon, RECORD_ASK, question);
		r = asks_answer(&root->door, question, &text);
		beacon_end(root->door.beacon);
	}
	if (r < 0)
		return root_note_error(root, RECORD_ASK, span_of(question), r);
	*ret = arena_span(&root->arena, buf_get(&text));
	record_write_content(&record, RECORD_ASK, span_of(question), 0, *ret);
	root_keep(root, buf_get(&record));
	return 0;
}

static int answer_question(struct root *root, const char *question, struct span *ret)
{
	const struct record *r;

	if (root->brief && !asks_is_brief(question))
		return refuse(question, "a brief snapshot leaves it out");
	r = store_find(&root->store, RECORD_ASK, span_of(question));
	if (r)
		return content_of(root, r, ret);
	if (asks_is_added(question))
		return DOOR_UNASKED;
	if (root->live)
		return ask_host(root, question, ret);
	return root->late ? DOOR_LATE : DOOR_UNASKED;
}

int root_ask(struct root *root, const char *question, struct span *ret)
{
	uint64_t began = DEBUG_NOW(DEBUG_DOOR);
	int r = answer_question(root, question, ret);

	if (DEBUG_ON(DEBUG_DOOR))
		trace(root, RECORD_ASK, question, r, ret, began);
	return r;
}

void root_add(struct root *root, const char *question, struct span answer)
{
	struct buf record BUF_SCOPED = { 0 };

	assert(!root->live && question[0]); /* a child's store is lost with it */
	record_write_content(&record, RECORD_ASK, span_of(question), 0, answer);
	store_load(&root->store, arena_span(&root->arena, buf_get(&record)));
}
