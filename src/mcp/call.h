#pragma once

/*
 * call - one run of this program for a client
 *
 * A process group of its own, with a deadline; it ends with the server. What it
 * writes is kept up to a limit. A run that does not die when it is killed (a
 * device that does not answer) is not waited for.
 */

#include <sys/types.h>

#include "mcp/message.h"
#include "mcp/request.h"

#define CALL_ANSWER_MAX ((size_t)8 << 20)
#define CALL_MS         60000

struct call {
	struct arena arena; /* of the message, whose texts the others are */
	const char *id;
	const struct revision *revision;
	struct request request;
	pid_t pid;  /* 0: it waits for its turn */
	int out;    /* what it writes; -1: all of it was read */
	int errors; /* a file in memory */
	struct buf answer;
	size_t bytes; /* of the message */
	uint64_t deadline;
	struct call *next;
};

/* NULL, or why it could not be started. */
const char *call_start(struct call *c);

/* Takes what is there; false if the answer is too long. */
bool call_read(struct call *c);

void call_kill(const struct call *c);

/* The call's standard error, in the arena. */
const char *call_errors(struct call *c);

struct call *call_free(struct call *c); /* returns NULL */
