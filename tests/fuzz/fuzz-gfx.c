#include "parse/gfx.h"

#include <stdio.h>
#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libhsakmt's own way of reading the variable is the oracle. */
static void compare_override(struct span input)
{
	char text[256];
	unsigned int major, minor, stepping;
	char behind;
	struct gfx_override o;
	bool want;

	if (input.len >= sizeof(text) || (input.len > 0 && memchr(input.data, 0, input.len)))
		return;
	memset(text, 0, sizeof(text));
	if (input.len > 0)
		memcpy(text, input.data, input.len);
	want = sscanf(text, "%u.%u.%u%c", &major, &minor, &stepping, &behind) == 3 && major <= 63 &&
	       minor <= 255 && stepping <= 255;
	must(gfx_override_parse(input, &o) == want);
	must(!want || (o.major == major && o.minor == minor && o.stepping == stepping));
}

static void name_comes_back(struct span input)
{
	char name[GFX_NAME_MAX];
	uint32_t version, again;

	if (gfx_version(input, &version)) {
		must(gfx_name(version, name) == 0);
		must(span_is(input, name));
	}
	if (input.len >= sizeof(version)) {
		memcpy(&version, input.data, sizeof(version));
		if (gfx_name(version, name) == 0)
			must(gfx_version(span_of(name), &again) && again == version);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };

	compare_override(input);
	name_comes_back(input);
	return 0;
}
