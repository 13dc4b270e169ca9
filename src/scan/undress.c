#include "scan/undress.h"

#include <assert.h>
#include <string.h>

#include "scan/newline.h"

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

struct cut undress_cut(struct span text, size_t at, size_t reach)
{
	assert(at <= text.len);

	size_t before = at < reach ? at : reach;
	size_t behind = text.len - at < reach ? text.len - at : reach;
	size_t low = at - before + newline_begin((struct span){ text.data + at - before, before });
	size_t high = at + newline_end((struct span){ text.data + at, behind });
	struct cut cut = { .raw = { text.data + low, high - low },
			   .json = low < high && text.data[low] == '{',
			   .whole = at - low < reach && high - at < reach };

	if (cut.json)
		cut.raw = json_piece(cut.raw, at - low);
	return cut;
}

/*
 * Whether a long line is JSON cannot be seen from its middle. An escaped newline
 * beside the place tells: so a traceback in a long string has lines again.
 */
struct cut undress_stretch(struct span text, size_t at, const struct stretch *stretch,
			   struct span *ret_own)
{
	size_t from = stretch->begin < stretch->overlap ? 0 : stretch->begin - stretch->overlap;
	size_t to = stretch->end + stretch->overlap < text.len ? stretch->end + stretch->overlap
							       : text.len;
	size_t low, high, begin, end;
	struct span shown, piece;

	assert(at >= stretch->begin && at < stretch->end && at < to);
	low = from + newline_begin((struct span){ text.data + from, at - from });
	high = at + newline_end((struct span){ text.data + at, to - at });
	shown = (struct span){ text.data + low, high - low };
	piece = json_piece(shown, at - low);
	low = (size_t)(piece.data - text.data);
	begin = low > stretch->begin ? low : stretch->begin;
	end = low + piece.len < stretch->end ? low + piece.len : stretch->end;
	*ret_own = (struct span){ text.data + begin, end - begin };
	return (struct cut){ .raw = piece, .json = piece.len < shown.len };
}

static char unescaped(char c)
{
	return c == 't' ? '\t' : c;
}

struct span undress(const struct cut *cut, struct buf *room)
{
	struct span line = cut->raw;

	if (!cut->json && !memchr(line.data, '\x1b', line.len))
		return line;
	buf_clear(room);
	for (size_t i = 0; i < line.len;) {
		struct span rest = { line.data + i, line.len - i };
		size_t skip = escape_length(rest);

		if (skip > 0) {
			i += skip;
		} else if (cut->json && rest.len > 1 && rest.data[0] == '\\' && rest.data[1] &&
			   strchr("\"\\/t", rest.data[1])) {
			buf_char(room, unescaped(rest.data[1]));
			i += 2;
		} else {
			buf_char(room, line.data[i++]);
		}
	}
	return buf_get(room);
}
