#pragma once

/*
 * message - one JSON-RPC 2.0 message, as MCP sends it in a line
 *
 *   {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {...}}
 *
 * A request has an id and gets one answer; a notification has none and gets
 * none. What is written is one line, too.
 */

#include "base/json-write.h"
#include "parse/json-tree.h"

enum {
	MESSAGE_PARSE_ERROR = -32700,
	MESSAGE_INVALID = -32600,
	MESSAGE_NO_METHOD = -32601,
	MESSAGE_BAD_PARAMS = -32602,
	MESSAGE_BUSY = -32000,
	MESSAGE_NO_REVISION = -32022,
};

/* One of the protocol. A client names it once, when it begins, or in each of its requests. */
struct revision {
	const char *name;
	bool structured; /* answers as objects, beside the text: since 2025-06-18 */
	bool stateless;  /* each request names it: since 2026-07-28 */
};

struct message {
	struct span method;
	const struct json_node *params;  /* a map, or NULL */
	const char *id;                  /* as JSON, in the arena; NULL: a notification */
	const struct revision *revision; /* NULL until it is known */
};

/* 0, or MESSAGE_INVALID with the id, if there is one that can be answered. */
int message_read(const struct json_node *node, struct arena *arena, struct message *ret);

/* A text or a number as JSON; NULL for anything else. */
const char *message_id(const struct json_node *node, struct arena *arena);

/* {"jsonrpc": "2.0", "id": ..., "result": and then what the caller writes. */
struct json message_begin(const char *id, struct buf *out);
void message_end(struct json *j);

/* {"jsonrpc": "2.0", "id": ..., "error": with its code and message, and then what the caller adds. */
struct json message_begin_error(const char *id, int code, const char *why, struct buf *out);
