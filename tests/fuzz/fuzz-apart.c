#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "scan/apart.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t count_lines(struct span text)
{
	uint64_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += text.data[i] == '\n';
	return count;
}

/* In one piece or two, cut where a line ends, the same lines stand apart. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct apart whole, parts;
	struct apart_line lines[APART_LINES], again[APART_LINES];
	struct span text = { (const char *)data, size };
	const char *cut = size > 0 ? memchr(data + size / 2, '\n', size - size / 2) : NULL;
	struct span first = { text.data, cut ? (size_t)(cut - text.data) + 1 : 0 };
	size_t count;

	apart_again(&whole);
	apart_again(&parts);
	apart_take(&whole, text, 1);
	apart_take(&parts, first, 1);
	apart_take(&parts, (struct span){ text.data + first.len, text.len - first.len },
		   1 + count_lines(first));
	count = apart_lines(&whole, lines);
	must(count <= APART_LINES && apart_lines(&parts, again) == count);
	for (size_t i = 0; i < count; i++) {
		must(lines[i].line >= 1 && lines[i].line <= count_lines(text) + 1);
		must(i == 0 || lines[i - 1].line < lines[i].line);
		must(lines[i].line == again[i].line && span_same(lines[i].text, again[i].text));
		must(!memchr(lines[i].text.data, '\n', lines[i].text.len));
	}
	return 0;
}
