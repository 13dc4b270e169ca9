#include "code/read-bundle.h"

#include <errno.h>
#include <string.h>

#include "base/debug.h"
#include "parse/bundle.h"
#include "parse/code-object.h"
#include "parse/target-id.h"

#define TABLE_BYTES \
	((size_t)8 << 10) /* unpacked first: a table, and the head of the first object */

/* A bundle being read. Its bytes are in the source, or unpacked in memory. */
struct open_bundle {
	struct source *source;
	uint64_t at;
	uint64_t limit;       /* its entries end before, counted from its first byte */
	const char *limit_is; /* in words */
	struct span unpacked;
	unsigned int number; /* from 1 */
};

/* The first bytes of an entry's code, if they can be had cheaply. */
static bool read_object(const struct open_bundle *b, const struct bundle_entry *e,
			struct code_object *ret)
{
	char bytes[CODE_OBJECT_HEAD];
	struct span head = { bytes, sizeof(bytes) };

	if (e->size < head.len)
		return false;
	if (b->unpacked.data) {
		if (e->offset > b->unpacked.len || head.len > b->unpacked.len - e->offset)
			return false;
		head.data = b->unpacked.data + e->offset;
	} else if (source_read(b->source, b->at + e->offset, bytes, head.len) < 0) {
		return false;
	}
	return code_object_parse(head, ret) == 0;
}

/*
 * Ids of code objects before version 4 ("hip-amdgcn-amd-amdhsa--gfx906") do not
 * name features: those stand in the object alone.
 */
static bool ask_object(const struct open_bundle *b, const struct bundle_entry *e,
		       char text[static TARGET_ID_MAX])
{
	struct code_object object;

	if (!read_object(b, e, &object) || !object.known || object.version != 3 ||
	    !span_starts(span_of(object.target), text))
		return false;
	memcpy(text, object.target, TARGET_ID_MAX);
	return true;
}

static void add_target(struct gather *g, const struct open_bundle *b, const struct bundle_entry *e,
		       uint64_t place)
{
	struct target_entry id = target_entry_parse(e->id);
	struct target_id target;
	char text[TARGET_ID_MAX];

	if (target_entry_is_foreign(&id))
		return;
	if (!target_entry_is_device(&id) || !target_id_parse(id.target, &target)) {
		gather_problem(g, "bundle %u at 0x%llx: \"%.*s\" names no target", b->number,
			       (unsigned long long)gather_place(b->source, b->at),
			       e->id.len < 100 ? (int)e->id.len : 100, e->id.data);
		return;
	}
	if (e->size == 0) {
		gather_problem(g, "bundle %u at 0x%llx: entry %llu is empty", b->number,
			       (unsigned long long)gather_place(b->source, b->at),
			       (unsigned long long)place + 1);
		return;
	}
	target_id_write(&target, text);
	if (span_is(id.kind, "hip") && ask_object(b, e, text)) {
		gather_target(g, text);
		return;
	}
	gather_target(g, text);
	if (!span_is(id.kind, "hip"))
		gather_remember(g, place, e->id, text);
}

/* Every entry of a table. Returns where the bundle ends. */
static uint64_t add_entries(struct gather *g, const struct open_bundle *b, struct bundle *table)
{
	unsigned long long place = gather_place(b->source, b->at);
	struct code_object object;
	struct bundle_entry e;
	uint64_t end = table->table.len;
	bool first = true;

	if (table->count == 0)
		gather_problem(g, "bundle %u at 0x%llx: no entries", b->number, place);
	for (uint64_t i = 0; bundle_next(table, &e); i++) {
		if (e.offset > b->limit || e.size > b->limit - e.offset) {
			gather_problem(g, "bundle %u at 0x%llx: entry %llu ends behind %s",
				       b->number, place, (unsigned long long)i + 1, b->limit_is);
			continue;
		}
		if (e.offset + e.size > end)
			end = e.offset + e.size;
		if (e.size == 0 || !gather_again(g, i, e.id))
			add_target(g, b, &e, i);
		/* The first object of a bundle gives the version of all. */
		if (first && read_object(b, &e, &object)) {
			gather_version(g, object.version);
			first = false;
		}
	}
	return end;
}

