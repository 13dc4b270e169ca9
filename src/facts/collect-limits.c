#include "facts/collect.h"

#include "door/standing.h"
#include "parse/cgroup.h"
#include "parse/limits.h"

static const struct {
	const char *line; /* of /proc/PID/limits */
	const char *name;
	const char *unit;
} limits[] = {
	{ "Max locked memory", "memlock", "bytes" }, { "Max open files", "nofile", "count" },
	{ "Max processes", "nproc", "count" },       { "Max stack size", "stack", "bytes" },
	{ "Max address space", "as", "bytes" },
};

static void add_limit(struct collect *c, struct span text, size_t i, const char *path)
{
	struct row row = row_of("resource_limit");
	struct limit limit;

	if (!limits_find(text, limits[i].line, &limit)) {
		facts_gap(c->facts, "resource_limit", limits[i].name, -EBADMSG, path);
		return;
	}
	row_string(&row, "name", limits[i].name);
	if (!limit.soft_unlimited)
		row_u64(&row, "soft", limit.soft);
	if (!limit.hard_unlimited)
		row_u64(&row, "hard", limit.hard);
	row_string(&row, "unit", limits[i].unit);
	row_string(&row, "source", path);
	facts_add(c->facts, &row);
}

/* ---- memory of the control group ---- */

#define GROUP_MAX 4096 /* bytes of a group's path, as of any */

/*
 * Version 1 says "unlimited" with the largest multiple of a page: this one for
 * 64 KiB pages, 9223372036854771712 for 4 KiB.
 */
#define UNLIMITED_V1 9223372036854710272u

/* The files of a hierarchy's limit. */
struct cgroup_limit {
	const char *top;
	const char *limit;
	const char *used;
};

static const struct cgroup_limit version2 = { "/sys/fs/cgroup", "memory.max", "memory.current" };
static const struct cgroup_limit version1 = { "/sys/fs/cgroup/memory", "memory.limit_in_bytes",
					      "memory.usage_in_bytes" };

struct tightest {
	uint64_t bytes;
	const char *group;   /* NULL: no limit found so far */
	const char *nearest; /* the first one that has the files at all */
	bool unknown;        /* a level could not be read */
};

static void look_at(struct collect *c, const struct cgroup_limit *h, const char *group,
		    struct tightest *t)
{
	const char *path = arena_format(&c->arena, "%s/%s", group, h->limit);
	struct span text;
	uint64_t bytes;
	int r = root_read(c->root, path, &text);

	if (r == -ENOENT || r == -ENOTDIR)
		return; /* the root has no limit; and in a container the outer levels do not show */
	if (r == 0 && !t->nearest)
		t->nearest = group;
	if (r == 0 && span_is(span_trim(text), "max"))
		return;
	if (r == 0 && !span_u64(span_trim(text), &bytes))
		r = -EBADMSG;
	if (r < 0) {
		facts_gap(c->facts, "resource_limit", "cgroup-memory", r, path);
		t->unknown = true;
	} else if (bytes < UNLIMITED_V1 && (!t->group || bytes < t->bytes)) {
		t->bytes = bytes;
		t->group = group;
	}
}

/*
 * Every level above limits too, and the tightest one kills. A path with ".."
 * belongs to a namespace that is not ours; only the top can be looked at then.
 */
static void walk_up(struct collect *c, const struct cgroup_limit *h, struct span path,
		    struct tightest *t)
{
	if (path.len > GROUP_MAX) {
		facts_gap(c->facts, "resource_limit", "cgroup-memory", -ENAMETOOLONG, h->top);
		t->unknown = true;
	}
	if (span_find(path, SPAN_LITERAL("/..")) != SIZE_MAX || path.len > GROUP_MAX)
		path.len = 0;
	for (;;) {
		while (path.len > 0 && path.data[path.len - 1] == '/')
			path.len--;
		look_at(c, h, arena_format(&c->arena, "%s%.*s", h->top, (int)path.len, path.data),
			t);
		if (path.len == 0)
			return;
		while (path.len > 0 && path.data[path.len - 1] != '/')
			path.len--;
	}
}

static void add_memory(struct collect *c, const struct cgroup_limit *h, const struct tightest *t,
		       const char *asked)
{
	struct row row = row_of("resource_limit");
	const char *group = t->group ? t->group : t->nearest;
	struct span text;
	uint64_t used;

	row_string(&row, "name", "cgroup-memory");
	if (t->group) {
		row_u64(&row, "soft", t->bytes);
		row_u64(&row, "hard", t->bytes);
	}
	if (group &&
	    collect_read(c, "resource_limit.used", "cgroup-memory", &text, "%s/%s", group,
			 h->used) &&
	    span_u64(text, &used))
		row_u64(&row, "used", used);
	row_string(&row, "unit", "bytes");
	row_string(&row, "source",
		   group ? arena_format(&c->arena, "%s/%s", group, h->limit) : asked);
	facts_add(c->facts, &row);
}

static void group_memory(struct collect *c)
{
	const char *asked = arena_format(&c->arena, "%s/cgroup", c->process);
	const struct cgroup_limit *h = &version1;
	struct tightest t = { 0 };
	struct cgroup_line line;
	struct span text;

	if (!collect_read(c, "resource_limit", "cgroup-memory", &text, "%s", asked))
		return;
	if (!cgroup_find(text, "memory", &line)) {
		facts_gap(c->facts, "resource_limit", "cgroup-memory", -EBADMSG, asked);
		return;
	}
	if (line.unified)
		h = &version2;
	walk_up(c, h, line.path, &t);
	if (t.group || !t.unknown) /* "no limit" is said only when every level said so */
		add_memory(c, h, &t, asked);
}

/* ---- /dev/shm, through which processes of one job exchange tensors ---- */

#define SHM_QUESTION "space /dev/shm"

static bool number_of(struct span text, const char *key, uint64_t *ret)
{
	struct span line;
	struct span word;

	while (span_line(&text, &line))
		if (span_word(&line, &word) && span_is(word, key))
			return span_u64(span_trim(line), ret);
	return false;
}

static void shared_memory(struct collect *c)
{
	struct row row = row_of("resource_limit");
	struct span text;
	uint64_t size;
	uint64_t left;
	int r = root_ask(c->root, SHM_QUESTION, &text);

	if (r == 0 && (!number_of(text, "size", &size) || !number_of(text, "free", &left)))
		r = -EBADMSG;
	if (r < 0) {
		facts_gap(c->facts, "resource_limit", "shm", r, SHM_QUESTION);
		return;
	}
	row_string(&row, "name", "shm");
	row_u64(&row, "soft", size);
	row_u64(&row, "hard", size);
	if (left <= size)
		row_u64(&row, "used", size - left);
	row_string(&row, "unit", "bytes");
	row_string(&row, "source", SHM_QUESTION);
	facts_add(c->facts, &row);
}

void collect_limits(struct collect *c)
{
	if (c->process) {
		const char *path = arena_format(&c->arena, "%s/limits", c->process);
		struct span text;

		if (collect_read(c, "resource_limit", c->process, &text, "%s", path))
			for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
				add_limit(c, text, i, path);
		group_memory(c);
	} else {
		facts_gap(c->facts, "resource_limit", "", DOOR_UNASKED, "identity");
	}
	shared_memory(c);
}
