#include "targets/baseline.h"

#include <ctype.h>
#include <string.h>

#include "targets/rules.h"

/* ---- which row is which ---- */

static const char *name_of(const struct targets_row *row)
{
	return row->member ? row->member : row->path;
}

static const char *last_part(const struct targets_row *row)
{
	const char *slash = strrchr(name_of(row), '/');

	return slash && !row->kernels ? slash + 1 : name_of(row);
}

static bool is_same(const struct targets_row *a, const struct targets_row *b)
{
	return strcmp(name_of(a), name_of(b)) == 0;
}

static bool is_same_file(const struct targets_row *a, const struct targets_row *b)
{
	return strcmp(last_part(a), last_part(b)) == 0;
}

static bool is_same_but_digits(const struct targets_row *a, const struct targets_row *b)
{
	const char *x = last_part(a), *y = last_part(b);

	for (;; x++, y++) {
		while (isdigit((unsigned char)*x))
			x++;
		while (isdigit((unsigned char)*y))
			y++;
		if (*x != *y || !*x)
			return *x == *y;
	}
}

static bool has_same(const struct targets *t, const struct targets_row *row)
{
	for (size_t i = 0; i < t->row_count; i++)
		if (is_same(&t->rows[i], row))
			return true;
	return false;
}

/* The only row that is alike; one that is another row's by its name is not it. */
static const struct targets_row *
find_alike(const struct targets *t, const struct targets *older, const struct targets_row *row,
	   bool (*alike)(const struct targets_row *a, const struct targets_row *b))
{
	const struct targets_row *found = NULL;

	for (size_t i = 0; i < t->row_count; i++) {
		const struct targets_row *here = &t->rows[i];

		if (!here->code != !row->code || !alike(here, row) ||
		    (alike != is_same && has_same(older, here)))
			continue;
		if (found)
			return NULL;
		found = here;
	}
	return found;
}

static const struct targets_row *find_twin(const struct targets *t, const struct targets *older,
					   const struct targets_row *row)
{
	const struct targets_row *found = find_alike(t, older, row, is_same);

	if (!found)
		found = find_alike(t, older, row, is_same_file);
	return found ? found : find_alike(t, older, row, is_same_but_digits);
}

/* ---- what is lost ---- */

static bool is_enough(const struct targets_row *row, const char *target)
{
	struct cover_cell cell = row->code ? cover_code(row->code, span_of(target), false)
					   : cover_kernels(row->kernels, span_of(target));

	return cover_is_enough(cell.cover);
}

/* A bundle less is a loss, a tuned kernel less is none. */
static bool is_lost(const struct targets_row *old, const struct targets_row *new,
		    const char *target)
{
	struct cover_cell before = cover_listed(old->code, old->kernels, target);
	struct cover_cell now = cover_listed(new->code, new->kernels, target);
	bool fewer = now.in == 0 ||
		     (new->code && (uint64_t)now.in *before.of < (uint64_t)before.in *now.of);

	return before.in > 0 && fewer && !is_enough(new, target);
}

static void compare_targets(struct targets *t, const struct targets *older,
			    const struct targets_row *old, const struct targets_row *new,
			    const char *name)
{
	struct buf lost BUF_SCOPED = { 0 };

	for (size_t i = 0; i < older->device_count; i++) {
		const char *target = older->devices[i].id;

		if (is_lost(old, new, target) && !targets_rules_leave_out(t, new->path, target))
			buf_addf(&lost, "%s%s", lost.len > 0 ? ", " : "", target);
	}
	if (lost.len == 0)
		return;
	if (new->code && cover_hiding(new->code) > 0)
		targets_unread(
			t, new->path,
			arena_format(&t->arena, "whether it still has %s is not known", lost.data));
	else
		targets_lost(t, new->path,
			     arena_format(&t->arena, "lost %s, which %s has", lost.data, name));
}

static void compare_row(struct targets *t, const struct targets *older,
			const struct targets_row *old, const char *name)
{
	const struct targets_row *new;

	if (!old->judged || targets_rules_leave_out(t, old->path, NULL))
		return;
	new = find_twin(t, older, old);
	if (new)
		compare_targets(t, older, old, new, name);
	else
		targets_lost(t, old->label,
			     arena_format(&t->arena, "is gone, and %s has it", name));
}

void targets_compare(struct targets *t, const struct targets *older, const char *name)
{
	t->baseline = arena_text(&t->arena, span_of(name));
	for (size_t i = 0; i < older->row_count; i++)
		compare_row(t, older, &older->rows[i], name);
	for (size_t i = 0; i < older->unread_count; i++)
		targets_unread(t, older->unread[i].path, older->unread[i].says);
	if (t->lost_count > 0)
		t->verdict = TARGETS_NOT_COVERED;
	else if (t->verdict != TARGETS_NOT_COVERED && t->unread_count > 0)
		t->verdict = TARGETS_UNDECIDED;
	else if (t->verdict == TARGETS_LISTED && older->row_count > 0)
		t->verdict = TARGETS_COVERED;
}
