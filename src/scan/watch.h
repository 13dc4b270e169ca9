#pragma once

/*
 * watch - one signature while a log goes by
 *
 * Shows lines to its pattern and keeps what it met: number, last line, and the
 * first samples that differ. A pattern is compiled when a line asks for it;
 * most logs meet few.
 */

#include "base/buf.h"
#include "scan/pattern-steps.h"
#include "scan/scan.h"

/* Samples are looked for among so many lines, and a pattern that held for all of them is a flood. */
#define WATCH_FLOOD 4096

/* The steps of patterns spent on one megabyte of the log. */
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
	struct watch_counted { /* of the steps that it takes */
		struct pattern_steps *steps;
		uint64_t looks; /* at long lines */
		uint64_t rate;  /* steps a byte of the last counted one; 0: none was */
		uint64_t cost;  /* steps that counting the last look cost beside its own */
	} counted;
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

/* Estimates the cost of a look at a line of that length, in steps. */
uint64_t watch_price(const struct watch *w, size_t len);

/* Buffers that all watches of a scan share. */
struct watch_tools {
	pcre2_match_data *match, *below;
	pcre2_match_context *context;
	struct arena arena; /* of what is kept */
	uint64_t given_up;  /* lines that took a pattern too many steps */
	struct buf draft;
};

void watch_tools_open(struct watch_tools *t);
void watch_tools_close(struct watch_tools *t);
void watch_done(struct watch *w);

/* For another text. */
void watch_again(struct watch *w);
void watch_tools_again(struct watch_tools *t);

/* Whether the pattern holds for a line; without one, whether a literal stands there as whole words. */
bool watch_matches(struct watch *w, struct watch_tools *t, struct span line);

/* Whether the line below is one that the signature asks for. */
bool watch_holds_below(struct watch *w, struct watch_tools *t, struct span line);

struct watch_lines {
	uint64_t number;
	struct span line;
	struct span below; /* empty: the signature asks for none */
};

/* Keep a line that it holds for, right after it was asked. Names in both patterns are its values. */
void watch_keep(struct watch *w, struct watch_tools *t, const struct watch_lines *lines);

/* One that says the same as thousands before it. */
void watch_count(struct watch *w, uint64_t number);
