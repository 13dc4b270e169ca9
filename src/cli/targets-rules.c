#include "cli/targets-rules.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/fd.h"
#include "cli/say.h"

#define RULES_MAX ((size_t)1 << 20)

static int read_file(const char *path, struct buf *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : fd_all(fd, RULES_MAX, ret);

	if (r < 0)
		say("%s: %s", path, strerror(-r));
	return r < 0 ? EXIT_NO_INPUT : 0;
}

int targets_rules_take(struct targets *t, const struct options *o, const char **ret_require)
{
	struct buf text BUF_SCOPED = { 0 };
	unsigned int line;

	*ret_require = NULL;
	if (o->skip)
		targets_rules_skip(t, o->skip);
	if (!o->rules)
		return 0;
	if (read_file(o->rules, &text) != 0)
		return EXIT_NO_INPUT;
	if (targets_rules_parse(t, buf_get(&text), o->rules, ret_require, &line))
		return 0;
	say("%s:%u: not a rule; rules are \"require gfx1100,gfx942\", \"skip GLOB\" and "
	    "\"skip GLOB gfx942\"",
	    o->rules, line);
	return EXIT_USAGE;
}

void targets_rules_say_unused(const struct targets *t)
{
	for (size_t i = 0; i < t->rule_count; i++)
		if (!t->rules[i].used)
			say("%s: skip %s fits nothing here", t->rules[i].from, t->rules[i].glob);
}
