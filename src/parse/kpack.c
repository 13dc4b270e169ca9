#include "parse/kpack.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"
#include "parse/msgpack.h"

#define PLACEHOLDER SPAN_LITERAL("@GFXARCH@")

struct kpack_reading {
	struct msgpack pack;
	struct source *source;
	const struct kpack_visitor *visitor;
	struct kpack *ret;
	uint64_t zstd_offset, zstd_size;
	bool zstd;
	bool stray; /* a blob ends past where blobs may be */
	char key[MSGPACK_TEXT_MAX];
	struct span library; /* in key */
	uint64_t index;
};

/* The string that was just read, in the bytes it was read from: the window moves on. */
static struct span within(struct span whole, const struct msgpack *m,
			  const struct msgpack_item *item)
{
	return (struct span){ whole.data + (m->at - item->number), (size_t)item->number };
}

static int read_paths(struct msgpack *m, struct span section, struct kpack_ref *ref)
{
	struct msgpack_item array, path;
	int r = msgpack_next(m, &array);

	if (r < 0)
		return r;
	if (array.type != MSGPACK_ARRAY)
		return -EBADMSG;
	for (uint64_t i = 0; i < array.number; i++) {
		r = msgpack_next(m, &path);
		if (r < 0)
			return r;
		if (path.type != MSGPACK_STR)
			r = msgpack_skip_members(m, &path);
		else if (ref->path_count < KPACK_PATHS_MAX)
			ref->paths[ref->path_count++] = within(section, m, &path);
		else
			ref->more_paths = true;
		if (r < 0)
			return r;
	}
	return 0;
}

/* A key that stands twice: the first value counts, as in the runtime. */
static int read_ref_pair(struct msgpack *m, struct span section, struct kpack_ref *ref)
{
	struct msgpack_item key, name;
	int r = msgpack_next(m, &key);

	if (r < 0)
		return r;
	if (msgpack_is(&key, "kernel_name") && ref->kernel_name.len == 0) {
		r = msgpack_next(m, &name);
		if (r == 0 && name.type != MSGPACK_STR)
			r = -EBADMSG;
		if (r == 0)
			ref->kernel_name = within(section, m, &name);
		return r;
	}
	if (msgpack_is(&key, "kpack_search_paths") && ref->path_count == 0)
		return read_paths(m, section, ref);
	r = msgpack_skip_members(m, &key);
	return r < 0 ? r : msgpack_skip(m);
}

int kpack_ref_parse(struct span section, struct kpack_ref *ret)
{
	struct source source;
	struct msgpack m;
	struct msgpack_item map;
	struct kpack_ref ref = { 0 };

	if (section.len > KPACK_REF_MAX)
		section.len = KPACK_REF_MAX;
	source = source_memory(section);
	msgpack_init(&m, &source, 0, section.len);
	if (msgpack_next(&m, &map) < 0 || map.type != MSGPACK_MAP)
		return -EBADMSG;
	for (uint64_t i = 0; i < map.number; i++)
		if (read_ref_pair(&m, section, &ref) < 0)
			return -EBADMSG;
	if (ref.kernel_name.len == 0 || ref.path_count == 0)
		return -EBADMSG;
	*ret = ref;
	return 0;
}

bool kpack_split_path(struct span path, struct span *ret_before, struct span *ret_behind)
{
	size_t at = span_find(path, PLACEHOLDER);
	size_t behind = at + PLACEHOLDER.len;

	if (at == SIZE_MAX)
		return false;
	*ret_before = (struct span){ path.data, at };
	*ret_behind = (struct span){ path.data + behind, path.len - behind };
	return true;
}

bool kpack_is_target(struct span text)
{
	if (!span_starts(text, "gfx") || text.len < 5)
		return false;
	for (size_t i = 3; i < text.len; i++) {
		char c = text.data[i];

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && c != ':' && c != '+' &&
		    c != '-')
			return false;
	}
	return true;
}

static int skip_rest(struct kpack_reading *r, const struct msgpack_item *item)
{
	return msgpack_skip_members(&r->pack, item);
}

static int read_listed(struct kpack_reading *r, const struct msgpack_item *array)
{
	struct msgpack_item item;

	if (array->type != MSGPACK_ARRAY)
		return skip_rest(r, array);
	for (uint64_t i = 0; i < array->number; i++) {
		int e = msgpack_next(&r->pack, &item);

		if (e == 0)
			e = skip_rest(r, &item);
		if (e < 0)
			return e;
		if (item.type == MSGPACK_STR)
			r->visitor->listed(r->visitor->of, item.text);
	}
	return 0;
}

