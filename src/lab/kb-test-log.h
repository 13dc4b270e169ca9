#pragma once

/*
 * kb-test-log - what an explanation of a few lines says of one cause
 */

#include "explain/explain.h"
#include "explain/failure.h"
#include "explain/log.h"
#include "facts/facts.h"

struct kb_test_said {
	enum belief word;
	char first[64]; /* the first cause, or empty */
	size_t rank;    /* of the cause asked for, from 1; 0: nothing speaks for it */
	double belief;  /* in it */
};

/*
 * A log and what is stated beside it become facts, of a machine or alone. How the log ends
 * is told in `ret_failure`, whose texts are the arena's; NULL: nobody asks. 0 or -errno.
 */
int kb_test_tell(struct facts *facts, const char *log, const char *states, bool machine,
		 struct arena *arena, struct failure *ret_failure);

/* The same of a log that was read before, for whoever tells it to many machines. */
void kb_test_tell_read(struct facts *facts, const struct log_signatures *signatures,
		       struct scan *log, const char *states, bool machine);

/* `log` has lines; `states` has NAME=VALUE a line. 0 or -errno. */
int kb_test_explain(struct span kb, const char *cause, const char *log, const char *states,
		    struct kb_test_said *ret);
