#pragma once

/*
 * text - making foreign bytes safe to keep and to show
 *
 * Text that enters a table is valid UTF-8 without control characters; every
 * other byte becomes \xNN. After that no printer needs a second thought.
 */

#include "base/buf.h"

/* Append s, escaped. Keeps tab and newline only if `keep_lines`. */
void text_clean(struct buf *out, struct span s, bool keep_lines);

/*
 * Append a whole answer as a terminal may get it: lines, and with `colours` of all
 * sequences those that we write ourselves. What a caller forgot is escaped here.
 */
void text_screen(struct buf *out, struct span s, bool colours);

/*
 * Append a whole answer as a runner of GitHub Actions may get it: in no line is a
 * workflow command (`::error::`, `##[error]`) that a log or a name has put there.
 */
void text_defuse(struct buf *out, struct span s);

/* Append one line: formatted, escaped, ended. */
void text_line(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* True if it holds more control characters than a log, which may have the bell and escapes. */
bool text_is_binary(struct span s);

/* A name for life, as causes and remedies have: words-with-hyphens, lower case, at most 48 bytes. */
bool text_is_slug(struct span s);

bool text_is_date(const char *text); /* YYYY-MM-DD and nothing more */

/* True if text_clean would change nothing. */
bool text_is_clean(struct span s, bool keep_lines);

/* Append a code point as UTF-8. */
void text_point(struct buf *out, uint32_t c);

/* Length of the valid UTF-8 sequence at the front (1-4), or 0. */
size_t text_utf8(struct span s);

/* At most so many bytes of it, and no half character at the end. */
struct span text_cut(struct span s, size_t most);

/* The same for columns, of clean text. */
struct span text_columns(struct span s, size_t most);

/* Columns a terminal uses for clean text: one for each code point. */
size_t text_width(struct span s);

/*
 * One word on a line: blanks, control bytes, backslash and invalid UTF-8 as
 * \xNN, so that words can be separated by blanks. text_unword reverses it and
 * answers false for a malformed escape.
 */
void text_word(struct buf *out, struct span s);
bool text_unword(struct buf *out, struct span word);

/* One word of a shell, quoted if it must be, and clean. */
void text_shell(struct buf *out, struct span s);

/*
 * The same for a name that a printed command works on: one that begins with `-`
 * would be an option of the program, so it is written `./-name`. Numbers stay.
 */
void text_operand(struct buf *out, struct span s);
