#include "mcp/message.h"

#include <string.h>

const char *message_id(const struct json_node *node, struct arena *arena)
{
	struct buf text BUF_SCOPED = { 0 };
	struct json j = json_on(&text);

	if (node && node->kind == JSON_NUMBER)
		json_number(&j, NULL, node->text);
	else if (node && node->kind == JSON_TEXT)
		json_text(&j, NULL, node->text);
	else
		return NULL;
	return arena_text(arena, buf_get(&text));
}

int message_read(const struct json_node *node, struct arena *arena, struct message *ret)
{
	const struct json_node *id = json_tree_find(node, "id");
	const struct json_node *params = json_tree_find(node, "params");

	*ret = (struct message){
		.method = json_tree_text(node, "method"),
		.id = message_id(id, arena),
		.params = params && params->kind == JSON_MAP ? params : NULL,
	};
	if (!span_is(json_tree_text(node, "jsonrpc"), "2.0") || ret->method.len == 0 ||
	    (id && !ret->id) || (params && !ret->params))
		return MESSAGE_INVALID;
	return 0;
}

static struct json begin(const char *id, struct buf *out)
{
	struct json j = json_on(out);

	j.compact = true;
	json_open(&j, NULL, '{');
	json_string(&j, "jsonrpc", "2.0");
	json_number(&j, "id", span_of(id ? id : "null"));
	return j;
}

struct json message_begin(const char *id, struct buf *out)
{
	struct json j = begin(id, out);

	json_open(&j, "result", '{');
	return j;
}

void message_end(struct json *j)
{
	json_close(j, '}');
	json_close(j, '}');
}

struct json message_begin_error(const char *id, int code, const char *why, struct buf *out)
{
	struct json j = begin(id, out);

	json_open(&j, "error", '{');
	json_int(&j, "code", code);
	json_string(&j, "message", why);
	return j;
}
