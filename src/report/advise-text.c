#include <string.h>

#include "report/advise.h"

#define COLUMN 11

static void row(struct page *p, const char *name, const char *text)
{
	buf_addf(p->out, "   %-*s", COLUMN - 3, name);
	page_wrap(p, COLUMN, COLUMN, text);
}

/* "gfx1100 (Radeon RX 7900 XTX) and gfx1201" */
static void add_gpus(struct buf *out, const struct advise_part *part)
{
	for (size_t i = 0; i < part->gpu_count; i++) {
		const struct advise_gpu *g = &part->gpus[i];

		buf_addf(out, "%s%s", i > 0 ? " and " : "", g->gfx);
		if (g->name && strcmp(g->name, g->gfx) != 0)
			buf_addf(out, " (%s)", g->name);
	}
}

static void heading(const struct advice *a, const struct advise_part *part, struct page *p)
{
	struct buf left BUF_SCOPED = { 0 }, right BUF_SCOPED = { 0 };
	bool none = advise_is_none(part);

	buf_addf(&left, "%s for ", a->wish.application);
	add_gpus(&left, part);
	if (none)
		buf_addf(&left, ": none known, checked %s", part->ways[0].checked);
	buf_addf(&right, "%s", a->wish.system);
	if (a->wish.python && !part->other_python)
		buf_addf(&right, " %s Python %s", page_dot(p), a->wish.python);
	page_heading(p, none ? PAGE_UNDECIDED : PAGE_GOOD, left.data, right.data);
}

static const char *class_name(const char *class)
{
	static const char *const names[][2] = {
		{ "source", "from source code" },       { "maintainer", "said by a maintainer" },
		{ "official", "documented" },           { "reporter", "reported by users" },
		{ "inferred", "inferred, not tested" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(class, names[i][0]) == 0)
			return names[i][1];
	return class;
}

/* Where it stands is long, and for those who want to check us. */
static void known(const struct install_way *way, bool verbose, struct page *p)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s", way->checked);
	if (way->days > 0)
		buf_addf(&text, ", %lld days ago: look for a newer release (rocsteady kb update)",
			 (long long)way->days);
	buf_addf(&text, "; %s", class_name(way->class));
	if (verbose)
		buf_addf(&text, ": %s", way->source);
	row(p, "checked", text.data);
}

static void write_way(const struct install_way *way, bool verbose, struct page *p)
{
	if (way->line)
		buf_addf(p->out, "     %s\n", way->line);
	row(p, "why", way->why);
	if (way->caveat)
		row(p, "note", way->caveat);
	if (way->line)
		known(way, verbose, p);
}

static void write_part(const struct advice *a, const struct advise_part *part, bool verbose,
		       struct page *p)
{
	struct buf text BUF_SCOPED = { 0 };

	heading(a, part, p);
	if (part->other_python) {
		buf_addf(&text, "No build for Python %s; with another Python:", a->wish.python);
		row(p, "python", text.data);
	}
	write_way(&part->ways[0], verbose, p);
	if (part->kernel && !advise_is_none(part))
		row(p, "driver", part->kernel);
	if (part->memory && !advise_is_none(part))
		row(p, "memory", part->memory);
	for (size_t i = 1; verbose && i < part->way_count; i++) {
		buf_addf(p->out, "\n   Alternative, as %s:\n", part->ways[i].kind);
		write_way(&part->ways[i], verbose, p);
	}
	buf_clear(&text);
	if (!verbose && part->way_count > 1) {
		buf_addf(&text, "%zu %s: add --verbose", part->way_count - 1,
			 part->way_count == 2 ? "alternative" : "alternatives");
		row(p, "also", text.data);
	}
}

void advise_text(const struct advice *a, bool verbose, struct page *p)
{
	for (size_t i = 0; i < a->part_count; i++) {
		if (i > 0)
			buf_char(p->out, '\n');
		write_part(a, &a->parts[i], verbose, p);
	}
}
