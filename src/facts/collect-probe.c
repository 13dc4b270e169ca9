#include "facts/collect.h"

#include <string.h>

#include "base/span.h"
#include "base/text.h"
#include "door/standing.h"
#include "parse/walk-text.h"

/* ---- statuses ---- */

/*
 * What the status of a vendor's call is called.
 *
 * Reads data/statuses.tsv, which is compiled in. The name of the call tells
 * whose status it is: 2 is hipErrorOutOfMemory of hipMalloc and
 * HIPBLAS_STATUS_ALLOC_FAILED of hipblasCreate.
 */

/* The text of data/statuses.tsv, as compiled in. */
extern const char data_statuses[];

struct status {
	struct span call; /* beginning of the name of the calls that give it */
	int64_t number;
	struct span name;
};

static bool parse_line(struct span line, struct status *ret)
{
	struct span number;

	return span_cut(&line, '\t', &ret->call) && span_cut(&line, '\t', &number) &&
	       span_i64(number, &ret->number) && (ret->name = line).len > 0;
}

static bool begins(struct span s, struct span with)
{
	return with.len <= s.len && memcmp(s.data, with.data, with.len) == 0;
}

/*
 * hipblasLt's 3 must not be called by hip's name for it, so a longer beginning
 * counts even if it has no such number.
 */
/* Borrowed from the table. False, and *ret untouched, if it has none. */
static bool statuses_name(struct span table, struct span call, int64_t number, struct span *ret)
{
	size_t longest = 0;
	bool found = false;
	struct span line;
	struct status s;

	if (call.len == 0)
		return false;
	while (span_line(&table, &line)) {
		if (!parse_line(line, &s) || s.call.len < longest || !begins(call, s.call))
			continue;
		if (s.call.len > longest)
			found = false;
		longest = s.call.len;
		if (s.number == number) {
			*ret = s.name;
			found = true;
		}
	}
	return found;
}

/* ---- collect probe ---- */

#define QUESTION "probe"
#define SAID_MAX 64 /* lines of an answer that are counted; a prober keeps 20 */

/* The further lines of an answer. */
struct details {
	struct span file, call, place;
	struct buf said;
};

/* A word of the walk as it was before blanks were escaped. */
static struct span plain(struct collect *c, struct span word)
{
	struct buf out BUF_SCOPED = { 0 };

	return text_unword(&out, word) ? arena_span(&c->arena, buf_get(&out)) : word;
}

/* "torch@/path" as the option that says so; nothing for the system's libraries. */
static void say_like(struct buf *out, struct span like)
{
	static const struct {
		const char *prefix, *option;
	} forms[] = { { "pid@", " --like-pid " }, { "libraries@", " --libraries " } };

	if (span_is(like, "system"))
		return;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (span_starts(like, forms[i].prefix)) {
			size_t n = strlen(forms[i].prefix);

			buf_text(out, forms[i].option);
			text_shell(out, (struct span){ like.data + n, like.len - n });
			return;
		}
	buf_text(out, " --like ");
	text_shell(out, like);
}

/* The command that repeats the answer; --layer implies level 2, so "-l 2" is left out. */
static const char *command(struct collect *c, const struct walk_answer *a, struct span options)
{
	bool of_gpu = a->subject.len > 0 && !memchr(a->subject.data, '>', a->subject.len);
	struct buf out BUF_SCOPED = { 0 };

	buf_text(&out, "rocsteady probe --layer ");
	text_shell(&out, a->layer);
	if (of_gpu) {
		buf_text(&out, " --device ");
		text_shell(&out, a->subject);
	}
	if (span_ends(options, " -l 2"))
		options.len -= strlen(" -l 2");
	buf_span(&out, options);
	return arena_text(&c->arena, buf_get(&out));
}

static void add_value(struct collect *c, const struct walk_answer *a, const char *source,
		      struct span text)
{
	struct row row = row_of("probe_value");
	struct span name;
	int64_t number;

	if (!span_word(&text, &name))
		return;
	text = span_trim(text);
	row_text(&row, "question", a->question);
	row_text(&row, "subject", a->subject);
	row_text(&row, "variant", a->variant);
	row_text(&row, "name", plain(c, name));
	row_text(&row, "value", text);
	if (span_i64(text, &number))
		row_int(&row, "number", number);
	row_string(&row, "source", source);
	row_string(&row, "origin", "probed");
	facts_add(c->facts, &row);
}

static size_t count_said(struct span details, struct span line)
{
	struct span key, text;
	size_t count = 0;

	while (walk_detail(&details, &key, &text))
		count += span_is(key, "said") && span_same(text, line);
	return count;
}

