#include "facts/collect.h"

#include "door/standing.h"
#include "parse/expect.h"

#define OPTION "expected"
#define CONFIG "/etc/rocsteady/expect.conf"

static void add(struct collect *c, const struct expect *e, const char *source)
{
	struct row r = row_of("expected");

	row_text(&r, "name", e->name);
	row_u64(&r, "value", e->value);
	row_string(&r, "source", source);
	facts_add(c->facts, &r);
}

static void add_all(struct collect *c, struct span text, const char *source)
{
	struct expect e;

	while (expect_next(&text, &e)) {
		if (e.name.len > 0)
			add(c, &e, source);
		else
			facts_gap_said(c->facts, "expected", arena_text(&c->arena, e.line),
				       "broken", "not NAME = NUMBER of a name that is known",
				       source);
	}
}

/* Who types --expect means this examination, whatever the file says. */
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
	else if (r != -ENOENT && r != -ENOTDIR && r != DOOR_UNASKED)
		facts_gap(c->facts, "expected", "", r, CONFIG);
}
