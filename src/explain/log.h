#pragma once

/*
 * log - from the lines of a log to rows
 *
 * The signatures come with the knowledge; what they met becomes rows of
 * `event` and `event_value`, and what they tell of the machine statements.
 */

#include <sqlite3.h>

#include "explain/described.h"
#include "explain/state.h"
#include "scan/scan.h"

struct log_signature {
	const char *kind;
	const char *program;
	const struct log_states {
		const char *name;
		const char *value; /* with names in braces */
		struct log_states *next;
	} * states;
};

struct log_signatures {
	struct arena arena;
	struct signature *list;
	struct log_signature *more; /* of each */
	size_t count;
	struct span *literals; /* of all of them, one signature after the other */
	size_t literal_count;
	const struct needle_tables *made; /* of them, or NULL */
	struct machine_words words;       /* in which people tell of a machine */
	struct setting_names *settings;   /* that people make; words.settings is the same */
	struct contrast_words *contrasts; /* words.contrasts is the same */
	struct failure_tables *failure_tables;
};

/* Of the attached knowledge. 0 or -EIO. */
int log_signatures_load(sqlite3 *db, struct log_signatures *ret);
void log_signatures_done(struct log_signatures *s);

/* To look for them. NULL: no memory. */
struct scan *log_scan(const struct log_signatures *s);

/* Everything that a scan has met. `file` is how the log is called. */
void log_events(struct state *state, const struct log_signatures *signatures, struct scan *scan,
		const char *file);

/* "2.00 GiB", "7889485824 bytes", "17903.44 MiB", "7.35G": false for anything else. */
bool log_size(struct span text, uint64_t *ret);
