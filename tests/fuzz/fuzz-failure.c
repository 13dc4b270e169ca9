#include "explain/failure-tables.h"
#include "explain/failure.h"
#include "explain/log.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Any bytes have an end: kept lines lie within the text, and a failure has words and a step. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct span literal = { "harmless thing", 14 };
	struct signature signature = { "harmless", NULL, &literal, 1 };
	struct log_signature more = { .kind = "harmless" };
	static struct failure_tables
		tables; /* kept from one input to the next, as for texts of a batch */
	struct log_signatures signatures = {
		.list = &signature, .more = &more, .count = 1, .failure_tables = &tables
	};
	struct scan *scan = scan_new(&signature, 1);
	struct arena arena = { 0 };
	struct failure f;

	must(scan);
	scan_feed(scan, (struct span){ (const char *)data, size });
	scan_end(scan);
	failure_find(scan, &signatures, "log", &arena, &f);
	must(!f.counts || (f.last.text && f.first.text && f.first.line <= scan_lines(scan) &&
			   f.last.line <= scan_lines(scan) && f.begins <= f.last.line));
	must(!(f.counts || f.end >= FAILURE_END_TRACEBACK) || (f.says && f.step && f.origin));
	must(size > 0 || f.end == FAILURE_END_EMPTY); /* a byte order mark alone is empty, too */
	scan_free(scan);
	arena_done(&arena);
	return 0;
}
