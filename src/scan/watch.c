#include "scan/watch.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define JIT_AFTER 4096 /* bytes shown to a pattern that are worth compiling it once more */

/* A pattern may be clever and a line hostile: PCRE2 gives up after so many steps. */
#define MATCH_STEPS 20000

/*
 * That limit holds for each place at which a pattern begins, and a long line has
 * thousands. So the steps that a long line really takes are counted: those of one
 * look in eight, for counting is slow, and the seven behind it pay as much a byte.
 * The first seven are not: to prepare the counting costs as much as a small log.
 */
#define LONG        256 /* bytes; two in a hundred lines that are looked at are longer */
#define COUNT_EVERY 8
#define COUNTING    3   /* times that a counted step takes longer than another */
#define RATE_USUAL  4   /* steps a byte */
#define RATE_MOST   128 /* then it is given up */
#define LOOK_BYTES  32  /* that a look costs beside its line */

void watch_tools_open(struct watch_tools *t)
{
	*t = (struct watch_tools){ .match = pcre2_match_data_create(SCAN_VALUES_MAX + 4, NULL),
				   .below = pcre2_match_data_create(SCAN_VALUES_MAX + 4, NULL),
				   .context = pcre2_match_context_create(NULL) };
	if (!t->match || !t->below || !t->context)
		memory_out();
	pcre2_set_match_limit(t->context, MATCH_STEPS);
}

void watch_tools_close(struct watch_tools *t)
{
	pcre2_match_data_free(t->match);
	pcre2_match_data_free(t->below);
	pcre2_match_context_free(t->context);
	arena_done(&t->arena);
	buf_done(&t->draft);
}

void watch_done(struct watch *w)
{
	pcre2_code_free(w->code);
	pcre2_code_free(w->below);
	pattern_steps_free(w->counted.steps);
	buf_done(&w->await.line);
}

/* Compiled patterns are kept. */
void watch_again(struct watch *w)
{
	struct watch fresh = { .code = w->code,
			       .broken = w->broken,
			       .counted.steps = w->counted.steps,
			       .below = w->below,
			       .below_broken = w->below_broken,
			       .await.line = w->await.line,
			       .event.signature = w->event.signature };

	*w = fresh;
}

void watch_tools_again(struct watch_tools *t)
{
	arena_done(&t->arena);
	t->given_up = 0;
}

/* ---- the pattern ---- */

static pcre2_code *compile(const char *pattern)
{
	int error;
	PCRE2_SIZE at;

	pcre2_code *code =
		pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
			      PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY,
			      &error, &at, NULL);

	if (!code && error == PCRE2_ERROR_HEAP_FAILED)
		memory_out();
	return code;
}

static pcre2_code *code_of(struct watch *w, size_t shown)
{
	if (!w->code && !w->broken) {
		w->code = compile(w->event.signature->pattern);
		w->broken = !w->code;
	}
	if (w->code && w->shown < JIT_AFTER && (w->shown += shown) >= JIT_AFTER)
		pcre2_jit_compile(w->code, PCRE2_JIT_COMPLETE);
	return w->code;
}

uint64_t watch_price(const struct watch *w, size_t len)
{
	uint64_t rate = w->counted.rate;

	return (len + LOOK_BYTES) * (len > LONG && rate > RATE_USUAL ? rate : RATE_USUAL);
}

static bool is_counted(struct watch *w, struct span line)
{
	if (!w->event.signature->pattern || line.len <= LONG)
		return false;
	if (++w->counted.looks % COUNT_EVERY != 0)
		return false;
	if (!w->counted.steps)
		w->counted.steps = pattern_steps_new(w->event.signature->pattern);
	return w->counted.steps; /* NULL: too large to be counted, which lint refuses */
}

/* With PCRE2's own compiler from the first time on: what came before must not change the count. */
static int count_match(struct watch *w, struct watch_tools *t, struct span line)
{
	uint64_t steps;
	int r;

	pattern_steps_compile(w->counted.steps);
	r = pattern_steps_match(w->counted.steps, line, RATE_MOST * line.len, t->match, &steps);
	w->counted.rate = (steps + line.len - 1) / line.len;
	if (w->counted.rate > RATE_USUAL)
		w->counted.cost = COUNTING * steps;
	return r;
}

static bool pattern_holds(struct watch *w, struct watch_tools *t, struct span line)
{
	pcre2_code *code = code_of(w, line.len);
	/* Steps are counted otherwise behind PCRE2's own compiler: the text before must not matter. */
	uint32_t options = w->shown < JIT_AFTER ? PCRE2_NO_JIT : 0;
	int r = PCRE2_ERROR_NOMATCH;

	w->counted.cost = 0;
	if (code && is_counted(w, line))
		r = count_match(w, t, line);
	else if (code)
		r = pcre2_match(code, (PCRE2_SPTR)line.data, line.len, 0, options, t->match,
				t->context);
	t->given_up += r < 0 && r != PCRE2_ERROR_NOMATCH;
	return r >= 0;
}

