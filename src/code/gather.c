#include "code/gather.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct held {
	struct code_target target;
	unsigned int last; /* number of the bundle that named it last, from 1 */
};

uint64_t gather_place(const struct source *s, uint64_t at)
{
	return s->start + at;
}

const char *gather_text(struct gather *g, const char *text)
{
	struct buf clean BUF_SCOPED = { 0 };

	if (!text || text_is_clean(span_of(text), false))
		return text;
	text_clean(&clean, span_of(text), false);
	return arena_text(g->arena, buf_get(&clean));
}

void gather_problem(struct gather *g, const char *format, ...)
{
	struct buf line BUF_SCOPED = { 0 };
	const char *text;
	va_list args;

	if (g->problems.len / sizeof(text) >= GATHER_PROBLEMS_MAX) {
		g->left_out++;
		return;
	}
	va_start(args, format);
	buf_addv(&line, format, args);
	va_end(args);
	text = gather_text(g, arena_text(g->arena, buf_get(&line)));
	buf_add(&g->problems, &text, sizeof(text));
}

/* Said once. */
static void limit_met(struct gather *g, const char *format, unsigned int limit)
{
	if (!g->too_many)
		gather_problem(g, format, limit);
	g->too_many = true;
}

bool gather_bundle(struct gather *g, enum code_form form)
{
	if (g->code->bundles >= GATHER_BUNDLES_MAX) {
		g->full = true;
		limit_met(g, "more than %u bundles: the others were not read", GATHER_BUNDLES_MAX);
		return false;
	}
	g->code->bundles++;
	g->code->forms[form]++;
	return true;
}

static struct held *new_target(struct gather *g, const char *id)
{
	struct held *held;

	if (g->by_id.count >= GATHER_TARGETS_MAX) {
		limit_met(g, "more than %u targets: the others were left out", GATHER_TARGETS_MAX);
		return NULL;
	}
	held = arena_alloc(g->arena, sizeof(*held));
	memccpy(held->target.id, id, 0, sizeof(held->target.id) - 1);
	map_put(&g->by_id, span_of(held->target.id), held);
	buf_add(&g->targets, &held, sizeof(held));
	return held;
}

static void count(struct gather *g, struct held *held)
{
	if (held->last == g->code->bundles)
		return;
	held->last = g->code->bundles;
	held->target.in++;
}

void gather_target(struct gather *g, const char *id)
{
	struct held *held = map_find(&g->by_id, span_of(id));

	if (!held)
		held = new_target(g, id);
	if (held)
		count(g, held);
}

bool gather_again(struct gather *g, uint64_t place, struct span id)
{
	if (place >= GATHER_PLACES || !g->places[place].held || !span_same(g->places[place].id, id))
		return false;
	count(g, g->places[place].held);
	return true;
}

void gather_remember(struct gather *g, uint64_t place, struct span id, const char *target)
{
	if (place >= GATHER_PLACES)
		return;
	g->places[place].held = map_find(&g->by_id, span_of(target));
	g->places[place].id = arena_span(g->arena, id);
}

void gather_version(struct gather *g, unsigned int version)
{
	struct code *code = g->code;

	if (version == 0)
		return;
	if (code->oldest_cov == 0 || version < code->oldest_cov)
		code->oldest_cov = version;
	if (version > code->newest_cov)
		code->newest_cov = version;
}

static int by_name(const void *a, const void *b)
{
	const struct code_target *x = a, *y = b;

	return strcmp(x->id, y->id);
}

void gather_end(struct gather *g)
{
	size_t count = g->targets.len / sizeof(struct held *);
	struct code_target *targets = arena_alloc(g->arena, (count + 1) * sizeof(*targets));
	const char *text;

	for (size_t i = 0; i < count; i++) {
		struct held *held;

		memcpy(&held, g->targets.data + i * sizeof(held), sizeof(held));
		targets[i] = held->target;
	}
	if (count > 0)
		qsort(targets, count, sizeof(*targets), by_name);
	g->code->targets = targets;
	g->code->target_count = count;
	if (g->left_out > 0) {
		text = arena_format(g->arena, "and %zu more problems", g->left_out);
		buf_add(&g->problems, &text, sizeof(text));
	}
	g->code->problem_count = g->problems.len / sizeof(text);
	if (g->code->problem_count > 0)
		g->code->problems = memcpy(arena_alloc(g->arena, g->problems.len), g->problems.data,
					   g->problems.len);
	map_done(&g->by_id);
	buf_done(&g->targets);
	buf_done(&g->problems);
	buf_done(&g->window);
	unpack_done(&g->unpack);
}
