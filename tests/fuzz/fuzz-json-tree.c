#include "parse/json-tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct json_node *top;
	size_t at;

	if (json_tree_parse((struct span){ (const char *)data, size }, &arena, &top, &at) == 0)
		json_tree_text(top, "key");
	arena_done(&arena);
	return 0;
}
