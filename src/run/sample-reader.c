#include "run/sample-reader.h"

#include <string.h>

#include "base/clock.h"
#include "gauges/process-holders.h"

#define SUDDEN_BYTES ((int64_t)16 << 20)

_Static_assert(SAMPLE_GPUS == GAUGES_GPUS, "one sample holds them all");

static void add(int64_t *to, int64_t bytes)
{
	if (bytes >= 0)
		*to = (*to >= 0 ? *to : 0) + bytes;
}

static void take_client(void *ctx, const char *address, int64_t vram, int64_t gtt)
{
	struct sample_reader *s = ctx;

	s->unsure = s->unsure || vram < 0;
	add(&s->one.vram, vram);
	add(&s->one.gtt, gtt);
	for (size_t i = 0; i < s->now.gpu_count; i++)
		if (strcmp(s->now.gpus[i].address, address) == 0)
			add(&s->now.gpus[i].job, vram);
}

static bool is_larger(const struct sample_process *a, const struct sample_process *b)
{
	return a->vram != b->vram ? a->vram > b->vram : a->rss > b->rss;
}

static void list_process(struct sample *now, const struct sample_process *one)
{
	size_t i = now->listed;

	if (i == SAMPLE_PROCESSES && !is_larger(one, &now->list[i - 1]))
		return;
	if (i < SAMPLE_PROCESSES)
		now->listed++;
	else
		i--;
	for (; i > 0 && is_larger(one, &now->list[i - 1]); i--)
		now->list[i] = now->list[i - 1];
	now->list[i] = *one;
}

static void take_process(struct sample_reader *s, pid_t pid)
{
	struct sample_process *one = &s->one;
	struct process_reading r;

	if (!process_gauges_read(&s->processes, &s->gauges.door, pid, &r))
		return;
	*one = (struct sample_process){
		.pid = pid, .vram = SAMPLE_UNKNOWN, .gtt = SAMPLE_UNKNOWN, .rss = r.rss
	};
	memcpy(one->name, r.name, sizeof(one->name));
	add(&s->now.threads, r.threads);
	add(&s->now.rss, r.rss);
	add(&s->now.cpu_ms, r.cpu_ms);
	add(&s->now.read, r.read);
	add(&s->now.written, r.written);
	if (s->now.gpu_count > 0 &&
	    (!s->stand_at(s->ctx, "", pid) ||
	     !process_gauges_clients(&s->processes, &s->gauges.door, pid, take_client, s)))
		s->unsure = true;
	list_process(&s->now, one);
}

static void take_processes(struct sample_reader *s, const pid_t *pids, size_t count)
{
	bool many = count > PROCESS_GAUGES;

	s->unsure = count == 0 || many;
	process_gauges_begin(&s->processes);
	for (size_t i = 0; i < count; i++)
		take_process(s, pids[i]);
	process_gauges_end(&s->processes);
	for (size_t i = 0; !s->unsure && i < s->now.gpu_count; i++)
		add(&s->now.gpus[i].job, 0);
	s->now.processes = (int64_t)count;
	if (many) /* a part of a sum is no sum */
		s->now.threads = s->now.rss = s->now.cpu_ms = s->now.read = s->now.written =
			SAMPLE_UNKNOWN;
}

static void take_gpu(struct sample_reader *s, size_t i)
{
	struct sample_gpu *to = &s->now.gpus[i];
	const struct gauges_gpu *gpu = &s->gauges.gpus[i];

	to->stuck = !s->stand_at(s->ctx, to->address, 0);
	if (to->stuck)
		return;
	/* One that may fall asleep is kept awake by its sensors, unless the job has it anyway. */
	gauges_read(&s->gauges, i, !s->brief && (!gpu->may_sleep || to->job > 0));
	to->asleep = gpu->asleep;
	to->vram_used = gpu->files[GAUGE_VRAM_USED].value;
	to->vram_total = gpu->files[GAUGE_VRAM_TOTAL].value;
	to->gtt_used = gpu->files[GAUGE_GTT_USED].value;
	to->gtt_total = gpu->files[GAUGE_GTT_TOTAL].value;
	to->busy = gpu->files[GAUGE_BUSY].value;
	to->temp = gpu->files[GAUGE_TEMP].value;
	to->sclk = gpu->files[GAUGE_SCLK].value;
	to->power = gpu->files[GAUGE_POWER].value;
	if (to->vram_used >= 0 && to->job >= 0)
		to->others = to->vram_used > to->job ? to->vram_used - to->job : 0;
	/* Memory that no process of the job explains: one of them may have opened the GPU just now. */
	if (to->others > s->others[i] + SUDDEN_BYTES)
		process_gauges_look(&s->processes);
	s->others[i] = to->others;
}

static void forget(struct sample_reader *s)
{
	struct sample *now = &s->now;

	*now = (struct sample){ .gpu_count = (unsigned int)s->gauges.count,
				.gpus_left_out = (unsigned int)s->gauges.left_out };
	for (size_t i = 0; i < now->gpu_count; i++) {
		now->gpus[i] =
			(struct sample_gpu){ .vram_used = -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
		memcpy(now->gpus[i].address, s->gauges.gpus[i].address,
		       sizeof(now->gpus[i].address) - 1);
	}
	now->threads = now->rss = now->cpu_ms = now->read = now->written = SAMPLE_UNKNOWN;
}

void sample_reader_take(struct sample_reader *s, const pid_t *pids, size_t count)
{
	struct host_reading host;

	forget(s);
	host_gauges_read(&s->host, &host);
	s->now.host_used = host.used;
	s->now.host_total = host.total;
	s->now.swap_used = host.swap;
	s->now.cgroup_used = host.cgroup_used;
	s->now.cgroup_max = host.cgroup_max;
	take_processes(s, pids, count);
	for (size_t i = 0; i < s->now.gpu_count; i++)
		take_gpu(s, i);
	s->now.at_ms = clock_ms();
	s->now.date_ms = clock_date_ms();
}

/* ---- who holds memory, of all processes ---- */

static void take_holder(void *ctx, const char *address, int64_t vram)
{
	struct sample_held *held = ctx;

	for (size_t i = 0; i < held->gpu_count; i++)
		if (strcmp(held->gpus[i].address, address) == 0)
			held->gpus[i].bytes += vram;
}

void sample_reader_holders(struct sample_reader *s, struct sample_held *ret)
{
	*ret = (struct sample_held){ .gpu_count = s->now.gpu_count };
	for (size_t i = 0; i < ret->gpu_count; i++)
		memcpy(ret->gpus[i].address, s->now.gpus[i].address, sizeof(ret->gpus[i].address));
	ret->known = s->stand_at(s->ctx, "", -1) &&
		     process_holders(&s->gauges.door, take_holder, ret, &ret->denied);
}

int sample_reader_open(struct sample_reader *s, sample_reader_stand_fn *stand_at, void *ctx)
{
	int r = gauges_open(&s->gauges, NULL);

	if (r < 0)
		return r;
	s->stand_at = stand_at;
	s->ctx = ctx;
	host_gauges_open(&s->host, &s->gauges.door);
	return 0;
}

void sample_reader_done(struct sample_reader *s)
{
	host_gauges_done(&s->host);
	gauges_done(&s->gauges);
}
