#define PCRE2_CODE_UNIT_WIDTH 8
#include "scan/scan.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "parse/needle.h"
#include "scan/undress.h"
#include "scan/utf16.h"

#define ROOM      ((size_t)256 << 10)
#define STRIDE    ((size_t)32 << 10)
#define HITS_MAX  8192
#define JIT_AFTER 32 /* uses of a pattern that are worth compiling it once more */

/* A pattern may be clever and a line hostile: PCRE2 gives up after so many steps. */
#define MATCH_STEPS 20000

struct watch {
	struct scan_event event;
	pcre2_code *code;
	bool broken;
	uint64_t tried;
	uint64_t seen_at; /* offset + 1 of the line that was looked at last */
};

struct scan {
	struct watch *watches;
	size_t count;
	struct needle *needle;
	struct span *literals;
	size_t longest;      /* of them, less one */
	unsigned int *owner; /* of each literal */
	pcre2_match_data *match;
	pcre2_match_context *context;
	struct needle_hit *hits;
	struct arena arena;
	struct buf undressed;
	struct utf16 utf16;
	struct buf decoded;

	char *data; /* text not yet done with */
	size_t len, cap;
	uint64_t base;  /* offset of data[0] in the log */
	uint64_t done;  /* offset up to which hits were taken */
	uint64_t lines; /* newlines before data[0] */
	const struct scan_event **events;
};

static size_t literals_of(const struct signature *signatures, size_t count)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += signatures[i].literal_count;
	return total;
}

static bool prepare(struct scan *s, const struct signature *signatures)
{
	size_t total = literals_of(signatures, s->count);
	size_t n = 0;

	s->watches = calloc(s->count + 1, sizeof(*s->watches));
	s->literals = calloc(total + 1, sizeof(*s->literals));
	s->owner = calloc(total + 1, sizeof(*s->owner));
	s->hits = calloc(HITS_MAX, sizeof(*s->hits));
	s->events = calloc(s->count + 1, sizeof(*s->events));
	if (!s->watches || !s->literals || !s->owner || !s->hits || !s->events)
		return false;
	for (size_t i = 0; i < s->count; i++) {
		s->watches[i].event.signature = &signatures[i];
		for (size_t k = 0; k < signatures[i].literal_count; k++, n++) {
			s->literals[n] = signatures[i].literals[k];
			s->owner[n] = (unsigned int)i;
			if (s->literals[n].len > s->longest + 1)
				s->longest = s->literals[n].len - 1;
		}
	}
	s->needle = needle_new(s->literals, total);
	s->match = pcre2_match_data_create(SCAN_VALUES_MAX + 4, NULL);
	s->context = pcre2_match_context_create(NULL);
	if (!s->needle || !s->match || !s->context)
		return false;
	pcre2_set_match_limit(s->context, MATCH_STEPS);
	return true;
}

struct scan *scan_new(const struct signature *signatures, size_t count)
{
	struct scan *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->count = count;
	return prepare(s, signatures) ? s : scan_free(s);
}

struct scan *scan_free(struct scan *s)
{
	if (!s)
		return NULL;
	for (size_t i = 0; s->watches && i < s->count; i++)
		pcre2_code_free(s->watches[i].code);
	needle_free(s->needle);
	pcre2_match_data_free(s->match);
	pcre2_match_context_free(s->context);
	arena_done(&s->arena);
	buf_done(&s->undressed);
	buf_done(&s->decoded);
	free(s->watches);
	free(s->literals);
	free(s->owner);
	free(s->hits);
	free(s->events);
	free(s->data);
	free(s);
	return NULL;
}

/* ---- one line ---- */

/* Compiled when a line asks for it: most logs meet few signatures. */
static pcre2_code *code_of(struct watch *w)
{
	const char *pattern = w->event.signature->pattern;
	int error;
	PCRE2_SIZE at;

	if (!w->code && !w->broken) {
		w->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
					PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C |
						PCRE2_DOLLAR_ENDONLY,
					&error, &at, NULL);
		w->broken = !w->code;
	}
	if (w->code && ++w->tried == JIT_AFTER)
		pcre2_jit_compile(w->code, PCRE2_JIT_COMPLETE);
	return w->code;
}

