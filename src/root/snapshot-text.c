/*
 * The text of a recording: chosen, scrubbed, and put together so that a person
 * can read it and a diff is short.
 */

#include "root/snapshot.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "parse/keyvals.h"
#include "root/root-internal.h"
#include "scrub/scrub.h"
#include "survey/asks.h"

#define BRIEF_MAX ((size_t)32 * 1024)

/* Software comes last: it is long, and a brief snapshot ends in it. */
static int order_of(const struct record *r)
{
	if (r->kind == RECORD_NOTE)
		return 0;
	if (r->kind == RECORD_ASK)
		return asks_is_about_software(r->path) ? 3 : 1;
	return 2;
}

static int compare(struct span a, struct span b)
{
	int order = memcmp(a.data, b.data, a.len < b.len ? a.len : b.len);

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* Notes, then questions, then the tree directory by directory, then software. */
static int by_place(const void *a, const void *b)
{
	const struct record *ra = *(const struct record *const *)a;
	const struct record *rb = *(const struct record *const *)b;
	int order = order_of(ra) - order_of(rb);

	if (order == 0 && order_of(ra) == 2)
		order = compare(path_parent(ra->path), path_parent(rb->path));
	if (order == 0)
		order = compare(ra->path, rb->path);
	return order ? order : (int)ra->kind - (int)rb->kind;
}

static const struct record **sorted(const struct store *s, size_t *ret_count)
{
	const struct record **list = memory_new(s->count + 1, sizeof(struct record *));
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct record *r = s->records[i];

		if (r->kind == RECORD_NOTE &&
		    (span_is(r->path, "unpacked") || span_is(r->path, "end")))
			continue;
		if (store_is_current(s, r))
			list[count++] = r;
	}
	qsort(list, count, sizeof(*list), by_place);
	*ret_count = count;
	return list;
}

/* Files of which a brief snapshot needs only a few lines. */
static const struct {
	const char *file;
	const char *lines[14]; /* how they begin */
} brief_lines[] = {
	{ "/properties", /* of a KFD node, which has forty */
	  { "simd_count ", "simd_per_cu ", "gfx_target_version ", "device_id ", "location_id ",
	    "domain ", "drm_render_minor ", "unique_id ", "hive_id " } },
	{ "/proc/cpuinfo", { "vendor_id", "model name" } },
};

static const char *const *brief_lines_of(const struct record *r)
{
	for (size_t i = 0; i < sizeof(brief_lines) / sizeof(brief_lines[0]); i++)
		if (r->kind == RECORD_FILE && !r->error && span_ends(r->path, brief_lines[i].file))
			return brief_lines[i].lines;
	return NULL;
}

static bool is_brief_line(const char *const *begins, struct span line)
{
	for (; *begins; begins++)
		if (span_starts(line, *begins))
			return true;
	return false;
}

static void shorten(const struct record *r, const char *const *begins, struct buf *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct buf kept BUF_SCOPED = { 0 };
	struct span rest;
	struct span line;

	(void)record_content(r, &text); /* what is malformed is left out */
	for (rest = buf_get(&text); span_line(&rest, &line);)
		if (is_brief_line(begins, line)) {
			buf_span(&kept, line);
			buf_char(&kept, '\n');
		}
	record_write_content(ret, r->kind, r->path, 0, buf_get(&kept));
}

/*
 * A brief snapshot keeps the first partition of a GPU: the others differ in little
 * but their number, and the listing counts them. The last three bits of
 * location_id are the function, or the partition.
 */
struct places {
	uint64_t seen[64];
	size_t count;
};

static bool is_first_partition(struct places *p, const struct record *r)
{
	struct buf text BUF_SCOPED = { 0 };
	uint64_t location = 0, domain = 0, simds = 0;

	if (!record_content(r, &text) || !keyvals_u64(buf_get(&text), "simd_count", &simds) ||
	    simds == 0)
		return true; /* a processor */
	(void)keyvals_u64(buf_get(&text), "location_id", &location);
	(void)keyvals_u64(buf_get(&text), "domain", &domain);
	location = domain << 32 | (location & 0xfff8);
	for (size_t i = 0; i < p->count; i++)
		if (p->seen[i] == location)
			return false;
	if (p->count < 64)
		p->seen[p->count++] = location;
	return true;
}

