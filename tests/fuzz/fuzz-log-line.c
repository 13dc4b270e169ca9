#include "parse/log-line.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever stood before it, the text is the end of the line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct log_line line;

	log_line_parse((struct span){ (const char *)data, size }, &line);
	if (line.text.data + line.text.len != (const char *)data + size || line.text.len > size ||
	    line.level < -1 || line.level > 7)
		abort();
	return 0;
}
