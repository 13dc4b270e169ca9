#include "parse/acl.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct buf text BUF_SCOPED = { 0 };
	struct span rest = input, entries;
	struct acl_entry entry, again;

	while (acl_text_next(&rest, &entry))
		must(entry.perm <= 7);
	if (!acl_parse(input, &entries))
		return 0;
	while (acl_next(&entries, &entry)) {
		buf_clear(&text);
		acl_text_write(&text, &entry);
		rest = buf_get(&text);
		must(acl_text_next(&rest, &again));
		must(again.tag == entry.tag && again.perm == entry.perm && again.id == entry.id);
	}
	return 0;
}
