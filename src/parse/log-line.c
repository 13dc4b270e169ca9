#include "parse/log-line.h"

#include <string.h>

#include "base/units.h"

#define UPTIME_MAX_S UINT64_C(10000000000) /* 300 years; far from overflow in microseconds */

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
static const char days[] = "SunMonTueWedThuFriSat";
static const char *const levels[] = { "emerg", "alert",  "crit", "err",
				      "warn",  "notice", "info", "debug" };

static struct span skip(struct span s, size_t n)
{
	return (struct span){ s.data + n, s.len - n };
}

static struct span skip_blanks(struct span s)
{
	while (s.len > 0 && s.data[0] == ' ')
		s = skip(s, 1);
	return s;
}

static bool take(struct span *rest, const char *literal)
{
	if (!span_starts(*rest, literal))
		return false;
	*rest = skip(*rest, strlen(literal));
	return true;
}

static bool take_digits(struct span *rest, size_t min, size_t max, uint64_t *ret)
{
	size_t n = 0;

	while (n < rest->len && n < max && rest->data[n] >= '0' && rest->data[n] <= '9')
		n++;
	if (n < min || !span_u64((struct span){ rest->data, n }, ret))
		return false;
	*rest = skip(*rest, n);
	return true;
}

/* One of the three-letter names in `names`. */
static bool take_name(struct span *rest, const char *names)
{
	for (; *names; names += 3) {
		if (rest->len >= 3 && memcmp(rest->data, names, 3) == 0) {
			*rest = skip(*rest, 3);
			return true;
		}
	}
	return false;
}

static bool take_clock(struct span *rest, uint64_t *ret_s)
{
	uint64_t hour, minute, second;

	if (!take_digits(rest, 2, 2, &hour) || !take(rest, ":") ||
	    !take_digits(rest, 2, 2, &minute) || !take(rest, ":") ||
	    !take_digits(rest, 2, 2, &second))
		return false;
	if (hour > 23 || minute > 59 || second > 60)
		return false;
	*ret_s = hour * 3600 + minute * 60 + second;
	return true;
}

/* "+00:00", "+0000" or "Z", in seconds east. */
static bool take_zone(struct span *rest, int64_t *ret_s)
{
	int64_t sign = span_starts(*rest, "-") ? -1 : 1;
	uint64_t hour, minute;

	if (take(rest, "Z")) {
		*ret_s = 0;
		return true;
	}
	if (!take(rest, "+") && !take(rest, "-"))
		return false;
	if (!take_digits(rest, 2, 2, &hour))
		return false;
	(void)take(rest, ":"); /* journalctl writes no colon */
	if (!take_digits(rest, 2, 2, &minute) || hour > 15 || minute > 59)
		return false;
	*ret_s = sign * (int64_t)(hour * 3600 + minute * 60);
	return true;
}

/* "2026-11-15T10:22:07.123456+00:00"; dmesg writes a comma and names no host. */
static bool take_iso(struct span *rest, struct log_line *ret, bool *ret_dmesg)
{
	uint64_t year, month, day, clock, fraction;
	struct span at = *rest;
	bool has_zone;
	int64_t zone;

	if (!take_digits(&at, 4, 4, &year) || !take(&at, "-") || !take_digits(&at, 2, 2, &month) ||
	    !take(&at, "-") || !take_digits(&at, 2, 2, &day) || !take(&at, "T") ||
	    !take_clock(&at, &clock))
		return false;
	if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31)
		return false;
	*ret_dmesg = span_starts(at, ",");
	if ((take(&at, ",") || take(&at, ".")) && !take_digits(&at, 1, 9, &fraction))
		return false;
	has_zone = take_zone(&at, &zone);
	if (!take(&at, " "))
		return false;
	ret->has_wall = has_zone;
	if (has_zone)
		ret->wall_s = units_day((int64_t)year, (int64_t)month, (int64_t)day) * 86400 +
			      (int64_t)clock - zone;
	*rest = at;
	return true;
}

/* "Nov 15 10:22:07 " */
static bool take_syslog(struct span *rest)
{
	struct span at = *rest;
	uint64_t day, clock;

	if (!take_name(&at, months) || !take(&at, " "))
		return false;
	at = skip_blanks(at);
	if (!take_digits(&at, 1, 2, &day) || !take(&at, " ") || !take_clock(&at, &clock) ||
	    !take(&at, " "))
		return false;
	*rest = at;
	return true;
}

/* "host kernel: ", "host sshd[99]: " */
static bool take_origin(struct span *rest, struct log_line *ret)
{
	struct span at = *rest, host, tag;

	if (!span_word(&at, &host) || !span_word(&at, &tag) || tag.len < 2 || !span_ends(tag, ":"))
		return false;
	ret->host = host;
	ret->tag = (struct span){ tag.data, tag.len - 1 };
	(void)take(&at, " ");
	*rest = at;
	return true;
}

