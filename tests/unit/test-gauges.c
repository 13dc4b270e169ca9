#include "gauges/gauges.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "check-scratch.h"
#include "gauges/process-gauges.h"
#include "gauges/process-holders.h"

#define GPU "/sys/bus/pci/devices/0000:03:00.0"

static void take_away(const char *path)
{
	struct buf whole BUF_SCOPED = { 0 };

	scratch_put(path, ""); /* what is open answers no more */
	buf_addf(&whole, "%s%s", scratch_top, path);
	CHECK(unlink(whole.data) == 0);
}

static void make_gpu(void)
{
	scratch_put(GPU "/class", "0x030000\n");
	scratch_put(GPU "/vendor", "0x1002\n");
	scratch_put(GPU "/power/runtime_status", "active\n");
	scratch_put(GPU "/power/control", "on\n");
	scratch_put(GPU "/mem_info_vram_total", "25753026560\n");
	scratch_put(GPU "/mem_info_vram_used", "1000\n");
	scratch_put(GPU "/gpu_busy_percent", "42\n");
	scratch_put(GPU "/hwmon/hwmon3/temp1_input", "40000\n");
	scratch_put(GPU "/hwmon/hwmon3/freq1_input", "2105000000\n");
	scratch_put(GPU "/hwmon/hwmon3/power1_input", "141000000\n");
	scratch_put("/sys/bus/pci/devices/0000:00:1f.0/class", "0x060100\n");
	scratch_put("/sys/bus/pci/devices/0000:01:00.0/class", "0x030000\n");
	scratch_put("/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
}

static int64_t value(const struct gauges *g, enum gauge which)
{
	return g->gpus[0].files[which].value;
}

static void test_files(struct gauges *g)
{
	CHECK_INT(g->count, 1);
	CHECK_TEXT(g->gpus[0].address, "0000:03:00.0");
	gauges_read(g, 0, true);
	CHECK_INT(value(g, GAUGE_VRAM_TOTAL), 25753026560);
	CHECK_INT(value(g, GAUGE_VRAM_USED), 1000);
	CHECK_INT(value(g, GAUGE_GTT_USED), -1);
	CHECK_INT(value(g, GAUGE_BUSY), 42);
	CHECK_INT(value(g, GAUGE_TEMP), 40000);
	CHECK_INT(value(g, GAUGE_SCLK), 2105);
	CHECK_INT(value(g, GAUGE_POWER), 141000000);
	scratch_put(GPU "/mem_info_vram_used", "2000\n");
	scratch_put(GPU "/gpu_busy_percent", "garbage\n");
	gauges_read(g, 0, true);
	CHECK_INT(value(g, GAUGE_VRAM_USED), 2000);
	CHECK_INT(value(g, GAUGE_BUSY), -1);
	scratch_put(GPU "/gpu_busy_percent", "43\n");
}

static void test_reset(struct gauges *g)
{
	take_away(GPU "/mem_info_vram_used");
	gauges_read(g, 0, true);
	CHECK_INT(value(g, GAUGE_VRAM_USED), -1);
	scratch_put(GPU "/mem_info_vram_used", "3000\n");
	for (int i = 0; i < 3; i++)
		gauges_read(g, 0, true);
	CHECK_INT(value(g, GAUGE_VRAM_USED), 3000);
}

static void test_sleep(struct gauges *g)
{
	scratch_put(GPU "/power/runtime_status", "suspended\n");
	gauges_read(g, 0, true);
	CHECK(g->gpus[0].asleep);
	CHECK_INT(value(g, GAUGE_VRAM_USED), -1);
	CHECK_INT(value(g, GAUGE_BUSY), -1);
	scratch_put(GPU "/power/runtime_status", "active\n");
	gauges_read(g, 0, false);
	CHECK(!g->gpus[0].asleep);
	CHECK_INT(value(g, GAUGE_VRAM_USED), 3000);
	CHECK_INT(value(g, GAUGE_BUSY), -1);
	gauges_read(g, 0, true);
	CHECK_INT(value(g, GAUGE_BUSY), 43);
}

/* ---- processes ---- */

static struct {
	unsigned int count;
	int64_t vram, gtt;
} told;

static void tell(void *ctx, const char *address, int64_t vram, int64_t gtt)
{
	(void)ctx;
	CHECK_TEXT(address, "0000:03:00.0");
	told.count++;
	told.vram += vram;
	told.gtt += gtt;
}

/* Descriptor 9 or 19 of a GPU. */
static void make_fd(int pid, const char *client)
{
	struct buf path BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 };
	int fd = client[0] == '9' ? 19 : 9;

	buf_addf(&path, "/proc/%d/fdinfo/%d", pid, fd);
	buf_addf(&text,
		 "pos:\t0\ndrm-driver:\tamdgpu\ndrm-client-id:\t%s\ndrm-pdev:\t0000:03:00.0\n"
		 "drm-memory-vram:\t1024 KiB\ndrm-memory-gtt:\t4 KiB\n",
		 client);
	scratch_put(path.data, text.data);
	buf_clear(&path);
	buf_addf(&path, "/proc/%d/fd/1", pid);
	scratch_put(path.data, "");
	buf_clear(&path);
	buf_addf(&path, "%s/proc/%d/fd/%d", scratch_top, pid, fd);
	CHECK(symlink("/dev/dri/renderD128", path.data) == 0);
}

