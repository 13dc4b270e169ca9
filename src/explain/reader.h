#pragma once

/*
 * reader - the bytes of a log, packed or not, into a scan
 *
 * A packed log is known by its first bytes, so that standard input works like
 * a file. One that is damaged, or that swells without end, is read as far as it
 * can be: what was read is explained, and the reader says what is missing.
 */

#include "base/arena.h"
#include "scan/scan.h"

/* Whom to tell, again and again, how much of a log is read. */
struct explain_reading {
	void (*tell)(void *ctx, unsigned long long bytes);
	void *ctx;
};

/* What is no text as it stands, by its first bytes. */
struct explain_form {
	const char *name;
	const char *unpack; /* the program that makes text of it; NULL: it is a program itself */
	const char *test;   /* the program that tells whether it is damaged, or NULL */
};

struct reader_end {
	const struct explain_form *form; /* NULL: plain text */
	const char *unread;              /* why it was not read to its end, or NULL */
	bool is_large;                   /* and that is its size: what was read is sound */
	bool is_wide;                    /* and that is the memory that unpacking takes */
};

/* `reading` may be NULL. 0 or -errno; -EILSEQ if it is no log, with its form. Ends the scan. */
int reader_read(struct scan *scan, int fd, const struct explain_reading *reading,
		struct arena *arena, struct reader_end *ret);

/* The form of bytes that begin so, or NULL. */
const struct explain_form *reader_form(struct span first);

/* Whether a file that begins so may be a log: text in any encoding, or packed. */
bool reader_may_be_log(struct span first);
