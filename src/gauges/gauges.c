#include "gauges/gauges.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "door/paths.h"

#define BUS         "/sys/bus/pci/devices"
#define WAITS_MAX   64u
#define PATH_LENGTH 192
#define VENDOR_AMD  0x1002
#define CLASS_OF(x) ((x) >> 16 & 0xff)
#define DISPLAY     0x03
#define ACCELERATOR 0x12

/* Names in the order of preference: the junction is what throttles; newer kernels say input. */
static const struct {
	const char *names[2];
	bool in_hwmon;
	bool constant;
	int64_t divisor;
} files[GAUGES] = {
	[GAUGE_VRAM_USED] = { { "mem_info_vram_used" }, false, false, 1 },
	[GAUGE_VRAM_TOTAL] = { { "mem_info_vram_total" }, false, true, 1 },
	[GAUGE_GTT_USED] = { { "mem_info_gtt_used" }, false, false, 1 },
	[GAUGE_GTT_TOTAL] = { { "mem_info_gtt_total" }, false, true, 1 },
	[GAUGE_BUSY] = { { "gpu_busy_percent" }, false, false, 1 },
	[GAUGE_TEMP] = { { "temp2_input", "temp1_input" }, true, false, 1 },
	[GAUGE_SCLK] = { { "freq1_input" }, true, false, 1000000 },
	[GAUGE_POWER] = { { "power1_average", "power1_input" }, true, false, 1 },
};

/* ---- opening ---- */

static int open_listed(struct gauges *g, const char *path)
{
	return paths_find(span_of(path)) ? door_open(&g->door, path, O_RDONLY) : -EACCES;
}

/* As the table of paths says of them. */
static bool wakes(size_t which)
{
	return files[which].in_hwmon || which == GAUGE_BUSY;
}

static bool find_hwmon(struct gauges *g, const char *address, char ret[PATH_LENGTH])
{
	struct buf names BUF_SCOPED = { 0 };
	struct span rest, name;
	char path[PATH_LENGTH];

	snprintf(path, sizeof(path), BUS "/%s/hwmon", address);
	if (!paths_find(span_of(path)) || door_list(&g->door, path, &names) < 0)
		return false;
	rest = buf_get(&names);
	if (!span_line(&rest, &name) || !span_ends(name, "/") || name.len > 32)
		return false;
	snprintf(ret, PATH_LENGTH, BUS "/%s/hwmon/%.*s", address, (int)name.len - 1, name.data);
	return true;
}

/* ---- reading ---- */

/* 0 and the text, or -errno; what is empty is gone. */
static int read_text(int fd, char *to, size_t size, struct span *ret)
{
	ssize_t n = pread(fd, to, size, 0);

	if (n < 0)
		return -errno;
	*ret = span_trim((struct span){ to, (size_t)n });
	return ret->len > 0 ? 0 : -ENODEV;
}

static bool is_gone(int error)
{
	return error == -ENODEV || error == -ENOENT || error == -ESTALE || error == -EIO ||
	       error == -ENXIO || error == -ESPIPE || error == -ENOTCONN;
}

static int read_number(int fd, int64_t *ret)
{
	char text[64];
	struct span s;
	int r = read_text(fd, text, sizeof(text), &s);

	if (r < 0)
		return r;
	return span_i64(s, ret) && *ret >= 0 ? 0 : -EBADMSG;
}

/* Whether it is open, or could be opened. */
static bool is_open(struct gauges *g, struct gauges_gpu *gpu, size_t which)
{
	struct gauge_file *f = &gpu->files[which];
	char dir[PATH_LENGTH], path[PATH_LENGTH + 32];

	if (f->fd >= 0)
		return true;
	if (f->waited++ < f->waits)
		return false;
	f->waited = 0;
	f->waits = f->waits < WAITS_MAX / 2 ? 2 * f->waits + 1 : WAITS_MAX;
	f->fd = -1;
	snprintf(dir, sizeof(dir), BUS "/%s", gpu->address);
	if (files[which].in_hwmon && !find_hwmon(g, gpu->address, dir))
		return false;
	for (size_t i = 0; i < 2 && f->fd < 0 && files[which].names[i]; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[which].names[i]);
		f->fd = open_listed(g, path);
	}
	if (f->fd < 0)
		f->fd = -1;
	return f->fd >= 0;
}

