#include "parse/cmdline.h"

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct span drop_first(struct span s, size_t n)
{
	return (struct span){ s.data + n, s.len - n };
}

static struct span unquote(struct span s)
{
	if (!span_starts(s, "\""))
		return s;
	s = drop_first(s, 1);
	s.len -= span_ends(s, "\"");
	return s;
}

/* Blanks divide only outside quotes; a quote that is never closed takes all. */
static bool cut_word(struct span *rest, struct span *ret_word)
{
	bool quoted = false;
	size_t n = 0;

	while (rest->len > 0 && is_blank(rest->data[0]))
		*rest = drop_first(*rest, 1);
	for (; n < rest->len && (quoted || !is_blank(rest->data[n])); n++)
		if (rest->data[n] == '"')
			quoted = !quoted;
	if (n == 0)
		return false;
	*ret_word = (struct span){ rest->data, n };
	*rest = drop_first(*rest, n);
	return true;
}

/* A '=' in the first place belongs to the name, as in the kernel. */
static struct cmdline_param divide(struct span word)
{
	struct cmdline_param param = { .name = unquote(word) };
	size_t equals = 1;

	word = param.name;
	while (equals < word.len && word.data[equals] != '=')
		equals++;
	if (equals >= word.len)
		return param;
	param.has_value = true;
	param.name.len = equals;
	param.value = unquote(drop_first(word, equals + 1));
	return param;
}

bool cmdline_next(struct span *rest, struct cmdline_param *ret)
{
	struct span word;

	if (!cut_word(rest, &word))
		return false;
	if (span_is(word, "--")) {
		*rest = drop_first(*rest, rest->len);
		return false;
	}
	*ret = divide(word);
	return true;
}
