#pragma once

/*
 * ack - what a site knows already and does not want to be alarmed by
 *
 * A file of ack.d holds a line for each cause and subject:
 *
 *	date 2026-11-01
 *	pcie-link-degraded 0000:c3:* by ada: riser, ordered a new one
 *	device-permission /dev/kfd until 2027-01-31 by bob: accounts move in January
 *	host-memory-or-ulimit - by bob: login node, nobody computes here
 *
 * `-` is the machine itself. Without `until` it ends 90 days after the date of
 * the file. What is acknowledged becomes info and is still shown and counted.
 * Strict: a file with one mistake acknowledges nothing.
 */

#include "base/arena.h"
#include "diagnose/diagnose.h"

#define ACK_DAYS     90
#define ACK_FILE_MAX ((size_t)64 * 1024)

enum ack_state {
	ACK_UNUSED, /* no finding for it */
	ACK_USED,
	ACK_EXPIRED,
	ACK_UNKNOWN, /* there is no such cause */
};

struct ack {
	const char *cause;
	const char *subject; /* empty for the machine, else a pattern as of glob(7) */
	const char *until;   /* 2027-01-31, the last day */
	int64_t until_day;   /* since 1970-01-01 */
	const char *by;
	const char *reason;
	const char *file;
	size_t line;
	enum ack_state state; /* after ack_apply */
};

struct acks {
	struct arena arena;
	struct ack *list;
	size_t count;
};

/*
 * Add the lines of a file. Pure. -EBADMSG for the first mistake, with its line
 * in *ret_line and a sentence (static) in *ret_why; then nothing was added.
 */
int ack_parse(struct acks *acks, const char *file, struct span text, size_t *ret_line,
	      const char **ret_why);

/*
 * Lower what is acknowledged and judge again. `now_s` is the wall clock of the
 * run, or negative if it is not known; then nothing is acknowledged.
 */
void ack_apply(struct acks *acks, struct diagnosis *d, int64_t now_s);

void ack_done(struct acks *acks);

const char *ack_state_name(enum ack_state state);
