#pragma once

/*
 * scanner - the job's output against the signatures, and the cause of its end
 *
 * Of each signature the first line is told as soon as it is met.
 */

#include "explain/explain.h"
#include "facts/facts.h"
#include "parse/klog.h"
#include "scan/scan.h"

struct scanner;

/*
 * With the facts of a machine, which have the knowledge attached and outlive the
 * scanner; without them (NULL) the output speaks alone, and `kb` is a kb.db or
 * NULL. NULL: the knowledge cannot be read.
 */
struct scanner *scanner_open(const char *kb, struct facts *facts);
struct scanner *scanner_close(struct scanner *s); /* accepts NULL, returns NULL */

/* Room for bytes of a stream (0 output, 1 error); then say how many came. */
char *scanner_room(struct scanner *s, int stream, size_t *ret_size);
void scanner_added(struct scanner *s, int stream, size_t n);

/* A failure that was not told before. */
struct scanner_failure {
	int stream;
	uint64_t line;
	const char *signature, *text; /* clean */
};
bool scanner_failure(struct scanner *s, struct scanner_failure *ret);

/* The end of a stream, SCAN_TAIL bytes at most: its first line may be cut. */
struct span scanner_tail(const struct scanner *s, int stream);

/* Lines so far, of both. */
uint64_t scanner_lines(const struct scanner *s);

/* No more bytes come: the last line may have no newline. */
void scanner_end(struct scanner *s);

/*
 * Lines that the kernel has written meanwhile, for scanner_explain(). What a
 * machine's log told before the job began cannot have ended it.
 */
void scanner_heard(struct scanner *s, const struct klog_table *classes, struct span lines,
		   uint64_t began_s);

/* Once, after scanner_end(). 0 or -EIO; the caller ends it with explain_done(). */
int scanner_explain(struct scanner *s, struct explanation *ret);

/* Behind scanner_end(): the failure that the output ends in, or NULL. */
const struct failure *scanner_unknown(const struct scanner *s);

/* Facts, events and knowledge. */
sqlite3 *scanner_db(struct scanner *s);