static void make_process(int pid, const char *client)
{
	struct buf path BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 };

	buf_addf(&path, "/proc/%d/stat", pid);
	buf_addf(&text,
		 "%d (pt) main) S 1 1 1 0 -1 4194560 1 2 3 4 100 50 20 10 20 0 7 0 123 999 64 "
		 "18446744073709551615 1 1\n",
		 pid);
	scratch_put(path.data, text.data);
	buf_clear(&path);
	buf_addf(&path, "/proc/%d/io", pid);
	scratch_put(path.data, "rchar: 111\nwchar: 222\nread_bytes: 1\n");
	make_fd(pid, client);
}

static void round_of(struct process_gauges *p, struct door *d, const pid_t *pids, size_t count)
{
	struct process_reading r;

	told.count = 0;
	told.vram = told.gtt = 0;
	process_gauges_begin(p);
	for (size_t i = 0; i < count; i++)
		if (process_gauges_read(p, d, pids[i], &r))
			process_gauges_clients(p, d, pids[i], tell, NULL);
	process_gauges_end(p);
}

static void test_processes(struct door *d)
{
	static struct process_gauges p;
	struct process_reading r = { 0 };
	const pid_t pids[] = { 71, 72, 73, 74 };

	make_process(71, "5");
	make_process(72, "5"); /* inherited */
	make_process(73, "6");
	round_of(&p, d, pids, 4);
	CHECK_INT(p.count, 3);
	CHECK_INT(told.count, 2);
	CHECK_INT(told.vram, 2 << 20);
	CHECK_INT(told.gtt, 8 << 10);
	CHECK(process_gauges_read(&p, d, 71, &r));
	CHECK_TEXT(r.name, "pt) main");
	CHECK_INT(r.threads, 7);
	CHECK_INT(r.rss, 64 * sysconf(_SC_PAGESIZE));
	CHECK_INT(r.cpu_ms, 180 * 1000 / sysconf(_SC_CLK_TCK));
	CHECK_INT(r.read, 111);
	CHECK_INT(r.written, 222);
	CHECK(!process_gauges_read(&p, d, 74, &r));
	make_process(74, "8");
	for (int i = 0; i < 7; i++)
		round_of(&p, d, pids, 4);
	CHECK_INT(told.count, 3);
	make_fd(71, "9"); /* opened later */
	round_of(&p, d, pids, 4);
	CHECK_INT(told.count, 3);
	process_gauges_look(&p);
	round_of(&p, d, pids, 4);
	CHECK_INT(told.count, 4);
	round_of(&p, d, pids + 2, 1);
	CHECK_INT(p.count, 1);
	CHECK_INT(told.count, 1);
}

