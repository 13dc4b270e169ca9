#include "scan/scan.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug.h"
#include "base/memory.h"
#include "parse/needle.h"
#include "scan/newline.h"
#include "scan/undress.h"
#include "scan/watch.h"
#include "scan/window.h"

#define HITS_MAX 1024

/*
 * The limit of patterns for each megabyte of a log, in steps: so hostile text
 * takes no more time than any other. A usual pattern takes two to four steps a
 * byte, and a log in which every line meets three signatures needs 16 million.
 * Counted and not timed, so that an answer is the same on every host.
 */
#define MEGABYTE   ((uint64_t)1 << 20)
#define BUDGET_ALL (64 * MEGABYTE)  /* for all signatures together */
#define BUDGET_ONE (8 * MEGABYTE)   /* for one; long lines need seven */
#define GIVEN_UP   (BUDGET_ONE / 8) /* that a look costs which takes too many steps */

struct scan {
	struct watch *watches;
	size_t count;
	struct watch **met; /* of which a line was looked at */
	size_t met_count;
	struct watch **floods; /* of this piece */
	size_t flood_count;
	struct needle *needle;
	struct span *literals;
	unsigned int *owner; /* of each literal */
	struct watch_tools tools;
	struct needle_hit *hits;
	struct buf undressed;
	struct buf undressed_below;
	size_t awaiting; /* watches whose line below has not come */
	bool ending;     /* nothing comes behind this piece */
	struct window window;
	struct buf first; /* bytes of the text */
	struct apart apart;
	bool is_open;               /* the last line has no newline */
	uint64_t base;              /* offset of the window in the log */
	uint64_t done;              /* offset up to which hits were taken */
	uint64_t lines;             /* newlines before the window */
	struct watch_budget budget; /* of all signatures */
	uint64_t unasked;           /* lines that no pattern was shown any more */
	const struct scan_event **events;
};

static size_t literals_of(const struct signature *signatures, size_t count)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += signatures[i].literal_count;
	return total;
}

static void prepare(struct scan *s, const struct signature *signatures,
		    const struct needle_tables *made)
{
	size_t total = literals_of(signatures, s->count);
	size_t n = 0;

	s->watches = memory_new(s->count + 1, sizeof(*s->watches));
	s->met = memory_new(s->count + 1, sizeof(struct watch *));
	s->floods = memory_new(s->count + 1, sizeof(struct watch *));
	s->literals = memory_new(total + 1, sizeof(*s->literals));
	s->owner = memory_new(total + 1, sizeof(*s->owner));
	s->hits = memory_new(HITS_MAX, sizeof(*s->hits));
	s->events = memory_new(s->count + 1, sizeof(*s->events));
	watch_tools_open(&s->tools);
	for (size_t i = 0; i < s->count; i++) {
		s->watches[i].event.signature = &signatures[i];
		for (size_t k = 0; k < signatures[i].literal_count; k++, n++) {
			s->literals[n] = signatures[i].literals[k];
			s->owner[n] = (unsigned int)i;
		}
	}
	s->needle = needle_new(s->literals, total, made);
	assert(s->needle); /* kb_attach() takes no shorter literal */
}

struct scan *scan_new_made(const struct signature *signatures, size_t count,
			   const struct needle_tables *made)
{
	uint64_t began = DEBUG_NOW(DEBUG_SCAN);
	struct scan *s = memory_new(1, sizeof(*s));

	s->count = count;
	prepare(s, signatures, made);
	DEBUG(DEBUG_SCAN, began, "%zu signatures with %zu literals", count,
	      literals_of(signatures, count));
	return s;
}

struct scan *scan_new(const struct signature *signatures, size_t count)
{
	return scan_new_made(signatures, count, NULL);
}

