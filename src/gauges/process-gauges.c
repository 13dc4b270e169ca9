#include "gauges/process-gauges.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/fd.h"
#include "door/host.h"
#include "door/proc.h"
#include "parse/colon.h"
#include "parse/drm-fdinfo.h"
#include "parse/proc-stat.h"

#define WAITS_MAX 60

/* ---- /proc/PID/stat and io ---- */

static bool read_small(struct door *d, pid_t pid, const char *name, char *to, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fd_text(door_open(d, path, O_RDONLY), to, size) > 0;
}

/* rchar and wchar: traffic that never reaches a disk is life too. */
static int64_t io_value(const char *text, const char *key)
{
	uint64_t value;

	return colon_find_u64(span_of(text), key, &value) && value <= INT64_MAX ? (int64_t)value
										: -1;
}

/* ---- rounds ---- */

static struct process_gauge *slot_of(struct process_gauges *g, pid_t pid)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->list[i].pid == pid)
			return &g->list[i];
	if (g->count == PROCESS_GAUGES)
		return NULL;
	g->list[g->count] = (struct process_gauge){ .pid = pid };
	return &g->list[g->count++];
}

void process_gauges_begin(struct process_gauges *g)
{
	g->client_count = 0;
	g->full = false;
	for (size_t i = 0; i < g->count; i++)
		g->list[i].seen = false;
}

void process_gauges_end(struct process_gauges *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->count; i++)
		if (g->list[i].seen)
			g->list[kept++] = g->list[i];
	g->count = kept;
}

bool process_gauges_read(struct process_gauges *g, struct door *d, pid_t pid,
			 struct process_reading *ret)
{
	struct process_gauge *slot = slot_of(g, pid);
	struct process_reading r = { .read = -1, .written = -1 };
	struct proc_stat stat;
	char text[1024];

	if (!slot || !read_small(d, pid, "stat", text, sizeof(text)) ||
	    !proc_stat_parse(span_of(text), &stat))
		return false;
	snprintf(r.name, sizeof(r.name), "%.*s", (int)stat.name.len, stat.name.data);
	r.cpu_ms = host_ticks_ms(stat.ticks + stat.child_ticks);
	r.threads = (int64_t)stat.threads;
	r.rss = host_page_bytes(stat.rss);
	slot->seen = true;
	if (read_small(d, pid, "io", text, sizeof(text))) {
		r.read = io_value(text, "rchar");
		r.written = io_value(text, "wchar");
	}
	*ret = r;
	return true;
}

/* ---- GPUs ---- */

static void look_for_gpus(struct process_gauge *slot, struct door *d)
{
	struct proc_files files;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)slot->pid);
	slot->count = 0;
	slot->denied = proc_files_open(door_open(d, path, O_RDONLY | O_DIRECTORY), &files) < 0;
	while (!slot->denied && proc_files_next(&files)) {
		if (!proc_files_is_drm(&files))
			continue;
		if (slot->count == PROCESS_GAUGES_FDS)
			slot->denied = true;
		else
			slot->fds[slot->count++] = files.number;
	}
	proc_files_close(&files);
}

void process_gauges_look(struct process_gauges *g)
{
	for (size_t i = 0; i < g->count; i++)
		g->list[i].waited = g->list[i].waits;
}

static bool was_met(struct process_gauges *g, const struct drm_fdinfo *info, pid_t pid)
{
	struct process_client c = { .id = info->has_client_id ? info->client_id : (uint64_t)pid };

	snprintf(c.address, sizeof(c.address), "%.*s", (int)info->pdev.len, info->pdev.data);
	for (size_t i = 0; i < g->client_count; i++)
		if (g->clients[i].id == c.id && strcmp(g->clients[i].address, c.address) == 0)
			return true;
	g->full = g->full || g->client_count == PROCESS_CLIENTS;
	if (!g->full)
		g->clients[g->client_count++] = c;
	return g->full; /* one that cannot be remembered might be counted twice */
}

static bool tell_client(struct process_gauges *g, struct door *d, pid_t pid, int fd,
			process_client_fn *tell, void *ctx)
{
	char name[32], text[4096], address[16];
	struct drm_fdinfo info;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	if (!read_small(d, pid, name, text, sizeof(text)) ||
	    !drm_fdinfo_parse(span_of(text), &info))
		return false;
	if (info.pdev.len == 0 || info.pdev.len >= sizeof(address) || was_met(g, &info, pid))
		return true;
	snprintf(address, sizeof(address), "%.*s", (int)info.pdev.len, info.pdev.data);
	tell(ctx, address, info.has_vram ? (int64_t)info.vram_bytes : -1,
	     info.has_gtt ? (int64_t)info.gtt_bytes : -1);
	return true;
}

bool process_gauges_clients(struct process_gauges *g, struct door *d, pid_t pid,
			    process_client_fn *tell, void *ctx)
{
	struct process_gauge *slot = slot_of(g, pid);

	if (!slot)
		return false;
	/* New processes open their GPUs in their first seconds; later it seldom changes. */
	if (slot->waited++ >= slot->waits) {
		slot->waited = 0;
		slot->waits =
			slot->waits < WAITS_MAX / 2 ? (uint16_t)(slot->waits * 2 + 1) : WAITS_MAX;
		look_for_gpus(slot, d);
	}
	for (size_t i = 0; i < slot->count; i++)
		if (!tell_client(g, d, pid, slot->fds[i], tell, ctx))
			slot->waits = 0; /* closed, and perhaps another was opened */
	return !slot->denied && !g->full;
}