static const char *kept_text(struct arena *a, struct span s)
{
	struct buf clean BUF_SCOPED = { 0 };

	if (s.len > SCAN_TEXT_MAX)
		s.len = SCAN_TEXT_MAX;
	text_clean(&clean, span_trim(s), false);
	return arena_text(a, buf_get(&clean));
}

/* Named groups that took part in the match. Entries of the table: two bytes number, name, NUL. */
static void take_values(struct scan *s, const struct watch *w, struct span line,
			struct scan_sample *ret)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(s->match);
	uint32_t pairs = pcre2_get_ovector_count(s->match);
	uint32_t names = 0, entry = 0;
	PCRE2_SPTR table = NULL;

	pcre2_pattern_info(w->code, PCRE2_INFO_NAMECOUNT, &names);
	pcre2_pattern_info(w->code, PCRE2_INFO_NAMEENTRYSIZE, &entry);
	pcre2_pattern_info(w->code, PCRE2_INFO_NAMETABLE, &table);
	for (uint32_t i = 0; i < names && ret->value_count < SCAN_VALUES_MAX; i++, table += entry) {
		uint32_t group = (uint32_t)table[0] << 8 | table[1];

		if (group >= pairs || ends[2 * group] == PCRE2_UNSET ||
		    ends[2 * group + 1] < ends[2 * group])
			continue;
		ret->values[ret->value_count++] = (struct scan_value){
			arena_text(&s->arena, span_of((const char *)table + 2)),
			kept_text(&s->arena,
				  (struct span){ line.data + ends[2 * group],
						 ends[2 * group + 1] - ends[2 * group] }),
		};
	}
}

static bool same_values(const struct scan_sample *a, const struct scan_sample *b)
{
	if (a->value_count != b->value_count)
		return false;
	for (size_t i = 0; i < a->value_count; i++)
		if (strcmp(a->values[i].value, b->values[i].value) != 0)
			return false;
	return true;
}

/* A sample with the same values as a kept one tells nothing new. */
static void keep_sample(struct scan *s, struct watch *w, struct span line, uint64_t number)
{
	struct scan_event *e = &w->event;
	struct scan_sample *sample = &e->samples[e->sample_count];

	*sample = (struct scan_sample){ .line = number };
	if (w->code)
		take_values(s, w, line, sample);
	for (size_t i = 0; i < e->sample_count; i++)
		if (same_values(&e->samples[i], sample))
			return;
	sample->text = kept_text(&s->arena, line);
	e->sample_count++;
}

/* A flood of lines with ever new values must not fill the arena: samples are looked for among the first. */
#define SAMPLES_FROM 4096

static void meet(struct scan *s, struct watch *w, struct span line, uint64_t number)
{
	struct scan_event *e = &w->event;

	e->count++;
	e->last_line = number;
	if (e->sample_count < SCAN_SAMPLES_MAX &&
	    (e->count <= SAMPLES_FROM || e->sample_count == 0))
		keep_sample(s, w, line, number);
}

static bool matches(struct scan *s, struct watch *w, struct span line)
{
	pcre2_code *code;

	if (!w->event.signature->pattern)
		return true;
	code = code_of(w);
	return code &&
	       pcre2_match(code, (PCRE2_SPTR)line.data, line.len, 0, 0, s->match, s->context) >= 0;
}

/* ---- a piece of the log ---- */

/* Eight bytes at a time: a byte that is a newline leaves its highest bit. */
static uint64_t newlines(struct span s)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7fu, newline = 0x0a0a0a0a0a0a0a0au;
	uint64_t count = 0;
	size_t i = 0;

	for (; i + 8 <= s.len; i += 8) {
		uint64_t word;

		memcpy(&word, s.data + i, 8);
		word ^= newline;
		count += (uint64_t)__builtin_popcountll(~(((word & low) + low) | word | low));
	}
	for (; i < s.len; i++)
		count += s.data[i] == '\n';
	return count;
}

static int by_place(const void *a, const void *b)
{
	const struct needle_hit *x = a;
	const struct needle_hit *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->literal > y->literal) - (x->literal < y->literal);
}

struct place {
	size_t at; /* newlines were counted up to here */
	uint64_t lines;
	struct span line; /* the last one that was cut out */
	bool json;
	bool dressed;
};

