#include "run/progress-rate.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/resumed.h"

#define TOLD_EVERY_MS 20 /* lines that tell something */
#define LOOK_EVERY_MS 2  /* others: a talkative job must not hide its progress */
#define LINES_BACK    4  /* in one piece of output */

/* ---- the place that a line tells ---- */

struct progress_rate_place {
	double major, minor;
};

static struct progress_rate_place place_of(const struct progress *g)
{
	struct progress_rate_place at = { 0 };

	if (g->known & PROGRESS_EPOCH)
		at.major = (double)g->epoch + g->part;
	if (g->known & PROGRESS_BATCH)
		at.minor = (double)g->batch;
	else if (g->known & PROGRESS_STEP)
		at.minor = (double)g->step;
	else if (g->known & PROGRESS_PERCENT)
		at.minor = g->percent;
	return at;
}

static bool is_beyond(struct progress_rate_place a, struct progress_rate_place b)
{
	return a.major > b.major || (a.major == b.major && a.minor > b.minor);
}

/*
 * Lines of one kind: the letters in front of the first digit, what they tell,
 * and of how many. Never 0.
 */
static uint64_t shape_of(struct span line, const struct progress *g)
{
	uint64_t h = 0xcbf29ce484222325 ^ (g->known & PROGRESS_PLACE);
	const long totals[] = { g->epochs, g->batches, g->steps };

	for (size_t i = 0; i < line.len && !isdigit((unsigned char)line.data[i]); i++) {
		if (line.data[i] == '\033') /* colours come and go */
			while (i + 1 < line.len && !isalpha((unsigned char)line.data[++i]))
				;
		else if (isalpha((unsigned char)line.data[i]))
			h = (h ^ (unsigned char)line.data[i]) * 0x100000001b3;
	}
	for (size_t i = 0; i < 3; i++)
		h = (h ^ (uint64_t)totals[i]) * 0x100000001b3;
	return h ? h : 1;
}

/* ---- steps ---- */

static struct progress_rate_track *track_of(struct progress_rate *p, uint64_t shape, bool *ret_new)
{
	struct progress_rate_track *oldest = &p->tracks[0];

	*ret_new = false;
	for (size_t i = 0; i < PROGRESS_RATE_TRACKS; i++) {
		if (p->tracks[i].shape == shape)
			return &p->tracks[i];
		if (p->tracks[i].used < oldest->used)
			oldest = &p->tracks[i];
	}
	*oldest = (struct progress_rate_track){ .shape = shape };
	*ret_new = true;
	return oldest;
}

static void go_to(struct progress_rate_track *t, struct progress_rate_place at)
{
	t->major = at.major;
	t->minor = at.minor;
	t->doubts = false;
}

/*
 * Less far than before is a rank that lags, or a new start: a place before the
 * half of what was reached, and then one behind it with none beyond in between.
 */
static bool advance(struct progress_rate_track *t, struct progress_rate_place at)
{
	struct progress_rate_place furthest = { t->major, t->minor };
	struct progress_rate_place behind = { t->behind_major, t->behind_minor };

	if (is_beyond(at, furthest) || (t->doubts && is_beyond(at, behind))) {
		go_to(t, at);
		return true;
	}
	if (is_beyond(furthest, at) && (at.major < t->major || at.minor * 2 < t->minor)) {
		t->doubts = true;
		t->behind_major = at.major;
		t->behind_minor = at.minor;
	}
	return false;
}

