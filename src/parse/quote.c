#include "parse/quote.h"

/* The place that closes the quote opened at 0, or 0. */
static size_t closing(struct span s)
{
	for (size_t i = 1; i < s.len; i++) {
		if (s.data[i] == s.data[0])
			return i;
		if (s.data[i] == '\\' && s.data[0] == '"')
			i++;
	}
	return 0;
}

char quote_strip(struct span *value)
{
	struct span s = *value;

	if (s.len < 2 || (s.data[0] != '"' && s.data[0] != '\'') || closing(s) != s.len - 1)
		return 0;
	*value = (struct span){ s.data + 1, s.len - 2 };
	return s.data[0];
}
