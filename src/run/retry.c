#include "run/retry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define STEPS_MAX 2000 /* bytes: a few of them and the verdict fit into one record */

/* ---- the decision ---- */

static bool is_told(const struct retry_place *p)
{
	return p->epoch >= 0 || p->batch >= 0 || p->step >= 0;
}

/*
 * Output and errors come by two pipes: the line of the last step may be seen before
 * the failure or after it.
 */
static bool is_near(long a, long b)
{
	return a == b || (a >= 0 && b >= 0 && labs(a - b) <= 1);
}

static bool is_same_place(const struct retry_place *a, const struct retry_place *b)
{
	if (strcmp(a->signature, b->signature) != 0)
		return false;
	if (is_told(a) && is_told(b))
		return a->epoch == b->epoch && is_near(a->batch, b->batch) &&
		       is_near(a->step, b->step);
	return a->line == b->line;
}

static bool is_in_force(const struct retry_view *v, const struct workaround *w)
{
	for (size_t i = 0; i < v->setting_count; i++) {
		const struct workaround *s = &v->settings[i];

		if (strcmp(s->name, w->name) == 0)
			return s->value && w->value ? strcmp(s->value, w->value) == 0
						    : s->value == w->value;
	}
	return false;
}

/* The first that changes something; the CPU alone only when nothing else does. */
static bool find_workaround(const struct retry_view *v, bool cpu, struct retry_step *ret)
{
	size_t n;

	for (size_t at = 0; v->workarounds && at < v->workarounds->count; at += n) {
		n = workarounds_together(v->workarounds, at);
		if ((strcmp(v->workarounds->list[at].costs, "cpu") == 0) != cpu)
			continue;
		for (size_t i = 0; i < n; i++)
			if (!is_in_force(v, &v->workarounds->list[at + i])) {
				ret->first = at;
				ret->count = n;
				return true;
			}
	}
	return false;
}

struct retry_step retry_decide(const struct retry_view *v)
{
	struct retry_step step = { .outcome = RETRY_ENDED };

	if (v->succeeded)
		step.outcome = v->attempt > 1 || v->setting_count > 0 ? RETRY_HEALED : RETRY_ENDED;
	if (v->succeeded || v->stopped || !v->heals)
		return step;
	if (v->before && is_same_place(v->before, &v->place))
		step.outcome = RETRY_SAME_PLACE;
	else if (!v->hung && !find_workaround(v, false, &step) &&
		 !(v->allow_cpu && find_workaround(v, true, &step)))
		step.outcome = RETRY_NO_WORKAROUND;
	else
		step.outcome = v->attempt < v->attempts ? RETRY_AGAIN : RETRY_LAST;
	return step;
}

/* Journals and the JSON of a story have "no-lever", the older word for a workaround. */
static const char *const outcomes[] = {
	[RETRY_ENDED] = "ended",
	[RETRY_HEALED] = "healed",
	[RETRY_AGAIN] = "again",
	[RETRY_SAME_PLACE] = "same-place",
	[RETRY_NO_WORKAROUND] = "no-lever",
	[RETRY_LAST] = "last",
};

const char *retry_outcome_name(enum retry_outcome outcome)
{
	assert(outcome <= RETRY_LAST);
	return outcomes[outcome];
}

/* ---- writing ---- */

static void add_word(struct buf *out, const char *text)
{
	buf_char(out, ' ');
	if (text && text[0])
		text_word(out, span_of(text));
	else
		buf_text(out, "\\x"); /* no word reads so: it stands for an empty one */
}

void retry_write_workaround(struct buf *out, const struct workaround *w)
{
	buf_text(out, w->value ? "set" : "unset");
	add_word(out, w->name);
	if (w->value)
		add_word(out, w->value);
	add_word(out, w->remedy);
	add_word(out, w->says);
	add_word(out, w->source);
	buf_char(out, '\n');
}

void retry_write_help(struct buf *out, const char *cause, const char *remedy, const char *command,
		      const char *title)
{
	buf_text(out, "helps");
	add_word(out, cause);
	add_word(out, remedy);
	add_word(out, command);
	add_word(out, title);
	buf_char(out, '\n');
}

void retry_write_steps(struct buf *out, const char *steps)
{
	struct span text = text_cut(span_of(steps), STEPS_MAX);

	if (text.len == 0)
		return;
	buf_text(out, "steps ");
	text_word(out, text);
	buf_char(out, '\n');
}

