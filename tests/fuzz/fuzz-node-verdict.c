#include "gate/node-verdict.h"

#include <string.h>

#include "gate/readers.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every reader words it, each in lines of text. */
static void word_it(struct arena *a, const struct node_verdict *v)
{
	static const char *const names[] = { "text", "npd", "nagios", "nfd", "textfile" };
	struct gate_answer answer = gate_judge(a, v);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct buf text BUF_SCOPED = { 0 };

		reader_find(names[i])->write(&answer, &text);
		must(text.len > 0 && text.data[text.len - 1] == '\n');
		must(strlen(text.data) == text.len);
	}
}

/* Whatever is read is written in bounds, and is then read again as the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf once BUF_SCOPED = { 0 }, twice BUF_SCOPED = { 0 };
	struct node_verdict v, again;
	struct arena arena = { 0 };

	if (node_verdict_parse(&arena, (struct span){ (const char *)data, size }, &v)) {
		word_it(&arena, &v);
		node_verdict_write(&v, &once);
		must(once.len <= NODE_VERDICT_MAX);
		must(node_verdict_parse(&arena, buf_get(&once), &again));
		must(again.count + again.more == v.count + v.more);
		node_verdict_join(&arena, &again, &v);
		must(again.count >= v.count || again.more > 0 || v.boot[0] == '\0');
		must(node_verdict_parse(&arena, buf_get(&once), &again));
		node_verdict_write(&again, &twice);
		must(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	}
	arena_done(&arena);
	return 0;
}