void scan_close(struct scan *s)
{
	s->needle = needle_free(s->needle);
	buf_done(&s->undressed);
	buf_done(&s->undressed_below);
	window_done(&s->window);
	buf_done(&s->first);
	apart_done(&s->apart);
	free(s->floods);
	free(s->literals);
	free(s->owner);
	free(s->hits);
	s->floods = NULL;
	s->literals = NULL;
	s->owner = NULL;
	s->hits = NULL;
}

struct scan *scan_free(struct scan *s)
{
	if (!s)
		return NULL;
	scan_close(s);
	for (size_t i = 0; s->watches && i < s->count; i++)
		watch_done(&s->watches[i]);
	watch_tools_close(&s->tools);
	free(s->watches);
	free(s->met);
	free(s->events);
	free(s);
	return NULL;
}

void scan_again(struct scan *s)
{
	assert(s->needle);
	for (size_t i = 0; i < s->met_count; i++)
		watch_again(s->met[i]);
	watch_tools_again(&s->tools);
	window_again(&s->window);
	buf_clear(&s->first);
	apart_again(&s->apart);
	s->met_count = s->flood_count = s->awaiting = 0;
	s->ending = s->is_open = false;
	s->base = s->done = s->lines = s->unasked = 0;
	s->budget = (struct watch_budget){ 0 };
}

/* ---- a piece of the log ---- */

/* A walk over the hits of a piece. */
struct hit_walk {
	struct span text;
	size_t limit;       /* hits from here on belong to the next piece */
	struct watch *only; /* one to look at, from where its flood began, or NULL: all */
	size_t at;          /* newlines were counted up to here */
	uint64_t lines;
	struct cut cut;  /* the last line, or stretch of one */
	struct span own; /* the places that it was cut for */
	struct span line;
	bool is_bare; /* `line` is it, without its dress */
};

static uint64_t line_number(struct hit_walk *k, size_t at)
{
	if (at > k->at) {
		k->lines += newline_count((struct span){ k->text.data + k->at, at - k->at });
		k->at = at;
	}
	return k->lines + 1;
}

static struct span bare_line(struct scan *s, struct hit_walk *k)
{
	if (!k->is_bare)
		k->line = undress(&k->cut, &s->undressed);
	k->is_bare = true;
	return k->line;
}

/* The stretches lie as the log does, whatever piece of it is at hand. */
static struct stretch stretch_at(const struct scan *s, size_t at)
{
	size_t into = (size_t)((s->base + at) % SCAN_STRETCH);

	return (struct stretch){ at < into ? 0 : at - into, at - into + SCAN_STRETCH,
				 SCAN_OVERLAP };
}

/* Hits of one line come together: it is cut out once, and undressed if a pattern wants it. */
static void cut_line(const struct scan *s, struct hit_walk *k, size_t at)
{
	const char *place = k->text.data + at;
	struct stretch stretch;

	if (k->own.data && place >= k->own.data && place < k->own.data + k->own.len)
		return;
	k->cut = undress_cut(k->text, at, SCAN_REACH);
	k->own = k->cut.raw;
	k->is_bare = false;
	if (k->cut.whole && k->cut.raw.len <= SCAN_REACH)
		return;
	stretch = stretch_at(s, at);
	k->cut = undress_stretch(k->text, at, &stretch, &k->own);
}

/*
 * In a flood the literal is enough: the pattern is asked about the last line
 * of the piece only (prove_floods). First and last line and the samples are
 * exact all the same; the number is that of the literal's lines.
 */
static void count_flood(struct scan *s, struct watch *w, size_t at, uint64_t line_at,
			uint64_t number)
{
	if (!w->flood.on) {
		w->flood = (struct watch_flood){
			true, at, at, w->seen_at, w->event.count, w->event.last_line
		};
		s->floods[s->flood_count++] = w;
		DEBUG(DEBUG_SCAN, 0, "line %llu: a flood of %s; only its literal is looked for",
		      (unsigned long long)number, w->event.signature->id);
	}
	w->flood.last = at;
	w->seen_at = line_at;
	watch_count(w, number);
}

