#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "explain/described.h"
#include "facts/products.h"
#include "kb/gpu-names.h"

static void say(struct state *state, const struct described_fact *f, const char *name,
		struct span value, const char *file)
{
	struct buf source BUF_SCOPED = { 0 };

	buf_addf(&source, "%s:%llu", file, f->line);
	state_say(state, &(struct said){ name, value, source.data, "log" });
}

static bool same_name(const struct described_fact *a, const struct described_fact *b)
{
	return span_same(a->name, b->name);
}

/* A sentence yields to a field, and to a sentence that says otherwise. */
static bool counts(const struct described *d, size_t at)
{
	const struct described_fact *f = &d->list[at];

	for (size_t i = 0; i < d->count; i++) {
		const struct described_fact *o = &d->list[i];

		if (i == at || !same_name(o, f) || span_is(f->name, "framework"))
			continue;
		if (f->labelled && o->labelled)
			continue;
		if (o->labelled ||
		    (!f->labelled && !span_same(o->value, f->value) && !(f->is_wsl && !o->is_wsl)))
			return false;
	}
	return true;
}

/* Of several programs the one that a person runs: none that others load, and torch last. */
static const struct described_fact *find_program(const struct described *d)
{
	const struct described_fact *best = NULL;
	int least = 4;

	for (size_t i = 0; i < d->count; i++) {
		const struct described_fact *f = &d->list[i];
		int rank = span_is(f->program, "torch") ? 2 : f->is_library;

		if (f->program.len > 0 && rank < least) {
			best = f;
			least = rank;
		}
	}
	return best;
}

/* The release of torch beside that of vLLM. */
static void tell_version(struct state *state, const struct described_fact *f, const char *file)
{
	struct span name;

	if (f->value.len > 0 && state_spoken(f->program, "framework", &name) &&
	    !state_has_version(state, f->program))
		say(state, f, arena_text(&state->arena, name), f->value, file);
}

/* What the log itself prints of programs goes before: a list of versions names more than what ran. */
void described_tell_behind(struct state *state, const struct described *d, const char *file)
{
	const struct described_fact *first = find_program(d);

	contrast_tell(state->facts, &d->contrasts, file);

	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].program.len > 0 && &d->list[i] != first)
			tell_version(state, &d->list[i], file);
	if (!first)
		return;
	if (state_has(state, "framework") && first->is_library) {
		tell_version(state, first, file);
		return;
	}
	if (!state_has(state, "framework"))
		say(state, first, "framework", first->program, file);
	if (first->value.len > 0 && !state_has(state, "version") &&
	    !state_has_version(state, first->program))
		say(state, first, "version", first->value, file);
}

/*
 * A processor is the GPU inside where no other GPU is named, and where its name says so: 5600G,
 * 8845HS, AI Max+ 395. With a 7950X there is a card.
 */
static bool is_gpu(const struct described *d, const struct described_fact *f)
{
	char last = f->value.len > 0 ? f->value.data[f->value.len - 1] : '\0';
	bool any = false;

	if (!f->is_processor)
		return true;
	for (size_t i = 0; i < d->count; i++)
		any |= span_is(d->list[i].name, "gpu") && !d->list[i].is_processor;
	return !any && (memchr("GUHSETgushet", last, 12) ||
			span_find(f->value, SPAN_LITERAL(" AI ")) != SIZE_MAX);
}

static bool any_labelled(const struct described *d, const char *name)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].labelled && span_is(d->list[i].name, name))
			return true;
	return false;
}

/* Fields as they are written. */
static void tell_gpu_fields(struct state *state, const struct described *d, const char *file)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].labelled && span_is(d->list[i].name, "gpu"))
			say(state, &d->list[i], "gpu", d->list[i].value, file);
}

/* The GPU that sentences name, if the tables have it and no other. */
static void tell_gpu(struct state *state, const struct described *d, const char *file)
{
	const struct described_fact *told = NULL;
	struct span gfx = { 0 };

	for (size_t i = 0; i < d->count; i++) {
		const struct described_fact *f = &d->list[i];
		struct gpu_said p = { 0 };

		if (!span_is(f->name, "gpu") || !is_gpu(d, f) ||
		    !gpu_names_said(facts_db(state->facts), &state->arena, f->value, &p))
			continue;
		if (told && !span_same(gfx, p.gfx))
			return;
		told = told && told->value.len > f->value.len ? told : f;
		gfx = p.gfx;
	}
	if (told)
		say(state, told, "gpu", told->value, file);
}

/* What lspci calls a GPU may stand for several products, which have one target or none is taken. */
static void tell_listed(struct state *state, const struct described_fact *f, const char *file)
{
	struct span rest = span_of(data_products), gfx = { 0 };
	struct product p;

	while (products_next(&rest, &p)) {
		if (!span_same(p.name, f->value) || !span_starts(p.gfx, "gfx"))
			continue;
		if (gfx.len > 0 && !span_same(gfx, p.gfx))
			return;
		gfx = p.gfx;
	}
	if (gfx.len == 0)
		return;
	say(state, f, "gpu", f->value, file);
	say(state, f, "gfx", gfx, file);
}

void described_tell(struct state *state, const struct described *d, const char *file)
{
	static const char *const names[] = { "gfx",     "gpu_count", "rocm",   "hip",
					     "os",      "kernel",    "driver", "python",
					     "image",   "container", "rccl",   "miopen",
					     "rocblas", "hipblaslt" };

	setting_tell(state, &d->settings, file);
	if (d->count == 0)
		return;
	if (any_labelled(d, "gpu"))
		tell_gpu_fields(state, d, file);
	else
		tell_gpu(state, d, file);
	for (size_t i = 0; i < d->count; i++)
		if (span_is(d->list[i].name, "listed"))
			tell_listed(state, &d->list[i], file);
	for (size_t i = 0; i < d->count; i++)
		for (size_t k = 0; k < COUNT(names); k++)
			if (span_is(d->list[i].name, names[k]) && counts(d, i))
				say(state, &d->list[i], names[k], d->list[i].value, file);
}
