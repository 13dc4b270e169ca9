#include <string.h>

#include "base/json-write.h"
#include "report/explain.h"

#define SCHEMA 1 /* only grows */

static void text(struct json *j, const char *key, const char *value)
{
	if (value)
		json_text(j, key, span_of(value));
	else
		json_null(j, key);
}

static void write_lines(struct json *j, const struct explain_cause *c)
{
	json_open(j, "evidence", '[');
	for (size_t i = 0; i < c->line_count; i++) {
		const struct explain_line *l = &c->lines[i];

		json_open(j, NULL, '{');
		text(j, "id", l->id);
		text(j, "says", l->says);
		text(j, "source", l->source);
		json_int(j, "weight", l->weight);
		json_int(j, "counted", l->counted);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_remedies(struct json *j, const struct explain_cause *c)
{
	json_open(j, "remedies", '[');
	for (size_t i = 0; i < c->remedy_count; i++) {
		json_open(j, NULL, '{');
		text(j, "id", c->remedies[i]->id);
		text(j, "title", c->remedies[i]->title);
		text(j, "risk", c->remedies[i]->risk);
		text(j, "steps", c->remedies[i]->steps);
		text(j, "verify", c->remedies[i]->verify);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_cause(struct json *j, const struct explain_cause *c)
{
	json_open(j, NULL, '{');
	text(j, "cause", c->cause);
	text(j, "title", c->title);
	text(j, "severity", c->severity);
	json_int(j, "share", c->share);
	json_int(j, "sum", c->sum);
	json_real(j, "belief", c->belief);
	text(j, "cure", c->cure);
	write_lines(j, c);
	write_remedies(j, c);
	json_close(j, '}');
}

static void write_event(struct json *j, const struct explain_event *e)
{
	json_open(j, NULL, '{');
	text(j, "signature", e->signature);
	text(j, "kind", e->kind);
	text(j, "says", e->says);
	text(j, "text", e->text);
	text(j, "source", e->source);
	json_int(j, "line", e->line);
	json_int(j, "count", e->count);
	json_close(j, '}');
}

void explain_json(const struct explain_report *r, struct buf *ret)
{
	const struct explanation *e = r->explanation;
	struct json j = json_on(ret);

	json_open(&j, NULL, '{');
	json_int(&j, "schema", SCHEMA);
	text(&j, "answer", explain_word_name(e->word));
	text(&j, "first_failure", e->first ? e->first->signature : NULL);
	json_real(&j, "unknown", e->unknown);
	json_open(&j, "causes", '[');
	for (size_t i = 0; i < e->spoken; i++)
		write_cause(&j, &e->causes[i]);
	json_close(&j, ']');
	json_open(&j, "events", '[');
	for (size_t i = 0; i < e->event_count; i++)
		write_event(&j, &e->events[i]);
	json_close(&j, ']');
	text(&j, "used", r->used);
	json_int(&j, "lines", (int64_t)r->lines);
	text(&j, "knowledge", r->kb_version);
	json_close(&j, '}');
	buf_char(ret, '\n');
}
