#include "parse/rank.h"

#include <ctype.h>
#include <string.h>

#define MARKS_MAX    4
#define NAME_LONGEST 64

/* After a text that stands at the beginning, or anywhere. */
static bool skip(struct span *s, const char *text)
{
	size_t n = strlen(text);

	if (!span_starts(*s, text))
		return false;
	*s = (struct span){ s->data + n, s->len - n };
	return true;
}

static bool find(struct span *s, const char *text)
{
	size_t at = span_find(*s, span_of(text));

	if (at == SIZE_MAX)
		return false;
	*s = (struct span){ s->data + at, s->len - at };
	return skip(s, text);
}

static bool to_rank(struct span digits, long *ret)
{
	uint64_t value;

	if (!span_u64(digits, &value) || value > RANK_MAX)
		return false;
	*ret = (long)value;
	return true;
}

/* A word and a number, as torchrun's roles and ranks are written. */
static bool split_name(struct span name, struct span *ret_digits)
{
	size_t n = name.len;

	while (n > 0 && isdigit((unsigned char)name.data[n - 1]))
		n--;
	if (n == 0 || n > NAME_LONGEST)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name.data[i]) && !strchr("_-.", name.data[i]))
			return false;
	*ret_digits = (struct span){ name.data + n, name.len - n };
	return true;
}

/* "[name1]:", and a blank after it if there is one. */
static bool take_mark(struct span *line, long *ret)
{
	struct span rest = *line, name, digits;

	if (!skip(&rest, "[") || !span_cut(&rest, ']', &name) || !skip(&rest, ":") ||
	    !split_name(name, &digits) || !to_rank(digits, ret))
		return false;
	(void)skip(&rest, " ");
	*line = rest;
	return true;
}

bool rank_parse(struct span line, long *ret_rank, struct span *ret_rest)
{
	struct span rest = line, ended = line, word;
	long rank = -1;
	int marks = 0;

	while (marks < MARKS_MAX && take_mark(&rest, &rank))
		marks++;
	if (marks == 0 && !(find(&ended, "failed (exitcode: ") && find(&ended, "local_rank: ") &&
			    span_word(&ended, &word) && to_rank(word, &rank)))
		return false;
	*ret_rank = rank;
	*ret_rest = rest;
	return true;
}