static void read_file(struct gauges *g, struct gauges_gpu *gpu, size_t which)
{
	struct gauge_file *f = &gpu->files[which];
	int r = -ENODEV;

	if (f->fd >= 0 && files[which].constant && f->value >= 0)
		return;
	for (int tries = 0; tries < 2 && is_gone(r) && is_open(g, gpu, which); tries++) {
		r = read_number(f->fd, &f->value);
		if (!is_gone(r))
			break;
		close(f->fd);
		f->fd = -1;
	}
	if (r < 0) {
		f->value = GAUGES_UNKNOWN;
		return;
	}
	f->waits = 0;
	f->value /= files[which].divisor;
}

static void look_for_sleep(struct gauges *g, struct gauges_gpu *gpu)
{
	char path[PATH_LENGTH], text[32];
	struct span s;

	if (gpu->status < 0) {
		snprintf(path, sizeof(path), BUS "/%s/power/runtime_status", gpu->address);
		gpu->status = open_listed(g, path);
	}
	gpu->asleep = false;
	if (gpu->status < 0)
		return;
	if (read_text(gpu->status, text, sizeof(text), &s) < 0) {
		close(gpu->status);
		gpu->status = -1;
		return;
	}
	gpu->asleep = span_is(s, "suspended") || span_is(s, "suspending");
}

void gauges_read(struct gauges *g, size_t which, bool sensors)
{
	struct gauges_gpu *gpu = &g->gpus[which];

	assert(which < g->count);
	look_for_sleep(g, gpu);
	for (size_t i = 0; i < GAUGES; i++) {
		if (gpu->asleep || (wakes(i) && !sensors))
			gpu->files[i].value = GAUGES_UNKNOWN;
		else
			read_file(g, gpu, i);
	}
}

/* ---- which there are ---- */

/* A number of a file that is read once. */
static bool read_once(struct gauges *g, const char *address, const char *name, uint64_t *ret)
{
	char path[PATH_LENGTH], text[64];
	struct span s = { 0 };
	int fd, r;

	snprintf(path, sizeof(path), BUS "/%s/%s", address, name);
	fd = open_listed(g, path);
	if (fd < 0)
		return false;
	r = read_text(fd, text, sizeof(text), &s);
	close(fd);
	return r == 0 && (span_hex(s, ret) || (span_is(s, "auto") && (*ret = 1)));
}

static bool is_gpu(struct gauges *g, const char *address)
{
	uint64_t class, vendor;

	return read_once(g, address, "class", &class) &&
	       (CLASS_OF(class) == DISPLAY || CLASS_OF(class) == ACCELERATOR) &&
	       read_once(g, address, "vendor", &vendor) && vendor == VENDOR_AMD;
}

static void add_gpu(struct gauges *g, const struct pci_address *at)
{
	struct gauges_gpu found = { .status = -1 }, *gpu = &g->gpus[g->count];
	uint64_t automatic = 0;

	pci_address_write(at, found.address);
	if (!is_gpu(g, found.address))
		return;
	if (g->count == GAUGES_GPUS) {
		g->left_out++;
		return;
	}
	*gpu = found;
	for (size_t i = 0; i < GAUGES; i++)
		gpu->files[i] = (struct gauge_file){ .fd = -1, .value = GAUGES_UNKNOWN };
	gpu->may_sleep = read_once(g, gpu->address, "power/control", &automatic);
	g->count++;
}

static int by_address(const void *a, const void *b)
{
	struct pci_address x, y;

	pci_address_parse(span_of(((const struct gauges_gpu *)a)->address), &x);
	pci_address_parse(span_of(((const struct gauges_gpu *)b)->address), &y);
	return pci_address_compare(&x, &y);
}

int gauges_open(struct gauges *g, const char *top)
{
	struct buf names BUF_SCOPED = { 0 };
	struct pci_address at;
	struct span rest, name;
	int r;

	g->count = g->left_out = 0;
	r = door_init(&g->door, top ? DOOR_TREE : DOOR_LIVE, top ? top : "/",
		      &(struct door_options){ 0 });
	if (r < 0)
		return r;
	(void)door_list(&g->door, BUS, &names); /* no bus: no GPU */
	rest = buf_get(&names);
	while (span_line(&rest, &name)) {
		name.len -= name.len > 0 && strchr("@/", name.data[name.len - 1]);
		if (pci_address_parse(name, &at))
			add_gpu(g, &at);
	}
	qsort(g->gpus, g->count, sizeof(g->gpus[0]), by_address);
	return 0;
}

void gauges_done(struct gauges *g)
{
	for (size_t i = 0; i < g->count; i++) {
		for (size_t k = 0; k < GAUGES; k++)
			if (g->gpus[i].files[k].fd >= 0)
				close(g->gpus[i].files[k].fd);
		if (g->gpus[i].status >= 0)
			close(g->gpus[i].status);
	}
	g->count = 0;
	door_done(&g->door);
}
