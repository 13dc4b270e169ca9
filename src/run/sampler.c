#include "run/sampler.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/sample-reader.h"
#include "run/thread.h"

#define THREADS_MAX 8 /* that stand, before no more are made */
#define STACK_BYTES ((size_t)256 << 10)

/* The place a thread reads: a GPU, the descriptors of a process, or neither. */
struct sampler_place {
	char gpu[16];
	pid_t pid;
};

/* One thread that samples. If it is stuck in the kernel it keeps this memory for ever. */
struct sampler_thread {
	struct sampler *of;
	unsigned int number;
	struct sampler_place place;
	bool back; /* it was stuck, came back, and another has replaced it */
	pid_t pids[DESCENDANTS_MAX];
	struct sample_reader reader;
};

struct sampler {
	pthread_mutex_t lock; /* never held while something is read */
	pthread_cond_t wake;
	unsigned int number; /* of the thread that counts; others end when they come back */
	uint64_t begun_ms;   /* when it began to read; 0: it rests */
	struct sampler_place place;
	struct sampler_place stuck[THREADS_MAX];
	size_t stuck_count;
	bool hurry, asks; /* a sample at once; also who holds memory */
	pid_t pids[DESCENDANTS_MAX];
	size_t pid_count;
	struct sample newest;
	bool fresh;
	struct sample_held held;
	bool held_fresh;
};

/* ---- where the thread is ---- */

static bool is_same(const struct sampler_place *a, const struct sampler_place *b)
{
	return a->pid == b->pid && strcmp(a->gpu, b->gpu) == 0;
}

/* Another has taken our place while we stood somewhere; that answers again. Under the lock. */
static void come_back(struct sampler_thread *s)
{
	struct sampler *p = s->of;

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
	struct sampler_thread *s = of;
	struct sampler *p = s->of;
	bool may = true;

	pthread_mutex_lock(&p->lock);
	if (p->number != s->number) {
		come_back(s);
		may = false;
	} else {
		s->place = (struct sampler_place){ .pid = pid };
		memccpy(s->place.gpu, gpu, '\0', sizeof(s->place.gpu) - 1);
		for (size_t i = 0; i < p->stuck_count; i++)
			may = may && !is_same(&p->stuck[i], &s->place);
		p->begun_ms = clock_ms();
		p->place = s->place;
	}
	pthread_mutex_unlock(&p->lock);
	return may;
}

/* ---- the thread ---- */

static bool hand_over(struct sampler_thread *s, bool *ret_asks)
{
	struct sampler *p = s->of;
	bool ours;

	pthread_mutex_lock(&p->lock);
	ours = p->number == s->number;
	if (ours) {
		p->newest = s->reader.now;
		p->fresh = true;
		p->begun_ms = 0;
		*ret_asks = p->asks && s->reader.now.gpu_count > 0;
	}
	pthread_mutex_unlock(&p->lock);
	return ours;
}

/* True: a sample is wanted at once. */
static bool rest(struct sampler_thread *s, uint64_t until)
{
	struct sampler *p = s->of;
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

static void ask_holders(struct sampler_thread *s)
{
	struct sampler *p = s->of;
	struct sample_held held;

	sample_reader_holders(&s->reader, &held);
	pthread_mutex_lock(&p->lock);
	if (p->number == s->number) {
		p->held = held;
		p->held_fresh = true;
		p->asks = false;
	}
	pthread_mutex_unlock(&p->lock);
}

static void work(struct sampler_thread *s)
{
	uint64_t next = clock_ms();
	bool asks = false;
	size_t count;

	for (;;) {
		stand_at(s, "", 0);
		pthread_mutex_lock(&s->of->lock);
		count = s->of->pid_count;
		memcpy(s->pids, s->of->pids, count * sizeof(s->pids[0]));
		pthread_mutex_unlock(&s->of->lock);
		sample_reader_take(&s->reader, s->pids, count);
		if (!hand_over(s, &asks))
			return;
		if (asks)
			ask_holders(s);
		next += SAMPLE_EVERY_MS;
		if (next < clock_ms())
			next = clock_ms() + SAMPLE_EVERY_MS;
		s->reader.brief = rest(s, next);
	}
}

static void *beat(void *of)
{
	struct sampler_thread *s = of;
	struct sampler *p = s->of;

	stand_at(s, "", 0);
	if (sample_reader_open(&s->reader, stand_at, s) == 0) {
		work(s);
		sample_reader_done(&s->reader);
	}
	pthread_mutex_lock(&p->lock);
	come_back(s);
	pthread_mutex_unlock(&p->lock);
	free(s);
	return NULL;
}

static int start(struct sampler *p)
{
	struct sampler_thread *s = calloc(1, sizeof(*s));
	pthread_t thread;
	sigset_t all, before;
	int r;

	if (!s)
		return -ENOMEM;
	s->of = p;
	s->number = p->number;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = thread_start(&thread, STACK_BYTES, beat, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r < 0)
		free(s);
	else
		pthread_detach(thread);
	return r;
}

struct sampler *sampler_open(void)
{
	struct sampler *p = calloc(1, sizeof(*p));
	pthread_condattr_t attributes;

	if (!p)
		return NULL;
	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&p->wake, &attributes);
	p->begun_ms = clock_ms();
	p->asks = true;
	if (start(p) < 0) {
		free(p);
		return NULL;
	}
	return p;
}

/* ---- the watcher's side ---- */

void sampler_follow(struct sampler *p, const struct descendants *descendants)
{
	pthread_mutex_lock(&p->lock);
	p->pid_count = descendants->count;
	memcpy(p->pids, descendants->pids, descendants->count * sizeof(p->pids[0]));
	pthread_mutex_unlock(&p->lock);
}

bool sampler_newest(struct sampler *p, struct sample *ret)
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

bool sampler_holders(struct sampler *p, struct sample_held *ret)
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

void sampler_hurry(struct sampler *p, bool holders)
{
	pthread_mutex_lock(&p->lock);
	p->hurry = true;
	p->fresh = false;
	p->asks = p->asks || holders;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
}

/* A thread that is stuck at no GPU and no process is not replaced: the next would stick too. */
unsigned int sampler_mend(struct sampler *p)
{
	unsigned int standing = 0;

	pthread_mutex_lock(&p->lock);
	if (p->begun_ms && clock_ms() - p->begun_ms >= SAMPLE_STUCK_MS &&
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
