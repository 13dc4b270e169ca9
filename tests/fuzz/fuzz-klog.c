#include "parse/klog.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A table, a zero byte, and a line for it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span line = { (const char *)data, size }, text;
	struct klog_flaw flaw = { 0 };
	struct arena arena = { 0 };
	struct klog_table *table;
	struct klog_match match;

	if (!span_cut(&line, '\0', &text))
		return 0;
	if (klog_table_parse(&arena, text, &table, &flaw) < 0) {
		if (!flaw.why)
			abort();
	} else if (klog_class(table, line, &match)) {
		for (unsigned int i = 0; i < match.row->holes; i++) {
			struct span value = match.values[i];

			if (value.data < line.data ||
			    value.data + value.len > line.data + line.len ||
			    memchr(value.data, '\n', value.len))
				abort();
		}
	}
	arena_done(&arena);
	return 0;
}
