#include <string.h>

#include "base/json-write.h"
#include "explain/batch-line.h"
#include "inside.h"
#include "parse/json-tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One kind of text for one line that is good, and an id that can be written again for any. */
static void look(const struct batch_line *line, const char *why)
{
	struct buf text BUF_SCOPED = { 0 };
	struct json j = json_on(&text);

	must(why || (line->id.is_known && (line->log.data != NULL) == (line->path == NULL)));
	must(!line->id.is_number || line->id.text.len > 0);
	must(!line->path || (line->path[0] && strcmp(line->path, "-") != 0));
	json_open(&j, NULL, '{');
	if (line->id.is_number)
		json_number(&j, "id", line->id.text);
	else
		json_text(&j, "id", line->id.text);
	json_close(&j, '}');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size };
	struct arena arena = { 0 };
	struct batch_line line;
	struct json_node *list;
	const char *why = batch_line_read(text, &arena, &line);

	look(&line, why);
	if (json_tree_parse(text, &arena, &list, NULL) == 0)
		for (const struct json_node *n = list->children; n; n = n->next) {
			why = batch_line_of(n, &arena, &line);
			look(&line, why);
		}
	arena_done(&arena);
	return 0;
}