void retry_write(struct buf *out, const struct retry_plan *p)
{
	buf_addf(out, "outcome %s", outcomes[p->outcome]);
	add_word(out, p->says);
	buf_text(out, "\ndirectory");
	add_word(out, p->directory);
	buf_text(out, "\nwhy");
	add_word(out, p->cause);
	add_word(out, p->title);
	buf_text(out, "\nplace");
	add_word(out, p->place.signature);
	buf_addf(out, " %llu %ld %ld %ld\n", p->place.line, p->place.epoch, p->place.batch,
		 p->place.step);
	for (size_t i = 0; i < p->change_count; i++)
		retry_write_workaround(out, &p->changes[i]);
}

/* ---- reading ---- */

static const char *take_word(struct span *line, struct arena *a)
{
	struct buf plain BUF_SCOPED = { 0 };
	struct span word = { 0 };

	if (!span_word(line, &word) || span_is(word, "\\x") || !text_unword(&plain, word))
		return "";
	return arena_text(a, buf_get(&plain));
}

static long take_number(struct span *line, struct arena *a)
{
	return strtol(take_word(line, a), NULL, 10);
}

static bool take_outcome(struct span *line, struct arena *a, struct retry_plan *p)
{
	const char *name = take_word(line, a);

	for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
		if (strcmp(name, outcomes[i]) == 0) {
			p->outcome = (enum retry_outcome)i;
			p->says = take_word(line, a);
			return true;
		}
	return false;
}

static void take_change(struct span *line, struct arena *a, bool sets, struct retry_plan *p)
{
	struct workaround *w;

	p->changes = arena_grow(a, p->changes, p->change_count, sizeof(*p->changes));
	w = &p->changes[p->change_count];
	*w = (struct workaround){ .name = take_word(line, a) };
	w->value = sets ? take_word(line, a) : NULL;
	w->remedy = take_word(line, a);
	w->says = take_word(line, a);
	w->source = take_word(line, a);
	w->costs = "";
	w->cause = p->cause;
	p->change_count++;
}

bool retry_read(struct span text, struct arena *a, struct retry_plan *ret)
{
	struct retry_plan p = { .says = "", .directory = "", .cause = "", .title = "" };
	struct span line, key;
	bool whole = false;

	p.place = (struct retry_place){ "", 0, -1, -1, -1 };
	while (span_line(&text, &line)) {
		if (!span_word(&line, &key))
			continue;
		if (span_is(key, "outcome"))
			whole = take_outcome(&line, a, &p);
		else if (span_is(key, "directory"))
			p.directory = take_word(&line, a);
		else if (span_is(key, "place")) {
			p.place.signature = take_word(&line, a);
			p.place.line = (unsigned long long)take_number(&line, a);
			p.place.epoch = take_number(&line, a);
			p.place.batch = take_number(&line, a);
			p.place.step = take_number(&line, a);
		} else if (span_is(key, "set") || span_is(key, "unset"))
			take_change(&line, a, span_is(key, "set"), &p);
		else if (span_is(key, "why")) {
			p.cause = take_word(&line, a);
			p.title = take_word(&line, a);
		}
	}
	*ret = p;
	return whole;
}

/* ---- words of a shell ---- */

/* One word up to a blank outside of quotes; false: a quote is open. */
static bool cut_word(struct span *rest, struct buf *ret)
{
	char quote = '\0';
	size_t n = 0;

	for (; n < rest->len; n++) {
		char c = rest->data[n];

		if (quote == '\0' && strchr(" \t\n", c))
			break;
		if (c == '\\' && quote != '\'' && n + 1 < rest->len)
			buf_char(ret, rest->data[++n]);
		else if (quote == '\0' && (c == '\'' || c == '"'))
			quote = c;
		else if (c == quote)
			quote = '\0';
		else
			buf_char(ret, c);
	}
	*rest = (struct span){ rest->data + n, rest->len - n };
	return quote == '\0';
}

bool retry_words(struct span text, struct arena *a, char ***ret, size_t *ret_count)
{
	char **words = arena_alloc(a, (text.len + 1) * sizeof(*words));
	size_t count = 0;

	for (text = span_trim(text); text.len > 0; text = span_trim(text)) {
		struct buf word BUF_SCOPED = { 0 };

		if (!cut_word(&text, &word))
			return false;
		words[count++] = arena_text(a, buf_get(&word));
	}
	*ret = words;
	*ret_count = count;
	return true;
}
