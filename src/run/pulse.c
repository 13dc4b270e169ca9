#include "run/pulse.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "run/sampler.h"

#define THREADS_MAX 8 /* that stand, before no more are made */
#define STACK_BYTES ((size_t)256 << 10)

/* Where a thread stands: at a GPU, at the descriptors of a process, or at neither. */
struct place {
	char gpu[16];
	pid_t pid;
};

/* One that stands keeps its own for ever. */
struct beater {
	struct pulses *of;
	unsigned int number;
	struct place place;
	bool back; /* and replaced */
	pid_t pids[HEIRS_MAX];
	struct sampler sampler;
};

struct pulses {
	pthread_mutex_t lock; /* never held while something is read */
	pthread_cond_t wake;
	unsigned int number; /* of the thread that counts; others end when they come back */
	uint64_t begun_ms;   /* when it began to read; 0: it rests */
	struct place place;
	struct place stuck[THREADS_MAX];
	size_t stuck_count;
	bool hurry, asks; /* a sample at once; also who holds memory */
	pid_t pids[HEIRS_MAX];
	size_t pid_count;
	struct pulse newest;
	bool fresh;
	struct pulse_held held;
	bool held_fresh;
};

/* ---- where the thread is ---- */

static bool is_same(const struct place *a, const struct place *b)
{
	return a->pid == b->pid && strcmp(a->gpu, b->gpu) == 0;
}

/* Another has taken our place while we stood somewhere; that answers again. Under the lock. */
static void come_back(struct beater *s)
{
	struct pulses *p = s->of;

	for (size_t i = 0; !s->back && i < p->stuck_count; i++)
		if (is_same(&p->stuck[i], &s->place)) {
			p->stuck[i] = p->stuck[--p->stuck_count];
			break;
		}
	s->back = true;
}

/* False: somebody stands there already, or we are replaced. */
static bool stand_at(void *of, const char *gpu, pid_t pid)
{
	struct beater *s = of;
	struct pulses *p = s->of;
	bool may = true;

	pthread_mutex_lock(&p->lock);
	if (p->number != s->number) {
		come_back(s);
		may = false;
	} else {
		s->place = (struct place){ .pid = pid };
		memccpy(s->place.gpu, gpu, '\0', sizeof(s->place.gpu) - 1);
		for (size_t i = 0; i < p->stuck_count; i++)
			may = may && !is_same(&p->stuck[i], &s->place);
		p->begun_ms = share_clock();
		p->place = s->place;
	}
	pthread_mutex_unlock(&p->lock);
	return may;
}

/* ---- the thread ---- */

static bool hand_over(struct beater *s, bool *ret_asks)
{
	struct pulses *p = s->of;
	bool ours;

	pthread_mutex_lock(&p->lock);
	ours = p->number == s->number;
	if (ours) {
		p->newest = s->sampler.now;
		p->fresh = true;
		p->begun_ms = 0;
		*ret_asks = p->asks && s->sampler.now.gpu_count > 0;
	}
	pthread_mutex_unlock(&p->lock);
	return ours;
}

/* True: a sample is wanted at once. */
static bool rest(struct beater *s, uint64_t until)
{
	struct pulses *p = s->of;
	struct timespec at = { .tv_sec = (time_t)(until / 1000),
			       .tv_nsec = (long)(until % 1000) * 1000000 };
	bool hurry;

	pthread_mutex_lock(&p->lock);
	if (p->number != s->number) { /* what follows is another's */
		pthread_mutex_unlock(&p->lock);
		return false;
	}
	p->begun_ms = 0;
	while (!p->hurry && pthread_cond_timedwait(&p->wake, &p->lock, &at) == 0)
		;
	hurry = p->hurry;
	p->hurry = false;
	pthread_mutex_unlock(&p->lock);
	return hurry;
}

static size_t take_pids(struct beater *s)
{
	struct pulses *p = s->of;
	size_t count;

	pthread_mutex_lock(&p->lock);
	count = p->pid_count;
	memcpy(s->pids, p->pids, count * sizeof(s->pids[0]));
	pthread_mutex_unlock(&p->lock);
	return count;
}

static void ask_holders(struct beater *s)
{
	struct pulses *p = s->of;
	struct pulse_held held;

	sampler_holders(&s->sampler, &held);
	pthread_mutex_lock(&p->lock);
	if (p->number == s->number) {
		p->held = held;
		p->held_fresh = true;
		p->asks = false;
	}
	pthread_mutex_unlock(&p->lock);
}

static void work(struct beater *s)
{
	uint64_t next = share_clock();
	bool asks = false;

	for (;;) {
		stand_at(s, "", 0);
		sampler_take(&s->sampler, s->pids, take_pids(s));
		if (!hand_over(s, &asks))
			return;
		if (asks)
			ask_holders(s);
		next += PULSE_EVERY_MS;
		if (next < share_clock())
			next = share_clock() + PULSE_EVERY_MS;
		s->sampler.brief = rest(s, next);
	}
}

static void *beat(void *of)
{
	struct beater *s = of;
	struct pulses *p = s->of;

	stand_at(s, "", 0);
	if (sampler_open(&s->sampler, stand_at, s) == 0) {
		work(s);
		sampler_done(&s->sampler);
	}
	pthread_mutex_lock(&p->lock);
	come_back(s);
	pthread_mutex_unlock(&p->lock);
	free(s);
	return NULL;
}

static int start(struct pulses *p)
{
	struct beater *s = calloc(1, sizeof(*s));
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
	pthread_condattr_t attributes;

	if (!p)
		return NULL;
	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&p->wake, &attributes);
	p->begun_ms = share_clock();
	p->asks = true;
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

bool pulse_holders(struct pulses *p, struct pulse_held *ret)
{
	bool fresh;

	pthread_mutex_lock(&p->lock);
	fresh = p->held_fresh;
	if (fresh)
		*ret = p->held;
	p->held_fresh = false;
	pthread_mutex_unlock(&p->lock);
	return fresh;
}

void pulse_hurry(struct pulses *p, bool holders)
{
	pthread_mutex_lock(&p->lock);
	p->hurry = true;
	p->fresh = false;
	p->asks = p->asks || holders;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
}

/* What stands at nothing in particular would stand there again. */
unsigned int pulse_mend(struct pulses *p)
{
	unsigned int standing = 0;

	pthread_mutex_lock(&p->lock);
	if (p->begun_ms && share_clock() - p->begun_ms >= PULSE_STUCK_MS &&
	    p->stuck_count < THREADS_MAX) {
		p->stuck[p->stuck_count++] = p->place;
		standing = (unsigned int)p->stuck_count;
		p->number++;
		p->begun_ms = 0;
		p->asks = false;
		if (p->place.gpu[0] || p->place.pid != 0)
			(void)start(p);
	}
	pthread_mutex_unlock(&p->lock);
	return standing;
}
