#include "base/names.h"

bool names_next(struct span *rest, struct span *ret_name, struct span *ret_words)
{
	struct span line;

	while (span_line(rest, &line))
		if (line.len > 0 && line.data[0] != '#' && span_word(&line, ret_name)) {
			*ret_words = line;
			return true;
		}
	return false;
}

/* The words of a line are cut only where its name begins alike: some lists are asked of every file. */
static bool begins_alike(struct span line, struct span name)
{
	for (size_t i = 0; i < line.len && line.data[i] != '*' && line.data[i] != ' '; i++)
		if (i == name.len || line.data[i] != name.data[i])
			return false;
	return true;
}

bool names_has_as(const char *list, struct span name, const char *word)
{
	struct span rest = span_of(list), line, pattern, words;

	while (span_line(&rest, &line))
		if (begins_alike(line, name) && names_next(&line, &pattern, &words) &&
		    span_fits(name, pattern) && (!word || span_lists(words, word)))
			return true;
	return false;
}

bool names_has(const char *list, const char *name)
{
	return names_has_as(list, span_of(name), NULL);
}
