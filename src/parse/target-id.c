#include "parse/target-id.h"

#include <string.h>

/* Parts before the target: kind, arch, vendor, os, environment. */
#define PREFIX_PARTS 5

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_' || c == '.';
}

static bool is_name(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!is_name_char(s.data[i]))
			return false;
	return s.len > 0;
}

static bool read_feature(struct span part, struct target_id *id)
{
	enum target_feature *feature, value;
	struct span name = { part.data, part.len ? part.len - 1 : 0 };

	if (span_is(name, "sramecc"))
		feature = &id->sramecc;
	else if (span_is(name, "xnack"))
		feature = &id->xnack;
	else
		return false;
	if (span_ends(part, "+"))
		value = TARGET_ON;
	else if (span_ends(part, "-"))
		value = TARGET_OFF;
	else
		return false;
	if (*feature != TARGET_ANY)
		return false;
	*feature = value;
	return true;
}

bool target_id_parse(struct span text, struct target_id *ret)
{
	struct target_id id = { 0 };
	struct span part;
	bool ends_open = span_ends(text, ":");

	if (text.len >= TARGET_ID_MAX || ends_open || !span_cut(&text, ':', &id.processor) ||
	    !is_name(id.processor))
		return false;
	while (span_cut(&text, ':', &part))
		if (!read_feature(part, &id))
			return false;
	*ret = id;
	return true;
}

void target_id_write(const struct target_id *id, char ret[static TARGET_ID_MAX])
{
	static const char *const sramecc[] = { "", ":sramecc-", ":sramecc+" };
	static const char *const xnack[] = { "", ":xnack-", ":xnack+" };
	struct span parts[] = { id->processor, span_of(sramecc[id->sramecc]),
				span_of(xnack[id->xnack]) };
	size_t at = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t n = parts[i].len < TARGET_ID_MAX - 1 - at ? parts[i].len
								 : TARGET_ID_MAX - 1 - at;

		memcpy(ret + at, parts[i].data, n);
		at += n;
	}
	ret[at] = '\0';
}

/*
 * Cut from the left and never from the right: a target has dashes of its own
 * (gfx9-4-generic), and writers differ in what stands before it:
 *
 *   host-x86_64-unknown-linux                  LLVM 16 and older
 *   host-x86_64-unknown-linux-gnu-             LLVM 20 and newer
 *   hip-amdgcn-amd-amdhsa-gfx803               ROCm 3 and older: no environment
 *   hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-
 *   hipv4-amdgcn-amd-amdhsa-unknown--gfx942    Tensile: two dashes
 */
struct target_entry target_entry_parse(struct span id)
{
	struct target_entry entry = { 0 };
	struct span part;

	if (!span_cut(&id, '-', &entry.kind) || span_is(entry.kind, "host"))
		return entry;
	for (int parts = 1; parts < PREFIX_PARTS; parts++)
		if ((parts == PREFIX_PARTS - 1 && span_starts(id, "gfx")) ||
		    !span_cut(&id, '-', &part))
			break;
	while (id.len > 0 && id.data[0] == '-')
		id = (struct span){ id.data + 1, id.len - 1 };
	entry.target = id;
	return entry;
}

bool target_entry_is_device(const struct target_entry *entry)
{
	static const char *const kinds[] = { "hipv4", "hip", "hcc", "openmp" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (span_is(entry->kind, kinds[i]))
			return true;
	return false;
}

bool target_entry_is_foreign(const struct target_entry *entry)
{
	return span_is(entry->kind, "host") || span_is(entry->kind, "sycl");
}
