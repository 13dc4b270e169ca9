#include "gate/node-verdict.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

#define HEAD  "rocsteady-verdict 1\n"
#define SPARE 48 /* bytes that stay free for the lines `lines` and `more` */

/* ---- writing ---- */

static void add_word(struct buf *out, const char *text)
{
	buf_char(out, ' ');
	if (text[0])
		text_word(out, span_of(text));
	else
		buf_char(out, '-');
}

static void write_finding(const struct node_finding *f, struct buf *ret)
{
	buf_text(ret, "finding");
	add_word(ret, f->cause);
	add_word(ret, f->subject);
	add_word(ret, f->action);
	buf_addf(ret, " %llu %s", (unsigned long long)f->first_s, f->logged ? "log" : "state");
	add_word(ret, f->title);
	buf_text(ret, f->enforced ? " enforce" : " observe");
	add_word(ret, f->repair ? f->repair : "");
	buf_char(ret, '\n');
}

static bool add_if_it_fits(struct buf *ret, struct span line)
{
	if (ret->len + line.len + SPARE > NODE_VERDICT_MAX)
		return false;
	buf_span(ret, line);
	return true;
}

/* A line with one word, if there is one. */
static void write_text(const char *name, const char *text, struct buf *ret)
{
	struct buf line BUF_SCOPED = { 0 };

	if (!text[0])
		return;
	buf_text(&line, name);
	add_word(&line, text);
	buf_char(&line, '\n');
	add_if_it_fits(ret, buf_get(&line));
}

static void write_number(const char *name, uint64_t number, struct buf *ret)
{
	if (number > 0)
		buf_addf(ret, "%s %llu\n", name, (unsigned long long)number);
}

static void write_test(const struct node_test *t, struct buf *ret)
{
	if (!t->result[0])
		return;
	buf_addf(ret, "test %llu %s", (unsigned long long)t->second, t->result);
	add_word(ret, t->layers);
	buf_char(ret, '\n');
}

static void write_head(const struct node_verdict *v, struct buf *ret)
{
	buf_text(ret, "boot");
	add_word(ret, v->boot);
	buf_addf(ret, "\nsecond %llu\nknowledge", (unsigned long long)v->second);
	add_word(ret, v->knowledge);
	buf_char(ret, '\n');
	write_text("program", v->program, ret);
	write_text("conf", v->conf, ret);
	write_text("expected", v->expected, ret);
	write_text("mode", v->mode, ret);
	write_number("max_drained", v->max_drained, ret);
	write_number("max_per_hour", v->max_per_hour, ret);
	write_number("latch", v->latch, ret);
	write_text("scontrol", v->scontrol, ret);
	write_number("slurm_ms", v->slurm_ms, ret);
	write_text("ignored", v->ignored, ret);
	write_text("why", v->why, ret);
	write_test(&v->test, ret);
}

static void write_body(const struct node_verdict *v, struct buf *ret)
{
	struct buf line BUF_SCOPED = { 0 };
	uint64_t more = v->more;

	write_head(v, ret);
	for (size_t i = 0; i < v->count; i++) {
		buf_clear(&line);
		write_finding(&v->findings[i], &line);
		more += !add_if_it_fits(ret, buf_get(&line));
	}
	for (size_t i = 0; i < v->unknown_count; i++)
		write_text("unknown", v->unknown[i], ret); /* the first says enough */
	if (more > 0)
		buf_addf(ret, "more %llu\n", (unsigned long long)more);
}

static size_t count_lines(struct span text)
{
	struct span line;
	size_t n = 0;

	while (span_line(&text, &line))
		n++;
	return n;
}

/* How many lines follow stands first: one that lost its findings is damaged, and no good verdict. */
void node_verdict_write(const struct node_verdict *v, struct buf *ret)
{
	struct buf body BUF_SCOPED = { 0 };

	write_body(v, &body);
	buf_addf(ret, HEAD "lines %zu\n", count_lines(buf_get(&body)));
	buf_span(ret, buf_get(&body));
}

/* ---- reading ---- */

static bool take_word(struct arena *a, struct span *rest, const char **ret)
{
	struct buf plain BUF_SCOPED = { 0 };
	struct span word;

	if (!span_word(rest, &word) || !text_unword(&plain, word) ||
	    !text_is_clean(buf_get(&plain), false))
		return false;
	*ret = span_is(word, "-") ? "" : arena_text(a, buf_get(&plain));
	return true;
}

static bool take_number(struct span *rest, uint64_t *ret)
{
	struct span word;

	return span_word(rest, &word) && span_u64(word, ret);
}

static bool take_finding(struct arena *a, struct span rest, struct node_verdict *v)
{
	struct node_finding f = { .repair = "" };
	struct span basis, mode;

	if (!take_word(a, &rest, &f.cause) || !take_word(a, &rest, &f.subject) ||
	    !take_word(a, &rest, &f.action) || !take_number(&rest, &f.first_s) ||
	    !span_word(&rest, &basis) || !take_word(a, &rest, &f.title) || !f.cause[0])
		return false;
	f.logged = !span_is(basis, "state");
	f.enforced = span_word(&rest, &mode) && span_is(mode, "enforce");
	if (span_trim(rest).len > 0 &&
	    !take_word(a, &rest, &f.repair)) /* an earlier version ends here */
		return false;
	v->findings = arena_grow(a, v->findings, v->count, sizeof(*v->findings));
	v->findings[v->count++] = f;
	return true;
}

