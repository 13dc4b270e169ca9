#include "fix/plan.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"

/* ---- steps ---- */

/* "(or the unit that is named above) and add:" goes on where the command left off. */
static bool goes_on(struct span line)
{
	return line.len > 0 && (islower((unsigned char)line.data[0]) || line.data[0] == '(');
}

static void add_part(struct arena *a, const char **part, struct span line, char between)
{
	*part = (*part)[0] ? arena_format(a, "%s%c%.*s", *part, between, (int)line.len, line.data)
			   : arena_text(a, line);
}

size_t fix_steps(struct arena *a, const char *text, const struct fix_step **ret)
{
	struct span rest = span_of(text), line;
	struct fix_step *list;
	size_t lines = 1, count = 0;

	for (const char *s = text; *s; s++)
		lines += *s == '\n';
	list = arena_alloc(a, sizeof(*list) * (lines + 1));
	while (span_line(&rest, &line)) {
		bool command = span_starts(line, "    ");

		if (span_trim(line).len == 0)
			continue;
		if (count == 0 || (!command && !goes_on(line)) ||
		    (!command && list[count - 1].commands[0]))
			list[count++] = (struct fix_step){ "", "" };
		if (command)
			add_part(a, &list[count - 1].commands,
				 (struct span){ line.data + 4, line.len - 4 }, '\n');
		else
			add_part(a, &list[count - 1].text, span_trim(line), ' ');
	}
	*ret = list;
	return count;
}

/* ---- which remedies ---- */

static void add_item(struct fix_plan *p, const struct finding *f, const struct remedy *r,
		     size_t findings)
{
	struct fix_item *item = NULL;

	for (size_t i = 0; i < p->count && !item; i++) {
		const struct remedy *other = p->items[i].remedy;

		if (strcmp(other->id, r->id) == 0 && strcmp(other->title, r->title) == 0 &&
		    strcmp(other->steps, r->steps) == 0)
			item = &p->items[i];
	}
	if (!item) {
		item = &p->items[p->count++];
		*item = (struct fix_item){ .remedy = r, .optional = f->section != SECTION_CAUSE };
		item->findings = arena_alloc(&p->arena, sizeof(*item->findings) * findings);
		item->step_count = fix_steps(&p->arena, r->steps, &item->steps);
		p->optional += item->optional;
	}
	item->findings[item->finding_count++] = f;
}

static void add_findings(struct fix_plan *p, const struct diagnosis *d, bool optional)
{
	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (!f->holds || (f->section != SECTION_CAUSE) != optional)
			continue;
		for (size_t k = 0; k < f->remedy_count; k++)
			add_item(p, f, f->remedies[k], d->finding_count);
		if (!optional && f->remedy_count == 0)
			p->bare[p->bare_count++] = f;
	}
}

void fix_plan(const struct diagnosis *d, struct fix_plan *ret)
{
	struct fix_plan p = { 0 };
	size_t remedies = 0;

	for (size_t i = 0; i < d->finding_count; i++)
		remedies += d->findings[i].remedy_count;
	p.items = arena_alloc(&p.arena, sizeof(*p.items) * (remedies + 1));
	p.bare = arena_alloc(&p.arena, sizeof(*p.bare) * (d->finding_count + 1));
	add_findings(&p, d, false);
	add_findings(&p, d, true);
	for (size_t i = 0; i < d->finding_count; i++)
		p.undecided += d->findings[i].section == SECTION_UNDECIDED;
	*ret = p;
}

void fix_plan_done(struct fix_plan *p)
{
	arena_done(&p->arena);
	*p = (struct fix_plan){ 0 };
}

static bool is_for(const struct fix_item *item, const char *subject)
{
	for (size_t i = 0; i < item->finding_count; i++)
		if (strcmp(item->findings[i]->subject, subject) == 0)
			return true;
	return false;
}

const struct fix_item *fix_plan_next(const struct fix_plan *p, const char *id, const char *subject,
				     size_t *at)
{
	while (*at < p->count) {
		const struct fix_item *item = &p->items[(*at)++];

		if (strcmp(item->remedy->id, id) == 0 && (!subject || is_for(item, subject)))
			return item;
	}
	return NULL;
}
