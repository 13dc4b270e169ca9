#include "inside.h"
#include "run/process-class.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Any bytes are a look: one that is answered has a class, a step and a process of it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size };
	struct arena a = { 0 };
	struct process_class c;

	if (process_class_of(text, &a, &c)) {
		must(c.name.len > 0 && c.says.len > 0 && c.step && c.pid > 0 && c.processes > 0);
		if (c.wait.len > 0)
			must_lie_in(c.wait, text);
		if (c.focus_name.len > 0)
			must_lie_in(c.focus_name, text);
	}
	arena_done(&a);
	return 0;
}
