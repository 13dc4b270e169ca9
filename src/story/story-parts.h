#pragma once

/*
 * story-parts - what the files that read a story share: lists that grow, the words
 * of a line, and one reader for each kind of record
 */

#include "story/story.h"

/* Room for one more, zeroed; NULL beyond the bound. */
void *story_more(struct story *s, void *list, size_t *count, size_t *cap, size_t size, size_t most);
#define STORY_MORE(s, one, most)                                                                \
	story_more((s), &(s)->one##s, &(s)->one##_count, &(s)->one##_cap, sizeof(*(s)->one##s), \
		   (most))

/* The next word, turned back and made safe; empty at the end of the line or for "-". */
const char *story_word(struct story *s, struct span *line);
const char *story_lines(struct story *s, struct span *line); /* the same, with its newlines */
const char *story_words(struct story *s, struct span *line); /* all that is left, with blanks */
int64_t story_number(struct span *line);                     /* -1: none */

/* ---- story-samples.c ---- */

void story_sample(struct story *s, const struct run_journal_record *r);
void story_progress(struct story *s, const struct run_journal_record *r);

/* ---- story-events.c ---- */

void story_failure(struct story *s, const struct run_journal_record *r);
void story_kernel(struct story *s, const struct run_journal_record *r);
void story_event(struct story *s, const struct run_journal_record *r);
void story_hang(struct story *s, const struct run_journal_record *r);
void story_tail(struct story *s, const struct run_journal_record *r);

/* ---- story-attempts.c ---- */

void story_start(struct story *s, const struct run_journal_record *r);
void story_preflight(struct story *s, const struct run_journal_record *r);
void story_attempt(struct story *s, const struct run_journal_record *r);
void story_output(struct story *s, const struct run_journal_record *r);
void story_ending(struct story *s, const struct run_journal_record *r);
struct story_attempt *story_current(struct story *s); /* NULL: none has begun */
