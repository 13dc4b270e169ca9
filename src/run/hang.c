#include "run/hang.h"

#include <assert.h>

/*
 * Twenty usual steps: a validation between epochs takes about as long as some
 * steps, rarely as many. Three times the slowest: what has happened once may
 * come again, with more data. A minute: people do not mind, and below it stand
 * garbage collections, log rotations and the breath of a file server.
 */
#define TIMES_USUAL   20
#define TIMES_SLOWEST 3

#define WINDOW_MS  60000 /* in which nothing may happen, or half the limit if that is less */
#define SLACK_MS   2500  /* looks come once a second, on a busy machine later */
#define BYTES_LIFE (256 << 10)
#define NET_LIFE   (1 << 20) /* ranks that hang go on telling each other that they live */
#define DISK_KIB   64        /* from one look to the next: a machine at rest writes less */
#define CPU_IDLE   0.10      /* of one core: threads that wake up to look at a clock use less */
#define CPU_BUSY   0.02      /* while GPUs work: who only starts long kernels uses little more */
#define GPU_IDLE   5.0
#define GPU_BUSY   95.0

/* Above these a GPU that is busy does something. Sensors tremble by less. */
#define CPU_STILL    0.005
#define BYTES_STILL  (16 << 10)
#define VRAM_STILL   (64 << 10)
#define PROOF_MS     10000
#define QUIET_MS     5000
#define SHARED_STILL 0.05 /* of the highest clock and power */

/* The activity of the job and its GPUs in the window. */
struct summary {
	const struct hang_view *view;
	uint64_t limit, window;
	bool whole; /* the window was watched from its beginning to now */
	uint64_t ms;
	double cores; /* used; below 0: not known */
	size_t looks, runs, stuck;
	bool compiles, moves_bytes, sends, awaits_disk, stopped, asks, held;
	bool still; /* nor did the GPUs show that they do something */
	unsigned int idle, busy, between, unknown; /* GPUs */
};

static uint64_t limit_of(const struct hang_view *v)
{
	uint64_t limit = v->least_ms ? v->least_ms : HANG_LEAST_MS;

	if (v->steps < HANG_STEPS_LEAST)
		return 0;
	if ((double)limit < TIMES_USUAL * v->usual_ms)
		limit = (uint64_t)(TIMES_USUAL * v->usual_ms);
	if ((double)limit < TIMES_SLOWEST * v->slowest_ms)
		limit = (uint64_t)(TIMES_SLOWEST * v->slowest_ms);
	return limit;
}

static uint64_t window_of(uint64_t limit)
{
	return limit / 2 < WINDOW_MS ? limit / 2 : WINDOW_MS;
}

uint64_t hang_looks_from(const struct hang_view *v)
{
	uint64_t limit = limit_of(v);

	return limit ? v->last_step_ms + limit - window_of(limit) : 0;
}

static bool grew(int64_t from, int64_t to, int64_t least)
{
	return from >= 0 && to >= 0 && to - from >= least;
}

static void add_gpu(struct summary *s, const struct hang_look *looks, size_t count, unsigned int i)
{
	unsigned int known = 0;
	double sum = 0;

	for (size_t k = 0; k < count; k++)
		if (i < looks[k].gpu_count && looks[k].busy[i] >= 0) {
			sum += looks[k].busy[i];
			known++;
		}
	if (known * 2 < count)
		s->unknown++;
	else if (sum < GPU_IDLE * known)
		s->idle++;
	else if (sum > GPU_BUSY * known)
		s->busy++;
	else
		s->between++;
}

/* ---- does a busy GPU do anything? ---- */

static int64_t vram_of(const struct hang_reading *p)
{
	return p->vram;
}

static int64_t sclk_of(const struct hang_reading *p)
{
	return p->sclk;
}

static int64_t power_of(const struct hang_reading *p)
{
	return p->power;
}

static const struct gauge {
	int64_t (*value)(const struct hang_reading *p);
	int64_t least; /* a change is above this */
	double shared; /* and above this of the highest */
	bool tells;    /* what a GPU does: one of these must be known */
} gauges[] = {
	{ vram_of, VRAM_STILL, 0, false },
	{ sclk_of, 0, SHARED_STILL, true },
	{ power_of, 0, SHARED_STILL, true },
};

/* False: it was never told. */
static bool find_range(const struct gauge *g, const struct hang_look *looks, size_t count,
		       unsigned int gpu, int64_t *ret_low, int64_t *ret_high)
{
	bool known = false;

	for (size_t k = 0; k < count; k++) {
		int64_t v = gpu < looks[k].gpu_count ? g->value(&looks[k].readings[gpu]) : -1;

		if (v < 0)
			continue;
		*ret_low = known && *ret_low < v ? *ret_low : v;
		*ret_high = known && *ret_high > v ? *ret_high : v;
		known = true;
	}
	return known;
}