/* Hits of one line come together: it is cut out and undressed once. */
static void look(struct scan *s, struct span text, const struct needle_hit *hit, struct place *p)
{
	struct watch *w = &s->watches[s->owner[hit->literal]];
	uint64_t line_at;

	if (!p->line.data || text.data + hit->at >= p->line.data + p->line.len || p->json) {
		p->line = undress_line(text, hit->at, SCAN_REACH, &p->json);
		s->undressed.len = 0;
		undress(p->line, (size_t)(text.data + hit->at - p->line.data), p->json,
			&s->undressed);
	}
	/* by its place in the log: of JSON each string is looked at by itself */
	line_at = s->base + (p->json ? hit->at : (size_t)(p->line.data - text.data)) + 1;
	if (w->seen_at == line_at)
		return;
	w->seen_at = line_at;
	p->lines += newlines((struct span){ text.data + p->at, hit->at - p->at });
	p->at = hit->at;
	if (matches(s, w, buf_get(&s->undressed)))
		meet(s, w, buf_get(&s->undressed), p->lines + 1);
}

/*
 * In strides, so that the hits of one fit a table of a fixed size; a log made
 * to overflow it loses nominations, nothing else.
 */
static void scan_piece(struct scan *s, struct span text)
{
	struct place p = { .lines = s->lines };

	for (size_t from = 0; from < text.len; from += STRIDE) {
		size_t reach = STRIDE + s->longest;
		struct span part = { text.data + from,
				     text.len - from < reach ? text.len - from : reach };
		size_t n = needle_find(s->needle, part, s->hits, HITS_MAX);

		if (n > 1)
			qsort(s->hits, n, sizeof(*s->hits), by_place);
		for (size_t i = 0; i < n && s->hits[i].at < STRIDE; i++) {
			struct needle_hit hit = { s->hits[i].at + from, s->hits[i].literal };

			if (s->base + hit.at >= s->done)
				look(s, text, &hit, &p);
		}
	}
}

/* Done with the first n bytes, but for the `keep` last of them. */
static void drop(struct scan *s, size_t n, size_t keep)
{
	s->done = s->base + n;
	n -= keep;
	s->lines += newlines((struct span){ s->data, n });
	s->base += n;
	s->len -= n;
	memmove(s->data, s->data + n, s->len);
}

/*
 * Whole lines are done with at once. A line longer than the room is looked at
 * in pieces that overlap by as much as a line is looked at.
 */
static void work(struct scan *s)
{
	const char *end = memrchr(s->data, '\n', s->len);

	if (end) {
		size_t n = (size_t)(end - s->data) + 1;

		scan_piece(s, (struct span){ s->data, n });
		drop(s, n, 0);
	} else if (s->len >= ROOM) {
		size_t n = s->len - s->longest;

		scan_piece(s, (struct span){ s->data, s->len });
		drop(s, n, SCAN_REACH);
	}
}

static void grow(struct scan *s, size_t n)
{
	if (s->cap - s->len >= n)
		return;
	s->cap = s->len + n;
	s->data = realloc(s->data, s->cap);
	if (!s->data)
		abort();
}

char *scan_room(struct scan *s, size_t *ret_size)
{
	grow(s, ROOM);
	*ret_size = ROOM;
	return s->data + s->len;
}

/* What PowerShell writes is UTF-16; everything else passes as it is. */
void scan_added(struct scan *s, size_t n)
{
	if (s->base + s->len == 0)
		utf16_begin(&s->utf16, (struct span){ s->data, n });
	if (s->utf16.order) {
		s->decoded.len = 0;
		utf16_decode(&s->utf16, (struct span){ s->data + s->len, n }, &s->decoded);
		grow(s, s->decoded.len);
		if (s->decoded.len > 0)
			memcpy(s->data + s->len, s->decoded.data, s->decoded.len);
		n = s->decoded.len;
	}
	s->len += n;
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
	if (s->len == 0)
		return;
	scan_piece(s, (struct span){ s->data, s->len });
	drop(s, s->len, 0);
}

uint64_t scan_lines(const struct scan *s)
{
	return s->lines;
}

uint64_t scan_bytes(const struct scan *s)
{
	return s->base + s->len;
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

	for (size_t i = 0; i < s->count; i++)
		if (s->watches[i].event.count > 0)
			s->events[n++] = &s->watches[i].event;
	if (n > 1)
		qsort(s->events, n, sizeof(*s->events), by_first_line);
	*ret_count = n;
	return s->events;
}
