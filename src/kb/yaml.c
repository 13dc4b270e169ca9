#include "kb/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/text.h"

/* An open list or map, and where its next child goes. */
struct yaml_level {
	struct yaml_node *node;
	struct yaml_node **tail;
	const char *key; /* read, and waiting for its value */
};

struct yaml_reader {
	struct arena *arena;
	struct yaml_level levels[YAML_DEPTH_MAX];
	size_t depth;
	size_t nodes;
	struct yaml_node *top;
	struct yaml_error *error;
};

static int fail(struct yaml_reader *r, size_t line, const char *what, const char *name)
{
	r->error->line = (unsigned int)line;
	snprintf(r->error->what, sizeof(r->error->what), "%s%s%s", what, name ? " " : "",
		 name ? name : "");
	return -EBADMSG;
}

const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key)
{
	for (const struct yaml_node *n = map ? map->children : NULL; n; n = n->next)
		if (n->key && strcmp(n->key, key) == 0)
			return n;
	return NULL;
}

/* Hang a node under the innermost open one. */
static int put(struct yaml_reader *r, struct yaml_node *node)
{
	struct yaml_level *level = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;

	if (++r->nodes > YAML_NODES_MAX)
		return fail(r, node->line, "too many entries", NULL);
	if (!level) {
		if (r->top)
			return fail(r, node->line, "a second document", NULL);
		r->top = node;
		return 0;
	}
	node->key = level->key;
	level->key = NULL;
	*level->tail = node;
	level->tail = &node->next;
	level->node->count++;
	return 0;
}

static struct yaml_node *new_node(struct yaml_reader *r, enum yaml_kind kind,
				  const yaml_event_t *event)
{
	struct yaml_node *node = arena_alloc(r->arena, sizeof(*node));

	node->kind = kind;
	node->line = (unsigned int)event->start_mark.line + 1;
	return node;
}

static int open_level(struct yaml_reader *r, enum yaml_kind kind, const yaml_event_t *event)
{
	struct yaml_node *node = new_node(r, kind, event);
	struct yaml_level *above = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;
	int e;

	if (r->depth == YAML_DEPTH_MAX)
		return fail(r, node->line, "nested too deeply", NULL);
	if (above && above->node->kind == YAML_MAP && !above->key)
		return fail(r, node->line, "a key must be a word", NULL);
	e = put(r, node);
	if (e == 0)
		r->levels[r->depth++] = (struct yaml_level){ node, &node->children, NULL };
	return e;
}

/* Keys are compared one by one: a map with many is a list in disguise. */
static int take_key(struct yaml_reader *r, struct yaml_level *level, const char *key,
		    unsigned int line)
{
	if (level->node->count >= 64)
		return fail(r, line, "more than 64 keys", NULL);
	if (yaml_find(level->node, key))
		return fail(r, line, "key given twice:", key);
	level->key = key;
	return 0;
}

static int scalar(struct yaml_reader *r, const yaml_event_t *event)
{
	struct span text = { (const char *)event->data.scalar.value, event->data.scalar.length };
	struct yaml_level *level = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;
	size_t line = event->start_mark.line + 1;
	struct yaml_node *node;

	if (!text_is_clean(text, true))
		return fail(r, line, "a control character", NULL);
	if (level && level->node->kind == YAML_MAP && !level->key)
		return take_key(r, level, arena_text(r->arena, text), (unsigned int)line);
	node = new_node(r, YAML_SCALAR, event);
	node->text = arena_text(r->arena, text);
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	return put(r, node);
}

static bool is_marked(const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return event->data.scalar.anchor || event->data.scalar.tag;
	case YAML_SEQUENCE_START_EVENT:
		return event->data.sequence_start.anchor || event->data.sequence_start.tag;
	case YAML_MAPPING_START_EVENT:
		return event->data.mapping_start.anchor || event->data.mapping_start.tag;
	default:
		return event->type == YAML_ALIAS_EVENT;
	}
}

static int take(struct yaml_reader *r, const yaml_event_t *event)
{
	size_t line = event->start_mark.line + 1;

	if (is_marked(event))
		return fail(r, line, "no anchors, aliases or tags here", NULL);
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return scalar(r, event);
	case YAML_SEQUENCE_START_EVENT:
		return open_level(r, YAML_LIST, event);
	case YAML_MAPPING_START_EVENT:
		return open_level(r, YAML_MAP, event);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		if (r->depth == 0) /* libyaml pairs its events; nobody but it says so */
			return fail(r, line, "an end without a beginning", NULL);
		r->depth--;
		return 0;
	case YAML_DOCUMENT_START_EVENT:
		return r->top ? fail(r, line, "a second document", NULL) : 0;
	default:
		return 0;
	}
}

static int read_events(struct yaml_reader *r, yaml_parser_t *parser)
{
	bool more = true;
	int e = 0;

	while (more && e == 0) {
		yaml_event_t event;

		if (!yaml_parser_parse(parser, &event))
			return fail(r, parser->problem_mark.line + 1,
				    parser->problem ? parser->problem : "no YAML", NULL);
		more = event.type != YAML_STREAM_END_EVENT;
		e = take(r, &event);
		yaml_event_delete(&event);
	}
	return e;
}

const char *yaml_library(void)
{
	return yaml_get_version_string();
}

int yaml_parse(struct span text, struct arena *arena, struct yaml_node **ret,
	       struct yaml_error *ret_error)
{
	struct yaml_reader r = { .arena = arena, .error = ret_error };
	yaml_parser_t parser;
	int e;

	if (text.len > YAML_SIZE_MAX)
		return fail(&r, 1, "larger than a megabyte", NULL);
	if (!yaml_parser_initialize(&parser))
		return -ENOMEM;
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text.data, text.len);
	e = read_events(&r, &parser);
	yaml_parser_delete(&parser);
	if (e == 0 && !r.top)
		e = fail(&r, 1, "nothing in it", NULL);
	if (e == 0)
		*ret = r.top;
	return e;
}
