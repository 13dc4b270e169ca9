#include "parse/modprobe.h"

#include <string.h>

#include "parse/lines.h"

static const char *const verbs[] = {
	[MODPROBE_ALIAS] = "alias",     [MODPROBE_BLACKLIST] = "blacklist",
	[MODPROBE_INSTALL] = "install", [MODPROBE_OPTIONS] = "options",
	[MODPROBE_REMOVE] = "remove",   [MODPROBE_SOFTDEP] = "softdep",
	[MODPROBE_WEAKDEP] = "weakdep",
};

#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

const char *modprobe_verb_name(enum modprobe_verb verb)
{
	return (size_t)verb < VERB_COUNT ? verbs[verb] : "";
}

/* The backslash of a joined line stands alone between blanks. */
static bool next_word(struct span *rest, struct span *ret_word)
{
	while (span_word(rest, ret_word))
		if (!span_is(*ret_word, "\\"))
			return true;
	return false;
}

static bool read_entry(struct span line, struct modprobe_entry *ret)
{
	struct span word, module;
	size_t verb = 0;

	if (!next_word(&line, &word) || !next_word(&line, &module))
		return false;
	while (verb < VERB_COUNT && !span_is(word, verbs[verb]))
		verb++;
	if (verb == VERB_COUNT)
		return false;
	ret->verb = (enum modprobe_verb)verb;
	ret->module = module;
	ret->rest = span_trim(line);
	return true;
}

bool modprobe_next(struct modprobe_reader *reader, struct modprobe_entry *ret)
{
	struct lines lines = { reader->rest, reader->count };
	struct span line;
	unsigned int number;
	bool found = false;

	while (!found && lines_next(&lines, &line, &number))
		found = read_entry(line, ret);
	if (found)
		ret->line = number;
	*reader = (struct modprobe_reader){ lines.rest, lines.count };
	return found;
}

bool modprobe_param_next(struct span *rest, struct cmdline_param *ret)
{
	struct cmdline_param param;

	while (cmdline_next(rest, &param)) {
		if (span_is(param.name, "\\") && !param.has_value)
			continue;
		*ret = param;
		return true;
	}
	return false;
}

static char fold(char c)
{
	return c == '-' ? '_' : c;
}

bool modprobe_is(struct span module, const char *name)
{
	if (module.len != strlen(name))
		return false;
	for (size_t i = 0; i < module.len; i++)
		if (fold(module.data[i]) != fold(name[i]))
			return false;
	return true;
}

void modprobe_name(struct span module, char ret[static MODPROBE_NAME_MAX])
{
	size_t n = module.len < MODPROBE_NAME_MAX - 1 ? module.len : MODPROBE_NAME_MAX - 1;

	for (size_t i = 0; i < n; i++)
		ret[i] = fold(module.data[i]);
	ret[n] = '\0';
}
