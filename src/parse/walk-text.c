#include "parse/walk-text.h"

#include <assert.h>
#include <string.h>

static const char *const endings[WALK_ENDINGS] = {
	[WALK_ANSWERED] = "answered", [WALK_REFUSED] = "refused", [WALK_WRONG] = "wrong",
	[WALK_MISSING] = "missing",   [WALK_CRASHED] = "crashed", [WALK_EXITED] = "exited",
	[WALK_TIMEOUT] = "timeout",   [WALK_SLOW] = "slow",       [WALK_STUCK] = "stuck",
	[WALK_SKIPPED] = "skipped",
};

const char *walk_ending_name(enum walk_ending ending)
{
	assert(ending < WALK_ENDINGS);
	return endings[ending];
}

static bool parse_ending(struct span word, enum walk_ending *ret)
{
	for (int i = 0; i < WALK_ENDINGS; i++) {
		if (span_is(word, endings[i])) {
			*ret = i;
			return true;
		}
	}
	return false;
}

bool walk_head(struct span *rest, struct walk_head *ret)
{
	struct span text = *rest, line, word, level, time;
	struct walk_head h;

	if (!span_line(&text, &line) || !span_word(&line, &word) || !span_is(word, "walk") ||
	    !span_word(&line, &level) || !span_u64(level, &h.level) || !span_word(&line, &time) ||
	    !span_i64(time, &h.time) || !span_word(&line, &h.like))
		return false;
	*rest = text;
	*ret = h;
	return true;
}

static bool belongs_below(struct span line)
{
	return line.len > 0 && line.data[0] == ' ';
}

/* "hip.init" -> "hip"; empty if it has no dot between two names. */
static struct span layer_of(struct span question)
{
	const char *dot = question.len ? memchr(question.data, '.', question.len) : NULL;
	size_t n = dot ? (size_t)(dot - question.data) : 0;

	return (struct span){ question.data, n + 1 < question.len ? n : 0 };
}

static bool parse_answer(struct span line, struct walk_answer *ret)
{
	struct span ending, ms, number;

	if (belongs_below(line) || !span_word(&line, &ret->question) ||
	    !span_word(&line, &ret->subject) || !span_word(&line, &ret->variant) ||
	    !span_word(&line, &ending) || !parse_ending(ending, &ret->ending) ||
	    !span_word(&line, &ms) || !span_u64(ms, &ret->ms))
		return false;
	ret->layer = layer_of(ret->question);
	if (span_is(ret->subject, "-"))
		ret->subject.len = 0;
	ret->has_number = span_word(&line, &number) && span_i64(number, &ret->number);
	return ret->layer.len > 0;
}

bool walk_next(struct span *rest, struct walk_answer *ret)
{
	struct walk_answer a = { .number = 0 };
	struct span line, next;

	while (span_line(rest, &line)) {
		if (!parse_answer(line, &a))
			continue;
		next = *rest;
		a.details = (struct span){ rest->data, 0 };
		while (span_line(&next, &line) && belongs_below(line)) {
			*rest = next;
			a.details.len = (size_t)(line.data + line.len - a.details.data);
		}
		*ret = a;
		return true;
	}
	return false;
}

bool walk_detail(struct span *details, struct span *ret_key, struct span *ret_text)
{
	struct span line, key;

	while (span_line(details, &line)) {
		if (!span_word(&line, &key))
			continue;
		if (line.len > 0) /* the one blank that parts them */
			line = (struct span){ line.data + 1, line.len - 1 };
		*ret_key = key;
		*ret_text = line;
		return true;
	}
	return false;
}
