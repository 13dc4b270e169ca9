#pragma once

/*
 * watch - one signature while a log goes by
 *
 * Shows lines to its pattern and keeps what it met: number, last line, and the
 * first samples that differ. A pattern is compiled when a line asks for it;
 * most logs meet few.
 */

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/buf.h"
#include "scan/scan.h"

/* Samples are looked for among so many lines, and a pattern that held for all of them is a flood. */
#define WATCH_FLOOD 4096

/* What was shown of one megabyte of the log, in bytes. */
struct watch_budget {
	uint64_t megabyte, spent;
};

struct watch {
	struct watch_budget budget;
	uint64_t seen_at; /* offset + 1 of the line that was looked at last */
	uint64_t run;     /* lines in a row that it held for */
	pcre2_code *code;
	size_t shown; /* bytes, before it was compiled once more */
	bool broken;
	struct watch_flood {
		bool on;            /* lines of this piece were counted without the pattern */
		size_t first, last; /* where in the piece they were nominated */
		uint64_t seen_at, count, last_line; /* of the watch, before them */
	} flood;
	pcre2_code *below;
	bool below_broken;
	struct watch_await { /* a line that it holds for if the one below it does */
		bool on;
		uint64_t at, number; /* offset behind that line, and its number */
		struct buf line;
	} await;
	struct scan_event event;
};

/* What all watches of a scan share. */
struct watch_tools {
	pcre2_match_data *match, *below;
	pcre2_match_context *context;
	struct arena arena; /* of what is kept */
	uint64_t given_up;  /* lines that took a pattern too many steps */
	struct buf draft;
};

bool watch_tools_open(struct watch_tools *t);
void watch_tools_close(struct watch_tools *t);
void watch_done(struct watch *w);

/* For another text. */
void watch_again(struct watch *w);
void watch_tools_again(struct watch_tools *t);

/* Whether the pattern holds for a line; without one, whether a literal stands there as whole words. */
bool watch_matches(struct watch *w, struct watch_tools *t, struct span line);

/* Whether the line below is one that the signature asks for. */
bool watch_holds_below(struct watch *w, struct watch_tools *t, struct span line);

/* Keep a line that it holds for, right after it was asked. */
void watch_keep(struct watch *w, struct watch_tools *t, struct span line, uint64_t number);

/* One that says the same as thousands before it. */
void watch_count(struct watch *w, uint64_t number);
