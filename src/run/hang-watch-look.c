/* One look of the hang watch: the job's processes, its GPUs, and the kernel's lines about them. */

#include <string.h>

#include "base/names.h"
#include "gauges/threads.h"
#include "run/hang-watch.h"

_Static_assert(HANG_GPUS >= SAMPLE_GPUS, "every GPU of a sample is judged");

extern const char data_compilers[], data_gpu_waits[];

static void add_process(struct hang_look *l, pid_t pid, bool *moves)
{
	struct arena arena = { 0 };
	struct threads_one *threads;
	size_t count = threads_list(pid, false, &arena, &threads);
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
		l->compiler_runs = l->compiler_runs || (compiles && t->state == 'R');
		*moves = *moves || !strchr("TtZX", t->state);
	}
	l->asks = l->asks || threads_asks(pid);
	arena_done(&arena);
}

static bool is_used(const struct sample *p)
{
	for (unsigned int i = 0; i < p->gpu_count; i++)
		if (p->gpus[i].job > 0)
			return true;
	return false;
}

/* Older kernels do not tell of memory by KFD: then every GPU may be the job's. */
static bool may_be_its(const struct sample_gpu *g, bool told)
{
	return !g->asleep && (!told || g->job > 0 || g->stuck);
}

static void add_gpus(struct hang_look *l, const struct sample *p)
{
	bool told = is_used(p);

	for (unsigned int i = 0; i < p->gpu_count && l->gpu_count < HANG_GPUS; i++) {
		const struct sample_gpu *g = &p->gpus[i];

		if (!may_be_its(g, told))
			continue;
		l->gpu_stuck = l->gpu_stuck || g->stuck;
		l->readings[l->gpu_count] =
			(struct hang_reading){ g->vram_used, g->sclk, g->power };
		l->busy[l->gpu_count++] = (int8_t)(g->busy > 100 ? 100 : g->busy);
	}
}

static bool is_held(struct shared_memory *s)
{
	for (int i = 0; i < 2; i++)
		if (atomic_load(&s->streams[i].ring.head) !=
		    atomic_load(&s->streams[i].ring.passed))
			return true;
	return false;
}

static void look(struct hang_watch *w, const struct descendants *descendants, uint64_t now,
		 struct hang_look *ret)
{
	const struct sample *p = timeline_newest(w->timeline);
	struct hang_look l = { .at_ms = now,
			       .cpu_ms = HANG_UNKNOWN,
			       .bytes = HANG_UNKNOWN,
			       .held = is_held(w->shared),
			       .storage_kib = threads_storage_kib() };
	bool moves = false;

	if (w->count == 0) {
		w->has_gpu = false;
		w->connections.count = 0;
		w->connections.moved = 0;
	}
	l.moved = connections_look(&w->connections, descendants->pids, descendants->count);
	for (size_t i = 0; i < descendants->count; i++) {
		add_process(&l, descendants->pids[i], &moves);
		if (w->count == 0 && !w->has_gpu)
			w->has_gpu = threads_hold_gpu(descendants->pids[i]);
	}
	l.stopped = descendants->count > 0 && !moves;
	if (p) {
		l.at_ms = p->at_ms;
		l.cpu_ms = p->cpu_ms;
		l.bytes = p->read >= 0 && p->written >= 0 ? p->read + p->written : HANG_UNKNOWN;
		if (w->has_gpu)
			add_gpus(&l, p);
	}
	*ret = l;
}

void hang_watch_add_look(struct hang_watch *w, const struct descendants *descendants, uint64_t now)
{
	struct hang_look l;

	look(w, descendants, now, &l);
	if (w->count > 0 && w->looks[w->count - 1].at_ms == l.at_ms) /* the same sample again */
		w->count--;
	if (w->count == HANG_LOOKS)
		memmove(w->looks, w->looks + 1, --w->count * sizeof(w->looks[0]));
	w->looks[w->count++] = l;
}

/* A line that names no GPU may be about any; one of which nothing is sampled, too. */
static bool is_about_its(const struct sample *p, const char *address)
{
	if (!address[0] || !p || p->gpu_count == 0)
		return true;
	for (unsigned int i = 0; i < p->gpu_count; i++)
		if (strcmp(p->gpus[i].address, address) == 0)
			return may_be_its(&p->gpus[i], is_used(p));
	return false;
}

bool hang_watch_heard(const struct hang_watch *w, enum timeline_alarm kind)
{
	const struct timeline *t = w->timeline;

	for (size_t i = 0; i < t->alarm_count; i++)
		if (t->alarms[i].kind == kind && t->alarms[i].at_ms > t->rate.last_step_ms &&
		    is_about_its(timeline_newest(t), t->alarms[i].address))
			return true;
	return false;
}
