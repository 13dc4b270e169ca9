#include "diagnose/judge.h"

#include <stdlib.h>
#include <string.h>

static int severity_rank(const struct finding *f)
{
	return strcmp(f->severity, "problem") == 0 ? 2 : strcmp(f->severity, "warning") == 0;
}

static int sort_rank(const struct finding *f)
{
	if (!f->holds)
		return f->belief == BELIEF_UNDECIDED ? 2 : 3;
	return f->because_of || strcmp(f->kind, "consequence") == 0;
}

static int compare(const void *a, const void *b)
{
	const struct finding *x = a;
	const struct finding *y = b;
	int r = sort_rank(x) - sort_rank(y);

	r = r ? r : severity_rank(y) - severity_rank(x);
	r = r ? r : (y->sum > x->sum) - (y->sum < x->sum);
	r = r ? r : strcmp(x->cause, y->cause);
	return r ? r : strcmp(x->subject, y->subject);
}

static void rank(struct diagnosis *d)
{
	if (d->finding_count > 1)
		qsort(d->findings, d->finding_count, sizeof(*d->findings), compare);
}

/* ---- consequences ---- */

static bool same_place(const struct finding *a, const struct finding *b)
{
	return a->subject[0] == '\0' || b->subject[0] == '\0' ||
	       strcmp(a->subject, b->subject) == 0;
}

static const struct cause *cause_of(const struct rules *rules, const char *slug)
{
	size_t low = 0;
	size_t high = rules->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int r = strcmp(rules->causes[middle].slug, slug);

		if (r == 0)
			return &rules->causes[middle];
		if (r < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static bool is_explained_by(const struct cause *cause, const char *slug)
{
	for (size_t i = 0; cause && i < cause->explained_by_count; i++)
		if (strcmp(cause->explained_by[i], slug) == 0)
			return true;
	return false;
}

/* Two that explain each other: the stronger one is the cause. */
static bool leads_to(const struct diagnosis *d, const struct finding *from, const char *slug)
{
	for (size_t hops = 0; from && from->because_of && hops < d->finding_count; hops++) {
		const struct finding *next = NULL;

		if (strcmp(from->because_of, slug) == 0)
			return true;
		for (size_t i = 0; i < d->finding_count && !next; i++)
			if (strcmp(d->findings[i].cause, from->because_of) == 0 &&
			    same_place(&d->findings[i], from))
				next = &d->findings[i];
		from = next;
	}
	return false;
}

void judge_consequences(struct diagnosis *d, const struct rules *rules)
{
	rank(d); /* the strongest explanation comes first */
	for (size_t i = d->finding_count; i-- > 0;) {
		struct finding *f = &d->findings[i];
		const struct cause *cause = cause_of(rules, f->cause);

		for (size_t k = 0; k < d->finding_count && !f->because_of; k++) {
			const struct finding *by = &d->findings[k];

			if (k != i && by->holds && is_explained_by(cause, by->cause) &&
			    same_place(f, by) && !leads_to(d, by, f->cause))
				f->because_of = by->cause;
		}
	}
}

/* ---- the verdict ---- */

static enum section section_of(const struct finding *f)
{
	bool matters = severity_rank(f) > 0;

	if (f->acknowledged)
		return SECTION_ACKNOWLEDGED;
	if (!f->holds)
		return matters && f->belief == BELIEF_UNDECIDED ? SECTION_UNDECIDED
								: SECTION_SILENT;
	if (strcmp(f->kind, "myth") == 0)
		return SECTION_MYTH;
	if (!matters)
		return SECTION_NOTE;
	return f->because_of ? SECTION_CONSEQUENCE : SECTION_CAUSE;
}

/* A check that took more steps than it may has found nothing because it did not look. */
static size_t count_crashed(const struct diagnosis *d)
{
	size_t count = 0;

	for (size_t i = 0; i < d->check_count; i++)
		count += d->checks[i].state == CHECK_CRASHED && !d->checks[i].later;
	return count;
}

static bool is_ignorant(const struct diagnosis *d)
{
	return d->problem_open || d->blind || d->late || d->untested || d->crashed > 0;
}

void diagnose_judge(struct diagnosis *d)
{
	int worst = 0;

	rank(d);
	d->problem_open = false;
	d->crashed = count_crashed(d);
	for (size_t i = 0; i < d->finding_count; i++) {
		struct finding *f = &d->findings[i];

		f->section = section_of(f);
		if (f->holds && severity_rank(f) > worst)
			worst = severity_rank(f);
		if (f->belief == BELIEF_UNDECIDED && severity_rank(f) == 2 && f->sum > SCALE_OPEN)
			d->problem_open = true;
	}
	if (worst == 2)
		d->verdict = VERDICT_NOT_READY;
	else if (worst == 1)
		d->verdict = VERDICT_DEGRADED;
	else
		d->verdict = is_ignorant(d) ? VERDICT_UNDECIDED : VERDICT_READY;
}

static bool is_wrong(const struct finding *f)
{
	return f->section == SECTION_CAUSE || f->section == SECTION_CONSEQUENCE;
}

const struct finding *diagnose_wrong_with(const struct diagnosis *d, const char *subject)
{
	for (size_t i = 0; i < d->finding_count; i++)
		if (is_wrong(&d->findings[i]) && strcmp(d->findings[i].subject, subject) == 0)
			return &d->findings[i];
	return NULL;
}

/* The subject of a partition is the address of its device, a slash and a number. */
const char *diagnose_device_severity(const struct diagnosis *d, const char *address)
{
	const struct finding *worst = NULL;
	size_t n = strlen(address);

	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (is_wrong(f) && strncmp(f->subject, address, n) == 0 &&
		    (f->subject[n] == '\0' || f->subject[n] == '/') &&
		    (!worst || severity_rank(f) > severity_rank(worst)))
			worst = f;
	}
	return worst ? worst->severity : NULL;
}

enum check_state judge_check(const struct finding *findings, size_t count, bool applicable)
{
	enum check_state state = applicable ? CHECK_OK : CHECK_NOT_APPLICABLE;

	for (size_t i = 0; i < count; i++) {
		if (findings[i].holds && severity_rank(&findings[i]) > 0)
			return CHECK_PROBLEM;
		if (findings[i].belief == BELIEF_UNDECIDED)
			state = CHECK_UNDECIDED;
	}
	return state;
}
