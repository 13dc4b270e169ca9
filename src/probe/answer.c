#include "probe/answer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/text.h"

#define LINES_MAX      ((size_t)16 * 1024)
#define WORD_MAX       ((size_t)ANSWER_LINE_MAX) /* so that no path is cut */
#define SAID_LINES_MAX 20
#define SAID_LINE_MAX  ((size_t)512)

static const struct {
	const char *word;
	bool numbered;
} endings[] = {
	[ANSWER_NONE] = { "skipped", false },    [ANSWER_ANSWERED] = { "answered", false },
	[ANSWER_REFUSED] = { "refused", true },  [ANSWER_WRONG] = { "wrong", false },
	[ANSWER_MISSING] = { "missing", false }, [ANSWER_CRASHED] = { "crashed", true },
	[ANSWER_EXITED] = { "exited", true },    [ANSWER_TIMEOUT] = { "timeout", false },
	[ANSWER_SLOW] = { "slow", false },       [ANSWER_STUCK] = { "stuck", false },
	[ANSWER_SKIPPED] = { "skipped", false },
};

const char *answer_word(enum answer_ending ending)
{
	assert(ending <= ANSWER_SKIPPED);
	return endings[ending].word;
}

void answer_done(struct answer *a)
{
	buf_done(&a->lines);
	buf_done(&a->said);
	buf_done(&a->call);
	buf_done(&a->place);
	*a = (struct answer){ 0 };
}

static struct span at_most(struct span s, size_t most)
{
	return (struct span){ s.data, s.len < most ? s.len : most };
}

static void take_word(struct buf *out, struct span text)
{
	buf_clear(out);
	text_word(out, at_most(text, WORD_MAX));
}

/* Values beyond the limit are reported once, among the prober's lines. */
static bool has_room(struct answer *a)
{
	if (a->lines.len <= LINES_MAX)
		return true;
	if (!a->cut)
		answer_say(a, SPAN_LITERAL("(more values than are kept)"));
	a->cut = true;
	return false;
}

static void take_file(struct answer *a, struct span rest)
{
	if (rest.len == 0 || !has_room(a))
		return;
	buf_text(&a->lines, " file ");
	text_word(&a->lines, at_most(rest, WORD_MAX));
	buf_char(&a->lines, '\n');
}

static void take_call(struct answer *a, struct span rest)
{
	if (rest.len > 0)
		take_word(&a->call, rest);
}

static void take_value(struct answer *a, struct span rest)
{
	struct span name;

	if (!span_word(&rest, &name) || !has_room(a))
		return;
	buf_text(&a->lines, " value ");
	text_word(&a->lines, at_most(name, WORD_MAX));
	buf_char(&a->lines, ' ');
	text_clean(&a->lines, at_most(span_trim(rest), WORD_MAX), false);
	buf_char(&a->lines, '\n');
}

static void take_answered(struct answer *a, struct span rest)
{
	if (rest.len == 0)
		a->ending = ANSWER_ANSWERED;
}

static bool take_number(struct span rest, int *ret)
{
	int64_t number;

	if (!span_i64(rest, &number) || number < INT32_MIN || number > INT32_MAX)
		return false;
	*ret = (int)number;
	return true;
}

static void take_refused(struct answer *a, struct span rest)
{
	if (take_number(rest, &a->number))
		a->ending = ANSWER_REFUSED;
}

static void take_wrong(struct answer *a, struct span rest)
{
	a->ending = ANSWER_WRONG;
	answer_say(a, rest);
}

static void take_missing(struct answer *a, struct span rest)
{
	a->ending = ANSWER_MISSING;
	answer_say(a, rest);
}

/* Only the place is taken: the signal is known better from the process's end. */
static void take_crashed(struct answer *a, struct span rest)
{
	struct span signal;

	if (span_word(&rest, &signal) && span_trim(rest).len > 0)
		take_word(&a->place, span_trim(rest));
}

/* Written by ourselves, between fork and exec. */
static void take_unstarted(struct answer *a, struct span rest)
{
	(void)take_number(rest, &a->unstarted);
}

