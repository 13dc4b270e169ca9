#pragma once

/*
 * compact - the same small JSON object of any command that judges
 *
 * What is wrong, what to do and what was seen, in about 2 kB, for a program that
 * pays for each byte it reads; docs/compact.schema.json. All there is, with the
 * numbers behind it, is what --json --verbose writes.
 */

#include "base/json-write.h"
#include "diagnose/diagnose.h"
#include "diagnose/steps.h"

#define COMPACT_SCHEMA 1 /* only grows */

struct json compact_open(struct buf *ret); /* on one line */

/* Behind what tells whose answer it is. `word` is the command's own word for how sure it is. */
void compact_head(struct json *j, const char *word, struct span headline);

void compact_cause(struct json *j, const char *cause, const char *title, const char *certainty);

struct compact_steps {
	struct json *json;
	struct arena arena;
	enum shell shell;
	size_t count, bytes;
	bool left_out; /* steps, or words of them */
};

/* The best first. Those beyond the third, and long words of the second and third, are left out. */
void compact_begin_steps(struct compact_steps *s, struct json *j, enum shell shell);
void compact_remedy(struct compact_steps *s, const char *title, const struct remedy *r);
void compact_typed(struct compact_steps *s, const char *title, const char *typed,
		   const char *tells);
bool compact_end_steps(struct compact_steps *s); /* whether anything was left out */

struct compact_sign {
	const char *says, *source;
	const char *quoted; /* a stranger's text, or NULL */
};

/* False: there were enough before the nth. */
bool compact_sign(struct json *j, size_t nth, const struct compact_sign *sign);

/* `left_out`: --json --verbose says more. */
void compact_end(struct json *j, bool left_out);
