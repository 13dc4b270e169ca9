#include "gauges/host-gauges.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "door/paths.h"
#include "parse/cgroup.h"
#include "parse/colon.h"

#define GROUP_MAX    4096 /* bytes of the path of a group, as of any */
#define PATH_LENGTH  (GROUP_MAX + 128)
#define UNLIMITED_V1 ((uint64_t)1 << 62) /* version 1 says it with a number near 2^63 */

/* The files of a hierarchy's memory limit. */
struct cgroup_gauge {
	const char *top, *max, *used, *oom;
};

static const struct cgroup_gauge version2 = { "/sys/fs/cgroup", "memory.max", "memory.current",
					      "memory.events" };
static const struct cgroup_gauge version1 = { "/sys/fs/cgroup/memory", "memory.limit_in_bytes",
					      "memory.usage_in_bytes", "memory.oom_control" };

static int open_listed(struct door *d, const char *path)
{
	int fd = paths_find(span_of(path)) ? door_open(d, path, O_RDONLY) : -1;

	return fd < 0 ? -1 : fd;
}

static bool read_again(int fd, char *to, size_t size, struct span *ret)
{
	ssize_t n = fd < 0 ? -1 : pread(fd, to, size, 0);

	if (n <= 0)
		return false;
	*ret = span_trim((struct span){ to, (size_t)n });
	return true;
}

static int64_t read_bytes(int fd)
{
	char text[64];
	struct span s;
	uint64_t value;

	if (!read_again(fd, text, sizeof(text), &s) || !span_u64(s, &value) ||
	    value >= UNLIMITED_V1)
		return -1;
	return (int64_t)value;
}

static void close_group(struct host_gauges *g)
{
	if (g->used >= 0)
		close(g->used);
	if (g->max >= 0)
		close(g->max);
	g->used = g->max = -1;
}

/* Keep this level if it is the first one, or its limit is tighter. */
static void look_at(struct host_gauges *g, struct door *d, const struct cgroup_gauge *h,
		    struct span group)
{
	struct host_gauges level = { .meminfo = -1 };
	char path[PATH_LENGTH];
	int64_t max, before = read_bytes(g->max);

	snprintf(path, sizeof(path), "%s%.*s/%s", h->top, (int)group.len, group.data, h->max);
	level.max = open_listed(d, path);
	snprintf(path, sizeof(path), "%s%.*s/%s", h->top, (int)group.len, group.data, h->used);
	level.used = open_listed(d, path);
	max = read_bytes(level.max);
	if (level.used >= 0 && (g->used < 0 || (max >= 0 && (before < 0 || max < before)))) {
		close_group(g);
		g->used = level.used;
		g->max = level.max;
	} else {
		close_group(&level);
	}
}

/* The group of this process. A path with ".." belongs to a namespace that is not ours. NULL: none. */
static const struct cgroup_gauge *read_group(struct door *d, struct buf *text, struct span *ret)
{
	struct cgroup_line line;

	if (door_read(d, "/proc/self/cgroup", DOOR_FILE_MAX, text) < 0 ||
	    !cgroup_find(buf_get(text), "memory", &line))
		return NULL;
	*ret = line.path;
	if (span_find(*ret, SPAN_LITERAL("/..")) != SIZE_MAX || ret->len > GROUP_MAX)
		ret->len = 0;
	return line.unified ? &version2 : &version1;
}

/* Every level above limits too. */
static void find_group(struct host_gauges *g, struct door *d)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span path;
	const struct cgroup_gauge *h = read_group(d, &text, &path);

	while (h) {
		while (path.len > 0 && path.data[path.len - 1] == '/')
			path.len--;
		look_at(g, d, h, path);
		if (path.len == 0)
			return;
		while (path.len > 0 && path.data[path.len - 1] != '/')
			path.len--;
	}
}

void host_gauges_open(struct host_gauges *g, struct door *d)
{
	*g = (struct host_gauges){ .meminfo = open_listed(d, "/proc/meminfo"),
				   .used = -1,
				   .max = -1 };
	find_group(g, d);
}

static int64_t difference(struct span text, const char *all, const char *free)
{
	uint64_t a, b;

	if (!colon_find_bytes(text, all, &a) || !colon_find_bytes(text, free, &b) || b > a)
		return -1;
	return (int64_t)(a - b);
}

void host_gauges_read(struct host_gauges *g, struct host_reading *ret)
{
	char text[4096];
	struct span s = { text, 0 };
	uint64_t total;

	(void)read_again(g->meminfo, text, sizeof(text), &s);
	*ret = (struct host_reading){
		.used = difference(s, "MemTotal", "MemAvailable"),
		.total = colon_find_bytes(s, "MemTotal", &total) ? (int64_t)total : -1,
		.swap = difference(s, "SwapTotal", "SwapFree"),
		.cgroup_used = read_bytes(g->used),
		.cgroup_max = read_bytes(g->max),
	};
}

void host_gauges_done(struct host_gauges *g)
{
	close_group(g);
	if (g->meminfo >= 0)
		close(g->meminfo);
}

/* "oom_kill 3" among the lines of a file of counters; -1: none. */
static int64_t read_oom_kills(struct door *d, const char *path)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, line, word;
	uint64_t n;

	if (door_read(d, path, DOOR_FILE_MAX, &text) < 0)
		return -1;
	rest = buf_get(&text);
	while (span_line(&rest, &line))
		if (span_word(&line, &word) && span_is(word, "oom_kill") &&
		    span_u64(span_trim(line), &n))
			return (int64_t)n;
	return -1;
}

void host_gauges_oom(struct door *d, struct oom_reading *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span path;
	const struct cgroup_gauge *h = read_group(d, &text, &path);
	char file[PATH_LENGTH];

	*ret = (struct oom_reading){ read_oom_kills(d, "/proc/vmstat"), -1 };
	if (!h)
		return;
	while (path.len > 0 && path.data[path.len - 1] == '/')
		path.len--;
	snprintf(file, sizeof(file), "%s%.*s/%s", h->top, (int)path.len, path.data, h->oom);
	ret->group = read_oom_kills(d, file);
}