static bool literal_holds(const struct signature *s, struct span line)
{
	for (size_t i = 0; i < s->literal_count; i++)
		if (span_has_words(line, s->literals[i]))
			return true;
	return false;
}

bool watch_matches(struct watch *w, struct watch_tools *t, struct span line)
{
	bool holds = w->event.signature->pattern ? pattern_holds(w, t, line)
						 : literal_holds(w->event.signature, line);

	w->run = holds ? w->run + 1 : 0;
	return holds;
}

bool watch_holds_below(struct watch *w, struct watch_tools *t, struct span line)
{
	int r = PCRE2_ERROR_NOMATCH;

	if (!w->below && !w->below_broken) {
		w->below = compile(w->event.signature->below);
		w->below_broken = !w->below;
	}
	if (w->below)
		r = pcre2_match(w->below, (PCRE2_SPTR)line.data, line.len, 0, 0, t->below,
				t->context);
	t->given_up += r < 0 && r != PCRE2_ERROR_NOMATCH;
	return r >= 0;
}

/* ---- samples ---- */

/* Room for it has been made: what was handed out before stays where it is. */
static const char *draft_text(struct buf *draft, struct span s)
{
	size_t from = draft->len;

	if (s.len > SCAN_TEXT_MAX)
		s.len = SCAN_TEXT_MAX;
	text_clean(draft, span_trim(s), false);
	buf_char(draft, '\0');
	return draft->data + from;
}

/* Named groups that took part in the match. Entries of the table: two bytes number, name, NUL. */
static void draft_values(const pcre2_code *code, pcre2_match_data *match, struct span line,
			 struct buf *draft, struct scan_sample *ret)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(match);
	uint32_t pairs = pcre2_get_ovector_count(match);
	uint32_t names = 0, entry = 0;
	PCRE2_SPTR table = NULL;

	pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &names);
	pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &entry);
	pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
	for (uint32_t i = 0; i < names && ret->value_count < SCAN_VALUES_MAX; i++, table += entry) {
		uint32_t group = (uint32_t)table[0] << 8 | table[1];

		if (group >= pairs || ends[2 * group] == PCRE2_UNSET ||
		    ends[2 * group + 1] < ends[2 * group])
			continue;
		ret->values[ret->value_count++] = (struct scan_value){
			(const char *)table + 2,
			draft_text(draft, (struct span){ line.data + ends[2 * group],
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

static bool is_new(const struct scan_event *e, const struct scan_sample *sample)
{
	for (size_t i = 0; i < e->sample_count; i++)
		if (same_values(&e->samples[i], sample))
			return false;
	return true;
}

/*
 * A sample with the same values as a kept one tells nothing new. Only what is
 * kept goes into the arena: a flood of lines must not fill it.
 */
static void keep_sample(struct watch *w, struct watch_tools *t, const struct watch_lines *lines)
{
	struct scan_event *e = &w->event;
	struct scan_sample sample = { .line = lines->number };

	buf_clear(&t->draft);
	buf_room(&t->draft, (SCAN_VALUES_MAX + 1) * (4 * SCAN_TEXT_MAX + 1));
	if (w->code)
		draft_values(w->code, t->match, lines->line, &t->draft, &sample);
	if (w->below && lines->below.len > 0)
		draft_values(w->below, t->below, lines->below, &t->draft, &sample);
	if (!is_new(e, &sample))
		return;
	if (e->sample_count == SCAN_SAMPLES_MAX) {
		e->more = true;
		return;
	}
	for (size_t i = 0; i < sample.value_count; i++)
		sample.values[i].value = arena_text(&t->arena, span_of(sample.values[i].value));
	sample.text = arena_text(&t->arena, span_of(draft_text(&t->draft, lines->line)));
	if (!e->samples)
		e->samples = arena_alloc(&t->arena, SCAN_SAMPLES_MAX * sizeof(sample));
	e->samples[e->sample_count++] = sample;
}

void watch_count(struct watch *w, uint64_t number)
{
	w->event.count++;
	w->event.last_line = number;
}

void watch_keep(struct watch *w, struct watch_tools *t, const struct watch_lines *lines)
{
	struct scan_event *e = &w->event;

	assert(w->code || !w->event.signature->pattern); /* watch_matches() came before */
	watch_count(w, lines->number);
	if (!e->more && (e->count <= WATCH_FLOOD || e->sample_count == 0))
		keep_sample(w, t, lines);
}
