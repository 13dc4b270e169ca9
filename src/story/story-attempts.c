/* Beginning and end of each attempt, what was changed for it and why. */

#include "story/story-parts.h"

#define ATTEMPTS_MAX 99

struct story_attempt *story_current(struct story *s)
{
	return s->attempt_count ? &s->attempts[s->attempt_count - 1] : NULL;
}

void story_start(struct story *s, const struct run_journal_record *r)
{
	struct story_attempt *a = STORY_MORE(s, attempt, ATTEMPTS_MAX);
	struct span rest = r->payload, line, key;

	if (!a)
		return;
	*a = (struct story_attempt){ .number = (unsigned int)s->attempt_count,
				     .start_ms = r->at_ms,
				     .command = "",
				     .directory = "",
				     .host = "",
				     .program = "",
				     .why_cause = "",
				     .why = "",
				     .resume = "",
				     .outcome = "",
				     .outcome_text = "",
				     .ending = "",
				     .ending_word = "",
				     .said = "",
				     .lost_why = "",
				     .lost_out = -1,
				     .lost_err = -1,
				     .out = -1,
				     .err = -1,
				     .unscanned = -1 };
	while (span_line(&rest, &line)) {
		struct story_pair *v;

		if (!span_word(&line, &key))
			continue;
		if (span_is(key, "command"))
			a->command = story_words(s, &line);
		else if (span_is(key, "directory"))
			a->directory = story_word(s, &line);
		else if (span_is(key, "host"))
			a->host = story_word(s, &line);
		else if (span_is(key, "program"))
			a->program = story_words(s, &line);
		else if (span_is(key, "variable") && s->attempt_count == 1 &&
			 (v = STORY_MORE(s, variable, STORY_OTHERS))) {
			v->name = story_word(s, &line);
			v->value = story_word(s, &line);
		}
	}
}

static bool take_change(struct story *s, struct span key, struct span line, bool before)
{
	bool set = span_is(key, "set"), harmful = span_is(key, "harmful");
	struct story_change *c;

	if (!set && !harmful && !span_is(key, "unset"))
		return false;
	c = STORY_MORE(s, change, STORY_OTHERS);
	if (!c)
		return true;
	*c = (struct story_change){ .attempt = (unsigned int)s->attempt_count,
				    .before_start = before,
				    .set = set,
				    .harmful = harmful,
				    .name = story_word(s, &line) };
	c->value = set || harmful ? story_word(s, &line) : "";
	c->remedy = harmful ? "" : story_word(s, &line);
	c->says = story_word(s, &line);
	c->source = story_words(s, &line);
	return true;
}

static bool take_help(struct story *s, struct span key, struct span line, bool before)
{
	struct story_help *h;

	if (span_is(key, "steps") && s->help_count > 0) {
		s->helps[s->help_count - 1].steps = story_lines(s, &line);
		return true;
	}
	if (!span_is(key, "helps"))
		return false;
	h = STORY_MORE(s, help, STORY_OTHERS);
	if (!h)
		return true;
	h->attempt = (unsigned int)s->attempt_count;
	h->before_start = before;
	h->cause = story_word(s, &line);
	h->remedy = story_word(s, &line);
	h->command = story_word(s, &line);
	h->title = story_words(s, &line);
	h->steps = "";
	return true;
}

void story_preflight(struct story *s, const struct run_journal_record *r)
{
	struct span rest = r->payload, line, key;

	while (span_line(&rest, &line)) {
		struct story_finding *f;

		if (!span_word(&line, &key) || take_change(s, key, line, true) ||
		    take_help(s, key, line, true))
			continue;
		if (span_is(key, "took"))
			s->preflight_ms = story_number(&line);
		if (span_is(key, "left-out"))
			s->left_out += (size_t)story_number(&line);
		if (!span_is(key, "finding") || !(f = STORY_MORE(s, finding, STORY_OTHERS)))
			continue;
		f->severity = story_word(s, &line);
		f->cause = story_word(s, &line);
		f->subject = story_word(s, &line);
		f->title = story_words(s, &line);
	}
}

void story_attempt(struct story *s, const struct run_journal_record *r)
{
	struct span rest = r->payload, line, key;
	struct story_attempt *a = story_current(s);

	while (a && span_line(&rest, &line)) {
		int64_t n;

		if (!span_word(&line, &key) || take_change(s, key, line, false))
			continue;
		if (span_is(key, "attempt") && (n = story_number(&line)) > 0) {
			a->number = (unsigned int)n;
			n = story_number(&line);
			a->most = n > 0 ? (unsigned int)n : 0;
		} else if (span_is(key, "why")) {
			a->why_cause = story_word(s, &line);
			a->why = story_words(s, &line);
		} else if (span_is(key, "resume")) {
			a->resume = story_words(s, &line);
		} else if (span_is(key, "outcome")) {
			a->outcome = story_word(s, &line);
			a->outcome_text = story_words(s, &line);
		}
	}
}

/* Counts of output are in records of their own and in the last one; what was lost only if it was. */
static bool take_count(struct story *s, struct story_attempt *a, struct span key, struct span line)
{
	bool lost_out = span_is(key, "lost-out");

	if (span_is(key, "out")) {
		a->out = story_number(&line);
		a->lost_out = a->out < 0 ? -1 : 0;
	} else if (span_is(key, "err")) {
		a->err = story_number(&line);
		a->lost_err = a->err < 0 ? -1 : 0;
	} else if (span_is(key, "unscanned")) {
		a->unscanned = story_number(&line);
	} else if (lost_out || span_is(key, "lost-err")) {
		*(lost_out ? &a->lost_out : &a->lost_err) = story_number(&line);
		a->lost_why = story_word(s, &line);
	} else {
		return false;
	}
	return true;
}

void story_output(struct story *s, const struct run_journal_record *r)
{
	struct span rest = r->payload, line, key;
	struct story_attempt *a = story_current(s);

	while (a && span_line(&rest, &line))
		if (span_word(&line, &key))
			take_count(s, a, key, line);
}

void story_ending(struct story *s, const struct run_journal_record *r)
{
	struct span rest = r->payload, line, key;
	struct story_attempt *a = story_current(s);
	struct buf said BUF_SCOPED = { 0 };

	if (!a)
		return;
	a->end_ms = r->at_ms;
	while (span_line(&rest, &line)) {
		if (!span_word(&line, &key) || take_count(s, a, key, line) ||
		    take_help(s, key, line, false))
			continue;
		if (span_is(key, "left-out")) {
			s->left_out += (size_t)story_number(&line);
		} else if (span_is(key, "said")) {
			buf_addf(&said, "%s\n", story_words(s, &line));
		} else if (span_is(key, "status") || span_is(key, "signal") ||
			   span_is(key, "unexecuted")) {
			a->ending = arena_text(&s->arena, key);
			a->ending_word = story_word(s, &line);
		}
	}
	a->said = arena_text(&s->arena, buf_get(&said));
}
