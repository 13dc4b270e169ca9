#include "run/hang-watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/fd.h"
#include "base/text.h"
#include "run/night.h"
#include "run/stacks.h"
#include "run/status-line.h"

#define GATHER_MS   (2 * STACKS_MS + STACKS_LOOK_MS + 1000)
#define FRAMES_MAX  40 /* lines of them in the journal */
#define SLOW_TIMES  10 /* limits until a job that computes without a step is spoken of */
#define FILES_MAX   8  /* of one attempt */
#define NUMBER_MAX  999
#define RECORD_MAX  (RUN_JOURNAL_PAYLOAD - 64)
#define FRAME_BYTES 160
#define LATE_MS     2000 /* between two looks: then the machine stood still, not only the job */

void hang_watch_open(struct hang_watch *w, const struct run_order *order,
		     struct shared_memory *shared, struct evidence *evidence,
		     struct timeline *timeline)
{
	memset(w, 0, sizeof(*w));
	w->order = order;
	w->shared = shared;
	w->evidence = evidence;
	w->timeline = timeline;
}

static void set_state(struct hang_watch *w, enum hang_watch_state state)
{
	static const char *const words[] = { "calm", "slow", "gathers", "told" };

	if (w->state != state)
		DEBUG(DEBUG_RUN, 0, "hang watch: %s, silent for %llu ms", words[state],
		      (unsigned long long)w->verdict.silent_ms);
	w->state = state;
}

/* ---- what the progress says ---- */

static bool is_at_end(const struct progress *p, unsigned int place, unsigned int most, long at,
		      long of)
{
	return (p->known & (place | most)) != (place | most) || at >= of;
}

/* All that it counts has reached its end, and it counts something. */
static bool is_complete(const struct progress *p)
{
	unsigned int ends = PROGRESS_EPOCHS | PROGRESS_BATCHES | PROGRESS_STEPS | PROGRESS_PERCENT;

	return p->known & ends &&
	       is_at_end(p, PROGRESS_EPOCH, PROGRESS_EPOCHS, p->epoch, p->epochs) &&
	       is_at_end(p, PROGRESS_BATCH, PROGRESS_BATCHES, p->batch, p->batches) &&
	       is_at_end(p, PROGRESS_STEP, PROGRESS_STEPS, p->step, p->steps) &&
	       (!(p->known & PROGRESS_PERCENT) || p->percent >= 100);
}

static struct hang_view view(const struct hang_watch *w, uint64_t now)
{
	const struct progress_rate *p = &w->timeline->rate;
	uint64_t since = p->last_step_ms > w->watched_from ? p->last_step_ms : w->watched_from;

	return (struct hang_view){ .now_ms = now,
				   .steps = p->steps,
				   .last_step_ms = since,
				   .usual_ms = p->usual_ms,
				   .slowest_ms = p->slowest_ms,
				   .complete = is_complete(&p->newest),
				   .least_ms = w->order->hang_after_ms,
				   .reset = hang_watch_heard(w, TIMELINE_STALL),
				   .faulted = hang_watch_heard(w, TIMELINE_FAULT),
				   .looks = w->looks,
				   .count = w->count };
}

/* ---- evidence ---- */

static bool may_end(const struct hang_watch *w)
{
	return w->order->on_hang >= RUN_HANG_END;
}

static bool is_to_end(const struct hang_watch *w)
{
	return may_end(w) && w->verdict.proof;
}

/* The proof in other words than what was found. */
static const char *proof_of(const struct hang_watch *w)
{
	bool more = w->verdict.proof && strcmp(w->verdict.proof, w->verdict.says) != 0;

	return more ? w->verdict.proof : "";
}

static void add_hang(const struct hang_watch *w, struct buf *out)
{
	buf_addf(out, "hang %s %llu %.0f ", hang_kind_name(w->verdict.kind),
		 (unsigned long long)w->verdict.silent_ms / 1000, w->timeline->rate.usual_ms);
	text_word(out, span_of(w->verdict.says));
	buf_char(out, '\n');
	if (is_to_end(w) && proof_of(w)[0]) {
		buf_text(out, "proof ");
		text_word(out, span_of(proof_of(w)));
		buf_char(out, '\n');
	}
}

