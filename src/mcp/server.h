#pragma once

/*
 * server - what the parts of the server share: the client, and the calls that it has made
 */

#include "mcp/call.h"
#include "mcp/serve.h"

struct revision {
	const char *name;
	bool structured; /* answers as objects, beside the text: since 2025-06-18 */
};

struct server {
	const struct serve_order *order;
	const struct revision *revision;
	struct call *calls, **last;
	size_t running, waiting;
	size_t line;  /* bytes of the message that is being answered */
	size_t bytes; /* of all messages whose calls are kept */
	int error;    /* of writing: the client is gone */
};