static bool is_gpu_still(const struct hang_look *looks, size_t count, unsigned int gpu)
{
	bool tells = false;

	for (size_t i = 0; i < sizeof(gauges) / sizeof(gauges[0]); i++) {
		const struct gauge *g = &gauges[i];
		int64_t low = 0, high = 0;

		if (!find_range(g, looks, count, gpu, &low, &high))
			continue;
		tells |= g->tells;
		if (high - low > g->least && (double)(high - low) > g->shared * (double)high)
			return false;
	}
	return tells;
}

static bool are_still(const struct summary *s, const struct hang_look *looks, size_t count)
{
	const struct hang_look *first = looks, *last = looks + count - 1;
	bool still = s->cores >= 0 && s->cores < CPU_STILL &&
		     !grew(first->bytes, last->bytes, BYTES_STILL);

	for (unsigned int i = 0; still && i < last->gpu_count && i < HANG_GPUS; i++)
		still = is_gpu_still(looks, count, i);
	return still && last->gpu_count > 0;
}

static void summarise(const struct hang_view *v, uint64_t window, struct summary *s)
{
	const struct hang_look *looks = v->looks, *first, *last;
	size_t count = v->count;

	*s = (struct summary){ .view = v, .limit = limit_of(v), .window = window, .cores = -1 };
	while (count > 1 && looks[1].at_ms + window <= v->now_ms) {
		looks++;
		count--;
	}
	for (size_t i = 0; i < count; i++) {
		s->looks++;
		s->runs += looks[i].runs;
		s->stopped |= looks[i].stopped;
		s->asks |= looks[i].asks;
		s->held |= looks[i].held;
		s->stuck += looks[i].gpu_stuck;
		s->compiles |= looks[i].compiler_runs;
	}
	if (count < 2)
		return;
	first = &looks[0];
	last = &looks[count - 1];
	s->whole = first->at_ms + window <= v->now_ms + SLACK_MS &&
		   last->at_ms + SLACK_MS >= v->now_ms;
	s->ms = last->at_ms - first->at_ms;
	s->moves_bytes = grew(first->bytes, last->bytes, BYTES_LIFE);
	s->sends = grew(first->moved, last->moved, NET_LIFE);
	if (first->cpu_ms >= 0 && last->cpu_ms >= 0 && s->ms > 0)
		s->cores = last->cpu_ms > first->cpu_ms
				   ? (double)(last->cpu_ms - first->cpu_ms) / (double)s->ms
				   : 0;
	for (size_t i = 1; i < count; i++) {
		const struct hang_look *a = &looks[i - 1], *b = &looks[i];

		/* Less CPU time than before: another compiler has come in the place of the first. */
		if (b->compiles > 0 &&
		    (b->compiles != a->compiles || b->compile_ms != a->compile_ms))
			s->compiles = true;
		if (a->blocked && b->blocked && grew(a->storage_kib, b->storage_kib, DISK_KIB))
			s->awaits_disk = true;
	}
	for (unsigned int i = 0; i < last->gpu_count && i < HANG_GPUS; i++)
		add_gpu(s, looks, count, i);
	s->still = are_still(s, looks, count);
}

/* ---- the rules ---- */

static bool is_complete(const struct summary *s)
{
	return s->view->complete;
}

static bool is_stopped(const struct summary *s)
{
	return s->stopped;
}

static bool is_held(const struct summary *s)
{
	return s->held;
}

static bool asks(const struct summary *s)
{
	return s->asks;
}

static bool compiles(const struct summary *s)
{
	return s->compiles;
}

static bool moves_bytes(const struct summary *s)
{
	return s->moves_bytes;
}

static bool sends(const struct summary *s)
{
	return s->sends;
}

static bool awaits_disk(const struct summary *s)
{
	return s->awaits_disk;
}

static bool was_reset(const struct summary *s)
{
	return s->view->reset;
}

static bool is_gpu_stuck(const struct summary *s)
{
	return s->stuck > 0;
}

/* On a machine that stalls, looks come late. They are waited for, one window long. */
static bool is_seen_late(const struct summary *s)
{
	return !s->whole && s->view->now_ms < s->view->last_step_ms + s->limit + s->window;
}

static bool is_unseen(const struct summary *s)
{
	return !s->whole || s->cores < 0;
}

/* On a machine that others use up, who would like to compute gets little to do it with. */
static bool computes(const struct summary *s)
{
	return 2 * s->runs >= s->looks || s->cores >= (s->busy ? CPU_BUSY : CPU_IDLE);
}

static bool has_gpu_at_work(const struct summary *s)
{
	return s->between > 0;
}

