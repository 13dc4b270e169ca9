#include "run/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- the decision ---- */

static bool is_told(const struct ladder_place *p)
{
	return p->epoch >= 0 || p->batch >= 0 || p->step >= 0;
}

static bool is_same_place(const struct ladder_place *a, const struct ladder_place *b)
{
	if (strcmp(a->signature, b->signature) != 0)
		return false;
	if (is_told(a) && is_told(b))
		return a->epoch == b->epoch && a->batch == b->batch && a->step == b->step;
	return a->line == b->line;
}

static bool is_in_force(const struct ladder_view *v, const struct lever *l)
{
	for (size_t i = 0; i < v->setting_count; i++) {
		const struct lever *s = &v->settings[i];

		if (strcmp(s->name, l->name) == 0)
			return s->value && l->value ? strcmp(s->value, l->value) == 0
						    : s->value == l->value;
	}
	return false;
}

static bool changes_something(const struct ladder_view *v, size_t at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_in_force(v, &v->levers->list[at + i]))
			return true;
	return false;
}

/* The first that changes something; the processor alone only when nothing else does. */
static bool find_lever(const struct ladder_view *v, bool cpu, struct ladder_step *ret)
{
	size_t n;

	for (size_t at = 0; v->levers && at < v->levers->count; at += n) {
		n = levers_together(v->levers, at);
		if ((strcmp(v->levers->list[at].costs, "cpu") == 0) == cpu &&
		    changes_something(v, at, n)) {
			ret->first = at;
			ret->count = n;
			return true;
		}
	}
	return false;
}

struct ladder_step ladder_decide(const struct ladder_view *v)
{
	struct ladder_step step = { .outcome = LADDER_ENDED };

	if (v->succeeded)
		step.outcome =
			v->attempt > 1 || v->setting_count > 0 ? LADDER_HEALED : LADDER_ENDED;
	if (v->succeeded || v->stopped || !v->heals)
		return step;
	if (v->before && is_same_place(v->before, &v->place))
		step.outcome = LADDER_SAME_PLACE;
	else if (!v->hung && !find_lever(v, false, &step) &&
		 !(v->allow_cpu && find_lever(v, true, &step)))
		step.outcome = LADDER_NO_LEVER;
	else
		step.outcome = v->attempt < v->attempts ? LADDER_AGAIN : LADDER_LAST;
	return step;
}

static const char *const outcomes[] = {
	[LADDER_ENDED] = "ended",       [LADDER_HEALED] = "healed",
	[LADDER_AGAIN] = "again",       [LADDER_SAME_PLACE] = "same-place",
	[LADDER_NO_LEVER] = "no-lever", [LADDER_LAST] = "last",
};

const char *ladder_outcome_name(enum ladder_outcome outcome)
{
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

void ladder_write_lever(struct buf *out, const struct lever *l)
{
	buf_text(out, l->value ? "set" : "unset");
	add_word(out, l->name);
	if (l->value)
		add_word(out, l->value);
	add_word(out, l->remedy);
	add_word(out, l->says);
	add_word(out, l->source);
	buf_char(out, '\n');
}

void ladder_write_help(struct buf *out, const char *cause, const char *remedy, const char *command,
		       const char *title)
{
	buf_text(out, "helps");
	add_word(out, cause);
	add_word(out, remedy);
	add_word(out, command);
	add_word(out, title);
	buf_char(out, '\n');
}

void ladder_write(struct buf *out, const struct ladder_plan *p)
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
		ladder_write_lever(out, &p->changes[i]);
}

/* ---- reading ---- */

#define CHANGES_MAX 16

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

static bool take_outcome(struct span *line, struct arena *a, struct ladder_plan *p)
{
	const char *name = take_word(line, a);

	for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
		if (strcmp(name, outcomes[i]) == 0) {
			p->outcome = (enum ladder_outcome)i;
			p->says = take_word(line, a);
			return true;
		}
	return false;
}

static void take_place(struct span *line, struct arena *a, struct ladder_place *ret)
{
	ret->signature = take_word(line, a);
	ret->line = (unsigned long long)take_number(line, a);
	ret->epoch = take_number(line, a);
	ret->batch = take_number(line, a);
	ret->step = take_number(line, a);
}

static void take_change(struct span *line, struct arena *a, bool sets, struct ladder_plan *p)
{
	struct lever *l = &p->changes[p->change_count];

	if (p->change_count == CHANGES_MAX)
		return;
	*l = (struct lever){ .name = take_word(line, a) };
	l->value = sets ? take_word(line, a) : NULL;
	l->remedy = take_word(line, a);
	l->says = take_word(line, a);
	l->source = take_word(line, a);
	l->costs = "";
	l->cause = p->cause;
	p->change_count++;
}

bool ladder_read(struct span text, struct arena *a, struct ladder_plan *ret)
{
	struct ladder_plan p = { .says = "", .directory = "", .cause = "", .title = "" };
	struct span line, key;
	bool whole = false;

	p.place = (struct ladder_place){ "", 0, -1, -1, -1 };
	p.changes = arena_alloc(a, CHANGES_MAX * sizeof(*p.changes));
	while (span_line(&text, &line)) {
		if (!span_word(&line, &key))
			continue;
		if (span_is(key, "outcome"))
			whole = take_outcome(&line, a, &p);
		else if (span_is(key, "directory"))
			p.directory = take_word(&line, a);
		else if (span_is(key, "place"))
			take_place(&line, a, &p.place);
		else if (span_is(key, "set") || span_is(key, "unset"))
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

bool ladder_words(struct span text, struct arena *a, char ***ret, size_t *ret_count)
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
