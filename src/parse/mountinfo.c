#include "parse/mountinfo.h"

/* Divided at single blanks: a source can be the empty string. */
static bool read_line(struct span line, struct mount *ret)
{
	struct mount m = { 0 };
	struct span id, parent, device, number, field;
	uint64_t major, minor;

	if (!span_cut(&line, ' ', &id) || !span_u64(id, &m.id) || !span_cut(&line, ' ', &parent) ||
	    !span_u64(parent, &m.parent) || !span_cut(&line, ' ', &device))
		return false;
	if (!span_cut(&device, ':', &number) || !span_u64(number, &major) ||
	    !span_u64(device, &minor) || major > UINT32_MAX || minor > UINT32_MAX)
		return false;
	m.major = (uint32_t)major;
	m.minor = (uint32_t)minor;
	if (!span_cut(&line, ' ', &m.root) || !span_cut(&line, ' ', &m.point) ||
	    !span_cut(&line, ' ', &m.options))
		return false;
	do { /* any number of optional fields ("master:1") stand before a lone "-" */
		if (!span_cut(&line, ' ', &field))
			return false;
	} while (!span_is(field, "-"));
	if (!span_cut(&line, ' ', &m.fstype) || !span_cut(&line, ' ', &m.source) ||
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
