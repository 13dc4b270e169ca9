#include "parse/tensile.h"

#include "inside.h"
#include "parse/msgpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count_part(void *of, struct span part, struct span processor)
{
	unsigned int *parts = of;

	must(part.len <= MSGPACK_TEXT_MAX && processor.len < 64);
	must_lie_in(part, part);
	must_lie_in(processor, processor);
	++*parts;
}

static void count_name(void *of, struct span name)
{
	unsigned int *names = of;

	must_lie_in(name, name);
	++*names;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source s = source_memory((struct span){ (const char *)data, size });
	unsigned int parts = 0, names = 0;
	struct tensile_visitor v = { count_part, &parts };
	struct tensile_index index;

	if (tensile_index_read(&s, &v, &index) == 0) {
		must(index.rows > 0 && index.tuned_rows <= index.rows);
		must(index.parts == parts);
	}
	must(parts <= size);
	(void)tensile_extop_read(&s, count_name, &names);
	must(names <= size);
	return 0;
}
