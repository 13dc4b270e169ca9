#include "parse/wheel-record.h"

#include <errno.h>
#include <string.h>

#define END (-1)

void wheel_record_init(struct wheel_record *r, struct source *source)
{
	r->source = source;
	r->at = 0;
	r->skipped = 0;
	r->have = r->used = 0;
}

/* The next byte, END, or an error below END. */
static int next_byte(struct wheel_record *r)
{
	int64_t n;

	if (r->used == r->have) {
		n = source_some(r->source, r->at, r->piece, sizeof(r->piece));
		if (n < 0)
			return (int)n == -EPERM ? -EIO : (int)n; /* -EPERM looks like END */
		if (n == 0)
			return END;
		r->at += (uint64_t)n;
		r->have = (size_t)n;
		r->used = 0;
	}
	return (unsigned char)r->piece[r->used++];
}

/* A line may end in the middle of nothing, but a quoted name holds newlines. */
struct csv_field {
	size_t len;
	bool quoted;
	bool closed; /* the last quote may be the end, or half of a doubled one */
};

/* False when the field has ended at this byte. */
static bool take_byte(struct wheel_record *r, struct csv_field *f, int byte)
{
	if (f->quoted && f->closed && byte == '"') {
		f->closed = false; /* a doubled one: keep one of them */
	} else if (f->quoted && !f->closed) {
		if (byte == '"') {
			f->closed = true;
			return true;
		}
	} else if (byte == ',' || byte == '\n' || byte == '\r') {
		return false;
	} else if (f->len == 0 && byte == '"' && !f->quoted) {
		f->quoted = true;
		return true;
	}
	if (f->len < sizeof(r->name))
		r->name[f->len] = (char)byte;
	f->len++;
	return true;
}

static int skip_line(struct wheel_record *r, int byte)
{
	while (byte >= 0 && byte != '\n') {
		const char *rest = r->piece + r->used;
		const char *end = memchr(rest, '\n', r->have - r->used);

		r->used = end ? (size_t)(end - r->piece) : r->have;
		byte = next_byte(r);
	}
	return byte;
}

/* A line without quotes that lies in the piece as a whole: nearly all of them. */
static bool take_line(struct wheel_record *r, struct span *ret_name)
{
	const char *start = r->piece + r->used;
	const char *end = memchr(start, '\n', r->have - r->used);
	const char *comma = end && *start != '"' ? memchr(start, ',', (size_t)(end - start)) : NULL;
	size_t len = comma ? (size_t)(comma - start) : 0;

	if (len == 0 || len > sizeof(r->name) || memchr(start, '\r', len))
		return false;
	memcpy(r->name, start, len);
	r->used = (size_t)(end + 1 - r->piece);
	*ret_name = (struct span){ r->name, len };
	return true;
}

int wheel_record_next(struct wheel_record *r, struct span *ret_name)
{
	if (take_line(r, ret_name))
		return 1;
	for (;;) {
		struct csv_field f = { 0 };
		int byte = next_byte(r);

		if (byte == END)
			return 0;
		while (byte >= 0 && take_byte(r, &f, byte))
			byte = next_byte(r);
		byte = skip_line(r, byte);
		if (byte < END)
			return byte;
		if (f.len > 0 && f.len <= sizeof(r->name)) {
			*ret_name = (struct span){ r->name, f.len };
			return 1;
		}
		r->skipped += f.len > 0 || f.quoted;
	}
}
