#pragma once

/*
 * calls - what a client has asked for and not been answered yet
 *
 * A few run at a time; the others wait for their turn, up to a limit.
 */

#include "mcp/server.h"

/* Takes over the arena, in which the message is. */
void calls_enter(struct server *s, const struct message *m, struct arena *arena,
		 const struct request *request);

/* Answers those that have ended or take too long, and starts the next. */
void calls_look(struct server *s);

/* Without an answer. */
void calls_drop(struct server *s, struct call *c);

#define CALLS_AT_ONCE 8
