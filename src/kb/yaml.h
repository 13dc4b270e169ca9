#pragma once

/*
 * yaml - the part of YAML that knowledge is written in, as a bounded tree
 *
 * Maps, lists and scalars with the lines they stand in. No aliases, anchors,
 * tags, second documents or repeated keys: what a reviewer reads is what is
 * there. Depth, nodes and size are limited; libyaml does the scanning.
 */

#include "base/arena.h"
#include "base/buf.h"

#define YAML_SIZE_MAX  ((size_t)1 << 20)
#define YAML_DEPTH_MAX 6
#define YAML_NODES_MAX 50000

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_node {
	enum yaml_kind kind;
	unsigned int line;          /* from 1 */
	const char *key;            /* in a map */
	const char *text;           /* of a scalar: clean UTF-8, tabs and newlines kept */
	bool plain;                 /* a scalar without quotes, which may be a number */
	struct yaml_node *children; /* of a list or map, in order */
	struct yaml_node *next;
	size_t count;
};

struct yaml_error {
	unsigned int line;
	char what[120];
};

/* 0 and the tree, which lives in the arena, or -EBADMSG and what is wrong. */
int yaml_parse(struct span text, struct arena *arena, struct yaml_node **ret,
	       struct yaml_error *ret_error);

const char *yaml_library(void); /* the version of libyaml */

const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key); /* or NULL */
