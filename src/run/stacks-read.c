/* Reads a file that stacks.c has written. */

#include "run/stacks.h"

#define LAUNCHER SPAN_LITERAL("torch/distributed/elastic/")
#define SECTION  "py-spy of process "

static bool is_frame(struct span line)
{
	return span_starts(line, "        ") && span_find(line, SPAN_LITERAL(":")) != SIZE_MAX;
}

/* Lines from `from` to before `to`, which are of one text. */
static struct span between(const char *from, const char *to)
{
	return (struct span){ from, from && to > from ? (size_t)(to - from) : 0 };
}

/* One section: its threads, and the frames of the main one; the first thread, if none is called so. */
static void read_section(struct span text, struct span *ret_all, struct span *ret_main)
{
	struct span line, rest = text;
	const char *begin = NULL, *main_begin = NULL;
	bool in_main = false, has_main = false;

	*ret_main = (struct span){ "", 0 };
	while (span_line(&rest, &line)) {
		if (span_starts(line, "    Thread ")) {
			bool is_main = span_find(line, SPAN_LITERAL("MainThread")) != SIZE_MAX;

			begin = begin ? begin : line.data;
			in_main = is_main || (ret_main->len == 0 && !has_main);
			has_main = has_main || is_main;
			main_begin = in_main ? rest.data : main_begin;
		} else if (in_main && is_frame(line)) {
			*ret_main = between(main_begin, line.data + line.len);
		}
	}
	*ret_all = between(begin, text.data + text.len);
}

/* Up to the next section, or to where the threads begin. */
static struct span cut_section(struct span *rest)
{
	const char *begin = rest->data;
	struct span line, before;

	while (before = *rest, span_line(rest, &line))
		if (span_starts(line, SECTION) || span_starts(line, "process ") ||
		    span_starts(line, "User stacks") || span_starts(line, "python ")) {
			*rest = before;
			return between(begin, line.data);
		}
	return between(begin, before.data);
}

/* The process of a launcher waits for its ranks: one of those tells more. */
static void take_section(struct span section, struct stacks_found *ret)
{
	struct span all, main;

	read_section(section, &all, &main);
	if (main.len == 0 || (ret->main.len > 0 && span_find(ret->main, LAUNCHER) == SIZE_MAX))
		return;
	ret->all = all;
	ret->main = main;
}

void stacks_find(struct span file, struct stacks_found *ret)
{
	struct span line, word, whole = file;

	*ret = (struct stacks_found){ .class = { "", 0 }, .python = { "", 0 }, .file = whole };
	while (span_line(&file, &line)) {
		word = (struct span){ "", 0 };
		if (span_starts(line, SECTION))
			take_section(cut_section(&file), ret);
		else if (span_word(&line, &word) && span_is(word, "class"))
			ret->class = span_trim(line);
		else if (span_is(word, "python"))
			ret->python = span_trim(line);
	}
}