/* A library that retries prints the same line each time: it is kept once, with a count. */
static void say_once(struct span details, struct buf *ret)
{
	struct span rest = details, key, text;
	size_t lines = 0;

	while (lines < SAID_MAX && walk_detail(&rest, &key, &text)) {
		struct span before = { details.data, (size_t)(key.data - details.data) };
		size_t count;

		if (!span_is(key, "said") || count_said(before, text) > 0)
			continue;
		lines++;
		count = count_said(details, text);
		buf_addf(ret, "%s%.*s", ret->len ? " / " : "", (int)text.len, text.data);
		if (count > 1)
			buf_addf(ret, " (%zu times)", count);
	}
}

static void read_details(struct collect *c, const struct walk_answer *a, const char *source,
			 struct details *ret)
{
	struct span rest = a->details, key, text;

	while (walk_detail(&rest, &key, &text)) {
		if (span_is(key, "file"))
			ret->file = plain(c, span_trim(text));
		else if (span_is(key, "call"))
			ret->call = span_trim(text);
		else if (span_is(key, "place"))
			ret->place = plain(c, span_trim(text));
		else if (span_is(key, "value"))
			add_value(c, a, source, text);
	}
	say_once(a->details, &ret->said);
}

static void row_word(struct row *r, const char *column, struct span word)
{
	if (word.len > 0)
		row_text(r, column, word);
}

static void add_answer(struct collect *c, const struct walk_answer *a, int64_t position,
		       struct span options)
{
	const char *source = command(c, a, options);
	struct row row = row_of("probe");
	struct details d = { 0 };
	struct span name;

	read_details(c, a, source, &d);
	row_int(&row, "position", position);
	row_text(&row, "layer", a->layer);
	row_text(&row, "question", a->question);
	row_text(&row, "subject", a->subject);
	row_text(&row, "variant", a->variant);
	row_string(&row, "ending", walk_ending_name(a->ending));
	if (a->has_number)
		row_int(&row, "number", a->number);
	if (a->ending == WALK_REFUSED && a->has_number &&
	    statuses_name(span_of(data_statuses), d.call, a->number, &name))
		row_text(&row, "name", name);
	row_word(&row, "call", d.call);
	row_word(&row, "place", d.place);
	row_word(&row, "file", d.file);
	row_word(&row, "said", buf_get(&d.said));
	row_u64(&row, "ms", a->ms);
	row_string(&row, "source", source);
	row_string(&row, "origin", "probed");
	facts_add(c->facts, &row);
	buf_done(&d.said);
}

static int read_walk(struct collect *c)
{
	struct buf how BUF_SCOPED = { 0 }; /* a blank before each option */
	struct row row = row_of("walk");
	struct span text, rest, line, options;
	struct walk_head head;
	struct walk_answer answer;
	int r = root_ask(c->root, QUESTION, &text);

	if (r < 0)
		return r;
	if (!walk_head(&text, &head))
		return -EBADMSG;
	say_like(&how, plain(c, head.like));
	if (head.level > 1)
		buf_addf(&how, " -l %llu", (unsigned long long)head.level);
	options = arena_span(&c->arena, buf_get(&how));
	row_u64(&row, "level", head.level);
	row_int(&row, "wall_s", head.time);
	row_text(&row, "like", plain(c, head.like));
	row_text(&row, "options", span_trim(options));
	row_string(&row, "source", QUESTION);
	row_string(&row, "origin", "probed");
	facts_add(c->facts, &row);
	for (rest = text; span_line(&rest, &line);) {
		const char *left;

		if (!span_starts(line, "left ")) /* "left 5200 answers" that did not fit the text */
			continue;
		left = arena_text(&c->arena, line);
		facts_gap_said(c->facts, "probe", "", "unasked", left, QUESTION);
		facts_gap_said(c->facts, "probe_value", "", "unasked", left, QUESTION);
	}
	for (int64_t n = 0; walk_next(&text, &answer); n++)
		add_answer(c, &answer, n, options);
	return 0;
}

/* Most machines are looked at without a walk, and nobody misses it: the gap has a name of its own. */
void collect_probe(struct collect *c)
{
	static const char *const tables[] = { "walk", "probe", "probe_value" };
	int r = read_walk(c);

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (r == DOOR_UNASKED)
			facts_gap_said(c->facts, tables[i], "", "unasked", "NOT WALKED", QUESTION);
		else if (r < 0)
			facts_gap(c->facts, tables[i], "", r, QUESTION);
		facts_asked(c->facts, tables[i]);
	}
}
