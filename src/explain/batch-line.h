#pragma once

/*
 * batch-line - one line of `explain --batch`: a log, or the path of one
 *
 *   {"id": "job-17", "log": "RuntimeError: HIP error: out of memory\n"}
 *   {"id": 18, "path": "/logs/18.out.gz", "facts": {"gfx": "gfx942", "rocm": "6.2.0"}}
 *
 *   {"number": 19, "title": "No kernel image", "body": "RuntimeError: ..."}
 *
 * The last one is an issue, as trackers list them. Other keys are passed over: the records of a
 * site may have more.
 */

#include "base/arena.h"

struct json_node;

#define BATCH_LINE_MAX ((size_t)64 << 20) /* bytes; a longer log is named by its path */

/* How the asker calls a line, handed back as it came. */
struct batch_id {
	bool is_known;  /* it could be read */
	bool is_number; /* as written, otherwise a text */
	struct span text;
};

struct batch_line {
	struct batch_id id;
	struct span log;               /* data NULL: the log is the file at `path` */
	const char *path;              /* or NULL */
	const struct json_node *facts; /* an object, or NULL */
};

/*
 * NULL, or what is wrong with the line; its id is told in both cases, as far as it can be read.
 * `line` is borrowed as long as the arena lives.
 */
const char *batch_line_read(struct span line, struct arena *arena, struct batch_line *ret);

/* The same of an object that was read; for the elements of a list. */
const char *batch_line_of(const struct json_node *object, struct arena *arena,
			  struct batch_line *ret);
