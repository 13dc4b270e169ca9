#include "base/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(struct buf *out, struct span bytes)
{
	const unsigned char *p = (const unsigned char *)bytes.data;

	for (size_t i = 0; i < bytes.len; i += 3) {
		size_t have = bytes.len - i < 3 ? bytes.len - i : 3;
		unsigned int group = (unsigned int)p[i] << 16;

		if (have > 1)
			group |= (unsigned int)p[i + 1] << 8;
		if (have > 2)
			group |= p[i + 2];
		buf_char(out, alphabet[group >> 18]);
		buf_char(out, alphabet[group >> 12 & 63]);
		buf_char(out, have > 1 ? alphabet[group >> 6 & 63] : '=');
		buf_char(out, have > 2 ? alphabet[group & 63] : '=');
	}
}

static int value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_read(struct buf *out, struct span text)
{
	unsigned int group = 0;
	int have = 0;
	int padding = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		int value = value_of(c);

		if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
			continue;
		if (c == '=')
			padding++;
		else if (value < 0 || padding > 0)
			return false;
		group = group << 6 | (unsigned int)(value < 0 ? 0 : value);
		if (++have < 4)
			continue;
		if (padding > 2)
			return false;
		buf_char(out, (char)(group >> 16));
		if (padding < 2)
			buf_char(out, (char)(group >> 8));
		if (padding < 1)
			buf_char(out, (char)group);
		group = 0;
		have = 0;
	}
	return have == 0;
}
