#include "parse/json-tree.h"

#include <errno.h>

#include "base/buf.h"
#include "parse/json-pull.h"

struct builder {
	struct arena *arena;
	struct json_node *open[JSON_TREE_DEPTH_MAX]; /* at each depth */
	struct json_node **last[JSON_TREE_DEPTH_MAX];
	struct json_node *top;
	size_t nodes;
	struct buf text;
};

static bool unescape(struct builder *b, struct span written, struct span *ret)
{
	buf_clear(&b->text);
	if (!json_pull_text(written, &b->text))
		return false;
	*ret = arena_span(b->arena, buf_get(&b->text));
	return true;
}

/* ---- numbers: json-pull hands them out as they stand ---- */

static bool skip_one(struct span *s, const char *of)
{
	for (; *of; of++)
		if (s->len > 0 && s->data[0] == *of) {
			*s = (struct span){ s->data + 1, s->len - 1 };
			return true;
		}
	return false;
}

static bool skip_digits(struct span *s)
{
	bool any = false;

	while (skip_one(s, "0123456789"))
		any = true;
	return any;
}

static bool is_number(struct span s)
{
	skip_one(&s, "-");
	if (!skip_one(&s, "0") && !skip_digits(&s))
		return false;
	if (skip_one(&s, ".") && !skip_digits(&s))
		return false;
	if (skip_one(&s, "eE")) {
		skip_one(&s, "+-");
		if (!skip_digits(&s))
			return false;
	}
	return s.len == 0;
}

/* ---- nodes ---- */

static bool fill(struct builder *b, const struct json_pull_item *item, struct json_node *ret)
{
	switch (item->kind) {
	case JSON_PULL_OBJECT:
	case JSON_PULL_ARRAY:
		ret->kind = item->kind == JSON_PULL_OBJECT ? JSON_MAP : JSON_LIST;
		b->open[item->depth] = ret;
		b->last[item->depth] = &ret->children;
		return true;
	case JSON_PULL_TEXT:
		ret->kind = JSON_TEXT;
		return unescape(b, item->text, &ret->text);
	case JSON_PULL_NUMBER:
		ret->kind = JSON_NUMBER;
		ret->text = item->text;
		return is_number(item->text);
	default:
		ret->kind = span_is(item->text, "true")    ? JSON_TRUE
			    : span_is(item->text, "false") ? JSON_FALSE
							   : JSON_NULL;
		return true;
	}
}

static bool take(struct builder *b, const struct json_pull_item *item)
{
	struct json_node *node, *parent = NULL;

	if (item->kind == JSON_PULL_CLOSE)
		return true;
	if (item->depth >= JSON_TREE_DEPTH_MAX || ++b->nodes > JSON_NODES_MAX)
		return false;
	node = arena_alloc(b->arena, sizeof(*node));
	if (item->depth > 0) {
		parent = b->open[item->depth - 1];
		*b->last[item->depth - 1] = node;
		b->last[item->depth - 1] = &node->next;
		parent->count++;
	} else {
		b->top = node;
	}
	if (parent && parent->kind == JSON_MAP && !unescape(b, item->key, &node->key))
		return false;
	return fill(b, item, node);
}

int json_tree_parse(struct span text, struct arena *arena, struct json_node **ret, size_t *ret_at)
{
	struct json_pull j = json_pull_start(text);
	struct builder b = { .arena = arena };
	struct json_pull_item item;
	int r;

	while ((r = json_pull_next(&j, &item)) == 1)
		if (!take(&b, &item)) {
			r = -EBADMSG;
			break;
		}
	buf_done(&b.text);
	if (ret_at)
		*ret_at = text.len - j.rest.len;
	if (r == 0)
		*ret = b.top;
	return r;
}

const struct json_node *json_tree_find(const struct json_node *map, const char *key)
{
	if (!map || map->kind != JSON_MAP)
		return NULL;
	for (const struct json_node *n = map->children; n; n = n->next)
		if (span_is(n->key, key))
			return n;
	return NULL;
}

struct span json_tree_text(const struct json_node *map, const char *key)
{
	const struct json_node *n = json_tree_find(map, key);

	return n && n->kind == JSON_TEXT ? n->text : (struct span){ NULL, 0 };
}
