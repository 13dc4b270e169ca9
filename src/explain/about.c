#include "explain/about.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

extern const char data_about[];

/* A row of data/about.tsv. */
struct about_row {
	struct span kind, name, answer;
};

typedef bool (*speaks_fn)(const struct explanation *e, struct span name);

static bool has_cause(const struct explanation *e, struct span name)
{
	return e->word >= BELIEF_LIKELY && !e->family && span_is(name, e->causes[0].cause);
}

static bool has_origin(const struct explanation *e, struct span name)
{
	const struct failure *f = e->failure;

	return e->word == BELIEF_NOT_RECOGNISED && f && f->counts && f->is_clear && f->origin &&
	       span_is(name, f->origin);
}

static bool has_fact(const struct explanation *e, struct span name)
{
	struct span wanted = name, fact;

	if (!span_cut(&wanted, '=', &fact))
		return false;
	for (size_t i = 0; i < e->fact_count; i++)
		if (span_is(fact, e->facts[i].name) &&
		    (wanted.len == 0 || span_is(wanted, e->facts[i].value)))
			return true;
	return false;
}

static bool has_event(const struct explanation *e, struct span name)
{
	bool any_ending = span_ends(name, "*");

	name.len -= any_ending;
	for (size_t i = 0; i < e->event_count; i++) {
		struct span id = span_of(e->events[i].signature);

		if (any_ending && id.len > name.len)
			id.len = name.len;
		if (span_same(id, name))
			return true;
	}
	return false;
}

/* Where a word begins: "hipError" is in "hipErrorNoBinaryForGpu". */
static bool has_start(struct span text, struct span words)
{
	size_t from = 0, found;

	while ((found = span_find((struct span){ text.data + from, text.len - from }, words)) !=
	       SIZE_MAX) {
		if (!span_inside_word(text, from + found))
			return true;
		from += found + 1;
	}
	return false;
}

static bool has_gpu(const struct explanation *e, struct span name)
{
	char small[64];

	for (size_t i = 0; i < e->fact_count; i++) {
		const char *value = e->facts[i].value;
		size_t n = 0;

		if (strcmp(e->facts[i].name, "gpu") != 0)
			continue;
		for (; n < sizeof(small) && value[n]; n++)
			small[n] = (char)tolower((unsigned char)value[n]);
		if (has_start((struct span){ small, n }, name))
			return true;
	}
	return false;
}

/* "ROCM used to build PyTorch: N/A" tells of a build without it. */
static bool has_words(const char *line, struct span words)
{
	return line && !strstr(line, "N/A") && !strstr(line, "ould not collect") &&
	       has_start(span_of(line), words);
}

static bool has_line(const struct explanation *e, struct span words)
{
	const struct failure *f = e->failure;

	for (size_t i = 0; i < e->event_count; i++)
		if (strcmp(e->events[i].kind, "harmless") != 0 &&
		    has_words(e->events[i].text, words))
			return true;
	return f && f->counts &&
	       (has_words(f->first.text, words) || has_words(f->last.text, words));
}

static bool read_row(struct span *rest, struct about_row *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (!span_starts(line, "#") && span_cut(&line, '\t', &ret->kind) &&
		    span_cut(&line, '\t', &ret->name)) {
			ret->answer = line;
			return true;
		}
	return false;
}

/* The answers, as constants that outlive the explanation. */
static const char *find(const struct explanation *e, const char *kind, speaks_fn speaks,
			const char *answer)
{
	struct span rest = span_of(data_about);
	struct about_row row;

	while (read_row(&rest, &row))
		if (span_is(row.kind, kind) && span_is(row.answer, answer) && speaks(e, row.name))
			return answer;
	return NULL;
}

/* In the order in which they are asked: the first that something speaks for is the answer. */
static const struct {
	const char *kind;
	speaks_fn speaks;
	const char *answer;
} order[] = {
	{ "cause", has_cause, "other-gpu" }, { "cause", has_cause, "not-gpu" },
	{ "origin", has_origin, "not-gpu" }, { "cause", has_cause, "amd" },
	{ "fact", has_fact, "amd" },         { "event", has_event, "amd" },
	{ "gpu", has_gpu, "amd" },           { "line", has_line, "amd" },
	{ "gpu", has_gpu, "other-gpu" },     { "event", has_event, "other-gpu" },
	{ "fact", has_fact, "other-gpu" },
};

const char *about(const struct explanation *e)
{
	const char *answer = NULL;

	for (size_t i = 0; !answer && i < COUNT(order); i++)
		answer = find(e, order[i].kind, order[i].speaks, order[i].answer);
	return answer;
}
