#include "parse/msgpack.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"

/* The layout of a value after its first byte. */
enum continuation {
	BARE,     /* nothing follows */
	NUMBER,   /* `width` bytes are the value */
	COUNTED,  /* `width` bytes are a number of bytes or members */
	EXTENDED, /* as COUNTED, and one byte for the kind of extension */
	FIXED,    /* `width` bytes of an extension, and its kind */
};

struct form {
	enum msgpack_type type;
	enum continuation shape;
	unsigned int width;
};

/* 0xc0 to 0xdf; 0xc1 is never used. */
static const struct form forms[32] = {
	[0x00] = { MSGPACK_NIL, BARE, 0 },      [0x02] = { MSGPACK_BOOL, BARE, 0 },
	[0x03] = { MSGPACK_BOOL, BARE, 0 },     [0x04] = { MSGPACK_BIN, COUNTED, 1 },
	[0x05] = { MSGPACK_BIN, COUNTED, 2 },   [0x06] = { MSGPACK_BIN, COUNTED, 4 },
	[0x07] = { MSGPACK_EXT, EXTENDED, 1 },  [0x08] = { MSGPACK_EXT, EXTENDED, 2 },
	[0x09] = { MSGPACK_EXT, EXTENDED, 4 },  [0x0a] = { MSGPACK_FLOAT, NUMBER, 4 },
	[0x0b] = { MSGPACK_FLOAT, NUMBER, 8 },  [0x0c] = { MSGPACK_UINT, NUMBER, 1 },
	[0x0d] = { MSGPACK_UINT, NUMBER, 2 },   [0x0e] = { MSGPACK_UINT, NUMBER, 4 },
	[0x0f] = { MSGPACK_UINT, NUMBER, 8 },   [0x10] = { MSGPACK_INT, NUMBER, 1 },
	[0x11] = { MSGPACK_INT, NUMBER, 2 },    [0x12] = { MSGPACK_INT, NUMBER, 4 },
	[0x13] = { MSGPACK_INT, NUMBER, 8 },    [0x14] = { MSGPACK_EXT, FIXED, 1 },
	[0x15] = { MSGPACK_EXT, FIXED, 2 },     [0x16] = { MSGPACK_EXT, FIXED, 4 },
	[0x17] = { MSGPACK_EXT, FIXED, 8 },     [0x18] = { MSGPACK_EXT, FIXED, 16 },
	[0x19] = { MSGPACK_STR, COUNTED, 1 },   [0x1a] = { MSGPACK_STR, COUNTED, 2 },
	[0x1b] = { MSGPACK_STR, COUNTED, 4 },   [0x1c] = { MSGPACK_ARRAY, COUNTED, 2 },
	[0x1d] = { MSGPACK_ARRAY, COUNTED, 4 }, [0x1e] = { MSGPACK_MAP, COUNTED, 2 },
	[0x1f] = { MSGPACK_MAP, COUNTED, 4 },
};

void msgpack_init(struct msgpack *m, struct source *source, uint64_t at, uint64_t end)
{
	m->source = source;
	m->end = end < source->size ? end : source->size;
	m->at = at;
	m->filled = at;
	m->have = 0;
	m->items = 0;
}

static uint64_t left(const struct msgpack *m)
{
	return m->at < m->end ? m->end - m->at : 0;
}

/* n bytes (at most MSGPACK_TEXT_MAX) at the front, in the window; taken. */
static int take(struct msgpack *m, size_t n, const char **ret)
{
	size_t want = left(m) < MSGPACK_WINDOW ? (size_t)left(m) : MSGPACK_WINDOW;
	int r = 0;

	if (n > left(m))
		return -ENODATA;
	if (m->at < m->filled || m->at + n > m->filled + m->have) {
		/* A whole window if it can be had; a hole after the n bytes must not hide them. */
		r = source_read(m->source, m->at, m->window, want);
		if (r == -ENODATA && n < want)
			r = source_read(m->source, m->at, m->window, want = n);
		m->filled = m->at;
		m->have = r < 0 ? 0 : want;
	}
	if (r < 0)
		return r;
	*ret = m->window + (m->at - m->filled);
	m->at += n;
	return 0;
}

static int take_number(struct msgpack *m, size_t width, uint64_t *ret)
{
	const char *bytes;
	int r = take(m, width, &bytes);

	if (r < 0)
		return r;
	*ret = endian_big(bytes, width);
	return 0;
}

static uint64_t extend_sign(uint64_t value, unsigned int width)
{
	unsigned int shift = 64 - 8 * width;

	return (uint64_t)((int64_t)(value << shift) >> shift);
}

