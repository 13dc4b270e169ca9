#pragma once

/*
 * request - the command of this program that a tool or a resource stands for
 *
 * A table, and nothing that the command line could not do: a tool is a command
 * that reads, and its arguments become options, words or standard input.
 */

#include "door/allowed.h"
#include "mcp/message.h"

struct request {
	const char *const *argv; /* NULL after the last */
	struct span text;        /* for standard input, if `input` is negative */
	int input;               /* a file for it, taken over by whoever starts the command */
	const char *uri;         /* of a resource; NULL: a tool */
	const char **roots;      /* directories that the command gets as descriptors, from 3 on */
	size_t root_count;
	bool looks; /* at this machine; otherwise a wall stands around it (door/wall.h) */
};

/* NULL, or why not, as a sentence; the strings live in the arena. */
const char *request_tool(struct span name, const struct json_node *arguments,
			 const struct allowed *allowed, struct arena *arena, struct request *ret);
const char *request_resource(struct span uri, struct arena *arena, struct request *ret);

bool request_knows_tool(struct span name);
