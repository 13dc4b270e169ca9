#include <assert.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/debug.h"
#include "run/children.h"
#include "run/keeper.h"

#define GRACE_MS 500   /* for those who end by themselves, or by the terminal's hang-up */
#define TERM_MS  2000  /* between SIGTERM and SIGKILL */
#define KILL_MS  2000  /* then who is still there is stuck in the kernel */
#define HELD_MS  300   /* of silence in a pipe that a stranger keeps open */
#define HUNG_MS  10000 /* for a job that hangs to end by SIGTERM */

/*
 * A program that becomes us by exec may have had children, and a look at an ill
 * GPU may have left a reader that nobody can end.
 */
void keeper_note_children(struct keeper *k)
{
	descendants_below(k->shared->keeper, 0, &k->descendants);
	for (size_t i = 0; i < k->descendants.count && k->before_count < DESCENDANTS_MAX; i++)
		k->before[k->before_count++] = k->descendants.pids[i];
}

static bool was_before(const struct keeper *k, pid_t pid)
{
	for (size_t i = 0; i < k->before_count; i++)
		if (k->before[i] == pid)
			return true;
	return false;
}

static size_t signal_descendants(struct keeper *k, int number)
{
	size_t kept = 0;

	if (k->before_count == DESCENDANTS_MAX) /* whose the others are is not known */
		return k->descendants.count = 0;
	descendants_below(k->shared->keeper, k->watcher, &k->descendants);
	if (k->descendants.count == 0 && !children_are_listed())
		k->descendants.count = children_since(atomic_load(&k->shared->job), k->watcher,
						      k->descendants.pids, DESCENDANTS_MAX);
	for (size_t i = 0; i < k->descendants.count; i++)
		if (!was_before(k, k->descendants.pids[i]))
			k->descendants.pids[kept++] = k->descendants.pids[i];
	k->descendants.count = kept;
	for (size_t i = 0; number && i < k->descendants.count; i++) {
		kill(k->descendants.pids[i], number);
		if (number == SIGTERM)
			kill(k->descendants.pids[i], SIGCONT);
	}
	return k->descendants.count;
}

static void set_stage(struct keeper *k, enum stage stage)
{
	static const char *const words[] = { "runs", "grace", "term", "kill", "drain", "done" };

	assert(stage > k->stage); /* never back: who was told to end stays told */
	DEBUG(DEBUG_RUN, 0, "keeper: stage %s", words[stage]);
	k->stage = stage;
}

static void enter(struct keeper *k, enum stage stage, unsigned int ms)
{
	set_stage(k, stage);
	k->deadline = clock_ms() + ms;
	k->hurry = 0;
}

static void enter_drain(struct keeper *k)
{
	enter(k, STAGE_DRAIN, 0);
	k->quiet_since = 0;
	if (k->terminal.slave >= 0)
		close(k->terminal.slave);
	k->terminal.slave = -1;
}

/* Bytes that are on their way are waited for; a stranger who keeps a pipe open is not. */
static void drain(struct keeper *k)
{
	bool busy = false, held = false;
	uint64_t now = clock_ms();

	for (int i = 0; i < 2; i++) {
		struct relay *r = &k->relays[i];

		if (!r->started || atomic_load(&r->state) == RELAY_DONE)
			continue;
		held = true;
		busy = busy || k->order->leave || !relay_is_idle(r);
	}
	if (!held || k->hurry) {
		set_stage(k, STAGE_DONE);
	} else if (busy) {
		k->quiet_since = 0;
	} else if (!k->quiet_since) {
		k->quiet_since = now;
	} else if (now - k->quiet_since > HELD_MS) {
		shared_add_event(k->shared, SHARED_HELD, 0);
		set_stage(k, STAGE_DONE);
	}
}

static void end_descendants(struct keeper *k)
{
	static const struct {
		int number; /* sent when the stage before is over */
		enum shared_event_kind kind;
		enum stage next;
		unsigned int ms;
	} steps[] = {
		[STAGE_GRACE] = { SIGTERM, SHARED_TERMINATED, STAGE_TERM, TERM_MS },
		[STAGE_TERM] = { SIGKILL, SHARED_KILLED, STAGE_KILL, KILL_MS },
	};
	size_t left = signal_descendants(k, k->stage == STAGE_KILL ? SIGKILL : 0);

	if (left == 0) {
		enter_drain(k);
	} else if (k->hurry == 0 && clock_ms() < k->deadline) {
		return;
	} else if (k->stage == STAGE_KILL) {
		for (size_t i = 0; i < left; i++)
			shared_add_event(k->shared, SHARED_STUCK, k->descendants.pids[i]);
		enter_drain(k);
	} else {
		left = signal_descendants(k, steps[k->stage].number);
		shared_add_event(k->shared, steps[k->stage].kind, (int64_t)left);
		enter(k, steps[k->stage].next, steps[k->stage].ms);
	}
}

/* As if somebody had sent SIGTERM; then as those are ended who outlive the job. */
static void end_hung(struct keeper *k)
{
	if (!k->job || k->stage != STAGE_RUNS || !atomic_load(&k->shared->hung))
		return;
	if (!k->hung_until) {
		k->hung_until = clock_ms() + HUNG_MS;
		kill(-k->job, SIGTERM);
		kill(-k->job, SIGCONT);
		shared_add_event(k->shared, SHARED_HUNG, SIGTERM);
	} else if (clock_ms() >= k->hung_until) {
		enter(k, STAGE_GRACE, 0);
	}
}

void keeper_advance(struct keeper *k)
{
	end_hung(k);
	if (k->stage == STAGE_RUNS && !k->job) {
		if (k->order->leave)
			enter_drain(k);
		else
			enter(k, STAGE_GRACE, GRACE_MS);
	}
	if (k->stage >= STAGE_GRACE && k->stage <= STAGE_KILL)
		end_descendants(k);
	if (k->stage == STAGE_DRAIN)
		drain(k);
}
