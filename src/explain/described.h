#pragma once

/*
 * described - what a person writes of the machine, in front of a log or behind it
 *
 * Fields of issue forms and lists ("### GPU", "- ROCm: 6.2", rows of tables)
 * and sentences ("on my 7900 XTX"), and what they set (setting.h). Of a long text only its beginning and its
 * end are read, so that this takes no time that grows with the log. Fields go
 * before sentences; where sentences name two, nothing is taken.
 */

#include "explain/contrast.h"
#include "explain/machine-words.h"
#include "explain/setting.h"
#include "explain/state.h"
#include "scan/scan.h"

#define DESCRIBED_REACH ((size_t)6 << 10) /* bytes of the beginning and of the end of a long text */

struct described_fact {
	struct span name;
	struct span value; /* of a program its version */
	struct span program;
	unsigned long long line;
	bool labelled;
	bool is_library;
	bool is_processor;
	bool is_wsl;
};

struct described {
	struct described_fact *list; /* in the arena */
	size_t count;
	struct settings settings;
	struct contrasts contrasts;
};

/* After scan_end() and before scan_close(). */
void described_read(const struct machine_words *words, const struct scan *scan, struct arena *arena,
		    struct described *ret);

/* The same of a text; the first of its lines has this number. */
void described_text(const struct machine_words *words, struct span text, unsigned long long number,
		    struct arena *arena, struct described *ret);

/* As statements of the log of this name. A GPU is taken if the tables have it. */
void described_tell(struct state *state, const struct described *d, const char *file);

/*
 * What is told behind the lines of the log: contrasts, and the program that ran if the log has not
 * named it. After log_events().
 */
void described_tell_behind(struct state *state, const struct described *d, const char *file);