/* "123.456789": microseconds, or milliseconds in some embedded kernels. */
static bool take_seconds(struct span *rest, uint64_t *ret_us)
{
	uint64_t seconds, fraction, unit = 1000000;
	size_t before;

	if (!take_digits(rest, 1, 11, &seconds) || seconds > UPTIME_MAX_S || !take(rest, "."))
		return false;
	before = rest->len;
	if (!take_digits(rest, 1, 6, &fraction))
		return false;
	for (size_t i = rest->len; i < before; i++)
		unit /= 10;
	*ret_us = seconds * 1000000 + fraction * unit;
	return true;
}

static bool read_uptime(struct span inner, struct log_line *ret)
{
	uint64_t delta, uptime;

	inner = skip_blanks(inner);
	if (!take_seconds(&inner, &uptime))
		return false;
	if (take(&inner, " <")) {
		inner = skip_blanks(inner);
		if (!take_seconds(&inner, &delta) || !take(&inner, ">"))
			return false;
	}
	if (inner.len > 0)
		return false;
	ret->form = LOG_LINE_UPTIME;
	ret->has_since_boot = true;
	ret->since_boot_us = uptime;
	return true;
}

static bool is_delta(struct span inner)
{
	uint64_t value;

	inner = skip_blanks(inner);
	if (take(&inner, "+"))
		return take_seconds(&inner, &value) && inner.len == 0;
	return take_name(&inner, months) && take_digits(&inner, 2, 2, &value) &&
	       take(&inner, " ") && take_digits(&inner, 2, 2, &value) && take(&inner, ":") &&
	       take_digits(&inner, 2, 2, &value) && inner.len == 0;
}

static bool is_ctime(struct span inner)
{
	uint64_t value;

	if (!take_name(&inner, days) || !take(&inner, " ") || !take_name(&inner, months) ||
	    !take(&inner, " "))
		return false;
	inner = skip_blanks(inner);
	return take_digits(&inner, 1, 2, &value) && take(&inner, " ") &&
	       take_clock(&inner, &value) && take(&inner, " ") &&
	       take_digits(&inner, 4, 4, &value) && inner.len == 0;
}

/* A bracket that holds a time; "[drm] text" is left alone. */
static bool take_bracket(struct span *rest, struct log_line *ret)
{
	struct span at = *rest, inner, caller;
	uint64_t value;

	if (!take(&at, "[") || !memchr(at.data, ']', at.len) || !span_cut(&at, ']', &inner))
		return false;
	if (!read_uptime(inner, ret)) {
		if (is_delta(inner))
			ret->form = LOG_LINE_DELTA;
		else if (is_ctime(inner))
			ret->form = LOG_LINE_CTIME;
		else
			return false;
	}
	/* With CONFIG_PRINTK_CALLER a second bracket follows: [    0.000000][    T0] text */
	caller = at;
	if (take(&caller, "[")) {
		caller = skip_blanks(caller);
		if ((take(&caller, "T") || take(&caller, "C")) &&
		    take_digits(&caller, 1, 10, &value) && take(&caller, "]"))
			at = caller;
	}
	(void)take(&at, " ");
	*rest = at;
	return true;
}

/* "<6>" of a raw console, or "kern  :info  : " of dmesg -x. */
static void take_level(struct span *rest, struct log_line *ret)
{
	struct span at = *rest, facility, level;
	uint64_t prio;

	if (take(&at, "<") && take_digits(&at, 1, 4, &prio) && take(&at, ">")) {
		ret->level = (int)(prio & 7);
		*rest = at;
		return;
	}
	at = *rest;
	if (!span_starts(at, "kern") || !span_cut(&at, ':', &facility) ||
	    !span_is(span_trim(facility), "kern") || !span_cut(&at, ':', &level))
		return;
	for (int i = 0; i < 8; i++) {
		if (span_is(span_trim(level), levels[i])) {
			ret->level = i;
			*rest = at;
			(void)take(rest, " ");
		}
	}
}

/* journalctl -o short-monotonic: [  123.456789] host kernel: text */
static bool is_from_kernel(struct span rest)
{
	struct span word;

	return span_word(&rest, &word) && span_word(&rest, &word) && span_is(word, "kernel:");
}

void log_line_parse(struct span line, struct log_line *ret)
{
	struct log_line got = { .form = LOG_LINE_BARE, .level = -1 };
	enum log_line_form outer = LOG_LINE_BARE;
	bool dmesg = false;

	take_level(&line, &got);
	if (take_iso(&line, &got, &dmesg))
		outer = LOG_LINE_ISO;
	else if (take_syslog(&line))
		outer = LOG_LINE_SYSLOG;
	if (outer != LOG_LINE_BARE && !dmesg)
		(void)take_origin(&line, &got);
	if (take_bracket(&line, &got) && outer == LOG_LINE_BARE && is_from_kernel(line))
		(void)take_origin(&line, &got);
	if (outer != LOG_LINE_BARE)
		got.form = outer;
	got.text = line;
	*ret = got;
}