/* The content of a string or of bytes is skipped; the front of a string is returned. */
static int pass_bytes(struct msgpack *m, struct msgpack_item *item)
{
	uint64_t behind;
	size_t shown = item->number < MSGPACK_TEXT_MAX ? (size_t)item->number : MSGPACK_TEXT_MAX;

	if (item->number > left(m))
		return -ENODATA;
	behind = m->at + item->number;
	if (item->type == MSGPACK_STR) {
		int r = take(m, shown, &item->text.data);

		if (r < 0)
			return r;
		item->text.len = shown;
	}
	m->at = behind;
	return 0;
}

static int finish(struct msgpack *m, struct msgpack_item *item)
{
	switch (item->type) {
	case MSGPACK_STR:
	case MSGPACK_BIN:
	case MSGPACK_EXT:
		return pass_bytes(m, item);
	case MSGPACK_ARRAY:
		return item->number > left(m) ? -EBADMSG : 0;
	case MSGPACK_MAP:
		return item->number > left(m) / 2 ? -EBADMSG : 0;
	default:
		return 0;
	}
}

/* Values whose first byte holds everything but their members or bytes. */
static bool short_form(unsigned char first, struct msgpack_item *ret)
{
	if (first < 0x80)
		*ret = (struct msgpack_item){ MSGPACK_UINT, first, { 0 } };
	else if (first < 0x90)
		*ret = (struct msgpack_item){ MSGPACK_MAP, first & 0x0f, { 0 } };
	else if (first < 0xa0)
		*ret = (struct msgpack_item){ MSGPACK_ARRAY, first & 0x0f, { 0 } };
	else if (first < 0xc0)
		*ret = (struct msgpack_item){ MSGPACK_STR, first & 0x1f, { 0 } };
	else if (first >= 0xe0)
		*ret = (struct msgpack_item){ MSGPACK_INT, extend_sign(first, 1), { 0 } };
	else
		return false;
	return true;
}

static int long_form(struct msgpack *m, unsigned char first, struct msgpack_item *item)
{
	const struct form *form = &forms[first - 0xc0];
	uint64_t kind;
	int r = 0;

	if (first == 0xc1)
		return -EBADMSG;
	*item = (struct msgpack_item){ form->type, 0, { 0 } };
	if (form->shape == BARE)
		item->number = first == 0xc3;
	else if (form->shape == FIXED)
		item->number = form->width;
	else
		r = take_number(m, form->width, &item->number);
	if (r < 0)
		return r;
	if (form->shape == EXTENDED || form->shape == FIXED)
		r = take_number(m, 1, &kind);
	/* A signed number may be positive, too. */
	if (form->type == MSGPACK_INT) {
		item->number = extend_sign(item->number, form->width);
		if ((int64_t)item->number >= 0)
			item->type = MSGPACK_UINT;
	}
	if (form->type == MSGPACK_FLOAT)
		item->number = 0;
	return r;
}

int msgpack_next(struct msgpack *m, struct msgpack_item *ret)
{
	struct msgpack_item item;
	const char *first;
	int r;

	if (m->items >= MSGPACK_ITEMS_MAX)
		return -EFBIG;
	m->items++;
	r = take(m, 1, &first);
	if (r < 0)
		return r;
	if (!short_form((unsigned char)*first, &item))
		r = long_form(m, (unsigned char)*first, &item);
	if (r == 0)
		r = finish(m, &item);
	if (r == 0)
		*ret = item;
	return r;
}

static uint64_t members(const struct msgpack_item *head)
{
	if (head->type == MSGPACK_ARRAY)
		return head->number;
	return head->type == MSGPACK_MAP ? 2 * head->number : 0;
}

/* Each value has at least one byte, so what is owed can never be more than what is left. */
static int skip(struct msgpack *m, uint64_t owed)
{
	while (owed > 0) {
		struct msgpack_item item;
		int r;

		if (owed > left(m))
			return left(m) == 0 ? -ENODATA : -EBADMSG;
		r = msgpack_next(m, &item);
		if (r < 0)
			return r;
		owed += members(&item) - 1;
	}
	return 0;
}

int msgpack_skip_members(struct msgpack *m, const struct msgpack_item *head)
{
	return skip(m, members(head));
}

int msgpack_skip(struct msgpack *m)
{
	return skip(m, 1);
}

bool msgpack_is(const struct msgpack_item *item, const char *text)
{
	return item->type == MSGPACK_STR && span_is(item->text, text) &&
	       item->number == item->text.len;
}
