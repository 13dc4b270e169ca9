#pragma once

/*
 * server - what the parts of the server share: the client, and the calls that it has made
 */

#include "mcp/call.h"
#include "mcp/serve.h"

struct server {
	const struct serve_order *order;
	const struct revision *revision; /* of requests that do not name theirs */
	struct call *calls, **last;
	size_t running, waiting;
	size_t children; /* processes that nobody has waited for: also of calls that are dropped */
	size_t line;     /* bytes of the message that is being answered */
	size_t bytes;    /* of all messages whose calls are kept */
	int error;       /* of writing: the client is gone */
};
