#include "parse/tensile.h"

#include <errno.h>

#include "check-pack.h"
#include "check-span.h"

static void say_part(void *of, struct span part, struct span processor)
{
	buf_addf(of, "(%.*s %.*s)", (int)part.len, part.data, (int)processor.len, processor.data);
}

static void say_processor(void *of, struct span name)
{
	buf_addf(of, "[%.*s]", (int)name.len, name.data);
}

static void pack_placeholder(struct buf *b, const char *value)
{
	pack_map(b, 2);
	pack_pair(b, "type", "Placeholder");
	pack_pair(b, "value", value);
}

static void pack_processor(struct buf *b, const char *name)
{
	pack_map(b, 2);
	pack_pair(b, "type", "Processor");
	pack_pair(b, "value", name);
}

/* The parts stand some levels down, as in real indexes. */
static void pack_parts(struct buf *b, unsigned int count, const char *const *parts)
{
	pack_map(b, 3);
	pack_pair(b, "type", "ProblemMap");
	pack_text(b, "property");
	pack_map(b, 1);
	pack_pair(b, "type", "OperationIdentifier");
	pack_text(b, "map");
	pack_map(b, count);
	for (unsigned int i = 0; i < count; i++) {
		pack_text(b, "Contraction_l_Alik_Bljk_Cijk_Dijk");
		pack_map(b, 2);
		pack_pair(b, "type", "Problem");
		pack_text(b, "rows");
		pack_array(b, 1);
		pack_placeholder(b, parts[i]);
	}
}

/* {solutions: [], library: {type: Hardware, rows: ...}} up to the first row. */
static void pack_head(struct buf *b, const char *type, unsigned int rows)
{
	pack_map(b, 2);
	pack_text(b, "solutions");
	pack_array(b, 0);
	pack_text(b, "library");
	pack_map(b, 2);
	pack_pair(b, "type", type);
	pack_text(b, "rows");
	pack_array(b, rows);
}

static const char *const tuned[] = { "Type_HH_gfx90a", "Type_SS_gfx90a" };
static const char *const slow[] = { "Type_HH_fallback" };

static void pack_row_of(struct buf *b, const char *processor)
{
	pack_map(b, 2);
	pack_text(b, "predicate");
	pack_map(b, 2);
	pack_pair(b, "type", "AMDGPU");
	pack_text(b, "value");
	pack_processor(b, processor);
	pack_text(b, "library");
	pack_parts(b, 2, tuned);
}

/* Of gfx90a with 104 compute units: both in one list. */
static void pack_row_and(struct buf *b)
{
	pack_map(b, 2);
	pack_text(b, "predicate");
	pack_map(b, 2);
	pack_pair(b, "type", "AMDGPU");
	pack_text(b, "value");
	pack_map(b, 2);
	pack_pair(b, "type", "And");
	pack_text(b, "value");
	pack_array(b, 2);
	pack_processor(b, "gfx90a");
	pack_map(b, 2);
	pack_pair(b, "type", "CUCount");
	pack_text(b, "value");
	pack_uint(b, 104);
	pack_text(b, "library");
	pack_parts(b, 1, tuned);
}

static void pack_row_any(struct buf *b)
{
	pack_map(b, 2);
	pack_text(b, "predicate");
	pack_map(b, 1);
	pack_pair(b, "type", "TruePred");
	pack_text(b, "library");
	pack_parts(b, 1, slow);
}

static int read_text(struct span bytes, struct buf *said, struct tensile_index *index)
{
	struct source s = source_memory(bytes);
	struct tensile_visitor v = { say_part, said };

	buf_clear(said);
	buf_text(said, "");
	return tensile_index_read(&s, &v, index);
}

static void test_index(void)
{
	struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct tensile_index index;

	pack_head(&b, "Hardware", 3);
	pack_row_and(&b);
	pack_row_of(&b, "gfx90a");
	pack_row_any(&b);
	CHECK_INT(read_text(buf_get(&b), &said, &index), 0);
	CHECK_SPAN(buf_get(&said), "(Type_HH_gfx90a gfx90a)(Type_HH_gfx90a gfx90a)"
				   "(Type_SS_gfx90a gfx90a)(Type_HH_fallback )");
	CHECK_INT(index.rows, 3);
	CHECK_INT(index.tuned_rows, 2);
	CHECK_INT(index.parts, 4);
}

