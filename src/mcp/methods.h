#pragma once

/* methods - what a client may ask */

#include "mcp/server.h"

/* The newest revision of the protocol that we know: until the client has named one. */
const struct revision *methods_newest(void);

/* One message, whatever it is. */
void methods_take(struct server *s, const struct json_node *message, struct arena *arena);