static int by_size(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

static void learn(struct progress_rate *p, uint64_t now_ms)
{
	float sorted[PROGRESS_RATE_INTERVALS];
	double interval = (double)(now_ms - p->last_step_ms);
	size_t n;

	if (p->steps++ == 0) {
		p->last_step_ms = now_ms;
		return;
	}
	p->last_step_ms = now_ms;
	p->intervals[p->interval_count++ % PROGRESS_RATE_INTERVALS] = (float)interval;
	n = p->interval_count < PROGRESS_RATE_INTERVALS ? p->interval_count
							: PROGRESS_RATE_INTERVALS;
	memcpy(sorted, p->intervals, n * sizeof(sorted[0]));
	qsort(sorted, n, sizeof(sorted[0]), by_size);
	p->usual_ms = (double)sorted[n / 2];
	if (interval > p->slowest_ms)
		p->slowest_ms = interval;
}

/*
 * A bar tells no epoch that another line has told ("Epoch 1/3", and then keras
 * counts batches), nor a loss that came in a line of its own.
 */
static struct progress complete(const struct progress_rate *p, struct progress g)
{
	const struct progress *was = &p->newest;

	if (!(g.known & PROGRESS_EPOCH) && was->known & PROGRESS_EPOCH) {
		g.known |= was->known & (PROGRESS_EPOCH | PROGRESS_EPOCHS);
		g.epoch = was->epoch;
		g.epochs = was->epochs;
		g.part = was->part;
	}
	if (!(g.known & PROGRESS_LOSS) && p->has_loss) {
		g.known |= PROGRESS_LOSS;
		g.loss = p->loss;
	}
	return g;
}

/* A loss that is NaN from the first line on may be how a program says that it has none yet. */
static void note_loss(struct progress_rate *p, const struct progress *g)
{
	if (isfinite(g->loss)) {
		p->was_finite = true;
	} else if (p->was_finite && !p->is_lost) {
		p->is_lost = true;
		p->lost = complete(p, *g);
	}
}

/* True: the line tells something. */
static bool take(struct progress_rate *p, int stream, struct span line, uint64_t now_ms)
{
	struct progress_rate_track *t;
	struct progress g;
	bool new;

	/* "Resuming from step 20" names the last step that is done, and is none. */
	if (!progress_parse(line, &g) || (p->steps == 0 && resumed_tells(line)))
		return false;
	p->lines++;
	p->told_ms = now_ms;
	if (g.known & PROGRESS_LOSS) {
		p->loss = g.loss;
		p->has_loss = true;
		note_loss(p, &g);
	}
	t = track_of(p, shape_of(line, &g), &new);
	t->used = p->lines;
	if (new)
		go_to(t, place_of(&g));
	if (new || !(g.known & PROGRESS_PLACE) || advance(t, place_of(&g))) {
		learn(p, now_ms);
		p->newest = complete(p, g);
		if (p->steps == 1)
			p->first = p->newest;
		p->stream = stream;
	}
	return true;
}

bool progress_rate_line(struct progress_rate *p, int stream, struct span line, uint64_t now_ms)
{
	unsigned int before = p->steps;

	return take(p, stream, line, now_ms) && p->steps != before;
}

/* ---- lines out of bytes ---- */

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

/* Cut the last line off that ends in the bytes and is not empty. False: there is none. */
static bool cut_last_line(struct span *bytes, struct span *ret)
{
	size_t end = bytes->len, start;

	while (end > 0 && !ends_line(bytes->data[end - 1]))
		end--;
	while (end > 0 && ends_line(bytes->data[end - 1]))
		end--;
	for (start = end; start > 0 && !ends_line(bytes->data[start - 1]);)
		start--;
	if (end == 0)
		return false;
	*ret = (struct span){ bytes->data + start, end - start };
	bytes->len = start;
	return true;
}

/* The kept rest of earlier bytes is the start of the first line here. */
static bool take_joined(struct progress_rate *p, int stream, struct span bytes, uint64_t now_ms)
{
	struct progress_rate_rest *rest = &p->rest[stream];
	char line[2 * PROGRESS_RATE_LINE];
	size_t n = 0;

	while (n < bytes.len && !ends_line(bytes.data[n]))
		n++;
	if (n == bytes.len || rest->torn || rest->count + n > sizeof(line) || rest->count + n == 0)
		return false;
	memcpy(line, rest->text, rest->count);
	memcpy(line + rest->count, bytes.data, n);
	n += rest->count;
	if (rest->tried == n) /* progress_rate_rest() has seen all of it */
		return false;
	return take(p, stream, (struct span){ line, n }, now_ms);
}

/* The last lines until one tells something. The first may have begun in earlier bytes. */
static void take_last(struct progress_rate *p, int stream, struct span bytes, bool begins,
		      uint64_t now_ms)
{
	struct span rest = bytes, line;

	for (int i = 0; i < LINES_BACK && cut_last_line(&rest, &line); i++)
		if (line.data > bytes.data && take(p, stream, line, now_ms))
			return;
	if (begins)
		take_joined(p, stream, bytes, now_ms);
}

static void keep_rest(struct progress_rate *p, int stream, struct span bytes)
{
	struct progress_rate_rest *rest = &p->rest[stream];
	size_t n = 0;

	while (n < bytes.len && !ends_line(bytes.data[bytes.len - 1 - n]))
		n++;
	if (n < bytes.len)
		*rest = (struct progress_rate_rest){ 0 };
	if (n > PROGRESS_RATE_LINE - rest->count) {
		rest->torn = true;
		return;
	}
	memcpy(rest->text + rest->count, bytes.data + bytes.len - n, n);
	rest->count += n;
}

static void keep_tail(struct progress_rate *p, int stream, struct span bytes)
{
	char *to = p->tails[stream].bytes;
	size_t n = bytes.len < PROGRESS_RATE_TAIL ? bytes.len : PROGRESS_RATE_TAIL;
	size_t kept = p->tails[stream].count;

	if (kept > PROGRESS_RATE_TAIL - n) {
		memmove(to, to + kept - (PROGRESS_RATE_TAIL - n), PROGRESS_RATE_TAIL - n);
		kept = PROGRESS_RATE_TAIL - n;
	}
	memcpy(to + kept, bytes.data + bytes.len - n, n);
	p->tails[stream].count = kept + n;
}

void progress_rate_catch_up(struct progress_rate *p)
{
	for (int i = 0; i < 2; i++) {
		struct span rest = { p->tails[i].bytes, p->tails[i].count }, line;

		while (cut_last_line(&rest, &line))
			if (take(p, i, line, p->rest[i].at_ms))
				break;
		p->tails[i].count = 0; /* seen */
	}
}

void progress_rate_bytes(struct progress_rate *p, int stream, struct span bytes, uint64_t now_ms)
{
	struct span tail = bytes;

	assert(stream == 0 || stream == 1);
	if (tail.len > 2 * PROGRESS_RATE_LINE)
		tail = (struct span){ bytes.data + bytes.len - 2 * PROGRESS_RATE_LINE,
				      2 * PROGRESS_RATE_LINE };
	if (now_ms >= p->told_ms + TOLD_EVERY_MS && now_ms >= p->looked_ms + LOOK_EVERY_MS) {
		p->looked_ms = now_ms;
		take_last(p, stream, tail, tail.len == bytes.len, now_ms);
	}
	keep_rest(p, stream, tail);
	keep_tail(p, stream, bytes);
	p->rest[stream].at_ms = now_ms;
}

void progress_rate_rest(struct progress_rate *p, uint64_t now_ms)
{
	for (int i = 0; i < 2; i++) {
		struct progress_rate_rest *rest = &p->rest[i];

		if (rest->torn || rest->count == rest->tried ||
		    now_ms < rest->at_ms + TOLD_EVERY_MS)
			continue;
		rest->tried = rest->count;
		progress_rate_line(p, i, (struct span){ rest->text, rest->count }, rest->at_ms);
	}
}
