#include "run/watcher.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "run/evidence.h"
#include "run/heirs.h"
#include "run/ranks.h"
#include "run/terminal.h"
#include "run/timeline.h"
#include "run/vigil.h"

#define REST_MS     4 /* after few bytes, so that a talkative job does not wake us for each */
#define FEW         ((size_t)512 << 10)
#define FLOOD_MS    40     /* of rest: the processor is the job's */
#define FLOOD_BYTES 400000 /* in a millisecond */
#define LOOK_MS     1000   /* at the job's processes, and longest sleep */
#define FIRST_LOOK  10     /* the same for a young job: it has just started its processes */
#define BYTES_AHEAD ((size_t)8 << 20) /* scanned before anything else is looked at */

struct eyes {
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
	struct heirs heirs;
	struct ranks ranks;
	struct timeline timeline;
	struct vigil vigil;
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
 * output waits for the keeper only. A job that survives keeps its streams.
 */
static void keep_descriptors(struct watcher *w)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int *kept[] = { &w->life,          &w->terminal,     &w->share->call,  &w->relays[0].in,
			&w->relays[0].out, &w->relays[1].in, &w->relays[1].out };
	const size_t count = sizeof(kept) / sizeof(kept[0]);
	int from = 3, next; /* behind the standard ones */

	for (size_t i = 0; i < count; i++)
		if (*kept[i] >= 0 && *kept[i] < from)
			*kept[i] = fcntl(*kept[i], F_DUPFD_CLOEXEC, from);
	for (int fd = 0; fd < from; fd++)
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

static void miss(struct eyes *e, uint64_t n)
{
	atomic_fetch_add(&e->w->share->unscanned, n);
}

/* Who is overrun was late, and hastens; or it is a flood, and he rests. */
static void rest_in_a_flood(struct eyes *e, int stream)
{
	struct share_stream *s = &e->w->share->streams[stream];
	struct lap now = { share_bytes(s), share_clock() }, last = e->laps[stream];

	e->laps[stream] = now;
	if (now.bytes - last.bytes < (now.at_ms - last.at_ms) * FLOOD_BYTES ||
	    atomic_load(&e->w->share->over))
		return;
	atomic_store(&s->in_flood, true);
	poll(NULL, 0, FLOOD_MS);
	atomic_store(&s->in_flood, false);
}

static size_t scan_stream(struct eyes *e, int stream)
{
	struct share_ring *ring = &e->w->share->streams[stream].ring;
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
	n = share_take(ring, &e->at[stream], to, room, &missed);
	timeline_bytes(&e->timeline, stream, (struct span){ to, n });
	scanner_added(e->scanner, stream, n);
	miss(e, missed);
	if (missed > 0)
		rest_in_a_flood(e, stream);
	return n;
}

static void tell_failures(struct eyes *e)
{
	struct scanner_failure f;

	while (e->scanner && scanner_failure(e->scanner, &f)) {
		timeline_dump(&e->timeline);
		evidence_failure(&e->evidence, &f);
	}
}

/* How many bytes there were. */
static size_t read_on(struct eyes *e)
{
	struct share_event event;
	size_t total = 0, n = 1;

	while (n > 0 && total < BYTES_AHEAD) {
		n = scan_stream(e, 0) + scan_stream(e, 1);
		total += n;
	}
	if (total > 0)
		tell_failures(e);
	while (share_event(e->w->share, &e->event_at, &event))
		evidence_event(&e->evidence, &event);
	return total;
}

static void read_to_the_end(struct eyes *e)
{
	while (read_on(e) > 0)
		;
	if (e->scanner)
		scanner_end(e->scanner);
	tell_failures(e);
}

/* ---- looking ---- */

/* Seldomer with time, so that a journal of fixed size lasts for weeks. */
static void count(struct eyes *e, uint64_t now)
{
	struct share *s = e->w->share;
	uint64_t said = share_bytes(&s->streams[0]) + share_bytes(&s->streams[1]);

	if (said == e->said || now - e->counted < LOOK_MS ||
	    now - e->counted < (now - e->started) / 64)
		return;
	e->said = said;
	e->counted = now;
	evidence_output(&e->evidence, s);
}

static void look_at_ranks(struct eyes *e)
{
	struct ranks_news news;

	ranks_look(&e->ranks, &e->heirs, &news);
	for (size_t i = 0; i < news.came_count; i++)
		evidence_rank(&e->evidence, "rank", news.came[i].number, news.came[i].pid);
	if (news.ended)
		evidence_rank(&e->evidence, "rank-ended-first", news.ended->number,
			      news.ended->pid);
}

/*
 * A keeper that is dead, or dies (then a thread of it that still lives has them), has
 * no children: what was known of them before is what counts then.
 */
static void look_for_heirs(struct eyes *e)
{
	static struct heirs seen;

	heirs_below(e->w->share->keeper, getpid(), &seen);
	if (seen.count == 0 || getppid() != e->w->share->keeper)
		return;
	memcpy(e->heirs.pids, seen.pids, seen.count * sizeof(seen.pids[0]));
	e->heirs.count = seen.count;
	e->heirs.ticks = seen.ticks;
}

static void look(struct eyes *e)
{
	uint64_t now = share_clock();
	uint64_t every = now - e->started < LOOK_MS ? FIRST_LOOK : LOOK_MS;

	count(e, now);
	if (now - e->looked < every)
		return;
	e->looked = now;
	look_for_heirs(e);
	look_at_ranks(e);
	timeline_look(&e->timeline, &e->heirs);
	vigil_look(&e->vigil, &e->heirs);
}

/* False: the keeper is no more. */
static bool rest(struct eyes *e, size_t bytes_read)
{
	struct pollfd fd = { .fd = e->w->life, .events = POLLIN };
	uint64_t age = share_clock() - e->started;
	char bytes[64];
	ssize_t n = 1;

	if (bytes_read >= FEW)
		return true;
	if (bytes_read > 0)
		poll(NULL, 0, REST_MS);
	if (share_may_sleep(e->w->share, e->at))
		poll(&fd, 1, age < LOOK_MS ? FIRST_LOOK : LOOK_MS);
	while ((n = read(e->w->life, bytes, sizeof(bytes))) > 0)
		;
	return n != 0;
}

/* ---- after the keeper ---- */

static void take_over(struct eyes *e)
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
		count(e, share_clock());
		if (share_clock() - e->looked >= LOOK_MS) {
			e->looked = share_clock();
			timeline_look(&e->timeline, &e->heirs);
		}
		poll(NULL, 0, REST_MS);
	}
}

