#include "run/pulse.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "root/gauges.h"
#include "root/host-gauges.h"
#include "root/process-gauges.h"

#define THREADS_MAX 8 /* that stand, before no more are made */
#define STACK_BYTES ((size_t)256 << 10)

_Static_assert(PULSE_GPUS == GAUGES_GPUS, "one sample holds them all");

/* What one thread works with. One that stands keeps its own for ever. */
struct sampler {
	struct pulses *of;
	unsigned int number;
	struct gauges gauges;
	struct host_gauges host;
	struct process_gauges processes;
	pid_t pids[HEIRS_MAX];
	size_t pid_count;
	struct pulse now;
	struct pulse_process *whose; /* the process that is asked */
};

struct pulses {
	pthread_mutex_t lock; /* never held while something is read */
	unsigned int number;  /* of the thread that counts; others end when they come back */
	uint64_t begun_ms;    /* when it began to read; 0: it rests */
	int gpu;              /* that it reads; -1: none */
	pid_t pid;            /* whose GPU descriptors it reads; 0: none */
	bool stuck[PULSE_GPUS];
	pid_t stuck_pids[THREADS_MAX];
	unsigned int stuck_pid_count;
	pid_t pids[HEIRS_MAX];
	size_t pid_count;
	struct pulse newest;
	bool fresh;
};

/* ---- where the thread is ---- */

static void stand_at(struct sampler *s, int gpu, pid_t pid)
{
	struct pulses *p = s->of;

	pthread_mutex_lock(&p->lock);
	if (p->number == s->number) {
		p->begun_ms = share_clock();
		p->gpu = gpu;
		p->pid = pid;
	}
	pthread_mutex_unlock(&p->lock);
}

static bool is_left_out(struct sampler *s, size_t gpu)
{
	bool stuck;

	pthread_mutex_lock(&s->of->lock);
	stuck = s->of->stuck[gpu];
	pthread_mutex_unlock(&s->of->lock);
	return stuck;
}

/* ---- one sample ---- */

static void add(int64_t *to, int64_t bytes)
{
	if (bytes >= 0)
		*to = (*to >= 0 ? *to : 0) + bytes;
}

static void take_client(void *ctx, const char *address, int64_t vram, int64_t gtt)
{
	struct sampler *s = ctx;

	add(&s->whose->vram, vram);
	add(&s->whose->gtt, gtt);
	for (size_t i = 0; i < s->now.gpu_count; i++)
		if (strcmp(s->now.gpus[i].address, address) == 0)
			add(&s->now.gpus[i].job, vram);
}

static bool is_larger(const struct pulse_process *a, const struct pulse_process *b)
{
	return a->vram != b->vram ? a->vram > b->vram : a->rss > b->rss;
}

static void list_process(struct pulse *now, const struct pulse_process *one)
{
	size_t i = now->listed;

	if (i == PULSE_PROCESSES && !is_larger(one, &now->list[i - 1]))
		return;
	if (i < PULSE_PROCESSES)
		now->listed++;
	else
		i--;
	for (; i > 0 && is_larger(one, &now->list[i - 1]); i--)
		now->list[i] = now->list[i - 1];
	now->list[i] = *one;
}

static void take_process(struct sampler *s, pid_t pid)
{
	struct pulse_process one = { .pid = pid, .vram = PULSE_UNKNOWN, .gtt = PULSE_UNKNOWN };
	struct process_reading r;

	if (!process_gauges_read(&s->processes, &s->gauges.door, pid, &r))
		return;
	memcpy(one.name, r.name, sizeof(one.name));
	one.rss = r.rss;
	add(&s->now.threads, r.threads);
	add(&s->now.rss, r.rss);
	add(&s->now.cpu_ms, r.cpu_ms);
	add(&s->now.read, r.read);
	add(&s->now.written, r.written);
	s->whose = &one;
	if (s->now.gpu_count > 0) {
		stand_at(s, -1, pid);
		process_gauges_clients(&s->processes, &s->gauges.door, pid, take_client, s);
	}
	list_process(&s->now, &one);
}

static void take_processes(struct sampler *s)
{
	struct pulses *p = s->of;

	pthread_mutex_lock(&p->lock);
	s->pid_count = p->pid_count;
	memcpy(s->pids, p->pids, p->pid_count * sizeof(s->pids[0]));
	for (size_t i = 0; i < p->stuck_pid_count; i++)
		process_gauges_leave(&s->processes, p->stuck_pids[i]);
	pthread_mutex_unlock(&p->lock);
	process_gauges_begin(&s->processes);
	for (size_t i = 0; i < s->pid_count; i++)
		take_process(s, s->pids[i]);
	process_gauges_end(&s->processes);
	s->now.processes = (int64_t)s->pid_count;
}

