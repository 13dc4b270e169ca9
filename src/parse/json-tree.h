#pragma once

/*
 * json-tree - a bounded tree of a JSON text
 *
 * For small files that a person or a program hands us: stated facts, records
 * of failures, metadata of packages. Strict RFC 8259 but for repeated keys, of
 * which the first counts; depth, nodes and size are limited.
 */

#include "base/arena.h"
#include "base/span.h"

#define JSON_TREE_DEPTH_MAX 24
#define JSON_NODES_MAX      200000

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_MAP };

struct json_node {
	enum json_kind kind;
	struct span key;            /* in a map, unescaped */
	struct span text;           /* of a text, unescaped UTF-8; of a number, as it stands */
	struct json_node *children; /* of a list or map, in order */
	struct json_node *next;
	size_t count;
};

/* The whole of `text` is one value: 0, or -EBADMSG and where it is wrong. */
int json_tree_parse(struct span text, struct arena *arena, struct json_node **ret, size_t *ret_at);

const struct json_node *json_tree_find(const struct json_node *map,
				       const char *key); /* NULL also if it is no map */
struct span json_tree_text(const struct json_node *map,
			   const char *key); /* empty if it is no text */