static const struct {
	const char *word;
	void (*take)(struct answer *a, struct span rest);
	bool last; /* the first of these counts */
} forms[] = {
	{ "file", take_file, false },           { "call", take_call, false },
	{ "value", take_value, false },         { "crashed", take_crashed, false },
	{ "answered", take_answered, true },    { "refused", take_refused, true },
	{ "wrong", take_wrong, true },          { "missing", take_missing, true },
	{ "unstarted", take_unstarted, false },
};

void answer_line(struct answer *a, struct span line)
{
	struct span word;

	if (!span_word(&line, &word))
		return;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (span_is(word, forms[i].word) && !(forms[i].last && a->ending != ANSWER_NONE))
			forms[i].take(a, span_trim(line));
}

void answer_say(struct answer *a, struct span text)
{
	if (text.len == 0)
		return;
	buf_text(&a->said, " said ");
	text_clean(&a->said, at_most(text, SAID_LINE_MAX), false);
	if (text.len > SAID_LINE_MAX)
		buf_text(&a->said, "...");
	buf_char(&a->said, '\n');
}

void answer_sayf(struct answer *a, const char *format, ...)
{
	struct buf text BUF_SCOPED = { 0 };
	va_list args;

	va_start(args, format);
	buf_addv(&text, format, args);
	va_end(args);
	answer_say(a, buf_get(&text));
}

/* The last lines; the first of a tail that is not whole has lost its beginning. */
void answer_say_tail(struct answer *a, struct span tail, bool is_whole)
{
	struct span lines[SAID_LINES_MAX], line;
	size_t count = 0;

	if (!is_whole)
		(void)span_line(&tail, &line);
	while (span_line(&tail, &line))
		if (span_trim(line).len > 0)
			lines[count++ % SAID_LINES_MAX] = span_trim(line);
	for (size_t i = count > SAID_LINES_MAX ? count - SAID_LINES_MAX : 0; i < count; i++)
		answer_say(a, lines[i % SAID_LINES_MAX]);
}

void answer_value(struct answer *a, const char *name, struct span text)
{
	buf_addf(&a->lines, " value %s ", name);
	text_clean(&a->lines, text, false);
	buf_char(&a->lines, '\n');
}

void answer_end(struct answer *a, int status)
{
	if (WIFSIGNALED(status)) {
		a->ending = ANSWER_CRASHED;
		a->number = WTERMSIG(status);
	} else if (a->ending == ANSWER_NONE) {
		a->ending = ANSWER_EXITED;
		a->number = WEXITSTATUS(status);
	}
}

bool answer_next_value(struct span *rest, struct span *ret_name, struct span *ret_text)
{
	struct span line, word;

	while (span_line(rest, &line)) {
		if (!span_word(&line, &word) || !span_is(word, "value") ||
		    !span_word(&line, ret_name))
			continue;
		*ret_text = span_trim(line);
		return true;
	}
	return false;
}

static bool write_word(struct buf *text, const char *what, const struct buf *word, size_t most)
{
	if (word->len == 0)
		return true;
	if (text->len + strlen(what) + word->len + 3 > most)
		return false;
	buf_addf(text, " %s %s\n", what, word->data);
	return true;
}

static bool write_lines(struct buf *text, const struct buf *lines, size_t most)
{
	if (text->len + lines->len > most)
		return lines->len == 0;
	buf_span(text, buf_get(lines));
	return true;
}

bool answer_write(struct buf *text, const struct answer *a, const char *question,
		  const char *subject, bool alone, size_t most)
{
	bool whole = true;

	buf_addf(text, "%s %s %s %s %llu", question, subject, alone ? "alone" : "all",
		 endings[a->ending].word, (unsigned long long)a->ms);
	if (endings[a->ending].numbered)
		buf_addf(text, " %d", a->number);
	buf_char(text, '\n');
	whole &= write_lines(text, &a->lines, most);
	if (a->ending != ANSWER_ANSWERED)
		whole &= write_word(text, "call", &a->call, most);
	if (a->ending == ANSWER_CRASHED)
		whole &= write_word(text, "place", &a->place, most);
	whole &= write_lines(text, &a->said, most);
	return whole;
}
