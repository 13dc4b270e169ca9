#include "mcp/reply.h"

#include <string.h>
#include <sys/wait.h>

#include "base/exit-status.h"
#include "base/fd.h"

#define LASTS_MS 3600000 /* lists and resources are part of the program or of its knowledge */

void reply_line(struct server *s, const struct buf *line)
{
	int r = s->error ? 0 : fd_write(s->order->out, buf_get(line));

	if (r < 0)
		s->error = r;
}

void reply_error(struct server *s, const char *id, int code, const char *why)
{
	struct buf line BUF_SCOPED = { 0 };

	struct json j = message_begin_error(id, code, why, &line);

	message_end(&j);
	reply_line(s, &line);
}

/* JSON has no newline inside of a text, so that each is a blank between two words of it. */
static struct span in_one_line(struct buf *json)
{
	for (size_t i = 0; i < json->len; i++)
		if (json->data[i] == '\n' || json->data[i] == '\r')
			json->data[i] = ' ';
	return buf_get(json);
}

/* Since requests name their revision, a result says that it is whole, who gave it and how long it lasts. */
struct json reply_begin(const struct server *s, const struct message *m, bool lasts,
			struct buf *line)
{
	struct json j = message_begin(m->id, line);

	if (!m->revision->stateless)
		return j;
	json_string(&j, "resultType", "complete");
	json_open(&j, "_meta", '{');
	json_open(&j, "io.modelcontextprotocol/serverInfo", '{');
	json_string(&j, "name", "rocsteady");
	json_string(&j, "version", s->order->version);
	json_close(&j, '}');
	json_close(&j, '}');
	if (lasts) {
		json_int(&j, "ttlMs", LASTS_MS);
		json_string(&j, "cacheScope", "private");
	}
	return j;
}

void reply_made(struct server *s, const struct message *m, const char *key, const char *list)
{
	struct buf line BUF_SCOPED = { 0 }, made BUF_SCOPED = { 0 };
	struct json j = reply_begin(s, m, true, &line);

	buf_text(&made, list);
	json_number(&j, key, span_trim(in_one_line(&made)));
	message_end(&j);
	reply_line(s, &line);
}

/* The answer of a command that gives rows is a list, and MCP wants an object. */
static void add_structured(struct json *j, struct buf *answer)
{
	struct span text = span_trim(in_one_line(answer));

	if (text.len > 0 && text.data[0] == '{') {
		json_number(j, "structuredContent", text);
	} else if (text.len > 0 && text.data[0] == '[') {
		json_open(j, "structuredContent", '{');
		json_number(j, "rows", text);
		json_close(j, '}');
	}
}

static void add_content(struct json *j, struct span text)
{
	json_open(j, "content", '[');
	json_open(j, NULL, '{');
	json_string(j, "type", "text");
	json_text(j, "text", text);
	json_close(j, '}');
	json_close(j, ']');
}

void reply_failure(struct server *s, const struct call *c, const char *why)
{
	struct message m = { .id = c->id, .revision = c->revision };
	struct buf line BUF_SCOPED = { 0 };
	struct json j;

	if (c->request.uri) {
		reply_error(s, c->id, MESSAGE_BAD_PARAMS, why);
		return;
	}
	j = reply_begin(s, &m, false, &line);
	add_content(&j, span_of(why));
	json_bool(&j, "isError", true);
	message_end(&j);
	reply_line(s, &line);
}

static void send_answer(struct server *s, struct call *c)
{
	struct message m = { .id = c->id, .revision = c->revision };
	struct buf line BUF_SCOPED = { 0 };
	struct json j = reply_begin(s, &m, c->request.uri != NULL, &line);

	if (c->request.uri) {
		bool is_json = c->answer.len > 0 && strchr("{[", c->answer.data[0]);

		json_open(&j, "contents", '[');
		json_open(&j, NULL, '{');
		json_string(&j, "uri", c->request.uri);
		json_string(&j, "mimeType", is_json ? "application/json" : "text/plain");
		json_text(&j, "text", buf_get(&c->answer));
		json_close(&j, '}');
		json_close(&j, ']');
	} else {
		add_content(&j, buf_get(&c->answer));
		if (c->revision->structured)
			add_structured(&j, &c->answer);
		json_bool(&j, "isError", false);
	}
	message_end(&j);
	reply_line(s, &line);
}

/* Up to 3 the status is the answer's; what is above was said to standard error. */
void reply_ending(struct server *s, struct call *c, int status)
{
	const char *why = call_errors(c);

	if (WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_UNDECIDED && c->answer.len > 0)
		send_answer(s, c);
	else
		reply_failure(s, c, *why ? why : "rocsteady ended without an answer.");
}
