#include "run/watcher.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/debug.h"
#include "run/evidence.h"
#include "run/hang-watch.h"
#include "run/left-processes.h"
#include "run/ranks.h"
#include "run/tail.h"
#include "run/terminal.h"
#include "run/timeline.h"

#define REST_MS     4 /* after few bytes, so that a talkative job does not wake us for each */
#define FEW         ((size_t)512 << 10)
#define FLOOD_MS    40     /* of rest: the processor is the job's */
#define FLOOD_BYTES 400000 /* in a millisecond */
#define LOOK_MS     1000   /* at the job's processes, and longest sleep */
#define FIRST_LOOK  10     /* the same for a young job: it has just started its processes */
#define BYTES_AHEAD ((size_t)8 << 20) /* scanned before anything else is looked at */

struct watcher_state {
	struct watcher *w;
	struct evidence evidence;
	struct scanner *scanner; /* NULL: the knowledge cannot be read */
	uint64_t at[2], event_at;
	uint64_t started, looked, counted;
	uint64_t began_s; /* since 1970 */
	uint64_t said;    /* bytes, when they were last counted */
	struct lap {
		uint64_t bytes, at_ms;
	} laps[2]; /* when we were last overrun */
	struct descendants descendants;
	struct ranks ranks;
	struct timeline timeline;
	struct hang_watch hang_watch;
};

/* ---- becoming one ---- */

/* The smallest of those that are kept, from a number on; INT_MAX: none. */
static int next_kept(int *const *kept, size_t count, int from)
{
	int next = INT_MAX;

	for (size_t i = 0; i < count; i++)
		if (*kept[i] >= from && *kept[i] < next)
			next = *kept[i];
	return next;
}

/*
 * Nothing of the keeper's stays open here: whoever waits for the end of our
 * output waits for the keeper only. A job that survives keeps its streams. With
 * ROCSTEADY_DEBUG standard error stays, and its reader waits for the watcher too.
 */
static void keep_descriptors(struct watcher *w)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int *kept[] = { &w->life,
			&w->terminal,
			&w->shared->keeper_pipe,
			&w->relays[0].in,
			&w->relays[0].out,
			&w->relays[0].aside[0],
			&w->relays[0].aside[1],
			&w->relays[1].in,
			&w->relays[1].out,
			&w->relays[1].aside[0],
			&w->relays[1].aside[1] };
	const size_t count = sizeof(kept) / sizeof(kept[0]);
	int from = 3, next; /* after the standard ones */

	for (size_t i = 0; i < count; i++)
		if (*kept[i] >= 0 && *kept[i] < from)
			*kept[i] = fcntl(*kept[i], F_DUPFD_CLOEXEC, from);
	for (int fd = 0; fd < from; fd++)
		if (fd < 2 || !DEBUG_ON(DEBUG_ALL))
			dup2(null, fd);
	while ((next = next_kept(kept, count, from)) != INT_MAX) {
		if (next > from)
			(void)close_range((unsigned int)from, (unsigned int)next - 1, 0);
		from = next + 1;
	}
	(void)close_range((unsigned int)from, ~0U, 0);
}

/* Those who end a whole session or group of ours do not mean us: we end last. */
static void leave_the_keeper(struct watcher *w)
{
	static const int deaf[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE };

	setsid();
	for (size_t i = 0; i < sizeof(deaf) / sizeof(deaf[0]); i++)
		signal(deaf[i], SIG_IGN);
	prctl(PR_SET_NAME, "rocsteady-watch");
	keep_descriptors(w);
}

/* ---- reading ---- */

static void miss(struct watcher_state *e, uint64_t n)
{
	atomic_fetch_add(&e->w->shared->unscanned, n);
}

/* Overrun: if the job writes faster than FLOOD_BYTES a millisecond, pause; else read on at once. */
static void rest_in_a_flood(struct watcher_state *e, int stream)
{
	struct shared_stream *s = &e->w->shared->streams[stream];
	struct lap now = { shared_bytes(s), clock_ms() }, last = e->laps[stream];

	e->laps[stream] = now;
	if (now.bytes - last.bytes < (now.at_ms - last.at_ms) * FLOOD_BYTES ||
	    atomic_load(&e->w->shared->over))
		return;
	atomic_store(&s->in_flood, true);
	poll(NULL, 0, FLOOD_MS);
	atomic_store(&s->in_flood, false);
}

