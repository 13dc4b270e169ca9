#include "mcp/methods.h"

#include <string.h>

#include "base/array.h"
#include "mcp/calls.h"
#include "mcp/reply.h"

/* Made of the files of data/mcp. */
extern const char data_mcp_tools[], data_mcp_resources[], data_mcp_templates[],
	data_mcp_instructions[];

static const struct revision revisions[] = {
	{ "2026-07-28", true, true },   { "2025-11-25", true, false },
	{ "2025-06-18", true, false },  { "2025-03-26", false, false },
	{ "2024-11-05", false, false },
};

static const struct revision *find_revision(struct span name)
{
	for (size_t i = 0; i < COUNT(revisions); i++)
		if (span_is(name, revisions[i].name))
			return &revisions[i];
	return NULL;
}

const struct revision *methods_newest(void)
{
	const struct revision *r = revisions;

	while (r->stateless)
		r++;
	return r;
}

/* The part of the first answer that both kinds of clients get. */
static void add_server(struct json *j)
{
	json_number(j, "capabilities", span_of("{\"tools\": {}, \"resources\": {}}"));
	json_string(j, "instructions", data_mcp_instructions);
}

static void add_revisions(struct json *j, const char *key)
{
	json_open(j, key, '[');
	for (size_t i = 0; i < COUNT(revisions); i++)
		json_string(j, NULL, revisions[i].name);
	json_close(j, ']');
}

static void initialize(struct server *s, const struct message *m, struct arena *arena)
{
	const struct revision *asked = find_revision(json_tree_text(m->params, "protocolVersion"));
	struct buf line BUF_SCOPED = { 0 };
	struct json j = message_begin(m->id, &line);

	(void)arena;
	s->revision = asked && !asked->stateless ? asked : methods_newest();
	json_string(&j, "protocolVersion", s->revision->name);
	json_open(&j, "serverInfo", '{');
	json_string(&j, "name", "rocsteady");
	json_string(&j, "version", s->order->version);
	json_close(&j, '}');
	add_server(&j);
	message_end(&j);
	reply_line(s, &line);
}

/* Also asked without a revision, to find out whether there is one in common. */
static void discover(struct server *s, const struct message *m, struct arena *arena)
{
	struct message named = { .id = m->id, .revision = &revisions[0] };
	struct buf line BUF_SCOPED = { 0 };
	struct json j = reply_begin(s, &named, true, &line);

	(void)arena;
	add_revisions(&j, "supportedVersions");
	add_server(&j);
	message_end(&j);
	reply_line(s, &line);
}

static void ping(struct server *s, const struct message *m, struct arena *arena)
{
	struct buf line BUF_SCOPED = { 0 };
	struct json j = message_begin(m->id, &line);

	(void)arena;
	message_end(&j);
	reply_line(s, &line);
}

static void list_tools(struct server *s, const struct message *m, struct arena *arena)
{
	(void)arena;
	reply_made(s, m, "tools", data_mcp_tools);
}

static void list_resources(struct server *s, const struct message *m, struct arena *arena)
{
	(void)arena;
	reply_made(s, m, "resources", data_mcp_resources);
}

static void list_templates(struct server *s, const struct message *m, struct arena *arena)
{
	(void)arena;
	reply_made(s, m, "resourceTemplates", data_mcp_templates);
}

static void call_tool(struct server *s, const struct message *m, struct arena *arena)
{
	const struct json_node *arguments = json_tree_find(m->params, "arguments");
	struct span name = json_tree_text(m->params, "name");
	struct call refused = { .id = m->id, .revision = m->revision };
	struct request request;
	const char *why;

	if (!request_knows_tool(name)) {
		reply_error(s, m->id, MESSAGE_BAD_PARAMS,
			    "There is no such tool; tools/list names them.");
		return;
	}
	if (arguments && arguments->kind != JSON_MAP)
		why = "\"arguments\" must be an object.";
	else
		why = request_tool(name, arguments, s->order->allowed, arena, &request);
	if (why)
		reply_failure(s, &refused, why);
	else
		calls_enter(s, m, arena, &request);
}

static void read_resource(struct server *s, const struct message *m, struct arena *arena)
{
	struct request request;
	const char *why = request_resource(json_tree_text(m->params, "uri"), arena, &request);

	if (why)
		reply_error(s, m->id, MESSAGE_BAD_PARAMS, why);
	else
		calls_enter(s, m, arena, &request);
}

/* A call that is cancelled gets no answer any more. */
static void cancel(struct server *s, const struct message *m, struct arena *arena)
{
	const char *id = message_id(json_tree_find(m->params, "requestId"), arena);
	struct call *c = s->calls;

	while (c && (!id || strcmp(c->id, id) != 0))
		c = c->next;
	if (c)
		calls_drop(s, c);
}

static const struct method {
	const char *name;
	void (*answer)(struct server *s, const struct message *m, struct arena *arena);
	bool is_notification;
	bool ended; /* stateless revisions have it no more */
} methods[] = {
	{ "initialize", initialize, false, true },
	{ "ping", ping, false, true },
	{ "server/discover", discover, false, false },
	{ "tools/list", list_tools, false, false },
	{ "tools/call", call_tool, false, false },
	{ "resources/list", list_resources, false, false },
	{ "resources/templates/list", list_templates, false, false },
	{ "resources/read", read_resource, false, false },
	{ "notifications/cancelled", cancel, true, false },
};

/* Notifications that we do not know are none of our business. */
static void answer(struct server *s, const struct message *m, struct arena *arena)
{
	for (size_t i = 0; i < COUNT(methods); i++)
		if (span_is(m->method, methods[i].name) &&
		    methods[i].is_notification == (m->id == NULL) &&
		    !(methods[i].ended && m->revision->stateless)) {
			methods[i].answer(s, m, arena);
			return;
		}
	if (m->id)
		reply_error(s, m->id, MESSAGE_NO_METHOD, "This server has no such method.");
}

static void refuse_revision(struct server *s, const struct message *m, struct span asked)
{
	struct buf line BUF_SCOPED = { 0 };
	struct json j = message_begin_error(
		m->id, MESSAGE_NO_REVISION,
		"This server does not know that revision of the protocol.", &line);

	json_open(&j, "data", '{');
	add_revisions(&j, "supported");
	json_text(&j, "requested", asked);
	json_close(&j, '}');
	message_end(&j);
	reply_line(s, &line);
}

static void take_request(struct server *s, struct message *m, struct arena *arena)
{
	struct span asked = json_tree_text(json_tree_find(m->params, "_meta"),
					   "io.modelcontextprotocol/protocolVersion");

	m->revision = asked.len > 0 ? find_revision(asked) : s->revision;
	if (m->revision)
		answer(s, m, arena);
	else if (m->id)
		refuse_revision(s, m, asked);
}

/* An answer of the client, which we never ask, has no method. */
void methods_take(struct server *s, const struct json_node *message, struct arena *arena)
{
	struct message m;

	if (message_read(message, arena, &m) == 0)
		take_request(s, &m, arena);
	else if (!json_tree_find(message, "result") && !json_tree_find(message, "error"))
		reply_error(s, m.id, MESSAGE_INVALID, "This is no request of JSON-RPC 2.0.");
}
