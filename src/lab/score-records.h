#pragma once

/*
 * score-records - labelled failures and healthy logs, and how they are presented
 *
 * A record is a JSON object a line; one whose cause is null, or a file of a
 * directory of healthy logs, is healthy. Every record is shown as it is, with
 * its lines in another order, and buried in a healthy log.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "lab/score.h"
#include "parse/json-tree.h"

enum presentation {
	PRESENTATION_AS_IS,
	PRESENTATION_SHUFFLED,
	PRESENTATION_BURIED,
	PRESENTATION_COUNT
};

struct score_record {
	const char *id;
	const char *cause; /* NULL: healthy */
	const char **others;
	size_t other_count;
	bool likely;                     /* not confirmed */
	const struct json_node *env;     /* or NULL */
	const struct score_cures *cures; /* or NULL */
	struct span *lines;
	size_t line_count;
};

struct score_records {
	struct arena arena;
	struct score_record *list;
	size_t count;
};

/* 0, or an exit status with its reason added to `said`. */
int score_records_read(struct score_records *s, const char *path, struct buf *said);

/* What cured them: a file of objects with id, cures and also, each of a record that was read. */
int score_records_cures(struct score_records *s, const char *path, struct buf *said);

/* Its *.log. Without a name it is ours, which need not exist. */
int score_records_healthy(struct score_records *s, const char *named, struct buf *said);

void score_records_done(struct score_records *s);

/* The same on every machine: a record must not get other lines tomorrow. */
void score_records_present(const struct score_record *r, enum presentation how, struct buf *ret);

const char *score_records_name(enum presentation how);
