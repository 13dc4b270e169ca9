#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scan/undress.h"
#include "scan/utf16.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REACH 64

/* The line holds its place, has no line end of its own and does not grow when it is undressed. */
static void check_line(struct span text, size_t at)
{
	struct cut cut = undress_cut(text, at, REACH);
	struct buf room = { 0 };
	struct span line = undress(&cut, &room);
	size_t begin = (size_t)(cut.raw.data - text.data);

	if (begin > at || begin + cut.raw.len < at || cut.raw.len > 2 * REACH)
		abort();
	if (memchr(cut.raw.data, '\n', cut.raw.len) || memchr(cut.raw.data, '\r', cut.raw.len))
		abort();
	if (line.len > cut.raw.len ||
	    (line.data != cut.raw.data && line.data != room.data && line.len > 0))
		abort();
	buf_done(&room);
}

static void decode(struct span text, size_t step, struct buf *ret)
{
	struct utf16 u;

	utf16_begin(&u, text);
	if (!u.order)
		u.order = 'l';
	for (size_t at = 0; at < text.len; at += step)
		utf16_decode(&u,
			     (struct span){ text.data + at,
					    text.len - at < step ? text.len - at : step },
			     ret);
}

/* In pieces as at once, and UTF-8. */
static void check_utf16(struct span text, size_t step)
{
	struct buf whole = { 0 }, pieces = { 0 };

	decode(text, text.len + 1, &whole);
	decode(text, step, &pieces);
	if (whole.len != pieces.len ||
	    (whole.len > 0 && memcmp(whole.data, pieces.data, whole.len) != 0))
		abort();
	for (size_t at = 0; at < whole.len;) {
		size_t n = text_utf8((struct span){ whole.data + at, whole.len - at });

		/* controls beyond ASCII are UTF-8, though no text that is kept */
		if (n == 0 && whole.data[at] != '\xc2')
			abort();
		at += n > 0 ? n : 2;
	}
	buf_done(&whole);
	buf_done(&pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size };

	for (size_t at = 0; at < size; at += 1 + size / 16)
		check_line(text, at);
	check_utf16(text, size > 0 ? 1 + data[0] % 7 : 1);
	return 0;
}
