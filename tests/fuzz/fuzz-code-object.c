#include "parse/code-object.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The header alone and the whole file agree, but for what a note may add. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct source s = source_memory(input);
	struct code_object head, whole;
	struct target_id id;
	const char *why;
	struct elf elf;
	int r = code_object_parse(input, &head);

	if (r < 0)
		return 0;
	must(elf_open(&s, &elf, &why) == 0);
	must(code_object_read(&elf, &whole) == 0);
	must(head.version == whole.version && head.version <= 6 && head.version != 1);
	must(memchr(whole.target, 0, sizeof(whole.target)));
	must(whole.known == target_id_parse(span_of(whole.target), &id));
	must(strcmp(head.target, whole.target) == 0 || (!head.known && whole.known));
	return 0;
}