static int read_scheme(struct kpack_reading *r, const struct msgpack_item *value)
{
	r->zstd = msgpack_is(value, "zstd-per-kernel");
	return skip_rest(r, value);
}

static int read_zstd_offset(struct kpack_reading *r, const struct msgpack_item *value)
{
	r->zstd_offset = value->number;
	return skip_rest(r, value);
}

static int read_zstd_size(struct kpack_reading *r, const struct msgpack_item *value)
{
	r->zstd_size = value->number;
	return skip_rest(r, value);
}

/* {offset: 64, size: 7472}; its head was read. */
static int read_blob(struct kpack_reading *r, const struct msgpack_item *map)
{
	struct msgpack_item key, value;
	uint64_t offset = 0, size = 0;

	for (uint64_t i = 0; i < map->number; i++) {
		uint64_t *field = NULL;
		int e = msgpack_next(&r->pack, &key);

		if (e == 0)
			e = skip_rest(r, &key);
		if (e < 0)
			return e;
		field = msgpack_is(&key, "offset") ? &offset
			: msgpack_is(&key, "size") ? &size
						   : NULL;
		e = msgpack_next(&r->pack, &value);
		if (e == 0)
			e = skip_rest(r, &value);
		if (e < 0)
			return e;
		if (field)
			*field = value.number;
	}
	if (offset > r->ret->toc || size > r->ret->toc - offset)
		r->stray = true;
	r->ret->blobs++;
	return 0;
}

static int read_blobs(struct kpack_reading *r, const struct msgpack_item *array)
{
	struct msgpack_item item;

	if (array->type != MSGPACK_ARRAY)
		return skip_rest(r, array);
	for (uint64_t i = 0; i < array->number; i++) {
		int e = msgpack_next(&r->pack, &item);

		if (e == 0)
			e = item.type == MSGPACK_MAP ? read_blob(r, &item) : skip_rest(r, &item);
		if (e < 0)
			return e;
	}
	return 0;
}

/* {type: "hsaco", ordinal: 3, original_size: 7472}; its head was read. */
static int read_kernel(struct kpack_reading *r, const struct msgpack_item *map)
{
	struct msgpack_item key, value;

	for (uint64_t i = 0; i < map->number; i++) {
		bool ordinal;
		int e = msgpack_next(&r->pack, &key);

		if (e == 0)
			e = skip_rest(r, &key);
		if (e < 0)
			return e;
		ordinal = msgpack_is(&key, "ordinal");
		e = msgpack_next(&r->pack, &value);
		if (e == 0)
			e = skip_rest(r, &value);
		if (e < 0)
			return e;
		if (ordinal && value.type == MSGPACK_UINT && value.number > r->ret->last_ordinal)
			r->ret->last_ordinal = value.number;
	}
	return 0;
}

/* One target of a code object. What is no map is passed over, as the runtime does. */
static int read_target(struct kpack_reading *r)
{
	char target[128];
	struct msgpack_item key, value;
	int e = msgpack_next(&r->pack, &key);

	if (e == 0)
		e = skip_rest(r, &key);
	if (e < 0)
		return e;
	if (key.text.len > 0)
		memcpy(target, key.text.data,
		       key.text.len < sizeof(target) ? key.text.len : sizeof(target));
	e = msgpack_next(&r->pack, &value);
	if (e < 0)
		return e;
	if (value.type != MSGPACK_MAP)
		return skip_rest(r, &value);
	e = read_kernel(r, &value);
	if (e < 0 || key.type != MSGPACK_STR || key.text.len > sizeof(target))
		return e;
	r->ret->kernels++;
	r->visitor->kernel(r->visitor->of, r->library, r->index,
			   (struct span){ target, key.text.len });
	return 0;
}

/* "lib/librocblas.so.5#12". A key without a number is that of an old archive: 0. */
static void split_key(struct kpack_reading *r, const struct msgpack_item *key)
{
	size_t at = key->text.len;
	uint64_t index = 0;

	r->library = (struct span){ r->key, 0 };
	r->index = 0;
	if (key->type != MSGPACK_STR || key->number > sizeof(r->key))
		return;
	if (at > 0)
		memcpy(r->key, key->text.data, at);
	r->library.len = at;
	while (at > 0 && r->key[at - 1] != '#')
		at--;
	if (at > 0 && span_u64((struct span){ r->key + at, r->library.len - at }, &index)) {
		r->library.len = at - 1;
		r->index = index;
	}
}

