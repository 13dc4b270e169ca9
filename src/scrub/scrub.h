#pragma once

/*
 * scrub - names, serials and secrets replaced before a snapshot leaves
 *
 * By a keyed hash: what was equal stays equal, and without the key nobody can
 * try names. A chip's unique id is replaced as a number, because KFD writes it
 * decimal and DRM hexadecimal. The note "scrubbed" says what was replaced.
 */

#include "base/buf.h"

/*
 * Secrets are collected from `machine`, the text of all that was recorded: a brief
 * snapshot may lack the file with a serial and still hold a line that has it. key
 * NULL: a random one, used once. 0 or -errno.
 */
int scrub(struct span snapshot, struct span machine, const char *key, struct buf *ret);

/*
 * Texts that are no snapshot, as lines of a log: the same names and forms.
 * `about` is what tells names, a snapshot or any text with paths; NULL key as
 * above. NULL: no key could be had.
 */
struct scrubber *scrubber_new(struct span about, const char *key);
void scrubber_free(struct scrubber *s);
void scrubber_text(struct scrubber *s, struct span text, struct buf *ret);

/* Secrets alone, as "(withheld)": for what stays with its owner. Names stay. */
void scrubber_withhold(struct scrubber *s, struct span text, struct buf *ret);
