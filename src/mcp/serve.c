#include "mcp/serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "mcp/calls.h"
#include "mcp/methods.h"
#include "mcp/reply.h"

#define LINE_BYTES_MAX ((size_t)64 << 20) /* a log as a text, escaped */
#define TICK_MS        50
#define SOON_MS        5 /* a run that has said all is about to end */

struct client {
	struct server server;
	struct buf input; /* what was read and is not a whole line yet */
	size_t looked;    /* so much of it has no newline */
	bool skips;       /* the rest of a line that was too long */
	bool ended;       /* it writes no more */
};

/* ---- its lines ---- */

static void take_line(struct client *c, struct span line)
{
	struct arena arena = { 0 };
	struct json_node *node;
	size_t at;

	if (span_trim(line).len == 0)
		return;
	c->server.line = line.len;
	if (json_tree_parse(line, &arena, &node, &at) < 0)
		reply_error(&c->server, NULL, MESSAGE_PARSE_ERROR, "This line is no JSON.");
	else if (node->kind == JSON_LIST) /* which 2025-03-26 knew, and no revision since */
		reply_error(&c->server, NULL, MESSAGE_INVALID, "Send one message in a line.");
	else
		methods_take(&c->server, node, &arena);
	arena_done(&arena);
}

/* The rest is the beginning of a line: keep it until its end arrives. */
static void keep(struct client *c, struct span rest)
{
	if (rest.len > LINE_BYTES_MAX && !c->skips) {
		reply_error(&c->server, NULL, MESSAGE_INVALID,
			    "The message is longer than 64 MiB.");
		c->skips = true;
	}
	if (c->skips)
		rest.len = 0;
	memmove(c->input.data, rest.data, rest.len);
	c->input.len = c->looked = rest.len;
}

static void take_lines(struct client *c)
{
	struct span rest = buf_get(&c->input);
	const char *end;

	while ((end = memchr(rest.data + c->looked, '\n', rest.len - c->looked))) {
		struct span line = { rest.data, (size_t)(end - rest.data) };

		if (!c->skips)
			take_line(c, line);
		c->skips = false;
		c->looked = 0;
		rest = (struct span){ end + 1, rest.len - line.len - 1 };
	}
	keep(c, rest);
}

static int read_input(struct client *c)
{
	ssize_t n;

	buf_room(&c->input, 65536);
	n = read(c->server.order->in, c->input.data + c->input.len, 65535);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -errno;
	c->ended = n == 0;
	c->input.len += (size_t)n;
	if (c->ended && c->input.len > 0) /* its last line may have no end */
		buf_char(&c->input, '\n');
	if (c->input.len > 0)
		take_lines(c);
	return 0;
}

/* ---- the loop ---- */

static int wait_for_any(struct client *c)
{
	struct pollfd fds[CALLS_AT_ONCE + 1];
	int count = 1, timeout = c->server.children > 0 ? TICK_MS : -1;

	fds[0] = (struct pollfd){ c->ended ? -1 : c->server.order->in, POLLIN, 0 };
	for (const struct call *call = c->server.calls; call; call = call->next)
		if (call->pid > 0) {
			fds[count++] = (struct pollfd){ call->out, POLLIN, 0 };
			if (call->out < 0)
				timeout = SOON_MS;
		}
	if (poll(fds, (nfds_t)count, timeout) < 0)
		return errno == EINTR ? 0 : -errno;
	return fds[0].revents ? read_input(c) : 0;
}

int serve(const struct serve_order *order)
{
	struct client c = { .server = { .order = order, .revision = methods_newest() } };
	struct server *s = &c.server;
	int r = 0;

	s->last = &s->calls;
	signal(SIGPIPE, SIG_IGN);
	while (r == 0 && s->error == 0 && (!c.ended || s->calls)) {
		r = wait_for_any(&c);
		calls_look(s);
	}
	while (s->calls)
		calls_drop(s, s->calls);
	buf_done(&c.input);
	return r < 0 ? r : s->error;
}
