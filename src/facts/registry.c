#include "facts/registry.h"

#include <errno.h>

bool registry_is_there(struct root *root)
{
	struct root_names names;

	return root_list(root, REGISTRY, &names) == 0;
}

int registry_text(struct collect *c, const char *key, const char *value, struct span *ret)
{
	int r = root_read(c->root, arena_format(&c->arena, "%s/%s", key, value), ret);

	if (r == 0)
		*ret = span_trim(*ret);
	return r;
}

/* "hex:00,00,00,00,06,00,00,00": the lowest byte first. */
static bool bytes_number(struct span text, uint64_t *ret)
{
	unsigned int shift = 0;
	uint64_t number = 0, byte;
	struct span part;

	if (!span_starts(text, "hex:"))
		return false;
	text = (struct span){ text.data + 4, text.len - 4 };
	for (; span_cut(&text, ',', &part); shift += 8) {
		if (shift >= 64 || part.len != 2 || !span_hex(part, &byte))
			return false;
		number |= byte << shift;
	}
	*ret = number;
	return shift == 32 || shift == 64;
}

int registry_number(struct collect *c, const char *key, const char *value, uint64_t *ret)
{
	struct span text;
	int r = registry_text(c, key, value, &text);

	if (r < 0)
		return r;
	return span_u64(text, ret) || bytes_number(text, ret) ? 0 : -EBADMSG;
}
