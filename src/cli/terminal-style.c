#include "cli/terminal-style.h"

#include <stdlib.h>
#include <string.h>

#include "cli/say.h"

static const char *wanted; /* of --color; one command line, one process */

void terminal_color(const char *when)
{
	wanted = when && strcmp(when, "auto") != 0 ? when : NULL;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && value[0];
}

static bool speaks_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < 3; i++)
		if (is_set(names[i])) /* the first that is set decides */
			return strcasestr(getenv(names[i]), "utf-8") ||
			       strcasestr(getenv(names[i]), "utf8");
	return false;
}

struct page terminal_page(struct buf *out, const char *output)
{
	size_t terminal = output ? 0 : say_width();
	bool plain = terminal == 0 || !is_set("TERM") || strcmp(getenv("TERM"), "dumb") == 0;

	return (struct page){ .out = out,
			      .width = page_width(terminal),
			      .colour = wanted ? strcmp(wanted, "always") == 0
					       : !plain && !is_set("NO_COLOR"),
			      .symbols = !plain && speaks_utf8() };
}
