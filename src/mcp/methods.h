#pragma once

/* methods - what a client may ask */

#include "mcp/server.h"

/* The newest revision that begins with initialize: for clients that name none. */
const struct revision *methods_newest(void);

/* One message, whatever it is. */
void methods_take(struct server *s, const struct json_node *message, struct arena *arena);
