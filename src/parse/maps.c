#include "parse/maps.h"

#include <string.h>

bool maps_next_file(struct span *rest, struct span *ret_path)
{
	struct span line, word;

	while (span_line(rest, &line)) {
		int fields = 0;

		while (fields < 5 &&
		       span_word(&line, &word)) /* range, rights, offset, device, inode */
			fields++;
		line = span_trim(line);
		if (fields < 5 || line.len == 0 || line.data[0] != '/' ||
		    span_ends(line, " (deleted)"))
			continue;
		*ret_path = line;
		return true;
	}
	return false;
}

static bool read_code(struct span line, struct maps_code *ret)
{
	struct span range, rights, offset, word, start;
	struct maps_code m;

	if (!span_word(&line, &range) || !span_word(&line, &rights) || !span_word(&line, &offset) ||
	    !span_word(&line, &word) || !span_word(&line, &word) || rights.len < 3 ||
	    rights.data[2] != 'x' || !span_cut(&range, '-', &start) || !span_hex(start, &m.start) ||
	    !span_hex(range, &m.end) || !span_hex(offset, &m.offset) || m.start >= m.end)
		return false;
	m.path = span_trim(line);
	*ret = m;
	return true;
}

bool maps_next_code(struct span *rest, struct maps_code *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (read_code(line, ret))
			return true;
	return false;
}

bool maps_is_library(struct span path, const char *name)
{
	size_t n = strlen(name);
	struct span part;

	while (span_cut(&path, '/', &part))
		;
	return span_starts(part, "lib") && part.len >= 3 + n + 3 &&
	       memcmp(part.data + 3, name, n) == 0 && memcmp(part.data + 3 + n, ".so", 3) == 0 &&
	       (part.len == 3 + n + 3 || part.data[3 + n + 3] == '.');
}
