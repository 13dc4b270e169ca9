#include "code/kernels-count.h"

#include <ctype.h>
#include <string.h>

#include "parse/code-object.h"

#define ID_MAX 64

struct span kernels_base(const char *name)
{
	const char *slash = strrchr(name, '/');

	return span_of(slash ? slash + 1 : name);
}

static struct span behind(struct span s, size_t n)
{
	return (struct span){ s.data + n, s.len - n };
}

/* The length of the target at the front: gfx90a, gfx1151, gfx11-generic, gfx9-4-generic. */
static size_t processor(struct span s)
{
	size_t n = 3, more;

	if (!span_starts(s, "gfx"))
		return 0;
	while (n < s.len &&
	       (isdigit((unsigned char)s.data[n]) || (s.data[n] >= 'a' && s.data[n] <= 'f')))
		n++;
	if (n == 3 || !isdigit((unsigned char)s.data[3]))
		return 0;
	more = n;
	if (more + 1 < s.len && s.data[more] == '-' && isdigit((unsigned char)s.data[more + 1]))
		more += 2;
	return span_starts(behind(s, more), "-generic") ? more + strlen("-generic") : n;
}

/* "-xnack+" of a file name is ":xnack+" of a target id. */
static size_t feature(struct span s)
{
	static const char *const features[] = { "-xnack+", "-xnack-", "-sramecc+", "-sramecc-" };

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (span_starts(s, features[i]))
			return strlen(features[i]);
	return 0;
}

static bool write_id(struct span text, char ret[static ID_MAX])
{
	if (text.len == 0 || text.len >= ID_MAX)
		return false;
	memcpy(ret, text.data, text.len);
	ret[text.len] = 0;
	return true;
}

/* The last target of a name: what stands before are types and layouts. */
static bool last_target(struct span name, char ret[static ID_MAX])
{
	for (size_t at = name.len; at-- > 0;) {
		struct span rest = behind(name, at);
		size_t bare = processor(rest), n = bare, f;

		if (bare == 0)
			continue;
		while ((f = feature(behind(rest, n))) > 0)
			n += f;
		if (!write_id((struct span){ rest.data, n }, ret))
			return false;
		for (size_t i = bare; i + 1 < n; i++)
			if (ret[i] == '-')
				ret[i] = ':';
		return true;
	}
	return false;
}

/* New builds have library/gfx942/...; a file without a target there is of the directory's. */
bool kernels_name_tensile(const char *name, char ret[static ID_MAX])
{
	struct span base = kernels_base(name);

	if (last_target(base, ret))
		return true;
	return last_target((struct span){ name, (size_t)(base.data - name) }, ret);
}

/*
 * <arch>_<CU> up to 64 compute units, <arch><CU in hexadecimal> above: gfx1030_36,
 * gfx90878 (gfx908, 120), gfx942130 (gfx942, 304). Only a list of processors can tell
 * them apart, the longest first. Source: ROCm/MIOpen src/include/miopen/handle.hpp.
 */
bool kernels_name_miopen(const char *name, char ret[static ID_MAX])
{
	struct span base = kernels_base(name);
	size_t token = processor(base), best = 0;

	if (token == 0)
		return false;
	for (uint32_t mach = 0; mach < 256; mach++) {
		const char *known = code_object_processor(mach);

		if (known && strlen(known) > best && span_starts(base, known))
			best = strlen(known);
	}
	return write_id((struct span){ base.data, best > 0 ? best : token }, ret);
}

/* amd-gfx942/..., or a family: amd-gfx11xx/..., amd-gfx120x/... */
bool kernels_name_aotriton(const char *name, char ret[static ID_MAX])
{
	struct span rest = span_of(name), first;
	size_t n;

	if (!span_cut(&rest, '/', &first) || rest.len == 0 || !span_starts(first, "amd-"))
		return false;
	first = behind(first, strlen("amd-"));
	n = processor(first);
	if (n == 0)
		return false;
	while (n < first.len && first.data[n] == 'x')
		n++;
	return n == first.len && write_id(first, ret);
}

/* The first directory; names of files there say gfx9 and mean a generation. */
bool kernels_name_aiter(const char *name, char ret[static ID_MAX])
{
	struct span rest = span_of(name), first;

	return span_cut(&rest, '/', &first) && rest.len > 0 && processor(first) == first.len &&
	       write_id(first, ret);
}
