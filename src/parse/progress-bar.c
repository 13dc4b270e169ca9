#include "parse/progress-bar.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "parse/progress-text.h"

#define BAR_MIN 3 /* signs of a bar that is drawn with more than ASCII */

void progress_set(struct progress *p, enum progress_key key, long of, long all)
{
	long *to[] = { &p->epoch, &p->epochs, &p->batch, &p->batches, &p->step, &p->steps };
	size_t which = key == PROGRESS_EPOCH ? 0 : key == PROGRESS_BATCH ? 2 : 4;

	if (p->known & key)
		return;
	p->known |= key;
	*to[which] = of;
	if (all <= 0)
		return;
	p->known |= (unsigned int)key << 1;
	*to[which + 1] = all;
}

static bool is_bar(const char *s)
{
	return strspn(s, "~") >= BAR_MIN;
}

static char last_before(const char *text, const char *s)
{
	while (s > text && s[-1] == ' ')
		s--;
	return s > text ? s[-1] : '\0';
}

/* "Epochs:  33%|" counts epochs. */
static enum progress_key counted_by(const char *text, const struct progress *p)
{
	const char *percent = strstr(text, "%|");
	const char *end = percent ? percent : text;

	while (end > text && strchr("0123456789.", end[-1]))
		end--;
	while (end > text && strchr(" :", end[-1]))
		end--;
	if ((end - text >= 5 && strncasecmp(end - 5, "epoch", 5) == 0) ||
	    (end - text >= 6 && strncasecmp(end - 6, "epochs", 6) == 0))
		return PROGRESS_EPOCH;
	return p->known & PROGRESS_EPOCH ? PROGRESS_BATCH : PROGRESS_STEP;
}

/* The key of a fraction, by the signs around it; 0: none of ours. */
static unsigned int kind_of_fraction(const char *text, const char *s, const char *end, bool drawn,
				     const struct progress *p)
{
	char before = last_before(text, s);
	const char *after = progress_blanks(end);

	if (before == '\0' && (is_bar(after) || (*after == '[' && strchr("=>.", after[1]))))
		return PROGRESS_BATCH; /* keras */
	if (drawn && (before == '|' || before == PROGRESS_SIGN || is_bar(after)))
		return counted_by(text, p);
	if (drawn && before == '\0')
		return PROGRESS_EPOCH; /* ultralytics: a row of a table, and a bar at its end */
	if (before == '[' && (*after == ']' || *after == '('))
		return p->known & PROGRESS_EPOCH ? PROGRESS_BATCH : PROGRESS_STEP;
	return 0;
}

static void take_fractions(const char *text, struct progress *p)
{
	bool drawn = strstr(text, "%|") || strstr(text, "% Completed |") || strstr(text, "~~~");
	long of, all;

	for (const char *s = text; *s; s++) {
		const char *end;
		unsigned int key;

		if (!isdigit((unsigned char)*s) ||
		    (s > text && (progress_is_word(s[-1]) || strchr("./:-,", s[-1]))))
			continue;
		end = progress_fraction(s, &of, &all);
		key = end ? kind_of_fraction(text, s, end, drawn, p) : 0;
		if (key)
			progress_set(p, key, of, all);
	}
}

/* "Downloading model: 45%", but not "accuracy: 45%" */
static bool is_doing(const char *text)
{
	const char *s = progress_blanks(text);
	size_t n = strcspn(s, " :");

	return n > 4 && strncmp(s + n - 3, "ing", 3) == 0;
}

/* "45%|", "(2%)" after a fraction, "[ 45%]" in front, ": 45%" at the end; not "98% busy". */
static bool is_percent_of_ours(const char *text, const char *number, const char *sign)
{
	const char *start = number, *after = progress_blanks(sign + 1);
	char before = last_before(text, number);

	if (*after == '|' || before == PROGRESS_SIGN || is_bar(after) ||
	    strncmp(after, "Completed", 9) == 0)
		return true;
	if (before == ':' && *after == '\0')
		return is_doing(text);
	while (start > text && start[-1] != before)
		start--;
	start -= start > text;
	if (before == '(')
		return isdigit((unsigned char)last_before(text, start)) && *after == ')';
	return before == '[' && start == text && *after == ']';
}

static void take_percent(const char *text, struct progress *p)
{
	double percent;

	for (const char *s = text; (s = strchr(s, '%')); s++) {
		const char *number = progress_number_before(text, s, &percent);

		if (!number || percent > 100 || !is_percent_of_ours(text, number, s))
			continue;
		p->percent = percent;
		p->known |= PROGRESS_PERCENT;
		return;
	}
}

/* tqdm without an end: "86it [00:12, 6.91it/s]" */
static void take_count(const char *text, struct progress *p)
{
	const char *s = strstr(text, " [0"), *unit = s;
	long of;

	if (!s || s[3] == '\0' || s[4] != ':')
		return;
	while (unit > text && isalpha((unsigned char)unit[-1]))
		unit--;
	for (s = unit; s > text && isdigit((unsigned char)s[-1]);)
		s--;
	if (s == unit || unit - s > 15 || (s > text && s[-1] != ' '))
		return;
	of = strtol(s, NULL, 10);
	progress_set(p, PROGRESS_STEP, of, 0);
}

void progress_bar(const char *text, struct progress *p)
{
	take_percent(text, p);
	take_fractions(text, p);
	if (!(p->known & PROGRESS_PLACE))
		take_count(text, p);
}
