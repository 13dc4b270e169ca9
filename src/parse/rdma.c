#include "parse/rdma.h"

#define RATE_MAX 100000 /* Gb a second: far beyond any port */

bool rdma_state_parse(struct span text, struct span *ret)
{
	struct span number, word = text;
	uint64_t ignored;

	if (!span_cut(&word, ':', &number) || !span_u64(number, &ignored))
		return false;
	word = span_trim(word);
	if (word.len == 0)
		return false;
	*ret = word;
	return true;
}

/* "400", "2.5" */
static bool read_tenths(struct span word, uint64_t *ret)
{
	uint64_t whole, tenth = 0;
	struct span before;

	if (!span_cut(&word, '.', &before) || !span_u64(before, &whole) || whole > RATE_MAX)
		return false;
	if (word.len > 0 && (word.len != 1 || !span_u64(word, &tenth)))
		return false;
	*ret = whole * 10 + tenth;
	return true;
}

/* "(4X": what follows is the name of the speed, or the bracket's end. */
static bool read_lanes(struct span word, uint64_t *ret)
{
	struct span number;

	if (word.len < 2 || word.data[0] != '(')
		return false;
	word = (struct span){ word.data + 1, word.len - 1 };
	return span_cut(&word, 'X', &number) && span_u64(number, ret);
}

bool rdma_rate_parse(struct span text, struct rdma_rate *ret)
{
	struct span number, unit, lanes;
	struct rdma_rate r;

	if (!span_word(&text, &number) || !span_word(&text, &unit) || !span_word(&text, &lanes) ||
	    !span_is(unit, "Gb/sec") || !read_tenths(number, &r.tenths) ||
	    !read_lanes(lanes, &r.lanes))
		return false;
	*ret = r;
	return true;
}