static void bad_table(struct gather *g, const struct open_bundle *b, int why)
{
	const char *text = "cannot be read";

	if (why == -ENODATA)
		text = "ends behind the bytes that are there";
	else if (why == -EBADMSG)
		text = "has more entries, or longer ids, than any bundle has";
	else if (why == -ENOEXEC)
		text = "is missing: what was unpacked is no bundle";
	gather_problem(g, "bundle %u at 0x%llx: its table %s", b->number,
		       (unsigned long long)gather_place(b->source, b->at), text);
}

/*
 * The first page of a bundle as far as it is there, or in a source with holes
 * as far as it was kept. Of a library's second bundle only its table: what lies
 * after it is in no cache of the processor.
 */
int64_t bundle_page(struct gather *g, struct source *s, uint64_t at)
{
	size_t n = g->table > 0 && !s->kept ? g->table : sizeof(g->page);
	int64_t got = source_some(s, at, g->page, n);

	if (got == -ENODATA && s->kept)
		got = source_some(s, at, g->page,
				  GATHER_PAGE - (size_t)((s->start + at) % GATHER_PAGE));
	return got;
}

/* A table that does not end with what was read of it. */
static int open_long(struct gather *g, struct source *s, uint64_t at, struct bundle *ret)
{
	static const size_t sizes[] = { GATHER_PAGE, GATHER_WINDOW, BUNDLE_TABLE_MAX };
	int r = -ENODATA;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && r == -ENODATA; i++) {
		int64_t got;

		buf_clear(&g->window);
		buf_room(&g->window, sizes[i]);
		got = source_some(s, at, g->window.data, sizes[i]);
		if (got < 0)
			return (int)got;
		r = bundle_open((struct span){ g->window.data, (size_t)got }, ret);
	}
	return r;
}

/* The place after a plain bundle, or 0 if that is not known. */
static uint64_t read_plain(struct gather *g, struct source *s, uint64_t at, struct span head)
{
	struct open_bundle b = { .source = s,
				 .at = at,
				 .limit = s->size - at,
				 .limit_is = "the bytes that are there",
				 .number = g->code->bundles };
	struct bundle table;
	int r = bundle_open(head, &table);

	if (r == -ENODATA)
		r = open_long(g, s, at, &table);
	if (r < 0) {
		bad_table(g, &b, r);
		return 0;
	}
	g->table = table.table.len < sizeof(g->page) ? table.table.len : 0;
	return at + add_entries(g, &b, &table);
}

/*
 * Unpack what lies from `at` to `end` until the table is complete. -EILSEQ: the
 * compressed bytes are damaged; other errors are those of the table.
 */
static int unpack_table(struct gather *g, struct source *s, uint64_t at, uint64_t end,
			const struct ccob *c, struct bundle *ret)
{
	struct unpack *u = &g->unpack;
	size_t most = c->unpacked < UNPACK_MAX ? (size_t)c->unpacked : UNPACK_MAX;
	size_t want = TABLE_BYTES < most ? TABLE_BYTES : most;
	int begun = unpack_begin(u, s, at, end, c->method);

	if (begun < 0)
		return begun == -EBADMSG ? -EILSEQ : begun;
	for (;; want = want < most / 4 ? want * 4 : most) {
		uint64_t before = u->out.len + u->at;
		int r = unpack_more(u, want), opened;

		g->unpacked += u->out.len + u->at - before;
		opened = bundle_open(buf_get(&u->out), ret);
		if (opened != -ENODATA)
			return opened;
		if (r == -EBADMSG)
			return -EILSEQ;
		if (r < 0 || want == most)
			return r < 0 ? r : -ENODATA;
	}
}

/*
 * Version 1 does not say where it ends; the blocks of a zstd frame do. 0;
 * -EBADMSG for a damaged frame; -E2BIG at the limit of blocks; -ENODATA if it
 * is cut, or not kept.
 */
static int end_of_frame(struct gather *g, struct source *s, uint64_t at, uint64_t *ret)
{
	unsigned char head[CCOB_ZSTD_BLOCK_HEAD];
	struct ccob_zstd_block block = { 0 };
	struct frame f;
	int r = frame_begin(&f, s, at, s->size);

	while (r == 0 && !block.last) {
		if (g->blocks >= GATHER_BLOCKS_MAX)
			return -E2BIG;
		g->blocks++;
		r = frame_next(&f, head, &block);
		if (r == 0)
			r = frame_yielded(&f, !block.empty);
	}
	if (r < 0)
		return r;
	*ret = f.at + (f.checksum ? 4 : 0);
	return *ret <= s->size ? 0 : -ENODATA;
}

