#include "parse/mountinfo.h"

static bool read_device(struct span field, uint32_t *ret_major, uint32_t *ret_minor)
{
	struct span part;
	uint64_t major, minor;

	if (!span_cut(&field, ':', &part) || !span_u64(part, &major) || !span_u64(field, &minor) ||
	    major > UINT32_MAX || minor > UINT32_MAX)
		return false;
	*ret_major = (uint32_t)major;
	*ret_minor = (uint32_t)minor;
	return true;
}

/* Any number of optional fields ("master:1") stand before a lone "-". */
static bool skip_optional(struct span *rest)
{
	struct span field;

	while (span_cut(rest, ' ', &field))
		if (span_is(field, "-"))
			return true;
	return false;
}

/* Divided at single blanks: a source can be the empty string. */
static bool read_line(struct span line, struct mount *ret)
{
	struct mount m = { 0 };
	struct span id, parent, device;

	if (!span_cut(&line, ' ', &id) || !span_u64(id, &m.id) || !span_cut(&line, ' ', &parent) ||
	    !span_u64(parent, &m.parent) || !span_cut(&line, ' ', &device) ||
	    !read_device(device, &m.major, &m.minor))
		return false;
	if (!span_cut(&line, ' ', &m.root) || !span_cut(&line, ' ', &m.point) ||
	    !span_cut(&line, ' ', &m.options) || !skip_optional(&line) ||
	    !span_cut(&line, ' ', &m.fstype) || !span_cut(&line, ' ', &m.source) ||
	    m.point.len == 0 || m.fstype.len == 0)
		return false;
	m.super_options = line;
	*ret = m;
	return true;
}

bool mountinfo_next(struct span *rest, struct mount *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (read_line(line, ret))
			return true;
	return false;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

void mountinfo_decode(struct buf *out, struct span field)
{
	const char *p = field.data;

	for (size_t i = 0; i < field.len; i++) {
		if (p[i] != '\\' || field.len - i < 4 || p[i + 1] < '0' || p[i + 1] > '3' ||
		    !is_octal(p[i + 2]) || !is_octal(p[i + 3])) {
			buf_char(out, p[i]);
			continue;
		}
		buf_char(out,
			 (char)((p[i + 1] - '0') * 64 + (p[i + 2] - '0') * 8 + (p[i + 3] - '0')));
		i += 3;
	}
}
