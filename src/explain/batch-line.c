#include "explain/batch-line.h"

#include <string.h>

#include "parse/json-pull.h"
#include "parse/json-tree.h"

static bool is_number(struct span written, struct arena *arena)
{
	struct json_node *node;

	return json_tree_parse(written, arena, &node, NULL) == 0 && node->kind == JSON_NUMBER;
}

/* Also of a line that is cut or broken behind its id. */
static void read_id(struct span line, struct arena *arena, struct batch_id *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct json_pull_item item;

	if (!json_pull_find(line, "id", &item) && !json_pull_find(line, "number", &item))
		return;
	if (item.kind == JSON_PULL_TEXT && json_pull_text(item.text, &text))
		*ret = (struct batch_id){ .is_known = true,
					  .text = arena_span(arena, buf_get(&text)) };
	if (item.kind == JSON_PULL_NUMBER && is_number(item.text, arena))
		*ret = (struct batch_id){ .is_known = true, .is_number = true, .text = item.text };
}

static const char *take_path(const struct json_node *path, struct arena *arena,
			     struct batch_line *ret)
{
	if (path->kind != JSON_TEXT || path->text.len == 0)
		return "\"path\" is not a text";
	if (memchr(path->text.data, '\0', path->text.len))
		return "\"path\" has a NUL byte in it";
	if (span_is(path->text, "-"))
		return "\"path\" is -, and standard input holds the batch itself";
	ret->path = arena_text(arena, path->text);
	return NULL;
}

static const char *take_log(const struct json_node *log, struct batch_line *ret)
{
	if (log->kind != JSON_TEXT)
		return "\"log\" is not a text";
	ret->log = log->text.data ? log->text : span_of("");
	return NULL;
}

/* Its title often is the error line. A report without words is an empty text. */
static const char *take_issue(const struct json_node *top, struct arena *arena,
			      struct batch_line *ret)
{
	struct span title = json_tree_text(top, "title"), body = json_tree_text(top, "body");

	struct buf text BUF_SCOPED = { 0 };

	buf_span(&text, title);
	buf_text(&text, "\n\n");
	buf_span(&text, body);
	buf_char(&text, '\n');
	ret->log = arena_span(arena, buf_get(&text));
	return NULL;
}

static const char *take(const struct json_node *top, struct arena *arena, struct batch_line *ret)
{
	const struct json_node *log = json_tree_find(top, "log");
	const struct json_node *path = json_tree_find(top, "path");
	bool is_issue = !log && !path && json_tree_find(top, "body");
	const struct json_node *facts = json_tree_find(top, "facts");

	if (!ret->id.is_known)
		return "\"id\" is missing, or neither a text nor a number";
	if (!is_issue && (log ? path != NULL : path == NULL))
		return "one of \"log\" and \"path\" is needed, and only one";
	if (facts && facts->kind != JSON_MAP && facts->kind != JSON_NULL)
		return "\"facts\" is not an object";
	ret->facts = facts && facts->kind == JSON_MAP ? facts : NULL;
	if (is_issue)
		return take_issue(top, arena, ret);
	return log ? take_log(log, ret) : take_path(path, arena, ret);
}

const char *batch_line_read(struct span line, struct arena *arena, struct batch_line *ret)
{
	struct json_node *top;

	*ret = (struct batch_line){ 0 };
	read_id(line, arena, &ret->id);
	if (json_tree_parse(line, arena, &top, NULL) < 0 || top->kind != JSON_MAP)
		return "not a JSON object";
	return take(top, arena, ret);
}

const char *batch_line_of(const struct json_node *object, struct arena *arena,
			  struct batch_line *ret)
{
	const struct json_node *id = json_tree_find(object, "id");

	*ret = (struct batch_line){ 0 };
	if (object->kind != JSON_MAP)
		return "not a JSON object";
	id = id ? id : json_tree_find(object, "number");
	if (id && (id->kind == JSON_TEXT || id->kind == JSON_NUMBER))
		ret->id = (struct batch_id){ true, id->kind == JSON_NUMBER, id->text };
	return take(object, arena, ret);
}