static size_t scan_stream(struct watcher_state *e, int stream)
{
	struct shared_ring *ring = &e->w->shared->streams[stream].ring;
	uint64_t missed = 0, head = atomic_load(&ring->head);
	size_t room, n;
	char *to;

	if (head == e->at[stream])
		return 0;
	if (!e->scanner) {
		miss(e, head - e->at[stream]);
		e->at[stream] = head;
		return 0;
	}
	to = scanner_room(e->scanner, stream, &room);
	n = shared_take(ring, &e->at[stream], to, room, &missed);
	timeline_bytes(&e->timeline, stream, (struct span){ to, n });
	scanner_added(e->scanner, stream, n);
	miss(e, missed);
	if (missed > 0)
		rest_in_a_flood(e, stream);
	return n;
}

static void tell_failures(struct watcher_state *e)
{
	struct scanner_failure f;

	while (e->scanner && scanner_failure(e->scanner, &f)) {
		timeline_dump(&e->timeline);
		evidence_failure(&e->evidence, &f);
	}
}

/* Returns the number of bytes read. */
static size_t read_on(struct watcher_state *e)
{
	struct shared_event event;
	size_t total = 0, n = 1;
	uint64_t missed;

	while (n > 0 && total < BYTES_AHEAD) {
		n = scan_stream(e, 0) + scan_stream(e, 1);
		total += n;
	}
	if (total > 0)
		tell_failures(e);
	while (shared_event(e->w->shared, &e->event_at, &event, &missed)) {
		e->evidence.journal.left_out += missed;
		evidence_event(&e->evidence, &event);
	}
	return total;
}

static void read_to_the_end(struct watcher_state *e)
{
	static const char *const names[] = { "out", "err" };

	while (read_on(e) > 0)
		;
	if (e->scanner)
		scanner_end(e->scanner);
	tell_failures(e);
	for (int i = 0; i < 2 && e->scanner; i++)
		tail_write(scanner_tail(e->scanner, i), names[i], &e->evidence.journal);
}

/* ---- looking ---- */

/* Seldomer with time, so that a journal of fixed size lasts for weeks. */
static void count(struct watcher_state *e, uint64_t now)
{
	struct shared_memory *s = e->w->shared;
	uint64_t said = shared_bytes(&s->streams[0]) + shared_bytes(&s->streams[1]);

	if (said == e->said || now - e->counted < LOOK_MS ||
	    now - e->counted < (now - e->started) / 64)
		return;
	e->said = said;
	e->counted = now;
	evidence_output(&e->evidence, s);
}

static void look(struct watcher_state *e)
{
	static struct descendants seen;
	uint64_t now = clock_ms();
	uint64_t every = now - e->started < LOOK_MS ? FIRST_LOOK : LOOK_MS;
	int keeper = e->w->shared->keeper;
	struct ranks_news news;

	count(e, now);
	if (now - e->looked < every)
		return;
	e->looked = now;
	/*
	 * A keeper that is dead, or is dying while one of its threads still lives, has no
	 * children: then those count that were known before.
	 */
	descendants_below(keeper, getpid(), &seen);
	if (seen.count > 0 && getppid() == keeper) {
		memcpy(e->descendants.pids, seen.pids, seen.count * sizeof(seen.pids[0]));
		e->descendants.count = seen.count;
		e->descendants.ticks = seen.ticks;
	}
	ranks_look(&e->ranks, &e->descendants, &news);
	for (size_t i = 0; i < news.came_count; i++)
		evidence_rank(&e->evidence, "rank", news.came[i].number, news.came[i].pid);
	if (news.ended)
		evidence_rank(&e->evidence, "rank-ended-first", news.ended->number,
			      news.ended->pid);
	timeline_look(&e->timeline, &e->descendants);
	hang_watch_step(&e->hang_watch, &e->descendants);
}

