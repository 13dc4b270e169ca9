#include "kb/yaml.h"

#include <string.h>

#include "base/text.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every node has what its kind promises, and the tree is as deep as it may be. */
static size_t walk(const struct yaml_node *node, size_t depth)
{
	size_t count = 0, all = 1;

	must(depth <= YAML_DEPTH_MAX + 1);
	must(node->line >= 1);
	if (node->kind == YAML_SCALAR) {
		must(node->text && !node->children);
		must(text_is_clean(span_of(node->text), true));
	}
	for (const struct yaml_node *n = node->children; n; n = n->next) {
		must((n->key != NULL) == (node->kind == YAML_MAP));
		must(!n->key || yaml_find(node, n->key) == n);
		all += walk(n, depth + 1);
		count++;
	}
	must(count == node->count);
	return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct yaml_error error = { 0 };
	struct arena arena = { 0 };
	struct yaml_node *top = NULL;

	if (yaml_parse((struct span){ (const char *)data, size }, &arena, &top, &error) == 0)
		must(walk(top, 1) <= YAML_NODES_MAX);
	else
		must(error.what[0] != '\0' && top == NULL);
	arena_done(&arena);
	return 0;
}
