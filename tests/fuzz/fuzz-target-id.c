#include "parse/target-id.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read can be written, and what was written reads as the same. */
static void comes_back(struct span text)
{
	struct target_id id, again;
	char written[TARGET_ID_MAX], twice[TARGET_ID_MAX];

	if (!target_id_parse(text, &id))
		return;
	must_lie_in(id.processor, text);
	target_id_write(&id, written);
	must(strlen(written) == text.len);
	must(target_id_parse(span_of(written), &again));
	must(again.sramecc == id.sramecc && again.xnack == id.xnack);
	target_id_write(&again, twice);
	must(strcmp(written, twice) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct target_entry entry = target_entry_parse(input);

	must_lie_in(entry.kind, input);
	must_lie_in(entry.target, input);
	must(entry.target.len == 0 || entry.target.data[0] != '-');
	must(!target_entry_is_device(&entry) || !target_entry_is_foreign(&entry));
	comes_back(input);
	comes_back(entry.target);
	return 0;
}
