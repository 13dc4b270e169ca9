#pragma once

/*
 * json-write - JSON, written once from front to back
 *
 * Commas, indentation and escapes are the writer's business; the caller opens
 * and closes. Keys are ours, or columns of a user's query; values may be any clean text.
 */

#include "base/buf.h"

#define JSON_DEPTH_MAX 64

struct json {
	struct buf *out;
	unsigned int depth;
	bool first;       /* nothing written yet at this depth */
	bool compact;     /* all of it on one line */
	unsigned int row; /* the depth of the row that is being written; 0: none */
	uint64_t objects; /* a bit for each depth: it is an object, not an array */
};

struct json json_on(struct buf *out);
void json_open(struct json *j, const char *key, char bracket); /* '{' or '['; key may be NULL */
void json_close(struct json *j, char bracket);                 /* '}' or ']' */
void json_open_row(struct json *j); /* an object of an array, on one line */
void json_close_row(struct json *j);
void json_text(struct json *j, const char *key, struct span value);
void json_string(struct json *j, const char *key, const char *value); /* NULL: null */
void json_int(struct json *j, const char *key, int64_t value);
void json_real(struct json *j, const char *key, double value);
void json_number(struct json *j, const char *key, struct span written); /* valid JSON */
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
