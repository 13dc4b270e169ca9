#include "run/keeper.h"

#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "run/keeper-parts.h"

#define TICK_MS    20
#define VERDICT_MS 5000 /* for the watcher, at the end; 3.3 of it for memory that stays */
#define FRONT_MS   250  /* a shell that brings us to the front may tell nobody */

static void type(struct keeper *k, const struct pollfd *keys, const struct pollfd *master)
{
	struct terminal_keys typed = { 0 };

	if (keys->revents && !terminal_read(&k->terminal))
		k->keyboard = false;
	if (!k->job)
		typed.ends = terminal_drop(&k->terminal, k->share);
	else if (master->revents & POLLOUT && k->terminal.typed_count > 0)
		terminal_write(&k->terminal, k->job, &typed);
	if (typed.ends)
		keeper_ask_for_end(k);
	if (typed.stops)
		keeper_stop_job(k);
}

static bool waits_for_front(const struct keeper *k)
{
	return k->job && k->terminal.types && !k->keyboard;
}

static int patience_ms(const struct keeper *k)
{
	if (k->stage != STAGE_RUNS || k->hung_until)
		return TICK_MS;
	return waits_for_front(k) ? FRONT_MS : -1;
}

static void step(struct keeper *k)
{
	bool typed = k->terminal.typed_count > 0;
	struct pollfd fds[] = {
		{ .fd = k->signals, .events = POLLIN },
		{ .fd = k->over[0], .events = POLLIN },
		{ .fd = k->keyboard && !typed ? k->terminal.ours : -1, .events = POLLIN },
		{ .fd = typed && k->job ? k->terminal.master : -1, .events = POLLOUT },
	};
	char byte;

	poll(fds, 4, patience_ms(k));
	while (read(k->over[0], &byte, 1) == 1)
		;
	speech_look(&k->speech);
	keeper_take_signals(k);
	type(k, &fds[2], &fds[3]);
	if (waits_for_front(k))
		k->keyboard = terminal_take(&k->terminal, k->share);
	keeper_advance(k);
}

static void wait_for_watcher(struct keeper *k)
{
	uint64_t until = share_clock() + VERDICT_MS;

	while (k->watcher && !atomic_load(&k->share->told) && share_clock() < until &&
	       k->hurry == 0) {
		poll(&(struct pollfd){ .fd = k->signals, .events = POLLIN }, 1, 100);
		keeper_take_signals(k);
	}
}

static void finish(struct keeper *k, int exec_error, struct run_end *ret)
{
	uint32_t n;

	terminal_give_back(k->terminal.ours, k->share);
	if (k->job) /* stuck in the kernel: it will die of this when it leaves it */
		k->status = SIGKILL;
	k->share->status = k->status;
	k->share->exec_error = exec_error;
	k->hurry = 0;
	atomic_store(&k->share->asleep, true);
	atomic_store(&k->share->over, true);
	share_wake(k->share);
	wait_for_watcher(k);
	*ret = (struct run_end){ .status = k->status,
				 .exec_error = exec_error,
				 .hung = atomic_load(&k->share->hung),
				 .stopped = atomic_load(&k->share->asked) };
	n = atomic_load(&k->share->verdict_len);
	buf_add(&ret->verdict, k->share->verdict, n < SHARE_VERDICT_MAX ? n : 0);
	n = atomic_load(&k->share->told) ? k->share->plan_len : 0;
	buf_add(&ret->plan, k->share->plan, n < SHARE_PLAN_MAX ? n : 0);
}

int keeper_run(const struct run_order *order, struct run_end *ret)
{
	static struct keeper k;          /* 16 KiB of it are for the lists of children */
	struct launch launch = k.launch; /* of the attempt before: the signals as they were */
	bool first = !launch.arguments;
	int exec_error = 0;
	int r;

	launch.arguments = order->arguments;
	launch.survives = order->survive;
	k = (struct keeper){ .order = order,
			     .relays = { { .in = -1 }, { .in = -1 } },
			     .launch = launch };
	if (first)
		launch_set_aside(&k.launch);
	r = keeper_open(&k, first);
	if (r < 0)
		return r;
	keeper_note_children(&k);
	malloc_trim(0); /* what the check before the start has used */
	r = keeper_start(&k, &exec_error);
	if (r == 0)
		while (k.stage != STAGE_DONE)
			step(&k);
	finish(&k, exec_error, ret);
	ret->held = !keeper_close(&k);
	return r;
}