static void damaged(struct gather *g, const struct open_bundle *b, enum ccob_method method)
{
	gather_problem(g, "bundle %u at 0x%llx: its %s is damaged", b->number,
		       (unsigned long long)gather_place(b->source, b->at),
		       method == CCOB_ZSTD ? "zstd frame" : "zlib stream");
}

static uint64_t read_ccob(struct gather *g, struct source *s, uint64_t at, const struct ccob *c)
{
	struct open_bundle b = { .source = s,
				 .at = at,
				 .limit = c->unpacked,
				 .limit_is = "what it unpacks to",
				 .number = g->code->bundles };
	uint64_t end = c->total ? at + c->total : s->size;
	uint64_t began = DEBUG_NOW(DEBUG_CODE);
	struct bundle table;
	bool damage;
	int r;

	if (c->total > s->size - at) {
		gather_problem(g, "bundle %u at 0x%llx: has %llu bytes and only %llu are there",
			       b.number, (unsigned long long)gather_place(s, at),
			       (unsigned long long)c->total, (unsigned long long)(s->size - at));
		return 0;
	}
	if (g->unpacked > GATHER_UNPACKED_MAX) {
		gather_problem(g, "bundle %u at 0x%llx: not unpacked, too much was before",
			       b.number, (unsigned long long)gather_place(s, at));
		return c->total ? end : 0;
	}
	r = unpack_table(g, s, at + c->header, end, c, &table);
	damage = r == -EILSEQ;
	b.unpacked = buf_get(&g->unpack.out);
	DEBUG(DEBUG_CODE, began, "bundle %u at 0x%llx: %zu bytes unpacked of %llu, %s%s", b.number,
	      (unsigned long long)gather_place(s, at), b.unpacked.len,
	      (unsigned long long)c->unpacked, c->method == CCOB_ZSTD ? "zstd" : "zlib",
	      damage   ? ", damaged"
	      : r == 0 ? ""
		       : ", without a table");
	if (damage)
		damaged(g, &b, c->method);
	else if (r == 0)
		add_entries(g, &b, &table);
	else
		bad_table(g, &b, r);
	if (c->total)
		return end;
	if (c->method != CCOB_ZSTD)
		return 0;
	r = end_of_frame(g, s, at + c->header, &end);
	if (r == -EBADMSG && !damage)
		damaged(g, &b, c->method);
	if (r == -E2BIG)
		gather_problem(g,
			       "bundle %u at 0x%llx: where it ends is not known, as this file has "
			       "more than %u zstd blocks",
			       b.number, (unsigned long long)gather_place(s, at),
			       GATHER_BLOCKS_MAX);
	return r == 0 ? end : 0;
}

enum bundle_kind bundle_kind(struct span bytes)
{
	if (span_starts(bytes, BUNDLE_MAGIC))
		return BUNDLE_KIND_PLAIN;
	return ccob_is(bytes) ? BUNDLE_KIND_CCOB : BUNDLE_KIND_NOTHING;
}

static const enum code_form ccob_forms[] = { CODE_FORMS, CODE_CCOB1, CODE_CCOB2, CODE_CCOB3 };

/* A bundle that begins here. Its end, or 0 if that is not known. */
uint64_t bundle_read(struct gather *g, struct source *s, uint64_t at, struct span head)
{
	struct ccob c;
	int r;

	if (bundle_kind(head) == BUNDLE_KIND_PLAIN)
		return gather_bundle(g, CODE_PLAIN) ? read_plain(g, s, at, head) : 0;
	g->table = 0;
	r = ccob_parse(head, &c);
	if (r < 0) {
		gather_problem(g, "at 0x%llx: the header of a compressed bundle %s",
			       (unsigned long long)gather_place(s, at),
			       r == -ENODATA ? "ends behind the bytes that are there"
					     : "says less bytes than it has itself");
		return 0;
	}
	return gather_bundle(g, ccob_forms[c.version]) ? read_ccob(g, s, at, &c) : 0;
}
