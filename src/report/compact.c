#include "report/compact.h"

#include <string.h>

#include "base/text.h"
#include "diagnose/steps.h"

/* What an answer may cost a reader who pays for each byte: about 2 kB in all. */
#define STEPS_SHOWN 3
#define STEP_BYTES  1000 /* of the words of all steps; the first has all of its own */
#define SIGNS_SHOWN 3
#define QUOTE_BYTES 160

struct json compact_open(struct buf *ret)
{
	struct json j = json_on(ret);

	j.compact = true;
	json_open(&j, NULL, '{');
	return j;
}

void compact_head(struct json *j, const char *word, struct span headline)
{
	json_int(j, "schema", COMPACT_SCHEMA);
	json_string(j, "answer", word);
	json_text(j, "headline", headline);
}

void compact_cause(struct json *j, const char *cause, const char *title, const char *certainty)
{
	json_open(j, NULL, '{');
	json_string(j, "cause", cause);
	json_string(j, "title", title);
	if (certainty)
		json_string(j, "certainty", certainty);
	json_close(j, '}');
}

void compact_begin_steps(struct compact_steps *s, struct json *j, enum shell shell)
{
	*s = (struct compact_steps){ .json = j, .shell = shell };
	json_open(j, "steps", '[');
}

static void add_step(struct compact_steps *s, const char *title, const char *how, const char *risk)
{
	size_t len = how ? strlen(how) : 0;

	if (s->count == STEPS_SHOWN) {
		s->left_out = true;
		return;
	}
	json_open(s->json, NULL, '{');
	json_string(s->json, "title", title);
	if (len > 0 && (s->count == 0 || s->bytes + len <= STEP_BYTES))
		json_string(s->json, "steps", how);
	else
		s->left_out = s->left_out || len > 0;
	if (risk && strcmp(risk, "none") != 0)
		json_string(s->json, "risk", risk);
	json_close(s->json, '}');
	s->bytes += len;
	s->count++;
}

void compact_remedy(struct compact_steps *s, const char *title, const struct remedy *r)
{
	add_step(s, title, r ? steps_of(&s->arena, r, s->shell) : NULL, r ? r->risk : NULL);
}

void compact_typed(struct compact_steps *s, const char *title, const char *typed, const char *tells)
{
	const char *how = NULL;

	if (typed)
		how = arena_format(&s->arena, "    %s%s%s", typed, tells ? "\n" : "",
				   tells ? tells : "");
	add_step(s, title, how, NULL);
}

bool compact_end_steps(struct compact_steps *s)
{
	json_close(s->json, ']');
	arena_done(&s->arena);
	return s->left_out;
}

bool compact_sign(struct json *j, size_t nth, const struct compact_sign *sign)
{
	if (nth >= SIGNS_SHOWN)
		return false;
	json_open(j, NULL, '{');
	json_string(j, "says", sign->says);
	json_string(j, "source", sign->source);
	if (sign->quoted)
		json_text(j, "quoted", text_cut(span_of(sign->quoted), QUOTE_BYTES));
	json_close(j, '}');
	return true;
}

void compact_end(struct json *j, bool left_out)
{
	json_bool(j, "more", left_out);
	json_close(j, '}');
}