static bool take_test(struct arena *a, struct span rest, struct node_verdict *v)
{
	return take_number(&rest, &v->test.second) && take_word(a, &rest, &v->test.result) &&
	       take_word(a, &rest, &v->test.layers);
}

static bool take_unknown(struct arena *a, struct span rest, struct node_verdict *v)
{
	const char *cause;

	if (!take_word(a, &rest, &cause))
		return false;
	v->unknown = arena_grow(a, v->unknown, v->unknown_count, sizeof(*v->unknown));
	v->unknown[v->unknown_count++] = cause;
	return true;
}

static const struct {
	const char *name;
	size_t field;
} texts[] = {
	{ "boot", offsetof(struct node_verdict, boot) },
	{ "program", offsetof(struct node_verdict, program) },
	{ "conf", offsetof(struct node_verdict, conf) },
	{ "expected", offsetof(struct node_verdict, expected) },
	{ "knowledge", offsetof(struct node_verdict, knowledge) },
	{ "mode", offsetof(struct node_verdict, mode) },
	{ "ignored", offsetof(struct node_verdict, ignored) },
	{ "scontrol", offsetof(struct node_verdict, scontrol) },
	{ "why", offsetof(struct node_verdict, why) },
}, numbers[] = {
	{ "second", offsetof(struct node_verdict, second) },
	{ "max_drained", offsetof(struct node_verdict, max_drained) },
	{ "max_per_hour", offsetof(struct node_verdict, max_per_hour) },
	{ "latch", offsetof(struct node_verdict, latch) },
	{ "slurm_ms", offsetof(struct node_verdict, slurm_ms) },
	{ "more", offsetof(struct node_verdict, more) },
};

static bool take_line(struct arena *a, struct span line, struct node_verdict *v)
{
	struct span name;

	if (!span_word(&line, &name))
		return true;
	for (size_t i = 0; i < COUNT(texts); i++)
		if (span_is(name, texts[i].name))
			return take_word(a, &line, (const char **)((char *)v + texts[i].field));
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (span_is(name, numbers[i].name))
			return take_number(&line, (uint64_t *)((char *)v + numbers[i].field));
	if (span_is(name, "unknown"))
		return take_unknown(a, line, v);
	if (span_is(name, "test"))
		return take_test(a, line, v);
	return span_is(name, "finding") ? take_finding(a, line, v) : true;
}

/* The first line, if it tells how many follow; an earlier version did not write it. */
static bool take_count(struct span *rest)
{
	struct span line, word;
	uint64_t lines;

	if (!span_starts(*rest, "lines "))
		return true;
	span_line(rest, &line);
	span_word(&line, &word);
	return take_number(&line, &lines) && lines == count_lines(*rest);
}

bool node_verdict_parse(struct arena *a, struct span text, struct node_verdict *ret)
{
	struct node_verdict v = NODE_VERDICT_EMPTY;
	struct span rest = text, line;

	if (text.len > NODE_VERDICT_MAX || !span_starts(text, HEAD) ||
	    text.data[text.len - 1] != '\n')
		return false;
	rest.data += strlen(HEAD);
	rest.len -= strlen(HEAD);
	if (!take_count(&rest))
		return false;
	while (span_line(&rest, &line))
		if (!take_line(a, line, &v))
			return false;
	node_verdict_order(&v); /* an earlier version did not */
	*ret = v;
	return true;
}

/* ---- ordering and joining ---- */

void node_verdict_order(struct node_verdict *v)
{
	size_t place = 0;

	for (size_t i = 0; i < v->count; i++) {
		struct node_finding f = v->findings[i];

		if (!f.enforced)
			continue;
		memmove(&v->findings[place + 1], &v->findings[place],
			(i - place) * sizeof(*v->findings));
		v->findings[place++] = f;
	}
}

bool node_verdict_is_unknown(const struct node_verdict *v, const char *cause)
{
	for (size_t i = 0; i < v->unknown_count; i++)
		if (strcmp(v->unknown[i], cause) == 0)
			return true;
	return false;
}

void node_verdict_weigh_test(struct arena *a, struct node_verdict *v)
{
	if (strcmp(v->test.result, "failed") != 0)
		return;
	v->unknown = arena_grow(a, v->unknown, v->unknown_count, sizeof(*v->unknown));
	v->unknown[v->unknown_count++] = arena_format(a, "GPU test (%s)", v->test.layers);
}

static struct node_finding *find(struct node_verdict *v, const struct node_finding *like)
{
	for (size_t i = 0; i < v->count; i++)
		if (strcmp(v->findings[i].cause, like->cause) == 0 &&
		    strcmp(v->findings[i].subject, like->subject) == 0)
			return &v->findings[i];
	return NULL;
}

void node_verdict_join(struct arena *a, struct node_verdict *v, const struct node_verdict *earlier)
{
	if (!v->boot[0] || strcmp(v->boot, earlier->boot) != 0)
		return;
	if (!v->test.result[0])
		v->test = earlier->test;
	for (size_t i = 0; i < earlier->count; i++) {
		const struct node_finding *was = &earlier->findings[i];
		struct node_finding *is = find(v, was);

		if (is) {
			is->first_s = was->first_s;
			is->logged = is->logged || was->logged;
		} else if (was->logged || node_verdict_is_unknown(v, was->cause)) {
			v->findings = arena_grow(a, v->findings, v->count, sizeof(*v->findings));
			v->findings[v->count++] = *was;
		}
	}
}