/* False: the keeper is no more. */
static bool rest(struct watcher_state *e, size_t bytes_read)
{
	struct pollfd fd = { .fd = e->w->life, .events = POLLIN };
	uint64_t age = clock_ms() - e->started;
	char bytes[64];
	ssize_t n = 1;

	if (bytes_read >= FEW)
		return true;
	if (bytes_read > 0)
		poll(NULL, 0, REST_MS);
	if (shared_may_sleep(e->w->shared, e->at))
		poll(&fd, 1, age < LOOK_MS ? FIRST_LOOK : LOOK_MS);
	while ((n = read(e->w->life, bytes, sizeof(bytes))) > 0)
		;
	return n != 0;
}

/* ---- after the keeper ---- */

static void take_over(struct watcher_state *e)
{
	struct watcher *w = e->w;
	bool running = false;

	for (int i = 0; i < 2; i++) {
		w->relays[i].over = -1;
		if (relay_start(&w->relays[i]) == 0)
			running = running || w->relays[i].started;
	}
	while (running) {
		running = false;
		for (int i = 0; i < 2; i++)
			running = running || (w->relays[i].started &&
					      atomic_load(&w->relays[i].state) != RELAY_DONE);
		read_on(e);
		count(e, clock_ms());
		if (clock_ms() - e->looked >= LOOK_MS) {
			e->looked = clock_ms();
			timeline_look(&e->timeline, &e->descendants);
		}
		poll(NULL, 0, REST_MS);
	}
}

static void replace_keeper(struct watcher_state *e)
{
	struct watcher *w = e->w;
	int job = atomic_load(&w->shared->job);

	DEBUG(DEBUG_RUN, 0, "watcher: the keeper %d died; %s", w->shared->keeper,
	      w->order->survive ? "its relays are taken over" : "the job is ended");
	terminal_give_back(w->terminal, w->shared);
	read_on(e);
	for (int i = 0; i < 2 && !w->order->survive; i++) /* else the relays do it */
		shared_pour(w->shared, &w->shared->streams[i]);
	evidence_word(&e->evidence, "keeper-died", w->shared->keeper);
	evidence_output(&e->evidence, w->shared);
	if (w->order->survive)
		take_over(e);
	else if (job > 0)
		evidence_word(&e->evidence, "ended",
			      (int64_t)left_processes_end(job, &e->descendants, w->shared->pipes));
	read_to_the_end(e);
	timeline_end(&e->timeline);
	evidence_output(&e->evidence, w->shared);
	disk_close(&e->evidence.disk);
}

void watcher_be(struct watcher *w)
{
	static struct watcher_state e; /* lists of children, and the samples of a minute */
	bool alive = true;

	e.w = w;
	e.started = clock_ms();
	e.began_s = clock_date_ms() / 1000;
	leave_the_keeper(w);
	evidence_open(&e.evidence, w->order, w->shared);
	timeline_open(&e.timeline, &e.evidence);
	hang_watch_open(&e.hang_watch, w->order, w->shared, &e.evidence, &e.timeline);
	e.evidence.progress = &e.timeline.rate.newest;
	e.scanner = scanner_open(w->order->kb, w->order->facts);
	DEBUG(DEBUG_RUN, 0, "watcher: begins%s", e.scanner ? "" : ", without knowledge");
	while (alive && !atomic_load(&w->shared->over)) {
		size_t n = read_on(&e);

		look(&e);
		alive = rest(&e, n);
	}
	if (!atomic_load(&w->shared->over)) {
		replace_keeper(&e);
	} else {
		read_to_the_end(&e);
		hang_watch_end(&e.hang_watch);
		timeline_end(&e.timeline);
		if (e.scanner)
			scanner_heard(e.scanner, e.timeline.classes,
				      buf_get(&e.timeline.kernel_told), e.began_s);
		evidence_end(&e.evidence, w->order, w->shared, e.scanner);
	}
	DEBUG(DEBUG_RUN, 0, "watcher: over, %llu and %llu bytes seen, %llu not scanned",
	      (unsigned long long)e.at[0], (unsigned long long)e.at[1],
	      (unsigned long long)atomic_load(&w->shared->unscanned));
	atomic_store(&w->shared->told, true);
	_exit(0);
}
