#pragma once

/*
 * log-line - a line of a saved kernel log, without what stands before the text
 *
 * People paste dmesg, journalctl -k and /var/log/kern.log in many dresses. This
 * takes the dress off and keeps what it said. A line in no known dress is all
 * text; nothing is an error.
 *
 * Wall time is given only where the line states it whole. "Nov 15 10:22:07"
 * has no year, and dmesg -T has no zone (and is wrong after a suspend): both
 * leave wall time unset.
 */

#include "base/span.h"

enum log_line_form {
	LOG_LINE_BARE,   /* text */
	LOG_LINE_UPTIME, /* [  123.456789] text, or dmesg -d: [  123.456789 <    0.000012>] */
	LOG_LINE_DELTA,  /* dmesg -e: [  +0.000012] text, or [Nov15 10:22] text */
	LOG_LINE_CTIME,  /* dmesg -T: [Sat Nov 15 10:22:07 2026] text */
	LOG_LINE_SYSLOG, /* Nov 15 10:22:07 host kernel: text */
	LOG_LINE_ISO,    /* 2026-11-15T10:22:07.123456+00:00 host kernel: text */
};

struct log_line {
	enum log_line_form form;
	bool has_since_boot;
	bool has_wall;
	int level; /* 0 emergency ... 7 debug; -1 if unsaid */
	uint64_t since_boot_us;
	int64_t wall_s;   /* since 1970 UTC; since_boot and wall may both be there */
	struct span host; /* empty if unsaid, as the tag */
	struct span tag;  /* "kernel", or another writer: "sshd[99]" */
	struct span text;
};

/* One line without its newline. Spans borrow it. */
void log_line_parse(struct span line, struct log_line *ret);
