#include "run/sampler.h"

#include <poll.h>
#include <unistd.h>

#include "check.h"
#include "run/left-memory.h"
#include "run/sample-text.h"

static bool wait_for(struct sampler *p, struct sample *ret)
{
	for (int i = 0; i < 200; i++) {
		if (sampler_newest(p, ret))
			return true;
		poll(NULL, 0, 10);
	}
	return false;
}

static void test_this_process(void)
{
	static struct descendants descendants;
	struct sampler *p = sampler_open();
	struct sample now = { 0 };

	if (!CHECK(p) || !CHECK(wait_for(p, &now)))
		return;
	CHECK(now.host_total > 0 && now.host_used > 0 && now.host_used < now.host_total);
	descendants.pids[descendants.count++] = getpid();
	descendants.pids[descendants.count++] = 0x7ffffff0; /* none */
	sampler_follow(p, &descendants);
	sampler_hurry(p, false);
	CHECK(wait_for(p, &now));
	CHECK(now.threads >= 2 && now.rss > 100000 && now.cpu_ms >= 0 && now.read > 0);
	CHECK_INT(now.listed, 1);
	CHECK_INT(now.list[0].pid, getpid());
	CHECK_TEXT(now.list[0].name, "test-sampler");
	CHECK_INT(sampler_mend(p), 0);
}

static void test_words(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct sample p = { .gpu_count = 1,
			    .gpus = { { "0000:03:00.0", false, false, 1, 2, 3, 4, 5, -1, 7, 8, 9,
					10 } },
			    .host_used = 11,
			    .host_total = 12,
			    .swap_used = 0,
			    .cgroup_used = 13,
			    .cgroup_max = -1,
			    .processes = 1,
			    .threads = 2,
			    .rss = 3,
			    .cpu_ms = 4,
			    .read = 5,
			    .written = 6,
			    .listed = 1,
			    .list = { { 42, "pt main", 7, 8, 9 } } };
	struct progress g = { .epoch = 1,
			      .part = 0.37,
			      .loss = 0.5,
			      .percent = 33,
			      .known = PROGRESS_EPOCH | PROGRESS_LOSS | PROGRESS_PERCENT };

	sample_text(&b, &p);
	CHECK_TEXT(b.data, "gpu 0000:03:00.0 vram 1 2 gtt 3 4 job 5 others - busy 7 temp 8 sclk 9 "
			   "power 10\n"
			   "host used 11 total 12 swap 0\n"
			   "cgroup used 13 max -\n"
			   "job processes 1 threads 2 rss 3 cpu_ms 4 read 5 written 6\n"
			   "process 42 vram 7 gtt 8 rss 9 pt\\x20main\n");
	buf_clear(&b);
	progress_text(&b, &g);
	CHECK_TEXT(b.data, " epoch 1.37 loss 0.5 percent 33");
}

static void test_left(void)
{
	const int64_t g = (int64_t)1 << 30;

	CHECK_INT(left_memory_bytes(g, 0, 3 * g, 0), 2 * g);
	CHECK_INT(left_memory_bytes(g, 0, g + (g >> 2), 0), 0);  /* 256 MiB is not more */
	CHECK_INT(left_memory_bytes(g, 0, 3 * g, 2 * g), 0);     /* somebody else took it */
	CHECK_INT(left_memory_bytes(g, g, 3 * g, 2 * g), g);     /* or half of it */
	CHECK_INT(left_memory_bytes(4 * g, 3 * g, 4 * g, 0), 0); /* a neighbour went away */
	CHECK_INT(left_memory_bytes(-1, 0, 4 * g, 0), 0);
	CHECK_INT(left_memory_bytes(0, 0, -1, 0), 0);
}

int main(void)
{
	test_this_process();
	test_words();
	test_left();
	return check_end();
}