static void replace_keeper(struct eyes *e)
{
	struct watcher *w = e->w;
	int job = atomic_load(&w->share->job);

	terminal_give_back(w->terminal, w->share);
	read_on(e);
	for (int i = 0; i < 2; i++)
		share_pour(w->share, &w->share->streams[i]);
	evidence_word(&e->evidence, "keeper-died", w->share->keeper);
	evidence_output(&e->evidence, w->share);
	for (int i = 0; i < 2; i++)
		e->heirs.pipes[i] = w->share->pipes[i];
	if (w->order->survive)
		take_over(e);
	else if (job > 0)
		evidence_word(&e->evidence, "ended", (int64_t)heirs_end(job, &e->heirs));
	read_to_the_end(e);
	timeline_end(&e->timeline);
	evidence_output(&e->evidence, w->share);
	diary_sync(&e->evidence.diary);
}

void watcher_be(struct watcher *w)
{
	static struct eyes e; /* lists of children, and the samples of a minute */
	bool alive = true;

	e.w = w;
	e.started = share_clock();
	e.began_s = share_date() / 1000;
	leave_the_keeper(w);
	evidence_open(&e.evidence, w->order, w->share);
	timeline_open(&e.timeline, &e.evidence);
	vigil_open(&e.vigil, w->order, w->share, &e.evidence, &e.timeline);
	e.evidence.progress = &e.timeline.pace.newest;
	e.scanner = scanner_open(w->order->kb, w->order->facts);
	while (alive && !atomic_load(&w->share->over)) {
		size_t n = read_on(&e);

		look(&e);
		alive = rest(&e, n);
	}
	if (!atomic_load(&w->share->over)) {
		replace_keeper(&e);
	} else {
		read_to_the_end(&e);
		vigil_end(&e.vigil);
		timeline_end(&e.timeline);
		if (e.scanner)
			scanner_heard(e.scanner, e.timeline.classes,
				      buf_get(&e.timeline.kernel_told), e.began_s);
		evidence_end(&e.evidence, w->order, w->share, e.scanner);
	}
	atomic_store(&w->share->told, true);
	_exit(0);
}