static void test_fallback_only(void)
{
	struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct tensile_index index;

	pack_head(&b, "Hardware", 1);
	pack_row_any(&b);
	CHECK_INT(read_text(buf_get(&b), &said, &index), 0);
	CHECK_SPAN(buf_get(&said), "(Type_HH_fallback )");
	CHECK_INT(index.tuned_rows, 0);
}

static void test_cuts(void)
{
	struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct tensile_index index = { .rows = 77 };

	pack_head(&b, "Hardware", 2);
	pack_row_of(&b, "gfx1151");
	pack_row_any(&b);
	for (size_t n = 0; n < b.len; n++)
		CHECK(read_text((struct span){ b.data, n }, &said, &index) < 0);
	CHECK_INT(index.rows, 77);
}

static void pack_other_type(struct buf *b)
{
	pack_head(b, "Problem", 1);
	pack_row_any(b);
}

static void pack_no_rows(struct buf *b)
{
	pack_head(b, "Hardware", 0);
}

static void pack_turned_row(struct buf *b)
{
	pack_head(b, "Hardware", 1);
	pack_map(b, 2);
	pack_text(b, "library");
	pack_parts(b, 1, slow);
	pack_text(b, "predicate");
	pack_map(b, 1);
	pack_pair(b, "type", "TruePred");
}

static void pack_text_rows(struct buf *b)
{
	pack_head(b, "Hardware", 1);
	pack_text(b, "row");
}

static void pack_list(struct buf *b)
{
	pack_array(b, 1);
	pack_map(b, 0);
}

static void pack_empty(struct buf *b)
{
	pack_map(b, 0);
}

static const struct {
	void (*pack)(struct buf *b);
	const char *why;
} strange[] = {
	{ pack_other_type, "a part by itself, not an index" },
	{ pack_no_rows, "an index of nothing" },
	{ pack_turned_row, "parts before it is known for whom" },
	{ pack_text_rows, "a row that is none" },
	{ pack_list, "no map" },
	{ pack_empty, "an empty map" },
};

static void test_strange(void)
{
	for (size_t i = 0; i < COUNT_OF(strange); i++) {
		struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
		struct tensile_index index;

		strange[i].pack(&b);
		ROW_CHECK(read_text(buf_get(&b), &said, &index) == -EBADMSG, strange[i].why);
	}
}

/* A name without end is no processor; the row counts as one for any. */
static void test_long_processor(void)
{
	struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct tensile_index index;
	char name[201] = { 0 };

	memset(name, 'g', 200);
	pack_head(&b, "Hardware", 1);
	pack_row_of(&b, name);
	CHECK_INT(read_text(buf_get(&b), &said, &index), 0);
	CHECK_INT(index.tuned_rows, 0);
}

static int read_nothing(const struct source *s, uint64_t at, void *ret, size_t n)
{
	(void)s;
	(void)at;
	(void)ret;
	(void)n;
	return -EIO;
}

static void test_refusals(void)
{
	struct source big = { .size = TENSILE_INDEX_MAX + 1ull, .read = read_nothing, .fd = -1 };
	struct source broken = { .size = 100, .read = read_nothing, .fd = -1 };
	struct buf said BUF_SCOPED = { 0 };
	struct tensile_visitor v = { say_part, &said };
	struct tensile_index index;

	CHECK_INT(tensile_index_read(&big, &v, &index), -EFBIG);
	CHECK_INT(tensile_extop_read(&big, say_processor, &said), -EFBIG);
	CHECK_INT(tensile_index_read(&broken, &v, &index), -EIO);
}

static void test_extops(void)
{
	struct buf b BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct source s;

	pack_map(&b, 3);
	pack_text(&b, "gfx908");
	pack_placeholder(&b, "x");
	pack_uint(&b, 7);
	pack_text(&b, "a number is no processor");
	pack_pair(&b, "gfx1100", "y");
	s = source_memory(buf_get(&b));
	CHECK_INT(tensile_extop_read(&s, say_processor, &said), 0);
	CHECK_SPAN(buf_get(&said), "[gfx908][gfx1100]");
	s.size -= 1;
	CHECK_INT(tensile_extop_read(&s, say_processor, &said), -ENODATA);
	s = source_memory(SPAN_LITERAL("\x91\x80"));
	CHECK_INT(tensile_extop_read(&s, say_processor, &said), -EBADMSG);
}

int main(void)
{
	test_index();
	test_fallback_only();
	test_cuts();
	test_strange();
	test_long_processor();
	test_refusals();
	test_extops();
	return check_end();
}
