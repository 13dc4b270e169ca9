#pragma once

/*
 * explain-answer - one text, read, joined with a machine, judged and written
 *
 * The text may be one file or several that are taken together.
 */

#include "cli/explain-files.h"
#include "context/context.h"
#include "explain/engine.h"
#include "explain/input.h"
#include "report/explain.h"

struct explain_answer {
	const struct options *options;
	const struct explain_input *stated; /* --facts and --set, read once */
	struct engine *engine;
	const char *kb_version;
	struct context *bare;      /* tables that one answer fills, or NULL: each opens its own */
	struct context *here;      /* the machine, or NULL: it is opened when a text asks for it */
	bool is_part;              /* one of several answers */
	bool passes_over;          /* what is empty or no text gets no answer */
	const struct batch_id *id; /* of a line of a batch, or NULL */
};

enum explain_outcome {
	EXPLAIN_OUTCOME_ANSWER,
	EXPLAIN_OUTCOME_EMPTY,
	EXPLAIN_OUTCOME_BINARY,
	EXPLAIN_OUTCOME_UNREAD, /* said on standard error */
};

struct explain_answered {
	enum explain_outcome outcome;
	enum belief word; /* of an answer */
	int status;       /* exit status */
};

/* Reads the files and adds the answer to `ret`. */
struct explain_answered explain_answer(const struct explain_answer *a,
				       const struct explain_file *files, size_t count,
				       struct buf *ret);

/* A text that was read already; `log` are tables without rows, which it fills. */
struct explain_answered explain_answer_read(const struct explain_answer *a,
					    const struct explain_input *in, struct context *log,
					    struct buf *ret);

/* The statements of the command line, and no log. */
struct explain_input explain_answer_input(const struct explain_answer *a);

/* Why a log was not read, in a few words. */
const char *explain_answer_reason(int error, const struct explain_form *form);

/* In forms that list every file: one of several that got no answer. */
void explain_answer_none(const struct explain_answer *a, const char *path, const char *why,
			 struct buf *ret);

/* --facts and --set. 0, or an exit status after saying what is wrong. */
int explain_answer_stated(const struct options *o, struct explain_input *ret);

/* Whether a machine is to be joined at all. */
bool explain_answer_joins(const struct options *o);