/* Does the line match? Never shown itself: a log has tokens and names in it. */
static bool matches(struct scan *s, struct hit_walk *k, struct watch *w, uint64_t number)
{
	uint64_t began = DEBUG_NOW(DEBUG_SCAN);
	uint64_t given_up = s->tools.given_up;
	struct span line = bare_line(s, k);
	uint64_t paid = watch_price(w, line.len);
	bool holds = watch_matches(w, &s->tools, line);

	if (s->tools.given_up > given_up)
		w->budget.spent += GIVEN_UP;
	else if (watch_price(w, line.len) > paid)
		w->budget.spent += watch_price(w, line.len) - paid;
	w->budget.spent += w->counted.cost;
	DEBUG(DEBUG_SCAN, began, "line %llu: a literal of %s, %s", (unsigned long long)number,
	      w->event.signature->id,
	      w->broken ? "whose pattern does not compile"
	      : w->event.signature->pattern
		      ? (holds ? "the pattern matches" : "the pattern does not match")
	      : holds ? "which is enough"
		      : "inside a longer word");
	return holds;
}

/* ---- the budget ---- */

/* False: it is spent for this megabyte. */
static bool spend(struct watch_budget *b, uint64_t megabyte, uint64_t steps, uint64_t most)
{
	if (b->megabyte != megabyte)
		*b = (struct watch_budget){ .megabyte = megabyte };
	if (b->spent + steps > most)
		return false;
	b->spent += steps;
	return true;
}

static bool may_ask(struct scan *s, const struct hit_walk *k, struct watch *w, size_t at)
{
	uint64_t megabyte = (s->base + at) / MEGABYTE;
	uint64_t steps = watch_price(w, k->cut.raw.len);

	if (spend(&w->budget, megabyte, steps, BUDGET_ONE) &&
	    spend(&s->budget, megabyte, steps, BUDGET_ALL))
		return true;
	if (s->unasked++ == 0)
		DEBUG(DEBUG_SCAN, 0, "the budget is spent at %s", w->event.signature->id);
	return false;
}

/* ---- the line below ---- */

/* Behind empty lines, and in a line of JSON behind escaped ones. */
static size_t next_line(struct span text, size_t at)
{
	for (size_t step = 1; step > 0; at += step) {
		bool ends = at < text.len && (text.data[at] == '\n' || text.data[at] == '\r');
		bool escaped = at + 1 < text.len && text.data[at] == '\\' &&
			       (text.data[at + 1] == 'n' || text.data[at + 1] == 'r');

		step = ends ? 1 : escaped ? 2 : 0;
	}
	return at;
}

/* The line below may come with a later piece: until then the watch keeps its own line. */
static void conclude(struct scan *s, struct watch *w, struct span text)
{
	struct watch_await *await = &w->await;
	size_t at = await->at < s->base ? text.len : next_line(text, (size_t)(await->at - s->base));
	struct span rest = { text.data + at, text.len - at };
	bool is_there = rest.len > SCAN_REACH || newline_end(rest) < rest.len || s->ending;
	struct span below;
	struct cut cut;

	if (!is_there && await->at >= s->base) {
		await->at = s->base + at;
		return;
	}
	await->on = false;
	s->awaiting--;
	if (rest.len == 0)
		return;
	cut = undress_cut(text, at, SCAN_REACH);
	below = undress(&cut, &s->undressed_below);
	if (watch_holds_below(w, &s->tools, below) &&
	    watch_matches(w, &s->tools, buf_get(&await->line)))
		watch_keep(w, &s->tools,
			   &(struct watch_lines){ await->number, buf_get(&await->line), below });
}

static void conclude_all(struct scan *s, struct span text)
{
	for (size_t i = 0; s->awaiting > 0 && i < s->met_count; i++)
		if (s->met[i]->await.on)
			conclude(s, s->met[i], text);
}