static int read_toc(struct kpack_reading *r, const struct msgpack_item *toc)
{
	struct msgpack_item key, value;

	if (toc->type != MSGPACK_MAP)
		return -EBADMSG;
	for (uint64_t i = 0; i < toc->number; i++) {
		int e = msgpack_next(&r->pack, &key);

		if (e == 0)
			e = skip_rest(r, &key);
		if (e < 0)
			return e;
		split_key(r, &key);
		e = msgpack_next(&r->pack, &value);
		if (e < 0)
			return e;
		if (value.type != MSGPACK_MAP || r->library.len == 0) {
			e = skip_rest(r, &value);
		} else {
			r->ret->entries++;
			for (uint64_t j = 0; e == 0 && j < value.number; j++)
				e = read_target(r);
		}
		if (e < 0)
			return e;
	}
	return 0;
}

static const struct {
	const char *key;
	int (*read)(struct kpack_reading *r, const struct msgpack_item *value);
} fields[] = {
	{ "gfx_arches", read_listed },
	{ "compression_scheme", read_scheme },
	{ "zstd_offset", read_zstd_offset },
	{ "zstd_size", read_zstd_size },
	{ "blobs", read_blobs },
	{ "toc", read_toc },
};

static int read_pair(struct kpack_reading *r)
{
	struct msgpack_item key, value;
	int (*read)(struct kpack_reading *, const struct msgpack_item *) = skip_rest;
	int e = msgpack_next(&r->pack, &key);

	if (e == 0)
		e = skip_rest(r, &key);
	if (e < 0)
		return e;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (msgpack_is(&key, fields[i].key))
			read = fields[i].read;
	e = msgpack_next(&r->pack, &value);
	return e < 0 ? e : read(r, &value);
}

static int read_header(struct source *s, struct kpack *ret, const char **ret_why)
{
	struct {
		char magic[4];
		uint32_t version;
		uint64_t toc;
	} header;
	int r = source_read(s, 0, &header, sizeof(header));

	if (r < 0) {
		*ret_why = "it is shorter than the header of a kpack archive";
		return r;
	}
	if (memcmp(header.magic, "KPAK", 4) != 0) {
		*ret_why = "it is not a kpack archive";
		return -EBADMSG;
	}
	ret->version = endian_u32(&header.version);
	ret->toc = endian_u64(&header.toc);
	if (ret->version != KPACK_VERSION) {
		*ret_why = "its kpack version is not 1, the only one the runtime reads";
		return -EPROTO;
	}
	if (ret->toc < sizeof(header) || ret->toc >= s->size) {
		*ret_why = "its table of contents lies outside of the file";
		return -EBADMSG;
	}
	return 0;
}

/* Packed kernels begin with their number; each has its size before it. */
static int count_blobs(struct kpack_reading *r)
{
	uint32_t count;
	int e;

	if (!r->zstd)
		return r->stray ? -EBADMSG : 0;
	if (r->zstd_size < sizeof(count) || r->zstd_offset > r->ret->toc ||
	    r->zstd_size > r->ret->toc - r->zstd_offset)
		return -EBADMSG;
	e = source_u32(r->source, r->zstd_offset, &count);
	if (e < 0)
		return e;
	r->ret->blobs = count;
	return count > r->zstd_size / sizeof(count) - 1 ? -EBADMSG : 0;
}

int kpack_read(struct source *s, const struct kpack_visitor *v, struct kpack *ret,
	       const char **ret_why)
{
	struct kpack_reading r = { .source = s, .visitor = v, .ret = ret };
	struct msgpack_item map;
	int e;

	*ret = (struct kpack){ 0 };
	e = read_header(s, ret, ret_why);
	if (e < 0)
		return e;
	msgpack_init(&r.pack, s, ret->toc, s->size);
	e = msgpack_next(&r.pack, &map);
	if (e == 0 && map.type != MSGPACK_MAP)
		e = -EBADMSG;
	for (uint64_t i = 0; e == 0 && i < map.number; i++)
		e = read_pair(&r);
	if (e < 0) {
		*ret_why = e == -ENODATA   ? "its table of contents is cut short"
			   : e == -EFBIG   ? "its table of contents is too long to be read"
			   : e == -EBADMSG ? "its table of contents is damaged"
					   : "its table of contents cannot be read";
		return e;
	}
	e = count_blobs(&r);
	if (e == -ENODATA)
		return 0; /* the blobs of an archive that streamed by were not kept */
	if (e == 0 && ret->kernels > 0 && ret->last_ordinal >= ret->blobs)
		e = -EBADMSG;
	if (e < 0)
		*ret_why = "its table of contents names kernels that are not in it";
	return e;
}
