#include "parse/wheel-record.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The names cannot be longer than what was read, and each costs a byte. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wheel_record r;
	struct source source = source_memory((struct span){ (const char *)data, size });
	size_t names = 0, bytes = 0;
	struct span name;

	wheel_record_init(&r, &source);
	while (wheel_record_next(&r, &name) == 1) {
		must(name.len > 0 && name.len <= WHEEL_RECORD_NAME_MAX);
		must_lie_in(name, (struct span){ r.name, sizeof(r.name) });
		names++;
		bytes += name.len;
	}
	must(names <= size && bytes <= size && r.skipped <= size);
	must(wheel_record_next(&r, &name) == 0 && source.asked == size);
	return 0;
}
