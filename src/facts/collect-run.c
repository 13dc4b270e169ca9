#include "door/store.h"
#include "facts/registry.h"
#include "parse/keyvals.h"

static const char *const root_names[] = {
	[DOOR_LIVE] = "live",
	[DOOR_MOUNTED] = "mounted",
	[DOOR_TREE] = "tree",
	[DOOR_SNAPSHOT] = "snapshot",
};

/* "wall 1763159400 2026-11-14T22:30:00Z", "uptime 86400" */
static void add_clock(struct collect *c, struct row *r)
{
	struct span text;
	struct span value;
	struct span word;
	uint64_t number;
	int error = root_ask(c->root, "clock", &text);

	if (error < 0) {
		facts_gap(c->facts, "run.wall_s", "", error, "clock");
		facts_gap(c->facts, "run.uptime_s", "", error, "clock");
		return;
	}
	if (keyvals_find(text, "wall", &value)) {
		if (span_word(&value, &word) && span_u64(word, &number))
			row_u64(r, "wall_s", number);
		row_text(r, "wall", span_trim(value));
	}
	if (keyvals_u64(text, "uptime", &number))
		row_u64(r, "uptime_s", number);
}

/* The names of what was replaced stand below the note, one a line. */
static void add_scrubbed(struct collect *c, struct row *r)
{
	const struct record *note =
		store_find(root_store(c->root), RECORD_NOTE, SPAN_LITERAL("scrubbed"));
	struct buf words BUF_SCOPED = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct span rest;
	struct span line;

	if (!note || !record_content(note, &text))
		return;
	for (rest = buf_get(&text); span_line(&rest, &line);) {
		buf_text(&words, words.len ? " " : "");
		buf_span(&words, line);
	}
	row_text(r, "scrubbed", arena_span(&c->arena, buf_get(&words)));
}

void collect_run(struct collect *c)
{
	static const struct collect_file files[] = {
		{ "random/boot_id", "boot_id", FORM_TEXT },
		{ "hostname", "hostname", FORM_TEXT },
	};
	static const struct collect_file name = { "ComputerName", "hostname", FORM_TEXT };
	size_t unknown = root_store(c->root)->unknown;
	struct row r = row_of("run");

	row_string(&r, "program", ROCSTEADY_VERSION);
	row_string(&r, "root", root_names[root_kind(c->root)]);
	add_clock(c, &r);
	if (c->windows)
		collect_files(c, &r, "", REGISTRY_COMPUTER, &name, 1);
	else
		collect_files(c, &r, "", "/proc/sys/kernel", files, 2);
	add_scrubbed(c, &r);
	if (unknown > 0)
		facts_gap_said(c->facts, "run", "snapshot", "unasked",
			       arena_format(&c->arena,
					    "%zu lines of a kind that a later version wrote",
					    unknown),
			       NULL);
	facts_add(c->facts, &r);
}
