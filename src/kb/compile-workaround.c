#include "base/array.h"
#include "kb/compile-internal.h"
#include "kb/words.h"

static const struct field workaround_fields[] = {
	{ .key = "variables", .type = FIELD_LINE, .most = 200 },
	{ .key = "costs", .type = FIELD_WORD, .words = words_costs },
	{ .key = "when", .type = FIELD_TEXT, .most = 20000 },
};

void compile_workaround(struct compiler *c, const struct yaml_node *map, const char *remedy)
{
	if (!map ||
	    !fields_check(map, c->file, workaround_fields, COUNT(workaround_fields), c->faults))
		return;
	compile_insert(c, "workaround", "ssssi", remedy, fields_text(map, "variables"),
		       fields_text(map, "costs"), compile_text(c, map, "when"),
		       (int)yaml_find(map, "when")->line);
}
