/* What the vigil sees: the job's processes, its GPUs, and the kernel's lines about them. */

#include <string.h>

#include "base/names.h"
#include "gauges/threads.h"
#include "run/vigil.h"

#define THREADS_MAX 1024

extern const char data_compilers[], data_gpu_waits[];

static void add_process(struct hang_look *l, pid_t pid, bool *moves)
{
	static struct threads_one threads[THREADS_MAX];
	size_t count = threads_list(pid, false, threads, THREADS_MAX);
	bool compiles = false;

	for (size_t i = 0; i < count; i++)
		if (threads[i].tid == pid)
			compiles = names_has(data_compilers, threads[i].name);
	l->compiles += compiles;
	for (size_t i = 0; i < count; i++) {
		const struct threads_one *t = &threads[i];

		if (compiles)
			l->compile_ms += t->cpu_ms;
		if (t->state == 'D' && !names_has(data_gpu_waits, t->wchan))
			l->blocked = true;
		l->runs = l->runs || t->state == 'R';
		*moves = *moves || !strchr("TtZX", t->state);
	}
	l->asks = l->asks || threads_asks(pid);
}

static bool is_used(const struct pulse *p)
{
	for (unsigned int i = 0; i < p->gpu_count; i++)
		if (p->gpus[i].job > 0)
			return true;
	return false;
}

/* Older kernels do not tell of memory by KFD: then every GPU may be the job's. */
static bool may_be_its(const struct pulse_gpu *g, bool told)
{
	return !g->asleep && (!told || g->job > 0 || g->stuck);
}

static void add_gpus(struct hang_look *l, const struct pulse *p)
{
	bool told = is_used(p);

	for (unsigned int i = 0; i < p->gpu_count && l->gpu_count < HANG_GPUS; i++) {
		const struct pulse_gpu *g = &p->gpus[i];

		if (!may_be_its(g, told))
			continue;
		l->gpu_stuck = l->gpu_stuck || g->stuck;
		l->pulses[l->gpu_count] = (struct hang_pulse){ g->vram_used, g->sclk, g->power };
		l->busy[l->gpu_count++] = (int8_t)(g->busy > 100 ? 100 : g->busy);
	}
}

static bool is_held(struct share *s)
{
	for (int i = 0; i < 2; i++)
		if (atomic_load(&s->streams[i].ring.head) !=
		    atomic_load(&s->streams[i].ring.passed))
			return true;
	return false;
}

static void look(struct vigil *v, const struct heirs *heirs, uint64_t now, struct hang_look *ret)
{
	const struct pulse *p = timeline_newest(v->timeline);
	struct hang_look l = { .at_ms = now,
			       .cpu_ms = HANG_UNKNOWN,
			       .bytes = HANG_UNKNOWN,
			       .held = is_held(v->share),
			       .storage_kib = threads_storage_kib() };
	bool moves = false;

	if (v->count == 0) {
		v->has_gpu = false;
		v->connections.count = 0;
		v->connections.moved = 0;
	}
	l.moved = connections_look(&v->connections, heirs->pids, heirs->count);
	for (size_t i = 0; i < heirs->count; i++) {
		add_process(&l, heirs->pids[i], &moves);
		if (v->count == 0 && !v->has_gpu)
			v->has_gpu = threads_hold_gpu(heirs->pids[i]);
	}
	l.stopped = heirs->count > 0 && !moves;
	if (p) {
		l.at_ms = p->at_ms;
		l.cpu_ms = p->cpu_ms;
		l.bytes = p->read >= 0 && p->written >= 0 ? p->read + p->written : HANG_UNKNOWN;
		if (v->has_gpu)
			add_gpus(&l, p);
	}
	*ret = l;
}

static void keep(struct vigil *v, const struct hang_look *l)
{
	if (v->count > 0 && v->looks[v->count - 1].at_ms == l->at_ms)
		v->count--;
	if (v->count == HANG_LOOKS)
		memmove(v->looks, v->looks + 1, --v->count * sizeof(v->looks[0]));
	v->looks[v->count++] = *l;
}

void vigil_take(struct vigil *v, const struct heirs *heirs, uint64_t now)
{
	struct hang_look l;

	look(v, heirs, now, &l);
	keep(v, &l);
}

/* A line that names no GPU may be about any; one of which nothing is sampled, too. */
static bool is_about_its(const struct pulse *p, const char *address)
{
	if (!address[0] || !p || p->gpu_count == 0)
		return true;
	for (unsigned int i = 0; i < p->gpu_count; i++)
		if (strcmp(p->gpus[i].address, address) == 0)
			return may_be_its(&p->gpus[i], is_used(p));
	return false;
}

bool vigil_heard(const struct vigil *v, enum timeline_alarm kind)
{
	const struct timeline *t = v->timeline;

	for (size_t i = 0; i < t->alarm_count; i++)
		if (t->alarms[i].kind == kind && t->alarms[i].at_ms > t->pace.last_step_ms &&
		    is_about_its(timeline_newest(t), t->alarms[i].address))
			return true;
	return false;
}
