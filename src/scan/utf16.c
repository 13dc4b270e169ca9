#include "scan/utf16.h"

#include "base/text.h"

#define TELLING_LEAST 16 /* long enough not to be a binary's accident */

static bool zeros_at(struct span s, size_t parity)
{
	size_t n = s.len < UTF16_TELLING ? s.len : UTF16_TELLING;

	if (n < TELLING_LEAST)
		return false;
	for (size_t i = 0; i + 1 < n; i += 2)
		if (s.data[i + parity] != 0 || s.data[i + 1 - parity] == 0)
			return false;
	return true;
}

/*
 * A mark counts if there is one Latin letter, blank or end of a line among the first
 * bytes, which are the same however the text comes in pieces. Bytes that only begin so
 * would become letters of the far east, and an error among them no error.
 */
static bool has_mark(struct span s, const char *mark, size_t parity)
{
	size_t n = s.len < UTF16_TELLING ? s.len : UTF16_TELLING;

	if (!span_starts(s, mark))
		return false;
	for (size_t i = 0; i + 1 < n; i += 2)
		if (s.data[i + parity] == 0)
			return true;
	return n < TELLING_LEAST;
}

void utf16_begin(struct utf16 *u, struct span first)
{
	*u = (struct utf16){ 0 };
	if (has_mark(first, "\xff\xfe", 1) || zeros_at(first, 1))
		u->order = 'l';
	else if (has_mark(first, "\xfe\xff", 0) || zeros_at(first, 0))
		u->order = 'b';
}

static void add_unit(struct utf16 *u, uint16_t unit, struct buf *ret)
{
	bool low = unit >= 0xdc00 && unit < 0xe000;

	if (u->high) {
		uint32_t high = u->high;

		u->high = 0;
		if (low) {
			text_point(ret, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00u));
			return;
		}
		text_point(ret, 0xfffd);
	}
	if (unit >= 0xd800 && unit < 0xdc00)
		u->high = unit;
	else if (unit != 0xfeff)
		text_point(ret, low ? 0xfffd : unit);
}

void utf16_decode(struct utf16 *u, struct span bytes, struct buf *ret)
{
	for (size_t i = 0; i < bytes.len; i++) {
		unsigned char byte = (unsigned char)bytes.data[i];

		if (!u->has_half) {
			u->half = byte;
			u->has_half = true;
			continue;
		}
		u->has_half = false;
		add_unit(u, (uint16_t)(u->order == 'l' ? byte << 8 | u->half : u->half << 8 | byte),
			 ret);
	}
}
