#include "parse/expect.h"

static bool is_known(struct span name)
{
	struct span rest = SPAN_LITERAL(EXPECT_NAMES), word;

	while (span_word(&rest, &word))
		if (span_same(word, name))
			return true;
	return false;
}

static struct expect read_line(struct span line)
{
	struct expect e = { .line = line };
	struct span rest = line, name;

	if (span_cut(&rest, '=', &name) && is_known(span_trim(name)) &&
	    span_u64(span_trim(rest), &e.value) && e.value <= EXPECT_MAX)
		e.name = span_trim(name);
	return e;
}

bool expect_next(struct span *rest, struct expect *ret)
{
	struct span line;

	while (span_line(rest, &line)) {
		line = span_trim(line);
		if (line.len == 0 || line.data[0] == '#')
			continue;
		*ret = read_line(line);
		return true;
	}
	return false;
}