static int open_file(struct hang_watch *w, int flags)
{
	struct buf path BUF_SCOPED = { 0 };

	if (!w->evidence->directory.len)
		return -1;
	buf_addf(&path, "hang-%u.txt", w->file);
	return openat(w->evidence->dir, path.data, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Without a file the record says all that is known. */
static void gather(struct hang_watch *w, const struct descendants *descendants, uint64_t now)
{
	struct buf head BUF_SCOPED = { 0 };
	struct stacks_order order = { .pids = descendants->pids,
				      .count = descendants->count,
				      .job = atomic_load(&w->shared->job),
				      .kernel = buf_get(&w->timeline->kernel_told) };
	int fd;

	set_state(w, HANG_WATCH_GATHERS);
	w->gather_until = now + GATHER_MS;
	w->kept++;
	do { /* an earlier attempt has its files here too */
		w->file++;
		fd = open_file(w, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
	} while (fd < 0 && errno == EEXIST && w->file < NUMBER_MAX);
	if (fd < 0)
		return;
	buf_addf(&head, "No progress for %llu s: %s (%s).\n",
		 (unsigned long long)w->verdict.silent_ms / 1000, w->verdict.says,
		 hang_kind_name(w->verdict.kind));
	order.head = buf_get(&head);
	w->gatherer = fork();
	if (w->gatherer == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, "rocsteady-look");
		stacks_write(fd, &order);
		_exit(0);
	}
	close(fd);
}

/* One that sleeps in the kernel is left there. */
static bool has_gathered(struct hang_watch *w, uint64_t now)
{
	if (w->gatherer > 0 && waitpid(w->gatherer, NULL, WNOHANG) == 0) {
		if (now < w->gather_until)
			return false;
		kill(w->gatherer, SIGKILL);
		(void)waitpid(w->gatherer, NULL, WNOHANG);
	}
	w->gatherer = 0;
	return true;
}

static void record(struct hang_watch *w, struct span text)
{
	run_journal_add(&w->evidence->journal, RUN_JOURNAL_HANG, clock_date_ms(), text);
	disk_sync(&w->evidence->disk);
}

static void add_words(struct buf *out, const char *key, const char *words)
{
	if (!words[0])
		return;
	buf_addf(out, "%s ", key);
	text_word(out, span_of(words));
	buf_char(out, '\n');
}

/* "means SAYS", "do STEP", "python WHY_NOT" and "frame LINE" of each frame. */
static void add_meaning(struct hang_watch *w, struct span file, struct buf *out)
{
	struct arena a = { 0 };
	struct stacks_found found;
	struct night_line line;
	struct span frame;

	stacks_find(file, &found);
	night_hang_of(&(struct night_hang){ .class = arena_text(&a, found.class),
					    .kind = hang_kind_name(w->verdict.kind),
					    .frames = found.main,
					    .file = found.file },
		      &a, &line);
	buf_clear(&w->means);
	buf_text(&w->means, line.says);
	buf_clear(&w->evidence->hang_step);
	buf_text(&w->evidence->hang_step, line.step);
	buf_clear(&w->evidence->hang_commands);
	buf_text(&w->evidence->hang_commands, line.commands);
	add_words(out, "means", line.says);
	add_words(out, "do", line.step);
	add_words(out, "python", night_python(found.python, &a));
	for (int i = 0;
	     i < FRAMES_MAX && out->len < RECORD_MAX / 2 && span_line(&found.all, &frame); i++) {
		buf_text(out, "frame ");
		text_word(out, text_cut(frame, FRAME_BYTES));
		buf_char(out, '\n');
	}
	arena_done(&a);
}

static bool record_hang(struct hang_watch *w)
{
	struct buf text BUF_SCOPED = { 0 }, file BUF_SCOPED = { 0 };

	(void)fd_head(open_file(w, O_RDONLY), STACKS_BYTES, &file);
	timeline_dump(w->timeline);
	add_hang(w, &text);
	add_meaning(w, buf_get(&file), &text);
	if (file.len > 0) {
		buf_addf(&text, "file hang-%u.txt\n", w->file);
		stacks_threads(buf_get(&file), RECORD_MAX, &text);
	}
	record(w, buf_get(&text));
	return file.len > 0;
}

/* ---- what follows from it ---- */

static void add_seconds(struct buf *out, double ms)
{
	if (ms < 100)
		buf_addf(out, ms < 1 ? "less than 1 ms" : "%.0f ms", ms);
	else
		buf_addf(out, ms < 10000 ? "%.1f s" : "%.0f s", ms / 1000);
}

static void tell(struct hang_watch *w, bool kept)
{
	struct buf *l = &w->line;

	buf_clear(l);
	buf_text(l, "no progress for ");
	add_seconds(l, (double)w->verdict.silent_ms);
	if (w->timeline->rate.usual_ms > 0) {
		buf_text(l, " (a step usually takes ");
		add_seconds(l, w->timeline->rate.usual_ms);
		buf_char(l, ')');
	}
	buf_addf(l, ": %s: %s", hang_kind_name(w->verdict.kind), w->verdict.says);
	if (is_to_end(w) && proof_of(w)[0])
		buf_addf(l, "; %s", proof_of(w));
	if (w->means.len > 0)
		buf_addf(l, "; %s", w->means.data);
	if (kept)
		buf_addf(l, "; stacks: %s/hang-%u.txt", w->evidence->directory.data, w->file);
	if (is_to_end(w))
		buf_text(l, "; stopping the job");
	else if (may_end(w) && w->verdict.kind == HANG_HOST)
		buf_text(l, "; the job will be stopped if this lasts");
	else if (may_end(w))
		buf_text(l, "; not stopped, because long work would look the same");
}

static void conclude(struct hang_watch *w)
{
	bool first = w->again_ms == 0, kept = record_hang(w);

	set_state(w, HANG_WATCH_TOLD);
	w->again_ms = 2 * w->verdict.silent_ms;
	if (first || is_to_end(w))
		tell(w, kept);
	if (is_to_end(w)) {
		buf_text(&w->evidence->notes, "stopped because it hung: ");
		if (w->means.len > 0)
			buf_addf(&w->evidence->notes, "%s; ", w->means.data);
		buf_addf(&w->evidence->notes, "%s%s%s\n", w->verdict.says,
			 proof_of(w)[0] ? "; " : "", proof_of(w));
		atomic_store(&w->shared->hung, true);
		shared_wake_keeper(w->shared);
	}
}

/* Progress has come back. */
static void calm_down(struct hang_watch *w)
{
	struct buf text BUF_SCOPED = { 0 };
	uint64_t last = w->timeline->rate.last_step_ms;
	uint64_t since = w->last_step_ms ? w->last_step_ms : w->timeline->started;

	if (w->state != HANG_WATCH_CALM) {
		buf_addf(&text, "over %llu\n", (unsigned long long)(last - since) / 1000);
		record(w, buf_get(&text));
	}
	buf_clear(&w->line);
	if (w->state == HANG_WATCH_TOLD) {
		buf_text(&w->line, "progress again, after ");
		add_seconds(&w->line, (double)(last - since));
	}
	set_state(w, HANG_WATCH_CALM);
	w->last_step_ms = last;
	w->again_ms = 0;
	w->spoken = false;
	w->count = 0;
}

/*
 * Evidence is kept once in a silence; with --on-hang=dump again whenever it has doubled,
 * and with --on-hang=end when there is a proof: two stacks tell whether anything moved.
 */
static bool is_due(const struct hang_watch *w, const struct hang_verdict *now)
{
	if (w->state == HANG_WATCH_TOLD && may_end(w))
		return now->proof;
	if (w->state == HANG_WATCH_TOLD)
		return w->order->on_hang == RUN_HANG_DUMP && w->kept < FILES_MAX &&
		       now->silent_ms >= w->again_ms;
	return true;
}

/* Ten minutes, if the user does not say otherwise. */
static uint64_t slow_limit(const struct hang_watch *w)
{
	return SLOW_TIMES * (w->order->hang_after_ms ? w->order->hang_after_ms : HANG_LEAST_MS);
}

/* Computing is no hang, and for so long it is worth a word: once, and the stacks are kept. */
static bool is_slow_for_long(const struct hang_watch *w, const struct hang_verdict *v)
{
	return v->computes && !w->spoken && w->state != HANG_WATCH_TOLD &&
	       v->silent_ms >= slow_limit(w);
}

static void judge(struct hang_watch *w, const struct descendants *descendants, uint64_t now)
{
	struct hang_view seen = view(w, now);
	struct hang_verdict verdict = hang_decide(&seen);
	struct buf text BUF_SCOPED = { 0 };

	if (is_slow_for_long(w, &verdict)) {
		verdict.kind = HANG_SLOW;
		w->verdict = verdict;
		w->spoken = true;
		gather(w, descendants, now);
		return;
	}
	if (verdict.kind == HANG_NONE || !is_due(w, &verdict))
		return;
	if (verdict.kind == HANG_SLOW && w->state == HANG_WATCH_TOLD)
		return;
	w->verdict = verdict;
	if (verdict.kind != HANG_SLOW) {
		gather(w, descendants, now);
		return;
	}
	if (w->state == HANG_WATCH_CALM) {
		add_hang(w, &text);
		record(w, buf_get(&text));
	}
	set_state(w, HANG_WATCH_SLOW);
}

static bool has_progress(const struct hang_watch *w)
{
	return w->timeline->rate.last_step_ms != w->last_step_ms;
}

/*
 * A virtual machine that its host lets wait, a job in a frozen control group or one that
 * was stopped with us: nobody has been silent in that time. The silence begins anew.
 */
static void note_standstill(struct hang_watch *w, uint64_t now)
{
	if (w->looked_ms && now - w->looked_ms > LATE_MS) {
		DEBUG(DEBUG_RUN, 0, "hang watch: no look for %llu ms",
		      (unsigned long long)(now - w->looked_ms));
		w->watched_from = now;
		w->count = 0;
	}
	w->looked_ms = now;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A job that hangs before its third step has taught us no limit: when it prints nothing for long. */
static void judge_start(struct hang_watch *w, const struct descendants *descendants, uint64_t now)
{
	const struct progress_rate *p = &w->timeline->rate;
	uint64_t since = later(later(p->rest[0].at_ms, p->rest[1].at_ms),
			       later(w->timeline->started, w->watched_from));

	if (w->spoken || w->state != HANG_WATCH_CALM || now < since + slow_limit(w))
		return;
	w->verdict = (struct hang_verdict){ .kind = HANG_UNCLEAR,
					    .says = "it has printed nothing, and fewer than three"
						    " progress steps before",
					    .silent_ms = now - since };
	w->spoken = true;
	gather(w, descendants, now);
}

void hang_watch_step(struct hang_watch *w, const struct descendants *descendants)
{
	uint64_t now = clock_ms(), from;
	struct hang_view seen;

	note_standstill(w, now);
	if (w->state == HANG_WATCH_GATHERS) {
		if (!has_gathered(w, now))
			return;
		conclude(w);
	}
	if (has_progress(w))
		calm_down(w);
	if (w->line.len > 0 && status_line_say(w->shared, buf_get(&w->line), now))
		buf_clear(&w->line);
	seen = view(w, now);
	from = hang_looks_from(&seen); /* 0: never */
	if (seen.steps < HANG_STEPS_LEAST)
		judge_start(w, descendants, now);
	if (from == 0 || now < from || atomic_load(&w->shared->hung))
		return;
	progress_rate_catch_up(
		&w->timeline->rate); /* a fast job's last line may not have been looked at */
	if (has_progress(w)) {
		calm_down(w);
		return;
	}
	hang_watch_add_look(w, descendants, now);
	judge(w, descendants, now);
}

void hang_watch_end(struct hang_watch *w)
{
	if (w->state != HANG_WATCH_CALM && w->state != HANG_WATCH_GATHERS && has_progress(w))
		calm_down(w);
	if (w->state == HANG_WATCH_GATHERS) {
		w->gather_until = 0;
		(void)has_gathered(w, clock_ms());
		(void)record_hang(w);
	}
	buf_done(&w->line);
	buf_done(&w->means);
}
