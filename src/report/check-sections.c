#include "report/check-sections.h"

#include <string.h>

enum page_mark section_mark(const struct finding *f)
{
	if (!f->holds)
		return PAGE_UNDECIDED;
	if (strcmp(f->severity, "problem") == 0)
		return PAGE_PROBLEM;
	return strcmp(f->severity, "warning") == 0 ? PAGE_WARNING : PAGE_NOTE;
}

bool section_repeats(const struct diagnosis *d, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(d->findings[i].cause, d->findings[at].cause) == 0 &&
		    d->findings[i].section == d->findings[at].section)
			return true;
	return false;
}

bool section_leads(const struct diagnosis *d, size_t at)
{
	return d->findings[at].section <= SECTION_UNDECIDED && !section_repeats(d, at);
}

size_t section_count(const struct diagnosis *d, enum section section, const char *severity)
{
	size_t count = 0;

	for (size_t i = 0; i < d->finding_count; i++)
		count += d->findings[i].section == section &&
			 (!severity || strcmp(d->findings[i].severity, severity) == 0);
	return count;
}

void section_title(const struct finding *f, struct buf *ret)
{
	buf_text(ret, f->title);
	if (f->subject[0] && !strstr(f->title, f->subject))
		buf_addf(ret, f->name == f->subject ? " (%s)" : ": %s", f->name);
}

void section_others(const struct diagnosis *d, size_t first, struct buf *ret)
{
	const struct finding *lead = &d->findings[first];
	size_t before = ret->len;

	for (size_t i = first + 1; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (strcmp(f->cause, lead->cause) != 0 || f->section != lead->section)
			continue;
		buf_addf(ret, "%s%s", ret->len > before ? ", " : "also ",
			 f->subject[0] ? f->name : "this machine");
		if (f->belief != lead->belief)
			buf_addf(ret, " (%s)", section_belief(f));
	}
}

const char *section_belief(const struct finding *f)
{
	return f->belief == BELIEF_UNDECIDED ? "unclear" : belief_name(f->belief);
}

const char *section_risk(const struct remedy *r)
{
	static const char *const words[][2] = { { "none", NULL },
						{ "low", "low risk" },
						{ "needs-root", "needs root" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(r->risk, words[i][0]) == 0)
			return words[i][1];
	return "needs a reboot";
}
