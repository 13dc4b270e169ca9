#include "parse/modprobe.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct modprobe_reader reader = { .rest = input };
	struct modprobe_entry entry;
	struct cmdline_param param;
	char name[MODPROBE_NAME_MAX];
	unsigned int before = 0;

	while (modprobe_next(&reader, &entry)) {
		must_lie_in(entry.module, input);
		must_lie_in(entry.rest, input);
		must(entry.module.len > 0 && entry.line > before);
		must(modprobe_verb_name(entry.verb)[0] != '\0');
		before = entry.line;
		modprobe_name(entry.module, name);
		while (modprobe_param_next(&entry.rest, &param))
			must_lie_in(param.value, input);
	}
	return 0;
}
