#include "parse/gfx.h"

#include <errno.h>
#include <stdio.h>

/* A name has one hexadecimal digit each for minor and stepping: gfx90a is 9, 0, 10. */
#define DIGIT_MAX 15
#define MAJOR_MAX 99

static int write_name(uint32_t major, uint32_t minor, uint32_t stepping,
		      char ret[static GFX_NAME_MAX])
{
	if (major == 0 || major > MAJOR_MAX || minor > DIGIT_MAX || stepping > DIGIT_MAX)
		return -EBADMSG;
	snprintf(ret, GFX_NAME_MAX, "gfx%u%x%x", major, minor, stepping);
	return 0;
}

/* 90010 is gfx90a, 90402 is gfx942, 110501 is gfx1151. */
int gfx_name(uint32_t kfd_version, char ret[static GFX_NAME_MAX])
{
	if (kfd_version == 0)
		return -ENODEV;
	return write_name(kfd_version / 10000, kfd_version / 100 % 100, kfd_version % 100, ret);
}

static bool is_lower(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.data[i] >= 'A' && s.data[i] <= 'F')
			return false;
	return true;
}

bool gfx_version(struct span name, uint32_t *ret)
{
	uint64_t major, minor, stepping;

	if (!span_starts(name, "gfx") || name.len < 6 || name.len > 7 || !is_lower(name) ||
	    name.data[3] == '0')
		return false;
	if (!span_u64((struct span){ name.data + 3, name.len - 5 }, &major) ||
	    !span_hex((struct span){ name.data + name.len - 2, 1 }, &minor) ||
	    !span_hex((struct span){ name.data + name.len - 1, 1 }, &stepping))
		return false;
	*ret = (uint32_t)(major * 10000 + minor * 100 + stepping);
	return true;
}

/*
 * One %u of glibc's sscanf: blanks, a sign and digits, kept modulo 2^32. What
 * overflows 64 bits becomes the largest number.
 */
static bool scan_u32(struct span *rest, uint32_t *ret)
{
	struct span s = span_trim(*rest);
	bool negative = span_starts(s, "-");
	uint64_t value = UINT64_MAX;
	size_t n = 0;

	if (rest->len == 0 || s.len == 0)
		return false;
	rest->len -= (size_t)(s.data - rest->data);
	rest->data = s.data;
	if (negative || span_starts(s, "+")) {
		rest->data++;
		rest->len--;
	}
	while (n < rest->len && rest->data[n] >= '0' && rest->data[n] <= '9')
		n++;
	if (n == 0)
		return false;
	if (span_u64((struct span){ rest->data, n }, &value) && negative)
		value = 0 - value;
	rest->data += n;
	rest->len -= n;
	*ret = (uint32_t)value;
	return true;
}

static bool scan_dot(struct span *rest)
{
	if (!span_starts(*rest, "."))
		return false;
	rest->data++;
	rest->len--;
	return true;
}

/*
 * libhsakmt scans "%u.%u.%u%c" and wants three of the four: a single byte
 * after the stepping, a newline too, makes the whole value invalid. Blanks
 * before each number do not.
 * Source: ROCm/ROCR-Runtime libhsakmt/src/topology.c.
 */
bool gfx_override_parse(struct span text, struct gfx_override *ret)
{
	struct gfx_override o;

	if (!scan_u32(&text, &o.major) || !scan_dot(&text) || !scan_u32(&text, &o.minor) ||
	    !scan_dot(&text) || !scan_u32(&text, &o.stepping) || text.len > 0)
		return false;
	if (o.major > 63 || o.minor > 255 || o.stepping > 255)
		return false;
	*ret = o;
	return true;
}

int gfx_override_name(const struct gfx_override *override, char ret[static GFX_NAME_MAX])
{
	return write_name(override->major, override->minor, override->stepping, ret);
}
