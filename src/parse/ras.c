#include "parse/ras.h"

#include "parse/colon.h"

bool ras_counts_parse(struct span text, struct ras_counts *ret)
{
	struct ras_counts counts = { 0 };

	if (!colon_find_u64(text, "ue", &counts.uncorrectable) ||
	    !colon_find_u64(text, "ce", &counts.correctable))
		return false;
	counts.has_deferred = colon_find_u64(text, "de", &counts.deferred);
	*ret = counts;
	return true;
}

static bool cut_hex(struct span *rest, uint64_t *ret)
{
	struct span part;

	return span_cut(rest, ':', &part) && span_hex(span_trim(part), ret);
}

static bool read_page(struct span line, struct ras_bad_page *ret)
{
	struct ras_bad_page page;

	if (!cut_hex(&line, &page.page) || !cut_hex(&line, &page.size_bytes))
		return false;
	line = span_trim(line);
	if (!span_is(line, "R") && !span_is(line, "P") && !span_is(line, "F"))
		return false;
	page.flag = line.data[0];
	*ret = page;
	return true;
}

bool ras_bad_page_next(struct span *rest, struct ras_bad_page *ret)
{
	struct span line;

	while (span_line(rest, &line))
		if (read_page(line, ret))
			return true;
	return false;
}
