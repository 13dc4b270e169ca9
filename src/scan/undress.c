#include "scan/undress.h"

#include <string.h>

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

struct span undress_line(struct span text, size_t at, size_t reach, bool *ret_json)
{
	size_t low = at, high = at;

	while (low > 0 && at - low < reach && !ends_line(text.data[low - 1]))
		low--;
	while (high < text.len && high - at < reach && !ends_line(text.data[high]))
		high++;
	*ret_json = text.data[low] == '{';
	return (struct span){ text.data + low, high - low };
}

/* ESC [ ... letter, ESC ] ... BEL, or ESC and one byte. The length, or 0. */
static size_t escape_length(struct span s)
{
	size_t i = 2;

	if (s.len < 2 || s.data[0] != '\x1b')
		return 0;
	if (s.data[1] == '[') {
		while (i < s.len && (unsigned char)s.data[i] < 0x40)
			i++;
		return i < s.len ? i + 1 : s.len;
	}
	if (s.data[1] == ']') {
		while (i < s.len && s.data[i] != '\a' && s.data[i] != '\x1b')
			i++;
		return i < s.len ? i + 1 : s.len;
	}
	return 2;
}

static bool is_escaped_newline(struct span line, size_t i)
{
	return i + 1 < line.len && line.data[i] == '\\' &&
	       (line.data[i + 1] == 'n' || line.data[i + 1] == 'r') &&
	       (i == 0 || line.data[i - 1] != '\\');
}

/* One string of JSON may hold a whole traceback. */
static struct span json_piece(struct span line, size_t at)
{
	size_t low = at, high = at;

	while (low > 0 && !(low >= 2 && is_escaped_newline(line, low - 2)))
		low--;
	while (high < line.len && !is_escaped_newline(line, high))
		high++;
	return (struct span){ line.data + low, high - low };
}

static char unescaped(char c)
{
	return c == 't' ? '\t' : c;
}

void undress(struct span line, size_t at, bool json, struct buf *ret)
{
	if (json)
		line = json_piece(line, at < line.len ? at : line.len);
	for (size_t i = 0; i < line.len;) {
		struct span rest = { line.data + i, line.len - i };
		size_t skip = escape_length(rest);

		if (skip > 0) {
			i += skip;
		} else if (json && rest.len > 1 && rest.data[0] == '\\' &&
			   strchr("\"\\/t", rest.data[1])) {
			buf_char(ret, unescaped(rest.data[1]));
			i += 2;
		} else {
			buf_char(ret, line.data[i++]);
		}
	}
}