/* A line with an end out of reach is left out: the line below it is not known. */
static void await_below(struct scan *s, struct hit_walk *k, struct watch *w, uint64_t number)
{
	const char *end = k->cut.raw.data + k->cut.raw.len;

	if (!k->cut.whole)
		return;
	w->await.on = true;
	w->await.at = s->base + (size_t)(end - k->text.data);
	w->await.number = number;
	buf_clear(&w->await.line);
	buf_span(&w->await.line, k->line);
	s->awaiting++;
	conclude(s, w, k->text);
}

static void look(struct scan *s, struct hit_walk *k, const struct needle_hit *hit)
{
	struct watch *w = &s->watches[s->owner[hit->literal]];
	uint64_t line_at, number;
	size_t begin;

	if ((k->only && (w != k->only || hit->at < w->flood.first)) || hit->at >= k->limit ||
	    s->base + hit->at < s->done)
		return;
	cut_line(s, k, hit->at);
	begin = (size_t)(k->own.data - k->text.data);
	line_at = s->base + begin + 1;
	if (w->seen_at == line_at)
		return;
	if (w->seen_at == 0)
		s->met[s->met_count++] = w;
	number = line_number(k, begin);
	if (w->run >= WATCH_FLOOD && !k->only && !w->event.signature->below) {
		count_flood(s, w, hit->at, line_at, number);
		return;
	}
	w->seen_at = line_at;
	if (!may_ask(s, k, w, hit->at) || !matches(s, k, w, number))
		return;
	if (w->event.signature->below)
		await_below(s, k, w, number);
	else
		watch_keep(w, &s->tools, &(struct watch_lines){ number, k->line, { 0 } });
}

static void walk_hits(struct scan *s, struct hit_walk *k)
{
	size_t from = 0, n;

	while ((n = needle_find(s->needle, k->text, &from, s->hits, HITS_MAX)) > 0)
		for (size_t i = 0; i < n; i++)
			look(s, k, &s->hits[i]);
}

/*
 * If the last line of a flood does not match, all its lines are looked at once
 * more. Those of the same piece before it were counted with their pattern.
 */
static void prove_floods(struct scan *s, const struct hit_walk *first)
{
	for (size_t i = 0; i < s->flood_count; i++) {
		struct watch *w = s->floods[i];
		struct hit_walk k = {
			.text = first->text, .limit = first->limit, .only = w, .lines = s->lines
		};

		w->flood.on = false;
		cut_line(s, &k, w->flood.last);
		if (matches(s, &k, w, w->event.last_line))
			continue;
		DEBUG(DEBUG_SCAN, 0, "the flood of %s is looked at again, line by line",
		      w->event.signature->id);
		w->seen_at = w->flood.seen_at;
		w->event.count = w->flood.count;
		w->event.last_line = w->flood.last_line;
		k.own = (struct span){ 0 };
		walk_hits(s, &k);
	}
	s->flood_count = 0;
}

static void keep_first(struct scan *s, size_t n)
{
	size_t room = SCAN_FIRST - s->first.len;

	if (room > 0 && s->base == s->first.len)
		buf_add(&s->first, s->window.data, n < room ? n : room);
}

/* A line that comes in pieces begins only once. */
static void keep_apart(struct scan *s, size_t n, bool whole)
{
	if (whole && s->base < APART_BYTES)
		apart_take(&s->apart, (struct span){ s->window.data, n }, s->lines + 1);
}

/* Done with the first n bytes, but for the `keep` last of them. */
static void drop(struct scan *s, struct hit_walk *k, size_t n, size_t keep)
{
	s->done = s->base + n;
	n -= keep;
	keep_first(s, n);
	keep_apart(s, n, keep == 0);
	s->lines = k->at <= n ? line_number(k, n) - 1
			      : s->lines + newline_count((struct span){ s->window.data, n });
	s->base += n;
	window_drop(&s->window, n);
}

