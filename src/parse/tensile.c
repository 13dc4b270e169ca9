#include "parse/tensile.h"

#include <errno.h>
#include <string.h>

#include "parse/msgpack.h"

#define NAME_MAX_BYTES 64

struct tensile_reading {
	struct msgpack pack;
	const struct tensile_visitor *visitor;
	struct tensile_index index;
	char processor[NAME_MAX_BYTES]; /* of the row at hand */
	size_t processor_len;
	bool hardware; /* the library said so */
};

static uint64_t members(const struct msgpack_item *item)
{
	return item->type == MSGPACK_MAP     ? 2 * item->number
	       : item->type == MSGPACK_ARRAY ? item->number
					     : 0;
}

/*
 * Through the whole of the next value, at any depth, for maps that begin with
 * {type: `type`, value: TEXT}. Tensile writes these two first, in this order.
 */
static int scan(struct tensile_reading *r, const char *type,
		void (*found)(struct tensile_reading *r, const struct msgpack_item *text))
{
	static const char *const keys[] = { "type", NULL, "value" };
	struct msgpack_item item;
	uint64_t owed = 1;
	size_t matched = 0;

	while (owed > 0) {
		const char *want = matched == 1 ? type : matched < 3 ? keys[matched] : NULL;
		int e;

		if (owed > r->pack.end - r->pack.at)
			return -ENODATA;
		e = msgpack_next(&r->pack, &item);
		if (e < 0)
			return e;
		owed += members(&item) - 1;
		if (matched == 3 && item.type == MSGPACK_STR)
			found(r, &item);
		matched = want && msgpack_is(&item, want) ? matched + 1
			  : msgpack_is(&item, "type")     ? 1
							  : 0;
	}
	return 0;
}

static void found_processor(struct tensile_reading *r, const struct msgpack_item *text)
{
	if (text->number >= NAME_MAX_BYTES)
		return;
	memcpy(r->processor, text->text.data, text->text.len);
	r->processor_len = text->text.len;
}

static void found_part(struct tensile_reading *r, const struct msgpack_item *text)
{
	r->index.parts++;
	r->visitor->part(r->visitor->of, text->text,
			 (struct span){ r->processor, r->processor_len });
}

/* The predicate stands before the library, so that its parts are known for what they are. */
static int read_row(struct tensile_reading *r, const struct msgpack_item *row)
{
	struct msgpack_item key;
	bool predicate = false;

	if (row->type != MSGPACK_MAP)
		return -EBADMSG;
	r->processor_len = 0;
	for (uint64_t i = 0; i < row->number; i++) {
		int e = msgpack_next(&r->pack, &key);

		if (e == 0)
			e = msgpack_skip_members(&r->pack, &key);
		if (e < 0)
			return e;
		if (msgpack_is(&key, "predicate")) {
			predicate = true;
			e = scan(r, "Processor", found_processor);
		} else if (msgpack_is(&key, "library")) {
			e = predicate ? scan(r, "Placeholder", found_part) : -EBADMSG;
		} else {
			e = msgpack_skip(&r->pack);
		}
		if (e < 0)
			return e;
	}
	r->index.rows++;
	r->index.tuned_rows += r->processor_len > 0;
	return 0;
}

static int read_rows(struct tensile_reading *r)
{
	struct msgpack_item rows, row;
	int e = msgpack_next(&r->pack, &rows);

	if (e == 0 && rows.type != MSGPACK_ARRAY)
		e = -EBADMSG;
	for (uint64_t i = 0; e == 0 && i < rows.number; i++) {
		e = msgpack_next(&r->pack, &row);
		if (e == 0)
			e = read_row(r, &row);
	}
	return e;
}

static int read_type(struct tensile_reading *r)
{
	struct msgpack_item type;
	int e = msgpack_next(&r->pack, &type);

	if (e == 0)
		e = msgpack_skip_members(&r->pack, &type);
	r->hardware = e == 0 && msgpack_is(&type, "Hardware");
	return e;
}

/* One level: the keys that are known are read, the others passed over. */
static int read_map(struct tensile_reading *r, const char *const *keys,
		    int (*const *readers)(struct tensile_reading *))
{
	struct msgpack_item map, key;
	int e = msgpack_next(&r->pack, &map);

	if (e == 0 && map.type != MSGPACK_MAP)
		e = -EBADMSG;
	for (uint64_t i = 0; e == 0 && i < map.number; i++) {
		int (*read)(struct tensile_reading *) = NULL;

		e = msgpack_next(&r->pack, &key);
		if (e == 0)
			e = msgpack_skip_members(&r->pack, &key);
		if (e < 0)
			return e;
		for (size_t k = 0; keys[k]; k++)
			if (msgpack_is(&key, keys[k]))
				read = readers[k];
		e = read ? read(r) : msgpack_skip(&r->pack);
	}
	return e;
}

static int read_library(struct tensile_reading *r)
{
	static const char *const keys[] = { "type", "rows", NULL };
	static int (*const readers[])(struct tensile_reading *) = { read_type, read_rows };

	return read_map(r, keys, readers);
}

int tensile_index_read(struct source *s, const struct tensile_visitor *v, struct tensile_index *ret)
{
	static const char *const keys[] = { "library", NULL };
	static int (*const readers[])(struct tensile_reading *) = { read_library };
	struct tensile_reading r = { .visitor = v };
	int e;

	if (s->size > TENSILE_INDEX_MAX)
		return -EFBIG;
	msgpack_init(&r.pack, s, 0, s->size);
	e = read_map(&r, keys, readers);
	if (e == 0 && (!r.hardware || r.index.rows == 0))
		e = -EBADMSG;
	if (e == 0)
		*ret = r.index;
	return e;
}

int tensile_extop_read(struct source *s, void (*processor)(void *of, struct span name), void *of)
{
	struct msgpack_item map, key;
	struct msgpack m;
	int e;

	if (s->size > TENSILE_INDEX_MAX)
		return -EFBIG;
	msgpack_init(&m, s, 0, s->size);
	e = msgpack_next(&m, &map);
	if (e == 0 && map.type != MSGPACK_MAP)
		e = -EBADMSG;
	for (uint64_t i = 0; e == 0 && i < map.number; i++) {
		e = msgpack_next(&m, &key);
		if (e == 0)
			e = msgpack_skip_members(&m, &key);
		if (e == 0 && key.type == MSGPACK_STR)
			processor(of, key.text);
		if (e == 0)
			e = msgpack_skip(&m);
	}
	return e;
}
