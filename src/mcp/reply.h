#pragma once

/* reply - the lines that the client gets */

#include "mcp/server.h"

void reply_error(struct server *s, const char *id, int code, const char *why);
void reply_line(struct server *s, const struct buf *line);

/* A result begins; json_string() and the like go on, and message_end() ends it. */
struct json reply_begin(const struct server *s, const struct message *m, bool lasts,
			struct buf *line);

/* A result that lasts: a list that is JSON already, newlines and all. */
void reply_made(struct server *s, const struct message *m, const char *key, const char *list);

/* The model that asked may read why, and do better: an answer of the tool, and no error of the protocol. */
void reply_failure(struct server *s, const struct call *c, const char *why);

/* Sends the output of a run, by its exit status. */
void reply_ending(struct server *s, struct call *c, int status);