/* Hits that begin in the first n bytes; the text behind them may be needed to see their lines whole. */
static void scan_piece(struct scan *s, size_t n, size_t text_len, size_t keep)
{
	struct hit_walk k = { .text = { s->window.data, text_len }, .limit = n, .lines = s->lines };

	conclude_all(s, k.text);
	walk_hits(s, &k);
	prove_floods(s, &k);
	drop(s, &k, n, keep);
}

/*
 * Whole lines are done with at once. A line longer than the room is looked at
 * in pieces, each with as much text around it as a line is looked at.
 */
static void work(struct scan *s)
{
	struct window *w = &s->window;
	const char *end = memrchr(w->data, '\n', w->len);

	if (end)
		scan_piece(s, (size_t)(end - w->data) + 1, (size_t)(end - w->data) + 1, 0);
	if (w->len >= WINDOW_ROOM)
		scan_piece(s, w->len - SCAN_REACH, w->len, SCAN_REACH);
}

char *scan_room(struct scan *s, size_t *ret_size)
{
	assert(s->needle); /* not behind scan_close() */
	*ret_size = WINDOW_ROOM;
	return window_room(&s->window);
}

void scan_added(struct scan *s, size_t n)
{
	assert(s->needle);
	window_added(&s->window, n);
	if (s->window.told)
		work(s);
}

void scan_feed(struct scan *s, struct span bytes)
{
	while (bytes.len > 0) {
		size_t room;
		char *to = scan_room(s, &room);
		size_t n = bytes.len < room ? bytes.len : room;

		memcpy(to, bytes.data, n);
		scan_added(s, n);
		bytes = (struct span){ bytes.data + n, bytes.len - n };
	}
}

void scan_end(struct scan *s)
{
	struct window *w = &s->window;

	window_end(w);
	s->ending = true;
	if (w->len > 0) {
		s->is_open = w->data[w->len - 1] != '\n';
		scan_piece(s, w->len, w->len, 0);
		s->lines += s->is_open;
	}
	DEBUG(DEBUG_SCAN, 0, "end: %llu lines", (unsigned long long)s->lines);
}

uint64_t scan_lines(const struct scan *s)
{
	return s->lines;
}

void scan_tail(const struct scan *s, struct scan_tail *ret)
{
	window_tail(&s->window, s->lines - s->is_open, ret);
}

struct span scan_first(const struct scan *s)
{
	return buf_get(&s->first);
}

size_t scan_apart(const struct scan *s, struct apart_line ret[APART_LINES])
{
	return apart_lines(&s->apart, ret);
}

bool scan_is_open(const struct scan *s)
{
	return s->is_open;
}

bool scan_event_holds(struct scan *s, const struct scan_event *e, struct span line)
{
	struct watch *w = (void *)((char *)e - offsetof(struct watch, event));

	for (size_t i = 0; i < e->signature->literal_count; i++)
		if (span_find(line, e->signature->literals[i]) != SIZE_MAX)
			return watch_matches(w, &s->tools, line);
	return false;
}

uint64_t scan_given_up(const struct scan *s)
{
	return s->tools.given_up + s->unasked;
}

static int by_first_line(const void *a, const void *b)
{
	const struct scan_event *x = *(const struct scan_event *const *)a;
	const struct scan_event *y = *(const struct scan_event *const *)b;

	if (x->samples[0].line != y->samples[0].line)
		return x->samples[0].line < y->samples[0].line ? -1 : 1;
	return strcmp(x->signature->id, y->signature->id);
}

const struct scan_event *const *scan_events(struct scan *s, size_t *ret_count)
{
	size_t n = 0;

	for (size_t i = 0; i < s->met_count; i++)
		if (s->met[i]->event.count > 0)
			s->events[n++] = &s->met[i]->event;
	if (n > 1)
		qsort(s->events, n, sizeof(*s->events), by_first_line);
	*ret_count = n;
	return s->events;
}
