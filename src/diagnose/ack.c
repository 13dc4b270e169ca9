#include "diagnose/ack.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "diagnose/fill.h"

#define WORD_MAX   256
#define REASON_MAX 400

/* One line in the making. */
struct ack_line {
	struct span rest;
	int64_t date; /* of the file, or -1 */
	const char *why;
};

/* ---- days ---- */

static int64_t days_in(int64_t year, int64_t month)
{
	return month == 12 ? 31 : units_day(year, month + 1, 1) - units_day(year, month, 1);
}

/* 2027-01-31 */
static bool parse_date(struct span s, int64_t *ret)
{
	uint64_t year, month, day;

	if (s.len != 10 || s.data[4] != '-' || s.data[7] != '-' ||
	    !span_u64((struct span){ s.data, 4 }, &year) ||
	    !span_u64((struct span){ s.data + 5, 2 }, &month) ||
	    !span_u64((struct span){ s.data + 8, 2 }, &day))
		return false;
	if (year < 1970 || month < 1 || month > 12 || day < 1 ||
	    (int64_t)day > days_in((int64_t)year, (int64_t)month))
		return false;
	*ret = units_day((int64_t)year, (int64_t)month, (int64_t)day);
	return true;
}

/* The date of a moment is its first ten letters. */
static const char *date_text(struct arena *a, int64_t day)
{
	char moment[UNITS_MAX];

	units_moment((uint64_t)day * 86400, moment);
	return arena_format(a, "%.10s", moment);
}

/* ---- lines ---- */

static bool fail(struct ack_line *r, const char *why)
{
	r->why = why;
	return false;
}

static bool read_date(struct ack_line *r)
{
	struct span word, more;

	if (r->date >= 0)
		return fail(r, "a second date");
	if (!span_word(&r->rest, &word) || !parse_date(word, &r->date) ||
	    span_word(&r->rest, &more))
		return fail(r, "date wants one day, as in 2026-11-01");
	return true;
}

static bool read_until(struct ack_line *r, struct span *word, int64_t *ret)
{
	if (!span_is(*word, "until")) {
		*ret = r->date + ACK_DAYS;
		return r->date >= 0 ||
		       fail(r, "neither `until DAY` nor a line `date DAY` before it");
	}
	if (!span_word(&r->rest, word) || !parse_date(*word, ret))
		return fail(r, "until wants a day, as in 2027-01-31");
	return span_word(&r->rest, word) || fail(r, "`by NAME: reason` is missing");
}

/* Behind `by`: the name up to the colon, then the reason. */
static bool read_author(struct ack_line *r, struct span *ret_by, struct span *ret_reason)
{
	if (!span_cut(&r->rest, ':', ret_by))
		return fail(r, "`by NAME: reason` is missing");
	*ret_by = span_trim(*ret_by);
	*ret_reason = span_trim(r->rest);
	if (ret_by->len == 0 || ret_reason->len == 0)
		return fail(r, "a name and a reason are wanted: `by NAME: reason`");
	return true;
}

static bool read_ack(struct ack_line *r, struct arena *a, struct span cause, struct ack *ret)
{
	struct span subject, word, by, reason;

	if (!text_is_slug(cause))
		return fail(r, "does not begin with the name of a cause");
	if (!span_word(&r->rest, &subject) || !span_word(&r->rest, &word))
		return fail(r, "wants: CAUSE SUBJECT [until DAY] by NAME: reason");
	if (!read_until(r, &word, &ret->until_day))
		return false;
	if (!span_is(word, "by"))
		return fail(r, "wants: CAUSE SUBJECT [until DAY] by NAME: reason");
	if (!read_author(r, &by, &reason))
		return false;
	ret->cause = fill_clean(a, cause, WORD_MAX, false);
	ret->subject = span_is(subject, "-") ? "" : fill_clean(a, subject, WORD_MAX, false);
	ret->until = date_text(a, ret->until_day);
	ret->by = fill_clean(a, by, WORD_MAX, false);
	ret->reason = fill_clean(a, reason, REASON_MAX, false);
	return true;
}

int ack_parse(struct acks *acks, const char *file, struct span text, size_t *ret_line,
	      const char **ret_why)
{
	struct ack_line r = { .date = -1 };
	size_t before = acks->count;
	size_t number = 0;
	struct span word;

	if (memchr(text.data ? text.data : "", '\0', text.len))
		r.why = "is no text";
	file = arena_text(&acks->arena, span_of(file));
	while (!r.why && span_line(&text, &r.rest)) {
		struct ack ack = { .file = file, .line = ++number };

		if (!span_word(&r.rest, &word) || word.data[0] == '#')
			continue;
		if (span_is(word, "date") ? !read_date(&r)
					  : !read_ack(&r, &acks->arena, word, &ack))
			break;
		if (ack.cause) {
			acks->list = arena_grow(&acks->arena, acks->list, acks->count,
						sizeof(*acks->list));
			acks->list[acks->count++] = ack;
		}
	}
	if (!r.why)
		return 0;
	acks->count = before;
	*ret_line = number;
	*ret_why = r.why;
	return -EBADMSG;
}

/* ---- use ---- */

static bool is_known(const struct diagnosis *d, const char *cause)
{
	for (size_t i = 0; i < d->check_count; i++)
		if (strcmp(d->checks[i].cause, cause) == 0)
			return true;
	return false;
}

static bool covers(const struct ack *ack, const struct finding *f)
{
	if (strcmp(ack->cause, f->cause) != 0)
		return false;
	if (ack->subject[0] == '\0' || f->subject[0] == '\0')
		return ack->subject[0] == f->subject[0];
	return fnmatch(ack->subject, f->subject, 0) == 0;
}

static void lower(struct finding *f, const struct ack *ack)
{
	f->severity_before = f->severity;
	f->severity = "info";
	f->acknowledged = ack->reason;
	f->acknowledged_by = ack->by;
	f->acknowledged_until = ack->until;
}

static bool apply(struct ack *ack, struct diagnosis *d)
{
	bool used = false;

	for (size_t i = 0; i < d->finding_count; i++) {
		struct finding *f = &d->findings[i];

		if (f->acknowledged || f->belief == BELIEF_NOTHING || !covers(ack, f))
			continue;
		lower(f, ack);
		used = true;
	}
	return used;
}

void ack_apply(struct acks *acks, struct diagnosis *d, int64_t now_s)
{
	for (size_t i = 0; i < acks->count; i++) {
		struct ack *ack = &acks->list[i];

		if (!is_known(d, ack->cause))
			ack->state = ACK_UNKNOWN;
		else if (now_s < 0 || now_s / 86400 > ack->until_day)
			ack->state = ACK_EXPIRED;
		else
			ack->state = apply(ack, d) ? ACK_USED : ACK_UNUSED;
	}
	diagnose_judge(d);
}

void ack_done(struct acks *acks)
{
	arena_done(&acks->arena);
	*acks = (struct acks){ 0 };
}

const char *ack_state_name(enum ack_state state)
{
	static const char *const names[] = { "unused", "used", "expired", "unknown" };

	return state <= ACK_UNKNOWN ? names[state] : "?";
}
