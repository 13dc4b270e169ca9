#pragma once

/*
 * input (explain) - logs and statements that the user handed over
 *
 * Every log is scanned once; what was met can be told to more than one
 * database, since only the log itself tells whether this machine fits it.
 */

#include "explain/failure.h"
#include "explain/log.h"
#include "explain/reader.h"

struct explain_input {
	const struct log_signatures *signatures;
	struct scan *scan; /* for the first log, of an engine that is kept warm; or NULL */
	struct arena arena;
	struct explain_log {
		struct scan *scan;
		const char *name;
		struct described described; /* what a person writes of the machine */
	} * logs;
	struct failure *failures; /* how each of them ends */
	size_t count;
	unsigned long long lines;      /* of all logs */
	const struct json_node *facts; /* of a file that states them, or NULL */
	const char *facts_path;
	struct said *stated; /* besides */
	size_t stated_count;
	const char **left_out; /* files that are not in the text: unreadable, or none of text */
	size_t left_out_count;
};

/*
 * A log; - is standard input. `reading` may be NULL. 0 or -errno; -EILSEQ if it is
 * none, with its form. One that could be read in part is a log, and its failure says so.
 */
int explain_input_read(struct explain_input *in, const char *path,
		       const struct explain_reading *reading, const struct explain_form **ret_form);

/*
 * A log that must not keep others waiting: -EINVAL for what is no regular file, and
 * one of no size is empty, for so are /proc/kmsg and its like, which never end.
 */
int explain_input_regular(struct explain_input *in, const char *path,
			  const struct explain_form **ret_form);

/* A log that is at hand, called as standard input is. 0 or -errno; -EILSEQ as above. */
int explain_input_text(struct explain_input *in, struct span text,
		       const struct explain_form **ret_form);

/* A log that was scanned by somebody else; the scan is freed with the others. */
void explain_input_add(struct explain_input *in, struct scan *scan, const char *path);

/* Of several texts the one that is told: the last that fails, else one that was not read whole. */
const struct failure *explain_input_failure(const struct explain_input *in);

/* Nothing of it would be in the tables: no line that is known, nothing stated, no error. */
bool explain_input_is_silent(const struct explain_input *in);

/* A file that was meant to be a part of the text and is not. */
void explain_input_leave_out(struct explain_input *in, const char *path);

/* A file with a JSON object, read once: it may be a pipe. 0 or -errno; -EBADMSG if it has none. */
int explain_input_facts(struct explain_input *in, const char *path);

/* One statement. False: nothing of that name can be stated. */
bool explain_input_state(struct explain_input *in, const char *name, const char *value,
			 const char *source);

/* What was met and stated, as rows; `machine`: beside those of a machine. */
void explain_input_tell(const struct explain_input *in, struct facts *facts, bool machine);

void explain_input_done(struct explain_input *in);
