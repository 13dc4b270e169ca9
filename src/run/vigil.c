#include "run/vigil.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "run/speech.h"
#include "run/stacks.h"

#define GATHER_MS  (2 * STACKS_MS + 1000)
#define FILES_MAX  8 /* of one attempt */
#define NUMBER_MAX 999
#define RECORD_MAX (DIARY_PAYLOAD - 64)

void vigil_open(struct vigil *v, const struct run_order *order, struct share *share,
		struct evidence *evidence, struct timeline *timeline)
{
	memset(v, 0, sizeof(*v));
	v->order = order;
	v->share = share;
	v->evidence = evidence;
	v->timeline = timeline;
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

static struct hang_view view(const struct vigil *v, uint64_t now)
{
	const struct pace *p = &v->timeline->pace;

	return (struct hang_view){ .now_ms = now,
				   .steps = p->steps,
				   .last_step_ms = p->last_step_ms,
				   .usual_ms = p->usual_ms,
				   .slowest_ms = p->slowest_ms,
				   .complete = is_complete(&p->newest),
				   .least_ms = v->order->hang_after_ms,
				   .reset = vigil_heard(v, TIMELINE_STALL),
				   .faulted = vigil_heard(v, TIMELINE_FAULT),
				   .looks = v->looks,
				   .count = v->count };
}

/* ---- evidence ---- */

static bool may_end(const struct vigil *v)
{
	return v->order->on_hang >= RUN_HANG_END;
}

static bool is_to_end(const struct vigil *v)
{
	return may_end(v) && v->verdict.proof;
}

/* The proof in other words than what was found. */
static const char *proof_of(const struct vigil *v)
{
	bool more = v->verdict.proof && strcmp(v->verdict.proof, v->verdict.says) != 0;

	return more ? v->verdict.proof : "";
}

static void add_hang(const struct vigil *v, struct buf *out)
{
	buf_addf(out, "hang %s %llu %.0f ", hang_kind_name(v->verdict.kind),
		 (unsigned long long)v->verdict.silent_ms / 1000, v->timeline->pace.usual_ms);
	text_word(out, span_of(v->verdict.says));
	buf_char(out, '\n');
	if (is_to_end(v) && proof_of(v)[0]) {
		buf_text(out, "proof ");
		text_word(out, span_of(proof_of(v)));
		buf_char(out, '\n');
	}
}

static int open_file(struct vigil *v, int flags)
{
	struct buf path BUF_SCOPED = { 0 };

	if (!v->evidence->directory.len)
		return -1;
	buf_addf(&path, "%s/hang-%u.txt", v->evidence->directory.data, v->file);
	return open(path.data, flags | O_CLOEXEC, 0600);
}

/* Without a file the record says all that is known. */
static void gather(struct vigil *v, const struct heirs *heirs, uint64_t now)
{
	struct buf head BUF_SCOPED = { 0 };
	struct stacks_order order = { .pids = heirs->pids,
				      .count = heirs->count,
				      .kernel = buf_get(&v->timeline->kernel_told) };
	int fd;

	v->state = VIGIL_GATHERS;
	v->gather_until = now + GATHER_MS;
	v->kept++;
	do { /* an earlier attempt has its files here too */
		v->file++;
		fd = open_file(v, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
	} while (fd < 0 && errno == EEXIST && v->file < NUMBER_MAX);
	if (fd < 0)
		return;
	buf_addf(&head, "No progress for %llu s: %s (%s).\n",
		 (unsigned long long)v->verdict.silent_ms / 1000, v->verdict.says,
		 hang_kind_name(v->verdict.kind));
	order.head = buf_get(&head);
	v->gatherer = fork();
	if (v->gatherer == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, "rocsteady-look");
		stacks_write(fd, &order);
		_exit(0);
	}
	close(fd);
}

/* One that sleeps in the kernel is left there. */
static bool has_gathered(struct vigil *v, uint64_t now)
{
	if (v->gatherer > 0 && waitpid(v->gatherer, NULL, WNOHANG) == 0) {
		if (now < v->gather_until)
			return false;
		kill(v->gatherer, SIGKILL);
		(void)waitpid(v->gatherer, NULL, WNOHANG);
	}
	v->gatherer = 0;
	return true;
}

static bool read_file(struct vigil *v, struct buf *ret)
{
	(void)fd_head(open_file(v, O_RDONLY), STACKS_BYTES, ret);
	return ret->len > 0;
}

static void record(struct vigil *v, struct span text)
{
	diary_add(&v->evidence->diary, DIARY_HANG, share_date(), text);
	diary_sync(&v->evidence->diary);
}

static bool record_hang(struct vigil *v)
{
	struct buf text BUF_SCOPED = { 0 }, file BUF_SCOPED = { 0 };
	bool kept = read_file(v, &file);

	timeline_dump(v->timeline);
	add_hang(v, &text);
	if (kept) {
		buf_addf(&text, "file hang-%u.txt\n", v->file);
		stacks_threads(buf_get(&file), RECORD_MAX, &text);
	}
	record(v, buf_get(&text));
	return kept;
}

/* ---- what follows from it ---- */

static void add_seconds(struct buf *out, double ms)
{
	if (ms < 100)
		buf_addf(out, ms < 1 ? "less than 1 ms" : "%.0f ms", ms);
	else
		buf_addf(out, ms < 10000 ? "%.1f s" : "%.0f s", ms / 1000);
}

static void tell(struct vigil *v, bool kept)
{
	struct buf *l = &v->line;

	buf_clear(l);
	buf_text(l, "no progress for ");
	add_seconds(l, (double)v->verdict.silent_ms);
	buf_text(l, " (a step usually takes ");
	add_seconds(l, v->timeline->pace.usual_ms);
	buf_addf(l, "): %s: %s", hang_kind_name(v->verdict.kind), v->verdict.says);
	if (is_to_end(v) && proof_of(v)[0])
		buf_addf(l, "; %s", proof_of(v));
	if (kept)
		buf_addf(l, "; see %s/hang-%u.txt", v->evidence->directory.data, v->file);
	if (is_to_end(v))
		buf_text(l, "; the job is ended");
	else if (may_end(v) && v->verdict.kind == HANG_HOST)
		buf_text(l, "; the job is ended if that lasts");
	else if (may_end(v))
		buf_text(l, "; not ended, because long work would look the same");
}

static void say(struct vigil *v, uint64_t now)
{
	if (v->line.len > 0 && speech_say(v->share, buf_get(&v->line), now))
		buf_clear(&v->line);
}

static void conclude(struct vigil *v)
{
	bool first = v->again_ms == 0, kept = record_hang(v);

	v->state = VIGIL_TOLD;
	v->again_ms = 2 * v->verdict.silent_ms;
	if (first || is_to_end(v))
		tell(v, kept);
	if (is_to_end(v)) {
		buf_addf(&v->evidence->notes, "it was ended because it hung: %s%s%s\n",
			 v->verdict.says, proof_of(v)[0] ? "; " : "", proof_of(v));
		atomic_store(&v->share->hung, true);
		share_call(v->share);
	}
}

/* Progress has come back. */
static void calm_down(struct vigil *v)
{
	struct buf text BUF_SCOPED = { 0 };
	uint64_t last = v->timeline->pace.last_step_ms;

	if (v->state != VIGIL_CALM) {
		buf_addf(&text, "over %llu\n", (unsigned long long)(last - v->last_step_ms) / 1000);
		record(v, buf_get(&text));
	}
	buf_clear(&v->line);
	if (v->state == VIGIL_TOLD) {
		buf_text(&v->line, "progress again, after ");
		add_seconds(&v->line, (double)(last - v->last_step_ms));
	}
	v->state = VIGIL_CALM;
	v->last_step_ms = last;
	v->again_ms = 0;
	v->count = 0;
}

static void note_slow(struct vigil *v)
{
	struct buf text BUF_SCOPED = { 0 };

	if (v->state == VIGIL_CALM) {
		add_hang(v, &text);
		record(v, buf_get(&text));
	}
	v->state = VIGIL_SLOW;
}

/*
 * Evidence is kept once in a silence; with --on-hang=dump again whenever it has doubled,
 * and with --on-hang=end when there is a proof: two stacks tell whether anything moved.
 */
static bool is_due(const struct vigil *v, const struct hang_verdict *now)
{
	if (v->state == VIGIL_TOLD && may_end(v))
		return now->proof;
	if (v->state == VIGIL_TOLD)
		return v->order->on_hang == RUN_HANG_DUMP && v->kept < FILES_MAX &&
		       now->silent_ms >= v->again_ms;
	return true;
}

static void judge(struct vigil *v, const struct heirs *heirs, uint64_t now)
{
	struct hang_view seen = view(v, now);
	struct hang_verdict verdict = hang_decide(&seen);

	if (verdict.kind == HANG_NONE || !is_due(v, &verdict))
		return;
	if (verdict.kind == HANG_SLOW && v->state == VIGIL_TOLD)
		return;
	v->verdict = verdict;
	if (verdict.kind == HANG_SLOW)
		note_slow(v);
	else
		gather(v, heirs, now);
}

static bool is_silent(const struct vigil *v, uint64_t now)
{
	struct hang_view seen = view(v, now);
	uint64_t from = hang_looks_from(&seen);

	return from != 0 && now >= from;
}

static bool has_progress(const struct vigil *v)
{
	return v->timeline->pace.last_step_ms != v->last_step_ms;
}

void vigil_look(struct vigil *v, const struct heirs *heirs)
{
	uint64_t now = share_clock();

	if (v->state == VIGIL_GATHERS) {
		if (!has_gathered(v, now))
			return;
		conclude(v);
	}
	if (has_progress(v))
		calm_down(v);
	say(v, now);
	if (!is_silent(v, now) || atomic_load(&v->share->hung))
		return;
	pace_catch_up(&v->timeline->pace); /* a fast job's last line may not have been looked at */
	if (has_progress(v)) {
		calm_down(v);
		return;
	}
	vigil_take(v, heirs, now);
	judge(v, heirs, now);
}

void vigil_end(struct vigil *v)
{
	if (v->state != VIGIL_CALM && v->state != VIGIL_GATHERS && has_progress(v))
		calm_down(v);
	if (v->state == VIGIL_GATHERS) {
		v->gather_until = 0;
		(void)has_gathered(v, share_clock());
		(void)record_hang(v);
	}
	buf_done(&v->line);
}
