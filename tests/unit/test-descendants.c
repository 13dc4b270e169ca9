#include "door/descendants.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define THREADS 300

static int answer[2], go[2];

static void sleep_long(void)
{
	for (;;)
		pause();
}

/* A child that has a child itself, which says its number. */
static void *fork_twice(void *unused)
{
	pid_t child = fork(), pids[2] = { 0, 0 };

	if (child == 0) {
		pids[0] = getpid();
		pids[1] = fork();
		if (pids[1] == 0)
			sleep_long();
		(void)!write(answer[1], pids, sizeof(pids));
		sleep_long();
	}
	(void)unused;
	(void)!read(go[0], pids, 1);
	return NULL;
}

static void *wait_for_end(void *unused)
{
	char byte;

	(void)unused;
	(void)!read(go[0], &byte, 1);
	return NULL;
}

static size_t count_of(const struct descendants *d, pid_t pid)
{
	size_t count = 0;

	for (size_t i = 0; i < d->count; i++)
		count += d->pids[i] == pid;
	return count;
}

static void look(struct descendants *d, pid_t except)
{
	d->threads.next_ns = 0; /* the rest between two looks is over */
	descendants_below(getpid(), except, d);
}

/* What a thread has forked is found, once, and what is below it too. */
/* A machine that stalls may let a process wait for seconds between its number and its place in a list. */
static void check_wanted(void)
{
	const uint64_t s = 1000000000;
	struct descendants_threads t = { 0 };

	CHECK(descendants_wants_threads(&t, 7, 1 * s));
	CHECK(descendants_wants_threads(&t, 7, 5 * s));
	CHECK(!descendants_wants_threads(&t, 7, 30 * s));
	CHECK(descendants_wants_threads(&t, 8, 31 * s));
	t.next_ns = 40 * s;
	CHECK(!descendants_wants_threads(&t, 9, 39 * s));
	CHECK(descendants_wants_threads(&t, 9, 40 * s));
	CHECK(descendants_wants_threads(&t, 0, 90 * s));
	CHECK(descendants_wants_threads(&t, 0, 120 * s));
}

static void check_threads(void)
{
	static struct descendants d;
	pthread_t threads[THREADS];
	pid_t pids[2], first;

	CHECK(pipe(answer) == 0 && pipe(go) == 0);
	first = fork();
	if (first == 0)
		sleep_long();
	look(&d, 0);
	CHECK_INT(d.count, 1);
	for (int i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, wait_for_end, NULL);
	pthread_create(&threads[0], NULL, fork_twice, NULL);
	CHECK_INT(read(answer[0], pids, sizeof(pids)), sizeof(pids));
	look(&d, 0);
	CHECK_INT(d.count, 3);
	CHECK_INT(d.threads.read, THREADS + 1 + 3);
	for (int i = 0; i < 2; i++)
		CHECK_INT(count_of(&d, pids[i]), 1);
	CHECK_INT(count_of(&d, first), 1);
	d.threads.next_ns = UINT64_MAX; /* too early for the threads: what they told is kept */
	descendants_below(getpid(), 0, &d);
	CHECK_INT(count_of(&d, pids[0]), 1);
	CHECK_INT(count_of(&d, pids[1]), 1);
	look(&d, pids[0]);
	CHECK_INT(d.count, 1);
	for (int i = 0; i < THREADS; i++)
		CHECK_INT(write(go[1], "", 1), 1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	look(&d, 0); /* their thread is gone, and the first has them */
	CHECK_INT(count_of(&d, pids[0]), 1);
	kill(pids[1], SIGKILL);
	kill(pids[0], SIGKILL);
	kill(first, SIGKILL);
	while (wait(NULL) > 0)
		;
	look(&d, 0);
	CHECK_INT(d.count, 0);
}

/* A look is paid by rest, but not for time that a host has taken away from the machine. */
static void check_rest(void)
{
	const uint64_t ms = 1000000;

	CHECK_INT(descendants_rest_ns(20 * ms, 3000), 8000 * ms);
	CHECK_INT(descendants_rest_ns(2500 * ms, 5), 100 * ms);
	CHECK_INT(descendants_rest_ns(2500 * ms, 0), 0);
}

int main(void)
{
	check_rest();
	check_wanted();
	check_threads();
	return check_end();
}