static void take_gpu(struct sampler *s, size_t i)
{
	struct pulse_gpu *to = &s->now.gpus[i];
	const struct gauges_gpu *gpu = &s->gauges.gpus[i];

	stand_at(s, (int)i, 0);
	gauges_read(&s->gauges, i, to->job >= 0);
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
}

static void forget(struct sampler *s)
{
	struct pulse *now = &s->now;

	*now = (struct pulse){ .gpu_count = (unsigned int)s->gauges.count };
	for (size_t i = 0; i < now->gpu_count; i++) {
		now->gpus[i] =
			(struct pulse_gpu){ .vram_used = -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
		memcpy(now->gpus[i].address, s->gauges.gpus[i].address,
		       sizeof(now->gpus[i].address) - 1);
	}
	now->threads = now->rss = now->cpu_ms = now->read = now->written = PULSE_UNKNOWN;
}

static void take_sample(struct sampler *s)
{
	struct host_reading host;

	forget(s);
	host_gauges_read(&s->host, &host);
	s->now.host_used = host.used;
	s->now.host_total = host.total;
	s->now.swap_used = host.swap;
	s->now.cgroup_used = host.cgroup_used;
	s->now.cgroup_max = host.cgroup_max;
	take_processes(s);
	for (size_t i = 0; i < s->now.gpu_count; i++) {
		s->now.gpus[i].stuck = is_left_out(s, i);
		if (!s->now.gpus[i].stuck)
			take_gpu(s, i);
	}
	s->now.at_ms = share_clock();
	s->now.date_ms = share_date();
}

/* ---- the thread ---- */

/* False: another has taken our place while we stood somewhere; that answers again. */
static bool hand_over(struct sampler *s)
{
	struct pulses *p = s->of;
	bool ours;

	pthread_mutex_lock(&p->lock);
	ours = p->number == s->number;
	if (ours) {
		p->newest = s->now;
		p->fresh = true;
		p->begun_ms = 0;
	}
	pthread_mutex_unlock(&p->lock);
	return ours;
}

static void *beat(void *of)
{
	struct sampler *s = of;
	uint64_t next = share_clock(), now;

	stand_at(s, -1, 0);
	if (gauges_open(&s->gauges) < 0)
		return NULL;
	host_gauges_open(&s->host, &s->gauges.door);
	for (;;) {
		stand_at(s, -1, 0);
		take_sample(s);
		if (!hand_over(s))
			break;
		now = share_clock();
		next = next + PULSE_EVERY_MS > now ? next + PULSE_EVERY_MS : now + PULSE_EVERY_MS;
		poll(NULL, 0, (int)(next - now));
	}
	gauges_done(&s->gauges);
	host_gauges_done(&s->host);
	free(s);
	return NULL;
}

static int start(struct pulses *p)
{
	struct sampler *s = calloc(1, sizeof(*s));
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;
	int r;

	if (!s)
		return -ENOMEM;
	s->of = p;
	s->number = p->number;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	r = pthread_create(&thread, &attributes, beat, s);
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r != 0)
		free(s);
	return -r;
}

struct pulses *pulse_open(void)
{
	struct pulses *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	pthread_mutex_init(&p->lock, NULL);
	p->gpu = -1;
	p->begun_ms = share_clock();
	if (start(p) < 0) {
		free(p);
		return NULL;
	}
	return p;
}

/* ---- the watcher's side ---- */

void pulse_follow(struct pulses *p, const struct heirs *heirs)
{
	pthread_mutex_lock(&p->lock);
	p->pid_count = heirs->count;
	memcpy(p->pids, heirs->pids, heirs->count * sizeof(p->pids[0]));
	pthread_mutex_unlock(&p->lock);
}

bool pulse_newest(struct pulses *p, struct pulse *ret)
{
	bool fresh;

	pthread_mutex_lock(&p->lock);
	fresh = p->fresh;
	if (fresh)
		*ret = p->newest;
	p->fresh = false;
	pthread_mutex_unlock(&p->lock);
	return fresh;
}

uint64_t pulse_stands(struct pulses *p)
{
	uint64_t begun;

	pthread_mutex_lock(&p->lock);
	begun = p->begun_ms;
	pthread_mutex_unlock(&p->lock);
	return begun ? share_clock() - begun : 0;
}
