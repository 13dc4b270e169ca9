#include "facts/collect.h"

#include <string.h>

#include "door/standing.h"
#include "parse/expect.h"

#define OPTION "expected"
#define CONFIG "/etc/rocsteady/expect.conf"

/* "sysctl.vm.swappiness" is /proc/sys/vm/swappiness. */
static void add_sysctl(struct collect *c, struct span name, struct row *r)
{
	struct buf path BUF_SCOPED = { 0 };
	struct span text;

	buf_text(&path, "/proc/sys/");
	for (size_t i = strlen("sysctl."); i < name.len; i++)
		buf_char(&path, name.data[i] == '.' ? '/' : name.data[i]);
	if (collect_read(c, "expected.here", "", &text, "%s", path.data))
		row_text(r, "here", span_trim(text));
}

static void add(struct collect *c, const struct expect *e, const char *source)
{
	struct row r = row_of("expected");

	row_text(&r, "name", e->name);
	row_text(&r, "text", e->text);
	if (e->is_number && e->tenths % 10 == 0)
		row_u64(&r, "value", e->tenths / 10);
	else if (e->is_number)
		row_real(&r, "value", (double)e->tenths / 10);
	if (span_starts(e->name, "sysctl."))
		add_sysctl(c, e->name, &r);
	row_string(&r, "source", source);
	facts_add(c->facts, &r);
}

/* All of it or, with one mistake in it, none. */
static void add_all(struct collect *c, struct span text, const char *source)
{
	struct span rest = text, line;
	const char *why;
	struct expect e;

	if (!expect_check(text, &line, &why)) {
		facts_gap_said(c->facts, "expected", arena_text(&c->arena, line), "broken", why,
			       source);
		return;
	}
	c->expected = arena_span(&c->arena, text);
	while (expect_next(&rest, &e))
		add(c, &e, source);
}

/* The option --expect is meant for this check: it wins over the file. */
void collect_expected(struct collect *c)
{
	struct span text;
	int r;

	if (root_ask(c->root, OPTION, &text) == 0) {
		add_all(c, text, "--expect");
		return;
	}
	r = root_read(c->root, CONFIG, &text);
	if (r == 0)
		add_all(c, text, CONFIG);
	else if (r == -EPERM)
		facts_gap_said(c->facts, "expected", "", "denied",
			       "others than root could have written it", CONFIG);
	else if (r != -ENOENT && r != -ENOTDIR && r != DOOR_UNASKED)
		facts_gap(c->facts, "expected", "", r, CONFIG);
}

bool collect_is_expected(const struct collect *c, const char *patterns)
{
	struct span text = c->expected, rest, pattern;
	struct expect e;

	while (expect_next(&text, &e)) {
		rest = span_of(patterns);
		while (span_word(&rest, &pattern))
			if (span_fits(e.name, pattern))
				return true;
	}
	return false;
}