/* In the order of recording, which is that of the numbers. */
static void drop_further_partitions(const struct store *s, struct map *ret_dropped)
{
	struct places places = { 0 };

	for (size_t i = 0; i < s->count; i++) {
		struct record *r = s->records[i];

		if (r->kind == RECORD_FILE && !r->error && store_is_current(s, r) &&
		    span_ends(r->path, "/properties") &&
		    span_is(path_name(path_parent(path_parent(r->path))), "nodes") &&
		    !is_first_partition(&places, r))
			map_put(ret_dropped, path_parent(r->path), r);
	}
}

/* ---- which records, one after the other ---- */

static void add_records(const struct store *s, bool brief, struct buf *ret)
{
	struct map dropped = { 0 };
	size_t left_out = 0;

	if (brief)
		drop_further_partitions(s, &dropped);
	for (size_t i = 0; i < s->count; i++) {
		const struct record *r = s->records[i];
		const char *const *begins = brief ? brief_lines_of(r) : NULL;

		if (!store_is_current(s, r))
			continue;
		if (brief && (!r->touched || map_find(&dropped, path_parent(r->path))))
			left_out++;
		else if (begins)
			shorten(r, begins, ret);
		else
			record_write(ret, r, r->path);
	}
	if (left_out > 0)
		buf_addf(ret, "note left-out %zu records: brief\n", left_out);
	map_done(&dropped);
}

/* ---- put together ---- */

/* Records of one directory: what needs lines of its own, then the files of one line. */
static void add_directory(const struct record **list, size_t count, struct buf *ret)
{
	struct span dir = path_parent(list[0]->path);
	size_t lines = 0;

	for (size_t i = 0; i < count; i++) {
		if (record_is_line(list[i]))
			lines++;
		else
			record_write(ret, list[i], list[i]->path);
	}
	if (lines == 0)
		return;
	buf_text(ret, "files ");
	text_word(ret, dir);
	buf_char(ret, '\n');
	for (size_t i = 0; i < count; i++)
		if (record_is_line(list[i]))
			record_write_line(ret, path_name(list[i]->path), list[i]);
}

/* A brief one that is still too long ends where it reaches its limit. */
static void put_together(struct span plain, size_t max, struct buf *ret)
{
	struct store s = { 0 };
	const struct record **list;
	size_t count;
	size_t n;

	store_load(&s, plain);
	list = sorted(&s, &count);
	buf_text(ret, RECORD_MAGIC "\n");
	for (size_t i = 0; i < count; i += n) {
		struct buf part BUF_SCOPED = { 0 };

		for (n = 1;
		     i + n < count && order_of(list[i]) == 2 && order_of(list[i + n]) == 2 &&
		     compare(path_parent(list[i]->path), path_parent(list[i + n]->path)) == 0;)
			n++;
		if (order_of(list[i]) == 2)
			add_directory(list + i, n, &part);
		else
			record_write(&part, list[i], list[i]->path);
		if (max == 0 || ret->len + part.len <= max)
			buf_span(ret, buf_get(&part));
	}
	if (store_find(&s, RECORD_NOTE, SPAN_LITERAL("end")))
		buf_text(ret, "note end\n");
	free(list);
	store_done(&s);
}

int snapshot_of(struct root *root, const struct snapshot_options *o, struct buf *ret)
{
	bool scrubbed = store_find(&root->store, RECORD_NOTE, SPAN_LITERAL("scrubbed")) != NULL;
	struct buf plain BUF_SCOPED = { 0 };
	struct buf whole BUF_SCOPED = { 0 };
	struct buf clean BUF_SCOPED = { 0 }, made BUF_SCOPED = { 0 };
	int error = 0;

	assert(!root->live);
	if (root->kind == DOOR_SNAPSHOT && !root->brief && (scrubbed || o->no_scrub)) {
		text_screen(ret, buf_get(&root->text),
			    false); /* a stranger's file may hold anything */
		return 0;
	}
	/* A host was asked by us, so it says by which program; a tree is somebody else's work. */
	if (root->kind == DOOR_LIVE || root->kind == DOOR_MOUNTED)
		buf_addf(&plain, "note program %s\nnote end\n", ROCSTEADY_VERSION);
	add_records(&root->store, root->brief, &plain);
	if (root->brief)
		add_records(&root->store, false, &whole);
	if (!o->no_scrub && !scrubbed)
		error = scrub(buf_get(&plain), buf_get(&whole), o->key, &clean);
	if (error == 0)
		put_together(o->no_scrub || scrubbed ? buf_get(&plain) : buf_get(&clean),
			     root->brief ? BRIEF_MAX : 0, &made);
	text_screen(ret, buf_get(&made), false);
	return error;
}