/* Of a process with a file for each of 64 partitions all are counted; of one with more it is said. */
static void test_many_files(struct door *d)
{
	static struct process_gauges p;
	struct process_reading r;

	make_process(80, "100");
	for (int fd = 200; fd < 264; fd++) {
		struct buf info BUF_SCOPED = { 0 }, path BUF_SCOPED = { 0 };

		buf_addf(&path, "/proc/80/fdinfo/%d", fd);
		buf_addf(&info,
			 "drm-driver:\tamdgpu\ndrm-client-id:\t%d\ndrm-pdev:\t0000:03:00.0\n"
			 "drm-memory-vram:\t1024 KiB\n",
			 fd);
		scratch_put(path.data, info.data);
		buf_clear(&path);
		buf_addf(&path, "%s/proc/80/fd/%d", scratch_top, fd);
		CHECK(symlink("/dev/dri/renderD128", path.data) == 0);
	}
	told.count = 0;
	process_gauges_begin(&p);
	CHECK(process_gauges_read(&p, d, 80, &r));
	CHECK(process_gauges_clients(&p, d, 80, tell, NULL));
	CHECK_INT(told.count, 65);
	for (int fd = 300; fd < 400; fd++) {
		struct buf path BUF_SCOPED = { 0 };

		buf_addf(&path, "%s/proc/80/fd/%d", scratch_top, fd);
		CHECK(symlink("/dev/dri/renderD128", path.data) == 0);
	}
	process_gauges_look(&p);
	CHECK(!process_gauges_clients(&p, d, 80, tell, NULL));
}

/* GPUs beyond those that a sample holds are counted. */
static void test_many_gpus(void)
{
	static struct gauges g;

	for (int i = 0; i < 40; i++) {
		struct buf path BUF_SCOPED = { 0 };

		buf_addf(&path, "/sys/bus/pci/devices/0000:%02x:00.0/class", 0x40 + i);
		scratch_put(path.data, "0x038000\n");
		buf_clear(&path);
		buf_addf(&path, "/sys/bus/pci/devices/0000:%02x:00.0/vendor", 0x40 + i);
		scratch_put(path.data, "0x1002\n");
	}
	CHECK_INT(gauges_open(&g, scratch_top), 0);
	CHECK_INT((long)g.count, GAUGES_GPUS);
	CHECK_INT((long)g.left_out, 41 - GAUGES_GPUS);
	gauges_done(&g);
}

static void hold(void *ctx, const char *address, int64_t vram)
{
	int64_t *sum = ctx;

	CHECK_TEXT(address, "0000:03:00.0");
	*sum += vram;
}

static void test_holders(void)
{
	static const char text[] = "process 8 1000 a\ndrm-driver: amdgpu\ndrm-pdev: 0000:03:00.0\n"
				   "drm-client-id: 4\ndrm-memory-vram: 1 KiB\n"
				   "process 9 1000 b\ndrm-driver: amdgpu\ndrm-pdev: 0000:03:00.0\n"
				   "drm-client-id: 4\ndrm-memory-vram: 1 KiB\n"
				   "process 9 1000 b\ndrm-driver: amdgpu\ndrm-pdev: 0000:03:00.0\n"
				   "drm-client-id: 7\ndrm-memory-vram: 2 KiB\ndenied 5\n";
	static const char silent[] = "process 8 1000 a\npos: 0\ndenied 0\n";
	unsigned int denied = 0;
	int64_t sum = 0;

	CHECK(process_holders_of(SPAN_LITERAL(text), hold, &sum, &denied));
	CHECK_INT(sum, 3 << 10);
	CHECK_INT(denied, 5);
	CHECK(!process_holders_of(SPAN_LITERAL(silent), hold, &sum, &denied));
	CHECK(process_holders_of(SPAN_LITERAL(""), hold, &sum, &denied));
}

int main(void)
{
	static struct gauges g;

	if (!scratch_begin())
		return check_end();
	make_gpu();
	if (CHECK(gauges_open(&g, scratch_top) == 0)) {
		test_files(&g);
		test_reset(&g);
		test_sleep(&g);
		test_processes(&g.door);
		test_many_files(&g.door);
		gauges_done(&g);
	}
	test_many_gpus();
	test_holders();
	scratch_end();
	return check_end();
}