static bool has_busy_gpu(const struct summary *s)
{
	return s->busy > 0;
}

static bool has_unknown_gpu(const struct summary *s)
{
	return s->unknown > 0;
}

static bool has_idle_gpu(const struct summary *s)
{
	return s->idle > 0;
}

static bool always(const struct summary *s)
{
	(void)s;
	return true;
}

/* The first that holds decides. */
static const struct hang_rule {
	bool (*holds)(const struct summary *s);
	enum hang_kind kind;
	const char *says;
} rules[] = {
	{ is_complete, HANG_NONE, "the job has finished all the steps it announced" },
	{ is_stopped, HANG_NONE, "the job is stopped by a signal or a debugger" },
	{ is_held, HANG_NONE, "the job waits for a reader of its output" },
	{ asks, HANG_NONE, "the job waits for keyboard input" },
	{ compiles, HANG_NONE, "a compiler is running" },
	{ moves_bytes, HANG_NONE, "the job reads or writes files" },
	{ sends, HANG_NONE, "the job sends or receives over the network" },
	{ awaits_disk, HANG_NONE, "the job waits for a busy disk" },
	{ was_reset, HANG_DEVICE, "the kernel log reports a GPU hang or reset" },
	{ is_gpu_stuck, HANG_DEVICE, "the driver's files of a GPU do not answer" },
	{ is_seen_late, HANG_NONE, "the job has not been watched long enough yet" },
	{ is_unseen, HANG_UNCLEAR, "the processes of the job cannot be watched" },
	{ computes, HANG_SLOW, "the job uses the CPU" },
	{ has_gpu_at_work, HANG_SLOW, "a GPU is partly busy" },
	{ has_busy_gpu, HANG_DEVICE, "a GPU stays busy and every thread waits" },
	{ has_unknown_gpu, HANG_UNCLEAR, "every thread waits; GPU activity is unknown" },
	{ has_idle_gpu, HANG_HOST, "the GPU is idle and every thread waits" },
	{ always, HANG_HOST, "every thread waits" },
};

/* ---- is it proved? ---- */

static const struct hang_rule *find_rule(const struct summary *s)
{
	const struct hang_rule *rule = rules;

	while (!rule->holds(s))
		rule++;
	return rule;
}

/*
 * A second window, after the limit, of some looks at least. False: it is not over.
 * With `both` the first is summarised too.
 */
static bool is_over_again(const struct hang_view *view, const struct hang_verdict *v,
			  uint64_t least, bool both, struct summary *ret)
{
	uint64_t window = window_of(v->limit_ms), second = window < least ? least : window;

	summarise(view, both ? window + second : second, ret);
	return ret->whole && v->silent_ms >= v->limit_ms + second;
}

static const char *prove(const struct summary *s, const struct hang_verdict *v)
{
	struct summary second;

	if (v->kind == HANG_HOST) /* a job that worked in silence and rests a moment goes on */
		return is_over_again(s->view, v, QUIET_MS, true, &second) &&
				       find_rule(&second)->kind == HANG_HOST
			       ? "a second observation period showed the same"
			       : NULL;
	if (v->kind != HANG_DEVICE)
		return NULL;
	if (was_reset(s))
		return v->says;
	if (s->view->faulted)
		return "the kernel log reports a fault of that GPU";
	if (!is_over_again(s->view, v, PROOF_MS, false, &second))
		return NULL;
	if (second.stuck == second.looks)
		return "they did not answer in a second observation period";
	if (second.still)
		return "in a second observation period VRAM, clock and power of the GPU, disk and CPU time did not change";
	return NULL;
}

struct hang_verdict hang_decide(const struct hang_view *v)
{
	struct hang_verdict verdict = { .says = "fewer than three progress steps so far",
					.limit_ms = limit_of(v) };
	const struct hang_rule *rule;
	struct summary s;

	if (!verdict.limit_ms)
		return verdict;
	verdict.silent_ms = v->now_ms > v->last_step_ms ? v->now_ms - v->last_step_ms : 0;
	verdict.says = "the job makes progress";
	if (verdict.silent_ms < verdict.limit_ms)
		return verdict;
	summarise(v, window_of(verdict.limit_ms), &s);
	rule = find_rule(&s);
	verdict.kind = rule->kind;
	verdict.says = rule->says;
	verdict.computes = rule->holds == computes || rule->holds == compiles;
	verdict.proof = prove(&s, &verdict);
	return verdict;
}

const char *hang_kind_name(enum hang_kind kind)
{
	static const char *const names[] = { "none", "slow", "host-stall", "device-stall",
					     "unknown" };

	assert(kind <= HANG_UNCLEAR);
	return names[kind];
}
