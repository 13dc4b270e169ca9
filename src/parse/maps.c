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
