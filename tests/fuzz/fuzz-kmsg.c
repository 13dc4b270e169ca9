#include "parse/kmsg.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span record = { (const char *)data, size };
	struct kmsg kmsg;

	if (kmsg_parse(record, &kmsg) == 0 && (kmsg.level > 7 || kmsg.text.data < record.data ||
					       kmsg.text.data + kmsg.text.len > record.data + size))
		abort();
	return 0;
}
