#include <stdlib.h>

#include "scan/scan.h"

/* As SPAN_LITERAL, for static tables. */
#define LITERAL(text)                  \
	{                              \
		text, sizeof(text) - 1 \
	}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct span literals[] = { LITERAL("out of memory"), LITERAL("GPU arch : "),
					LITERAL("aaaaaaaaaa"), LITERAL("aaaaaaaaaaaa") };
static const struct signature signatures[] = {
	{ "oom", "out of memory(?:.*?(?<tried>[\\d.]+ [KMG]iB))?", literals, 1 },
	{ "arch", "GPU arch ?: (?<gfx>gfx[0-9a-f]+)", literals + 1, 1 },
	{ "many", NULL, literals + 2, 2 },
	{ "below", NULL, literals, 1, "^a|[^\\n]b" },
};

static uint64_t count_of(struct scan *s)
{
	size_t count;
	const struct scan_event *const *events = scan_events(s, &count);
	uint64_t sum = scan_lines(s);

	for (size_t i = 0; i < count; i++)
		sum = sum * 31 + events[i]->count + events[i]->samples[0].line +
		      events[i]->last_line + events[i]->sample_count;
	return sum;
}

/* However the bytes come in, the same is found. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scan *whole = scan_new(signatures, 4), *pieces = scan_new(signatures, 4);
	struct span text = { (const char *)data, size };
	size_t step = size > 0 ? 1 + data[0] : 1;

	scan_feed(whole, text);
	scan_end(whole);
	for (size_t at = 0; at < size; at += step)
		scan_feed(pieces,
			  (struct span){ text.data + at, size - at < step ? size - at : step });
	scan_end(pieces);
	if (count_of(whole) != count_of(pieces))
		abort();
	scan_free(whole);
	scan_free(pieces);
	return 0;
}
