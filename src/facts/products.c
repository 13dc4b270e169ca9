#include "facts/products.h"

#include <string.h>

static bool is_hex(struct span s, size_t digits)
{
	if (s.len != digits)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (!memchr("0123456789abcdef", s.data[i], 16))
			return false;
	return true;
}

static bool parse_mark(struct span field, int *ret)
{
	static const char marks[] = "-01";
	const char *at = field.len == 1 ? memchr(marks, field.data[0], 3) : NULL;

	if (at)
		*ret = (int)(at - marks) - 1;
	return at != NULL;
}

static bool parse_row(struct span line, struct product *ret)
{
	struct span fields[7];
	struct product row;
	size_t n = 0;

	while (n < 7 && span_cut(&line, '\t', &fields[n]))
		n++;
	if (n < 7 || line.len > 0)
		return false;
	row = (struct product){ .device = fields[0],
				.revision = fields[1],
				.name = fields[2],
				.gfx = fields[3],
				.source = fields[6] };
	if (!is_hex(row.device, 4) || !(is_hex(row.revision, 2) || span_is(row.revision, "-")))
		return false;
	if (row.name.len == 0 || row.gfx.len == 0 || row.source.len == 0)
		return false;
	if (!parse_mark(fields[4], &row.integrated) ||
	    !parse_mark(fields[5], &row.virtual_function))
		return false;
	*ret = row;
	return true;
}

bool products_next(struct span *rest, struct product *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (parse_row(line, ret))
			return true;
	return false;
}

bool products_find(struct span table, struct span device, struct span revision, struct product *ret)
{
	struct product row;
	struct span line;
	bool found = false;

	if (device.len == 0)
		return false;
	while (span_line(&table, &line)) {
		if (line.len < device.len || memcmp(line.data, device.data, device.len) != 0 ||
		    !parse_row(line, &row) || !span_same(row.device, device))
			continue;
		if (span_same(row.revision, revision)) {
			*ret = row;
			return true;
		}
		if (span_is(row.revision, "-")) {
			*ret = row;
			found = true;
		}
	}
	return found;
}
