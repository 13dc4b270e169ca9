#include "parse/json-pull.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct json_pull j = json_pull_start(input);
	struct json_pull_item item;
	struct buf text = { 0 };
	unsigned int depth = 0;
	size_t count = 0;
	int r;

	while ((r = json_pull_next(&j, &item)) == 1) {
		must_lie_in(item.key, input);
		must_lie_in(item.text, input);
		depth -= item.kind == JSON_PULL_CLOSE;
		must(item.depth == depth && depth <= JSON_PULL_DEPTH_MAX);
		depth += item.kind == JSON_PULL_OBJECT || item.kind == JSON_PULL_ARRAY;
		must(++count <= size);
		buf_clear(&text);
		if (item.kind == JSON_PULL_TEXT && json_pull_text(item.text, &text))
			must(text.len <= item.text.len);
	}
	must(r != 0 || depth == 0);
	if (json_pull_find(input, "version.torch", &item))
		must_lie_in(item.text, input);
	buf_done(&text);
	return 0;
}
