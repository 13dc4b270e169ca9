#pragma once

/*
 * input (explain) - logs and statements that the user handed over
 *
 * Every log is scanned once; what was met can be told to more than one
 * database, since only the log itself tells whether this machine fits it.
 */

#include "explain/failure.h"
#include "explain/log.h"

struct explain_input {
	const struct log_signatures *signatures;
	struct arena arena;
	struct explain_log {
		struct scan *scan;
		const char *name;
	} * logs;
	struct failure *failures; /* how each of them ends */
	size_t count;
	unsigned long long lines;      /* of all logs */
	const struct json_node *facts; /* of a file that states them, or NULL */
	const char *facts_path;
	struct said *stated; /* besides */
	size_t stated_count;
};

/* Whom to tell, again and again, how much of a log is read. */
struct explain_reading {
	void (*tell)(void *ctx, unsigned long long bytes);
	void *ctx;
};

/* What has no lines that anybody wrote: nothing found in it would be a lie. */
struct explain_no_log {
	const char *magic;
	const char *unpack; /* the program that makes text of it; NULL: it is a program itself */
};

/*
 * A log; - is standard input. `reading` may be NULL. 0 or -errno; -EILSEQ if it is
 * none, with what it is.
 */
int explain_input_read(struct explain_input *in, const char *path,
		       const struct explain_reading *reading,
		       const struct explain_no_log **ret_other);

/* A log that was scanned by somebody else; the scan is freed with the others. 0 or -ENOMEM. */
int explain_input_add(struct explain_input *in, struct scan *scan, const char *path);

/* A file with a JSON object, read once: it may be a pipe. 0 or -errno; -EBADMSG if it has none. */
int explain_input_facts(struct explain_input *in, const char *path);

/* One statement. False: nothing of that name can be stated. */
bool explain_input_state(struct explain_input *in, const char *name, const char *value,
			 const char *source);

/* What was met and stated, as rows; `machine`: beside those of a machine. */
void explain_input_tell(const struct explain_input *in, struct facts *facts, bool machine);

void explain_input_done(struct explain_input *in);
